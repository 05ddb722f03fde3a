/**
 * The grammar of one line: `URL [METHOD [-T type;] [body | < file]] [# comment]`.
 *
 * It cuts a line into its fields and refuses what a person could not have meant; what the URL says
 * is `target-url.ts`, files and variables are `url-list.ts`. Text is bytes, one character each.
 *
 * siege looks for a method anywhere in the line and takes the first of a fixed order. Here it is
 * the second field, so a body may hold any word, and a word that is no method is not sent as a
 * part of the URL.
 */
import { nearestWord } from '../base/nearest-word.ts'
import { quotedLatin1, trimEndLatin1, trimStartLatin1 } from './latin1.ts'
import type { TextProblem } from './target-url.ts'

export interface UrlLine {
  readonly url: string
  /** 1-based, where the URL begins in the line. */
  readonly urlColumn: number
  readonly method: string
  /** From `-T`. */
  readonly contentType: string | null
  readonly body: LineBody | null
}

export type LineBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly column: number }

export const REQUEST_METHODS: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
]

/** Of the longest method; spares a body without blanks from being turned to upper case. */
const METHOD_LETTERS_MAX = 7

/** Methods that come with a body by their nature: behind them `#` begins a body, no comment. */
const BODY_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH']

/** `word` as a method in upper case, or undefined when it is none; any case will do. */
export function methodOfWord(word: string): string | undefined {
  if (REQUEST_METHODS.includes(word)) return word
  const upper = word.length <= METHOD_LETTERS_MAX ? word.toUpperCase() : word
  return REQUEST_METHODS.find((method) => method === upper)
}

/** Takes a line apart that has neither a terminator nor blanks in front, and is no comment. */
export function parseUrlLine(line: string): UrlLine | TextProblem {
  const { text, urlShift, restShift } = withoutQuotes(line)
  const urlEnd = blankFrom(text, 0)
  const second = blanksEnd(text, urlEnd)
  const secondEnd = blankFrom(text, second)
  const word = text.slice(second, secondEnd)
  const method = methodOfWord(word)
  const url = text.slice(0, urlEnd)
  const urlColumn = 1 + urlShift
  if (method === undefined) {
    const rest = readRestOfUrl(text.slice(urlEnd), word)
    if (typeof rest !== 'string') return { ...rest, column: rest.column + urlEnd + restShift }
    return { url: url + rest, urlColumn, method: 'GET', contentType: null, body: null }
  }
  const payload = readPayload(text, blanksEnd(text, secondEnd), method)
  if ('problem' in payload) return { ...payload, column: payload.column + restShift }
  return { url, urlColumn, method, ...payload }
}

interface Unquoted {
  readonly text: string
  /** Characters taken away in front of the URL, and in front of what follows it. */
  readonly urlShift: number
  readonly restShift: number
}

/** `line` without the quotes that wrap the whole of it, or the URL alone, if they do. */
function withoutQuotes(line: string): Unquoted {
  const quote = line[0]
  if (quote === '"' || quote === "'") {
    const urlEnd = blankFrom(line, 1)
    if (line[urlEnd - 1] === quote && urlEnd > 1) {
      const text = line.slice(1, urlEnd - 1) + line.slice(urlEnd)
      return { text, urlShift: 1, restShift: 2 }
    }
    const trimmed = trimEndLatin1(line)
    if (trimmed.endsWith(quote)) return { text: trimmed.slice(1, -1), urlShift: 1, restShift: 1 }
  }
  return { text: line, urlShift: 0, restShift: 0 }
}

/**
 * What of `rest`, which begins with the blanks behind a URL, belongs to the URL when `word`, the
 * next field, is no method: nothing, or all up to a comment.
 */
function readRestOfUrl(rest: string, word: string): string | TextProblem {
  if (word === '' || word.startsWith('#')) return ''
  const column = blanksEnd(rest, 0) + 1
  if (word === '-H' || word.startsWith('--header')) return headerProblem(column)
  if (word === '-T') {
    return { problem: '-T belongs behind the method: URL POST -T type; body', column }
  }
  if (/^[A-Z]{2,}$/.test(word)) return unknownMethod(word, column)
  const comment = rest.search(/[ \t]#/)
  const kept = trimEndLatin1(comment === -1 ? rest : rest.slice(0, comment))
  const method = LATER_METHOD.exec(kept)
  if (method === null) return kept
  return { problem: `the URL before ${method[1]} has a blank in it: write %20`, column: 1 }
}

const LATER_METHOD: RegExp = new RegExp(`[ \\t](${REQUEST_METHODS.join('|')})(?![^ \\t])`)

function headerProblem(column: number): TextProblem {
  const problem = 'a line cannot have headers of its own: give -H on the command line'
  return { problem, column }
}

function unknownMethod(word: string, column: number): TextProblem {
  const nearest = nearestWord(word, REQUEST_METHODS)
  const advice = nearest === undefined ? `use ${listOfMethods()}` : `did you mean ${nearest}?`
  const problem = `${quotedLatin1(word)} is not a method that onager sends: ${advice}`
  return { problem, column }
}

function listOfMethods(): string {
  return `${REQUEST_METHODS.slice(0, -1).join(', ')} or ${REQUEST_METHODS.at(-1)}`
}

interface Payload {
  readonly contentType: string | null
  readonly body: LineBody | null
}

/** `[-T type[;]]... [body | < file]`, from `start`, which is behind the blanks after the method. */
function readPayload(text: string, start: number, method: string): Payload | TextProblem {
  let at = start
  let contentType: string | null = null
  for (;;) {
    const found = CONTENT_TYPE.exec(text.slice(at, at + TYPE_BYTES_MAX))
    if (found === null) break
    contentType = found[1] ?? found[2] ?? null
    at += found[0].length
  }
  const first = text.slice(at, blankFrom(text, at))
  if (first === '-T') return { problem: '-T needs a content type behind it', column: at + 1 }
  if (first === '-H') return headerProblem(at + 1)
  const isComment = first.startsWith('#') && !BODY_METHODS.includes(method)
  if (at === text.length || isComment) return { contentType, body: null }
  if (method === 'TRACE') return { problem: 'TRACE cannot have a body', column: at + 1 }
  return { contentType, body: readBody(text, at) }
}

/** Longer than any content type; the bound keeps lines of megabytes from being searched. */
const TYPE_BYTES_MAX = 1024

/**
 * `-T type`, then `;` or a blank. The type ends at the first `;` unless that begins a parameter
 * everyone uses: whatever else follows `;` is a body, as in `-T application/json;{"a":1}`. Single
 * quotes hold any type together: `-T 'application/json; v=1';`.
 */
const CONTENT_TYPE =
  /^-T[ \t]+(?:'([^']+)'|([^ \t;]+(?:;[ \t]*(?:charset|boundary)=(?:"[^"]*"|[^ \t;]+))*))(?:;[ \t]*|[ \t]+|$)/i

/** `text` from `at` as it is, or the file it names. */
function readBody(text: string, at: number): LineBody {
  const isFile = text[at] === '<' && !looksLikeMarkup(text, at)
  if (!isFile) return { kind: 'text', text: text.slice(at) }
  return { kind: 'file', path: trimEndLatin1(trimStartLatin1(text.slice(at + 1))), column: at + 1 }
}

/** `<tag>`, `<?xml ...?>` and `<!-- -->` close somewhere; `<file` and `< file` do not. */
function looksLikeMarkup(text: string, at: number): boolean {
  const next = text[at + 1]
  return next !== undefined && next !== ' ' && next !== '\t' && text.includes('>', at)
}

const TAB = 0x09
const SPACE = 0x20

/** The first blank at or after `at`, or the end. */
function blankFrom(text: string, at: number): number {
  let end = at
  while (end < text.length && !isBlankAt(text, end)) end++
  return end
}

function blanksEnd(text: string, at: number): number {
  let end = at
  while (isBlankAt(text, end)) end++
  return end
}

function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === SPACE || code === TAB
}
