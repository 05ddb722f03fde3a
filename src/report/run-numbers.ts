/**
 * Numbers of the reports of `onager run` as text: a decimal point, no separators, always finite,
 * and no share that reads as nothing or as all when it is not.
 */
import { msFromNs, NS_PER_MS, NS_PER_S, NS_PER_US, secondsFromNs } from '../base/units.ts'
import type { Verdict } from '../result/verdicts.ts'

/** Milliseconds with three decimals, for columns. */
export function msText(ns: number): string {
  return msFromNs(finite(ns)).toFixed(3)
}

/** `850 us`, `12.4 ms`, `1.25 s`: with its unit, for sentences. */
export function timeText(ns: number): string {
  if (ns === 0) return '0 ms'
  if (ns < 0.9995 * NS_PER_MS) return `${digits(ns / NS_PER_US)} us`
  if (ns < 0.9995 * NS_PER_S) return `${digits(ns / NS_PER_MS)} ms`
  return spanText(ns)
}

/** `0.5 s`, `45 s`, `10 min`, `1 h 5 min`. */
export function spanText(ns: number): string {
  const seconds = secondsFromNs(finite(ns))
  if (seconds < 59.95) return `${digits(seconds)} s`
  const whole = Math.round(seconds)
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  return parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}

/** Without a unit: `0.25`, `14.3`, `981.3`. */
export function rateText(perSecond: number): string {
  const value = finite(perSecond)
  return value < 10 ? digits(value) : String(Number(value.toFixed(1)))
}

/** `0 %`, `< 0.01 %`, `0.42 %`, `> 99.99 %`, `100 %`. */
export function percentText(share: number): string {
  const percent = finite(share) * 100
  if (percent === 0 || percent === 100) return `${percent} %`
  if (percent < 0.01) return '< 0.01 %'
  if (percent > 99.99 && percent < 100) return '> 99.99 %'
  return `${percent.toFixed(2)} %`
}

/** In powers of 1024: `512 B`, `1.5 KiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let value = finite(bytes)
  let unit = 0
  for (; value >= 1023.5 && unit < units.length - 1; unit++) value /= 1024
  return `${digits(value)} ${units[unit]!}`
}

export function countedText(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What a threshold is about was measured as this; the reason where nothing was. */
export function measuredText({ threshold, measured, reason }: Verdict): string {
  if (measured === null) return reason
  const { metric } = threshold
  switch (metric.kind) {
    case 'rate':
      return `${rateText(measured)} /s`
    case 'checks':
      return percentText(measured)
    case 'errors':
    case 'dropped':
      return metric.unit === 'count' ? String(measured) : percentText(measured)
    default:
      return `${msText(measured)} ms`
  }
}

/** At most four digits that count, three after the point. */
function digits(value: number): string {
  if (value >= 1000) return value.toFixed(0)
  return String(Number(value.toPrecision(3)))
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
