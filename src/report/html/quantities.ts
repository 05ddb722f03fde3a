/**
 * The numbers of all reports (`run-numbers.ts`) as a page sets them: nothing parts a number from
 * its unit, and there is a real µ. With what only drawings need beside them.
 */
import { NS_PER_S } from '../../base/units.ts'
import * as plain from '../run-numbers.ts'

/** A non-breaking blank. */
const NB = '\u00a0'

export { msText, rateText } from '../run-numbers.ts'

export function timeText(ns: number): string {
  return typeset(plain.timeText(ns)).replace(/us$/, '\u00b5s')
}

export function spanText(ns: number): string {
  return typeset(plain.spanText(ns))
}

export function percentText(share: number): string {
  return typeset(plain.percentText(share))
}

export function bytesText(bytes: number): string {
  return typeset(plain.bytesText(bytes))
}

/** A whole number with its noun: `1 request`, `2 requests`. */
export function counted(count: number, one: string, many?: string): string {
  return plain.countedText(count, one, many).replace(' ', NB)
}

function typeset(text: string): string {
  return text.replaceAll(' ', NB)
}

/** A moment of a run that lasts until `endNs`: `7 s`, `12:30`, `1:02:03`. */
export function momentText(ns: number, endNs: number): string {
  if (endNs < 120 * NS_PER_S) return ns === 0 ? '0' : `${digits(ns / NS_PER_S, 3)}${NB}s`
  const seconds = Math.floor(ns / NS_PER_S)
  const two = (value: number) => String(value).padStart(2, '0')
  const rest = `${two(seconds % 60)}`
  const minutes = Math.floor(seconds / 60)
  if (endNs < 3600 * NS_PER_S) return `${minutes}:${rest}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`
}

/** Any number with `count` digits that count, and none after the point that say nothing. */
export function digits(value: number, count: number): string {
  const rounded = Number(value.toPrecision(count))
  const size = Math.abs(rounded)
  return size !== 0 && (size < 1e-6 || size >= 1e21) ? rounded.toExponential() : String(rounded)
}
