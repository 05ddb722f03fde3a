/**
 * HTML that is safe by construction: whatever a template is given is text and escaped, unless it
 * was made by a template itself.
 *
 * Text may come from anywhere (names in a plan, words of a server), so control characters and those
 * that turn the direction of reading are shown as escapes, and what is far too long is cut.
 */
import { printable } from '../printable.ts'

/** Made by `html` alone. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Null and undefined leave nothing behind. */
export type Part = string | number | Markup | null | undefined | readonly Part[]

/** What is longer takes room in a report and says no more. */
const TEXT_CHARACTERS_MAX = 400
const TURNS = /[\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

export const nothing: Markup = new Markup('')

export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = literals[0]!
  for (const [index, part] of parts.entries()) text += textOf(part) + literals[index + 1]!
  return new Markup(text)
}

/** For text of our own that is no markup but must not be escaped: style and script. */
export function raw(text: string): Markup {
  return new Markup(text)
}

/** Data that a script reads: JSON in which no tag can begin or end. */
export function json(value: unknown): Markup {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c')
  return new Markup(text.replace(/[\u2028\u2029]/g, (end) => escapeOf(end)))
}

/** A text from outside, kept apart from its surroundings whatever direction it is read in. */
export function foreign(text: string): Markup {
  return html`<bdi>${shown(text)}</bdi>`
}

/** The text as it is shown: without control characters, and cut when it is very long. */
export function shown(text: string): string {
  const isLong = text.length > TEXT_CHARACTERS_MAX
  const safe = printable(text.slice(0, TEXT_CHARACTERS_MAX))
    .replace(TURNS, escapeOf)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  return isLong ? `${safe} \u2026 (${text.length} characters)` : safe
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function textOf(part: Part): string {
  if (part === null || part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escaped(part)
  return part.map(textOf).join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
