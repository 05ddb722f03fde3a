/**
 * The parts of one request as written: its URL behind the plan's base, its body with its type, its
 * header fields.
 */
import { BYTES_PER_MIB } from '../../base/units.ts'
import { contentTypeOfFile } from '../../plan/content-type.ts'
import { latin1FromText } from '../../plan/latin1.ts'
import type { StepPlan, TextPiece, TextTemplate } from '../../plan/script-plan.ts'
import type { Origin } from '../../plan/target-list.ts'
import { TargetUrlReader } from '../../plan/target-url.ts'
import {
  behindOrigin,
  fixedText,
  parseTemplate,
  type TemplatePlace,
  type VariableTable,
} from '../../script/text-template.ts'
import { urlOf } from './complete.ts'
import type { PlanPath, PlanProblems } from './placed-plan.ts'
import { METHOD_KEYS, type RequestDraft, type ScalarDraft } from './plan-draft.ts'
import type { ReadBytes } from './run-files.ts'

/** A body is in memory once for each thread. */
export const BODY_BYTES_MAX: number = 64 * BYTES_PER_MIB

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'
export const TEXT_TYPE = 'text/plain; charset=utf-8'
const BYTES_TYPE = 'application/octet-stream'

export interface ReadBody {
  readonly body: StepPlan['body']
  /** Null without a body. */
  readonly contentType: string | null
}

/** Reads the requests of a plan; what is wrong with them is added to `problems`. */
export class RequestReader {
  readonly #baseUrl: string
  readonly #read: ReadBytes
  readonly #problems: PlanProblems
  readonly #urls = new TargetUrlReader(true)
  readonly #files = new Map<string, Uint8Array | string>()

  constructor(baseUrl: string | undefined, read: ReadBytes, problems: PlanProblems) {
    this.#baseUrl = baseUrl ?? ''
    this.#read = read
    this.#problems = problems
  }

  template(text: string, place: TemplatePlace, path: PlanPath, table: VariableTable): TextTemplate {
    const { template, problems } = parseTemplate(text, place, table)
    for (const { text: problem, offset } of problems) this.#problems.add(path, problem, offset)
    return template
  }

  /** The whole URL, and its origin where that is always the same. */
  url(
    request: RequestDraft,
    path: PlanPath,
    table: VariableTable,
  ): { readonly template: TextTemplate; readonly origin: Origin | null } {
    const keys = [...METHOD_KEYS, 'url' as const].filter((key) => request[key] !== undefined)
    if (keys.length !== 1 || (request.method !== undefined && request.url === undefined)) {
      this.#problems.add(path, this.#methodText(request, keys))
      return { template: [], origin: null }
    }
    const at = [...path, keys[0]!]
    const written = urlOf(request)
    const prefix = this.#prefixOf(written)
    if (prefix === null) {
      this.#problems.add(at, `${written} is no whole URL, and the plan has no base-url`)
      return { template: [], origin: null }
    }
    const { template, problems } = parseTemplate(prefix + written, 'url', table)
    for (const { text, offset } of problems) {
      if (offset < prefix.length) this.#problems.add(['base-url'], text, offset)
      else this.#problems.add(at, text, offset - prefix.length)
    }
    const baseOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#$]+/i.exec(this.#baseUrl)?.[0]
    return {
      template: baseOrigin === undefined ? template : behindOrigin(template, baseOrigin),
      origin: problems.length > 0 ? null : this.#originOf(template, at),
    }
  }

  #methodText(request: RequestDraft, keys: readonly string[]): string {
    if (keys.length > 1) return `a request has one URL, not ${keys.join(' and ')}`
    return request.method === undefined
      ? 'what to request is missing, such as get: /cart'
      : 'method needs a url'
  }

  /** What goes before a URL to make it whole; null: nothing would. */
  #prefixOf(written: string): string | null {
    if (/^(?:[a-z][a-z0-9+.-]*:\/\/|\$\{)/i.test(written)) return ''
    if (this.#baseUrl === '') return written.startsWith('/') ? null : 'http://'
    const base = this.#baseUrl.replace(/\/+$/, '')
    const whole = /^(?:[a-z][a-z0-9+.-]*:\/\/|\$\{)/i.test(base) ? base : `http://${base}`
    return /^[/?#]/.test(written) ? whole : `${whole}/`
  }

  #originOf(template: TextTemplate, path: PlanPath): Origin | null {
    const [first] = template
    const fixed = fixedText(template)
    const isOriginFixed = typeof first === 'string' && /:\/\/[^/?#]+[/?#]/.test(first)
    if (fixed === null && !isOriginFixed) return null
    const url = this.#urls.read(latin1FromText(fixed ?? String(first)))
    if ('problem' in url) {
      this.#problems.add(path, url.problem)
      return null
    }
    if (url.prefix.origin.scheme !== 'ftp') return url.prefix.origin
    this.#problems.add(path, 'plans speak http and https; siege can put ftp servers under load')
    return null
  }

  body(request: RequestDraft, path: PlanPath, table: VariableTable): ReadBody {
    const kinds = (['json', 'form', 'body', 'body-file'] as const).filter(
      (kind) => request[kind] !== undefined,
    )
    if (kinds.length > 1) {
      this.#problems.add(path, `a request has one body, not ${kinds.join(' and ')}`)
    }
    const { json, form, body } = request
    const file = request['body-file']
    if (json !== undefined) return this.#jsonBody(json, [...path, 'json'], table)
    if (form !== undefined) return this.#formBody(form, [...path, 'form'], table)
    if (body !== undefined) {
      const template = this.template(body, 'text', [...path, 'body'], table)
      return { body: template, contentType: guessedType(body) }
    }
    if (file === undefined) return { body: null, contentType: null }
    return {
      body: this.#fileBody(file, [...path, 'body-file']),
      contentType: contentTypeOfFile(file) ?? BYTES_TYPE,
    }
  }

  #jsonBody(value: unknown, path: PlanPath, table: VariableTable): ReadBody {
    this.#addJsonProblems(value, path, table)
    const { template } = parseTemplate(jsonText(value), 'json', table)
    return { body: template, contentType: JSON_TYPE }
  }

  /** Text by text, so that each mistake is told at its own place. */
  #addJsonProblems(value: unknown, path: PlanPath, table: VariableTable): void {
    if (typeof value === 'string') this.template(value, 'json', path, table)
    if (typeof value !== 'object' || value === null) return
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    for (const [name, entry] of entries) {
      if (typeof name === 'string') this.template(name, 'json', [...path, name], table)
      this.#addJsonProblems(entry, [...path, name], table)
    }
  }

  #formBody(
    form: NonNullable<RequestDraft['form']>,
    path: PlanPath,
    table: VariableTable,
  ): ReadBody {
    const pieces: TextTemplate = Object.entries(form).flatMap(([name, value]) => {
      const at = [...path, name]
      const texts = [value].flat() as readonly ScalarDraft[]
      return texts.flatMap((text) => [
        '&',
        ...this.template(name, 'form', at, table),
        '=',
        ...this.template(String(text), 'form', at, table),
      ])
    })
    return { body: joined(pieces.slice(1)), contentType: FORM_TYPE }
  }

  #fileBody(file: string, path: PlanPath): Uint8Array {
    const known = this.#files.get(file) ?? this.#read(file, BODY_BYTES_MAX)
    this.#files.set(file, known)
    if (typeof known !== 'string') return known
    this.#problems.add(path, `the body file ${file} cannot be read: ${known}`)
    return new Uint8Array()
  }
}

/** Texts next to each other as one. */
function joined(pieces: TextTemplate): TextTemplate {
  const result: TextPiece[] = []
  for (const piece of pieces) {
    const before = result.at(-1)
    if (typeof piece === 'string' && typeof before === 'string') {
      result[result.length - 1] = before + piece
    } else result.push(piece)
  }
  return result
}

/** JSON of `value`; a text that is nothing but `${raw:name}` becomes that value, without quotes. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') {
    return /^\$\{raw:[^{}]*\}$/.test(value) ? value : JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, entry]) => `${JSON.stringify(name)}:${jsonText(entry)}`,
  )
  return `{${entries.join(',')}}`
}

/** Of a body that is given as text, by how it looks. */
export function guessedType(body: string): string {
  if (/^\s*[[{]/.test(body)) return JSON_TYPE
  return /^[^\s=&]+=[^\s]*$/.test(body) ? FORM_TYPE : TEXT_TYPE
}
