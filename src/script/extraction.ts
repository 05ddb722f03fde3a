/**
 * Takes values out of a response into the variables of a user.
 *
 * Everything that can be worked out before the run is: an `Extractor` is an `ExtractionPlan` with
 * its pattern compiled and its pointer taken apart. Finding nothing is ordinary and no error here.
 */
import { readSetCookie } from '../browse/cookie-line.ts'
import type { ExtractionPlan } from '../plan/script-plan.ts'
import { numberTextAt, pointerTokens, valueAt } from './json-pointer.ts'
import { compiledPattern } from './pattern.ts'
import type { ScriptResponse } from './script-response.ts'

export class Extractor {
  readonly plan: ExtractionPlan
  readonly #tokens: readonly string[]
  readonly #pattern: RegExp | null
  /** In lower case for a field, as it is for a cookie. */
  readonly #name: string

  constructor(plan: ExtractionPlan) {
    this.plan = plan
    this.#tokens = plan.kind === 'json' ? (pointerTokens(plan.pointer) ?? []) : []
    this.#pattern = plan.kind === 'regex' ? compiledPattern(plan.pattern, plan.flags) : null
    this.#name =
      plan.kind === 'header' ? plan.name.toLowerCase() : plan.kind === 'cookie' ? plan.name : ''
  }

  /** What is there, else the fallback, else null: nothing was found. */
  extract(response: ScriptResponse): string | null {
    return this.#found(response) ?? this.plan.fallback
  }

  /** Why nothing was found, as one sentence without its final stop. */
  missText(response: ScriptResponse): string {
    const { plan } = this
    switch (plan.kind) {
      case 'json': {
        const json = response.json()
        if ('problem' in json) return `${json.problem}, so nothing is at ${plan.pointer}`
        return `the JSON has nothing at ${plan.pointer}`
      }
      case 'regex': {
        const part = response.isBodyCut ? 'the part of the body that is looked into' : 'the body'
        return `nothing in ${part} matches /${plan.pattern}/${plan.flags}`
      }
      case 'header':
        return `the response has no field ${plan.name}`
      case 'cookie':
        return `the response sets no cookie ${plan.name}`
    }
  }

  #found(response: ScriptResponse): string | null {
    switch (this.plan.kind) {
      case 'json':
        return this.#jsonText(response)
      case 'regex': {
        const match = this.#pattern!.exec(response.text())
        if (match === null) return null
        return (match.length > 1 ? match[1] : match[0]) ?? null
      }
      case 'header':
        return response.field(this.#name)
      case 'cookie':
        return response.lastField('set-cookie', this.#cookieValue)
    }
  }

  #jsonText(response: ScriptResponse): string | null {
    const json = response.json()
    if ('problem' in json) return null
    const value = valueAt(json.value, this.#tokens)
    if (value === undefined) return null
    if (typeof value === 'string') return value
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      return numberTextAt(response.text(), this.#tokens)
    }
    return JSON.stringify(value)
  }

  readonly #cookieValue = (line: string): string | null => {
    // Other cookies' lines need no reading.
    if (!line.includes(this.#name)) return null
    const cookie = readSetCookie(line)
    return cookie?.name === this.#name ? cookie.value : null
  }
}

/**
 * Fills `variables` from `response`; each extraction is tried, and those that find nothing leave
 * their variable empty. Returns the first of these, or null.
 */
export function extractAll(
  extractors: readonly Extractor[],
  response: ScriptResponse,
  variables: string[],
): Extractor | null {
  let missed: Extractor | null = null
  for (let index = 0; index < extractors.length; index++) {
    const extractor = extractors[index]!
    const value = extractor.extract(response)
    if (value === null) missed ??= extractor
    variables[extractor.plan.variableIndex] = value ?? ''
  }
  return missed
}
