/**
 * Texts with variables in them: read once when a plan is made, filled in for each request.
 *
 * A person writes `${name}`. What is put in fits the place it is put into: percent-encoded in the
 * path and query of a URL, escaped in JSON and forms, without line ends in a header field, and as
 * it is elsewhere. `${raw:name}`, `${url:name}`, `${form:name}` and `${json:name}` say it
 * themselves. Directly before a brace two dollars stand for one, so `$${x}` is the text `${x}` and
 * `$$${x}` a dollar and a value; everywhere else a dollar is a dollar.
 *
 * A value is put in as it is and never read again for placeholders.
 */
import { nearestWord } from '../base/nearest-word.ts'
import type { TextPiece, TextTemplate, VariableEscape } from '../plan/script-plan.ts'

/** `form`: one name or value of a form, whose own text is encoded as well. */
export type TemplatePlace = 'url' | 'field' | 'json' | 'form' | 'text'

export interface VariableTable {
  /**
   * A position among the variables, a text that never changes, or why it is of no use here as one
   * sentence; undefined: nobody knows it.
   */
  find(name: string): number | { readonly text: string } | { readonly problem: string } | undefined
  /** For advice. */
  readonly names: readonly string[]
}

export interface TemplateProblem {
  /** One sentence. */
  readonly text: string
  /** Where the placeholder begins, in characters, from 0. */
  readonly offset: number
}

export interface ParsedTemplate {
  readonly template: TextTemplate
  readonly problems: readonly TemplateProblem[]
}

/** What a variable may be called. */
export const VARIABLE_NAME: RegExp = /^[A-Za-z_][A-Za-z0-9_.-]*$/

const DOLLARS_AND_BRACE = /(\$+)\{/g
const PLACEHOLDER = /\{(?:([a-z]+):)?([^{}:\n]*)\}/y
const ESCAPES: ReadonlyMap<string, VariableEscape | null> = new Map([
  ['raw', null],
  ['url', 'url'],
  ['form', 'form'],
  ['json', 'json'],
])

/** The template that `text` is in `place`, with all that is wrong in it. */
export function parseTemplate(
  text: string,
  place: TemplatePlace,
  variables: VariableTable,
): ParsedTemplate {
  const builder = new TemplateBuilder(place)
  const problems: TemplateProblem[] = []
  let taken = 0
  for (const found of text.matchAll(DOLLARS_AND_BRACE)) {
    const dollarCount = found[1]!.length
    const brace = found.index + dollarCount
    builder.addLiteral(text.slice(taken, found.index) + '$'.repeat(dollarCount >> 1))
    taken = brace
    if (dollarCount % 2 === 0) continue
    const problem = (what: string) => problems.push({ text: what, offset: brace - 1 })
    PLACEHOLDER.lastIndex = brace
    const [whole, prefix, name = ''] = PLACEHOLDER.exec(text) ?? []
    if (whole === undefined || !VARIABLE_NAME.test(name)) {
      problem('after "${" comes the name of a variable and "}"; for the text "${" write "$${"')
      continue
    }
    taken = brace + whole.length
    const given = prefix === undefined ? undefined : ESCAPES.get(prefix)
    if (prefix !== undefined && given === undefined) {
      problem(`"\${${prefix}:" is not known; there are raw, url, form and json`)
      continue
    }
    const variable = variables.find(name)
    if (variable === undefined) problem(unknownText(name, variables.names))
    else if (typeof variable !== 'number' && 'problem' in variable) problem(variable.problem)
    else builder.addVariable(variable, given)
  }
  builder.addLiteral(text.slice(taken))
  return { template: builder.pieces, problems }
}

/** `text` so that reading it as a template gives just that text. */
export function escapedForTemplate(text: string): string {
  return text.replace(DOLLARS_AND_BRACE, (_, dollars: string) => `${dollars}${dollars}{`)
}

/** The names that `text` refers to, whether they exist or not. */
export function namesInTemplate(text: string): string[] {
  const names: string[] = []
  parseTemplate(text, 'text', {
    find(name) {
      names.push(name)
      return { text: '' }
    },
    names: [],
  })
  return names
}

/** The same template, where a path at its begin means one on the origin `base`. */
export function behindOrigin(template: TextTemplate, base: string): TextTemplate {
  const [first, ...rest] = template
  if (typeof first !== 'number') return template
  return [{ variableIndex: first, escape: 'address', base }, ...rest]
}

/** The text if no variable is in it, else null. */
export function fixedText(template: TextTemplate): string | null {
  return template.every((piece) => typeof piece === 'string') ? template.join('') : null
}

/** Per request (bench/micro/script.bench.ts). `variables` has a text for each variable. */
export function renderText(template: TextTemplate, variables: readonly string[]): string {
  let text = ''
  for (let index = 0; index < template.length; index++) {
    const piece = template[index]!
    if (typeof piece === 'string') text += piece
    else if (typeof piece === 'number') text += variables[piece]!
    else if (piece.base === undefined)
      text += escaped(variables[piece.variableIndex]!, piece.escape)
    else text += wholeAddress(variables[piece.variableIndex]!, piece.base)
  }
  return text
}

const encoder = new TextEncoder()

/** As `renderText`, in UTF-8. */
export function renderBytes(template: TextTemplate, variables: readonly string[]): Uint8Array {
  return encoder.encode(renderText(template, variables))
}

class TemplateBuilder {
  readonly pieces: TextPiece[] = []
  readonly #place: TemplatePlace
  /** The URL so far, with a letter for each variable. */
  #url = ''

  constructor(place: TemplatePlace) {
    this.#place = place
  }

  /** What the person wrote. */
  addLiteral(text: string): void {
    this.#addText(this.#place === 'form' ? escaped(text, 'form') : text)
  }

  #addText(text: string): void {
    if (text === '') return
    this.#url += text
    const last = this.pieces.length - 1
    const before = this.pieces[last]
    if (typeof before === 'string') this.pieces[last] = before + text
    else this.pieces.push(text)
  }

  /** `given`: what the placeholder itself asks for; undefined: what fits the place. */
  addVariable(
    variable: number | { readonly text: string },
    given: VariableEscape | null | undefined,
  ): void {
    const wanted = given === undefined ? this.#fitting() : given
    if (typeof variable !== 'number') {
      this.#addText(wanted === null ? variable.text : escaped(variable.text, wanted))
      return
    }
    this.#url += 'x'
    this.pieces.push(wanted === null ? variable : { variableIndex: variable, escape: wanted })
  }

  #fitting(): VariableEscape | null {
    if (this.#place === 'text') return null
    if (this.#place !== 'url') return this.#place
    // An address that is put in, or its host, is no part of a path.
    return /^[^/?#]*(?::\/\/[^/?#]*)?$/.test(this.#url) ? null : 'url'
  }
}

/** What a server calls the place of something is often a path only. */
function wholeAddress(value: string, base: string): string {
  return value.startsWith('/') && !value.startsWith('//') ? base + value : value
}

function escaped(value: string, wanted: VariableEscape): string {
  switch (wanted) {
    case 'url':
      return percentEncoded(value)
    case 'form':
      return percentEncoded(value).replaceAll('%20', '+')
    case 'json':
      return NEEDS_JSON_ESCAPE.test(value) ? JSON.stringify(value).slice(1, -1) : value
    case 'field':
      return NOT_IN_FIELD.test(value) ? value.replace(NOT_IN_FIELD_ALL, ' ') : value
    case 'address':
      return value
  }
}

const UNRESERVED = /^[A-Za-z0-9_.~-]*$/
const LONE_SURROGATES = /\p{Surrogate}/gu
const NEEDS_JSON_ESCAPE = /["\\\0-\x1f\ud800-\udfff]/
/** RFC 9110, 5.5: a recipient takes each of them for a blank, or the message for an attack. */
const NOT_IN_FIELD = /[\0\r\n]/
const NOT_IN_FIELD_ALL = /[\0\r\n]+/g

function percentEncoded(value: string): string {
  if (UNRESERVED.test(value)) return value
  return encodeURIComponent(value.replace(LONE_SURROGATES, '\ufffd'))
}

function unknownText(name: string, names: readonly string[]): string {
  const nearest = nearestWord(name, names)
  if (nearest !== undefined) return `there is no variable ${name}; did you mean ${nearest}?`
  if (names.length === 0) return `there is no variable ${name}; for the text "\${" write "$\${"`
  const shown = names.slice(0, 8).join(', ')
  return `there is no variable ${name}; there are: ${shown}${names.length > 8 ? ' ...' : ''}`
}
