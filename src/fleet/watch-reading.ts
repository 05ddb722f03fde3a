/**
 * Finds the number in what a page or a command says: the first one, a sample of Prometheus's text
 * format, or a number in JSON. It reads nothing itself and believes nothing: whatever the text is,
 * there is a finite number or a reason why there is none.
 */

export type Pick =
  | { readonly kind: 'first' }
  /** The first sample of that name that has these labels, and perhaps others. */
  | { readonly kind: 'sample'; readonly name: string; readonly labels: readonly Label[] }
  /** RFC 6901: the keys on the way. */
  | { readonly kind: 'json'; readonly keys: readonly string[] }

export interface Label {
  readonly name: string
  readonly value: string
}

export type Reading = { readonly value: number } | { readonly reason: string }

/** What stands behind `#` in a URL to watch, or what it must be. */
export function readPick(fragment: string): Pick | { readonly mustBe: string } {
  if (fragment === '') return { kind: 'first' }
  if (fragment.startsWith('/')) {
    if (/~(?![01])/.test(fragment)) return { mustBe: 'a JSON pointer, with ~0 for ~ and ~1 for /' }
    const keys = fragment.slice(1).split('/')
    return {
      kind: 'json',
      keys: keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    }
  }
  const sample = SAMPLE.exec(fragment)
  const labels = sample === null ? null : readLabels(sample[2] ?? '')
  if (sample === null || labels === null || sample[3] !== '') {
    return { mustBe: 'the name of a sample, perhaps with {label="value"}, or a /JSON/pointer' }
  }
  return { kind: 'sample', name: sample[1]!, labels }
}

export function readNumber(text: string, pick: Pick): Reading {
  if (pick.kind === 'first') return firstNumber(text)
  return pick.kind === 'sample' ? sampleNumber(text, pick) : jsonNumber(text, pick.keys)
}

/** A name such as `cpu0` or `v1.2` is no number; a unit behind one (`5ms`, `12%`) does no harm. */
const NUMBER = /(?<![\w.])[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?/

function firstNumber(text: string): Reading {
  const found = NUMBER.exec(text)
  return found === null ? { reason: `there is no number in ${shown(text)}` } : finite(found[0])
}

/** Name, labels between braces, the rest. Braces in quotes do not end them. */
const SAMPLE = /^([A-Za-z_:][\w:.]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?(.*)$/

function sampleNumber(text: string, pick: Pick & { readonly kind: 'sample' }): Reading {
  let isNameThere = false
  for (const line of text.split('\n')) {
    if (!line.startsWith(pick.name)) continue
    const [, name, written = '', rest = ''] = SAMPLE.exec(line.trimEnd()) ?? []
    if (name !== pick.name) continue
    isNameThere = true
    const labels = readLabels(written) ?? []
    const isMeant = pick.labels.every((label) =>
      labels.some(({ name, value }) => name === label.name && value === label.value),
    )
    if (isMeant) return finite(rest.trim().split(/\s/, 1)[0]!)
  }
  const what = isNameThere ? `${pick.name} with such labels` : `sample ${pick.name}`
  return { reason: `there is no ${what}` }
}

const LABEL = /\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/y

/** Null when they are not written as labels are. */
function readLabels(text: string): Label[] | null {
  const labels: Label[] = []
  const trimmed = text.trim()
  let at = 0
  while (at < trimmed.length) {
    LABEL.lastIndex = at
    const found = LABEL.exec(trimmed)
    if (found === null) return null
    const value = found[2]!.replaceAll(/\\(.)/g, (_all, character) => {
      return character === 'n' ? '\n' : character
    })
    labels.push({ name: found[1]!, value })
    at = LABEL.lastIndex
  }
  return labels
}

function jsonNumber(text: string, keys: readonly string[]): Reading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: `it is not JSON: ${shown(text)}` }
  }
  for (const [index, key] of keys.entries()) {
    // JSON knows no functions: what is not an object or list has no keys.
    const holder = typeof value === 'object' && value !== null ? value : {}
    const place = keys.slice(0, index + 1).join('/')
    if (!Object.hasOwn(holder, key)) return { reason: `there is no /${place} in the JSON` }
    value = Object.getOwnPropertyDescriptor(holder, key)?.value
  }
  if (typeof value === 'number') return { value }
  if (typeof value === 'string' && /\d/.test(value)) return finite(value.trim())
  return { reason: `/${keys.join('/')} is no number: ${shown(JSON.stringify(value))}` }
}

function finite(text: string): Reading {
  const value = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? { value } : { reason: `${shown(text)} is no finite number` }
}

const SHOWN_MAX = 60

function shown(text: string): string {
  const line = text.trim()
  if (line === '') return 'an empty text'
  return JSON.stringify(line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}...` : line)
}
