/**
 * Numbers of the reports of `onager run` as text: a decimal point, no separators, always finite,
 * and no share that reads as nothing or as all when it is not.
 */
import { msFromNs, NS_PER_MS, NS_PER_S, NS_PER_US, secondsFromNs } from '../base/units.ts'
import type { Summary } from '../result/summary.ts'
import type { Verdict } from '../result/verdicts.ts'

/** More say nothing in a double. */
const DECIMAL_COUNT_MAX = 15
/** Of the time under load: a shorter drain is in nearly every run, and is no news. */
const DRAIN_TOLD_RATIO_MIN = 0.01

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
  const percent = withoutDust(finite(share) * 100)
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

/** `12 complete in 10 s`: what the rate of requests is made of, and what it leaves out. */
export function completedText(summary: Summary): string {
  const { completedCount, underLoadNs, measuredNs } = summary
  const drainNs = measuredNs - underLoadNs
  const isLong = drainNs > underLoadNs * DRAIN_TOLD_RATIO_MIN
  const drain = isLong ? `, and ${timeText(drainNs)} of drain` : ''
  return `${completedCount} complete in ${spanText(underLoadNs)}${drain}`
}

/**
 * What a threshold is about was measured as this; the reason where nothing was. It has as many
 * decimals as it takes to stand on the same side of the bound as the value: 299.998 is not 300.
 */
export function measuredText({ threshold, measured, reason }: Verdict): string {
  if (measured === null) return reason
  const { metric, bound } = threshold
  switch (metric.kind) {
    case 'rate':
      return `${Number(besideText(measured, [bound], 1))} /s`
    case 'errors':
    case 'dropped':
    case 'checks': {
      if (metric.unit === 'count') return String(measured)
      const ends = [0, 100, withoutDust(bound * 100)]
      return `${Number(besideText(withoutDust(measured * 100), ends, 2))} %`
    }
    default:
      return `${besideText(msFromNs(measured), [msFromNs(bound)], 3)} ms`
  }
}

/** With so many decimals, and more where rounding would lead onto or across one of the bounds. */
function besideText(value: number, bounds: readonly number[], decimalCount: number): string {
  for (let count = decimalCount; count < DECIMAL_COUNT_MAX; count++) {
    const text = value.toFixed(count)
    const isBeside = (bound: number) => Math.sign(Number(text) - bound) === Math.sign(value - bound)
    if (bounds.every(isBeside)) return text
  }
  return value.toFixed(DECIMAL_COUNT_MAX)
}

/** 0.07 * 100 is a little above 7 in doubles. */
function withoutDust(value: number): number {
  return Number(value.toPrecision(14))
}

/** At most four digits that count, three after the point. */
function digits(value: number): string {
  if (value >= 1000) return value.toFixed(0)
  return String(Number(value.toPrecision(3)))
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
