/**
 * Numbers as people read them: three or four digits, always with a unit, a decimal point and no
 * separators, and never anything that is no number.
 */
import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../../base/units.ts'

/** A non-breaking blank: a number is not parted from its unit. */
const NB = '\u00a0'

/** `850 µs`, `12.4 ms`, `1.25 s`, `3 min 20 s`. */
export function timeText(ns: number, digitCount = 3): string {
  const text = (value: number, unit: string) => `${digits(value, digitCount)}${NB}${unit}`
  if (ns === 0) return `0${NB}ms`
  if (ns < 0.9995 * NS_PER_MS) return text(ns / NS_PER_US, '\u00b5s')
  if (ns < 0.9995 * NS_PER_S) return text(ns / NS_PER_MS, 'ms')
  if (ns < 99.95 * NS_PER_S) return text(ns / NS_PER_S, 's')
  return spanText(ns)
}

/** A length of time to the second: `45 s`, `10 min`, `1 h 5 min`. Short ones as `timeText`. */
export function spanText(ns: number): string {
  if (ns < 10 * NS_PER_S) return ns === 0 ? `0${NB}s` : timeText(ns)
  const seconds = Math.round(ns / NS_PER_S)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value}${NB}${unit}`)
    .join(' ')
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

/** Milliseconds for columns that are compared: no unit, that stands in the head. */
export function msText(ns: number): string {
  const ms = ns / NS_PER_MS
  return ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0)
}

/** Per second, without a unit: `0.25`, `14.3`, `9999`. */
export function rateText(perSecond: number): string {
  return perSecond >= 999.5 ? perSecond.toFixed(0) : digits(perSecond, 3)
}

/** `0 %`, `<0.01 %`, `0.42 %`, `99.98 %`: never 100 when something is missing. */
export function percentText(ratio: number): string {
  const percent = ratio * 100
  if (percent === 0 || percent === 100) return `${percent}${NB}%`
  if (percent < 0.01) return `<0.01${NB}%`
  if (percent > 99.99 && percent < 100) return `>99.99${NB}%`
  const decimals = percent < 1 || percent > 99 ? 2 : 1
  return `${percent.toFixed(decimals)}${NB}%`
}

/** In powers of 1024: `512 B`, `1.5 KiB`, `20.1 MiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let value = bytes
  let unit = 0
  for (; value >= 1023.5 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? String(value) : digits(value, 3)}${NB}${units[unit]!}`
}

/** A whole number with its noun: `1 request`, `2 requests`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count}${NB}${count === 1 ? one : many}`
}

/** Any number with `count` digits that count, and none after the point that say nothing. */
export function digits(value: number, count: number): string {
  const rounded = Number(value.toPrecision(count))
  const size = Math.abs(rounded)
  return size !== 0 && (size < 1e-6 || size >= 1e21) ? rounded.toExponential() : String(rounded)
}
