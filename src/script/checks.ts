/**
 * Holds a response against what a person said must hold of it.
 *
 * A `Check` is a `CheckPlan` with its pattern compiled and its pointer taken apart.
 */
import type { CheckPlan, TextTemplate } from '../plan/script-plan.ts'
import { pointerTokens, valueAt } from './json-pointer.ts'
import { compiledPattern } from './pattern.ts'
import type { ScriptResponse } from './script-response.ts'
import { fixedText, renderText } from './text-template.ts'

export class Check {
  readonly plan: CheckPlan
  readonly #tokens: readonly string[]
  readonly #pattern: RegExp | null
  readonly #fieldName: string
  /** Text to compare with when it is the same for all; null: it is filled in each time. */
  readonly #fixed: string | null

  constructor(plan: CheckPlan) {
    this.plan = plan
    this.#tokens = plan.kind === 'json' ? (pointerTokens(plan.pointer) ?? []) : []
    this.#fieldName = plan.kind === 'header' ? plan.name.toLowerCase() : ''
    this.#pattern = patternOf(plan)
    const template = templateOf(plan)
    this.#fixed = template === null ? null : fixedText(template)
  }

  /** Whether it holds; `variables` are those of the user. */
  holds(response: ScriptResponse, variables: readonly string[]): boolean {
    const { plan } = this
    switch (plan.kind) {
      case 'status':
        return isWithin(response.status, plan.ranges)
      case 'header': {
        const value = response.field(this.#fieldName)
        return value !== null && (this.#pattern === null || this.#pattern.test(value))
      }
      case 'body-contains':
        return response.text().includes(this.#fixed ?? renderText(plan.text, variables))
      case 'body-matches':
        return this.#pattern!.test(response.text())
      case 'json':
        return this.#jsonHolds(plan.equals, response, variables)
    }
  }

  #jsonHolds(
    equals: TextTemplate | null,
    response: ScriptResponse,
    variables: readonly string[],
  ): boolean {
    const json = response.json()
    if ('problem' in json) return false
    const value = valueAt(json.value, this.#tokens)
    if (equals === null || value === undefined) return value !== undefined
    return value === scalarOf(this.#fixed ?? renderText(equals, variables))
  }
}

function isWithin(
  status: number,
  ranges: readonly { readonly from: number; readonly to: number }[],
): boolean {
  for (let index = 0; index < ranges.length; index++) {
    if (status >= ranges[index]!.from && status <= ranges[index]!.to) return true
  }
  return false
}

function patternOf(plan: CheckPlan): RegExp | null {
  if (plan.kind === 'body-matches') return compiledPattern(plan.pattern, plan.flags)
  if (plan.kind === 'header' && plan.matches !== null) return compiledPattern(plan.matches, '')
  return null
}

function templateOf(plan: CheckPlan): TextTemplate | null {
  if (plan.kind === 'body-contains') return plan.text
  return plan.kind === 'json' ? plan.equals : null
}

/** JSON of a value that a variable was put into raw may be none; then it equals nothing. */
function scalarOf(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
