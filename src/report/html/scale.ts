/**
 * Axes: where a value stands between 0 and 1, and which values are written beside it.
 *
 * A linear axis has 0 on it. A logarithmic one begins and ends at 1, 2 or 5 times a power of ten,
 * with the labels few enough to be read.
 */

export interface Scale {
  readonly isLog: boolean
  readonly min: number
  readonly max: number
  /** Ascending, the first and last within `min` and `max`. */
  readonly ticks: readonly number[]
}

const steps = [1, 2, 5, 10]
const VALUE_MAX = 1e300

/** From 0, or from at most `min` where that is below 0, to at least `max`; never of no height. */
export function linearScale(max: number, tickCountMax = 5, min = 0, stepMin = 0): Scale {
  // Beyond these a double has no room for steps.
  const bottom = Math.max(Math.min(0, min), -VALUE_MAX)
  const highest = Math.min(Math.max(0, max), VALUE_MAX)
  const top = highest - bottom > 1 / VALUE_MAX ? highest : bottom + 1
  const step = niceAtLeast(Math.max((top - bottom) / tickCountMax, stepMin))
  const first = Math.floor(bottom / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(top / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step))
  return { isLog: false, min: ticks[0]!, max: ticks.at(-1)!, ticks }
}

/** Both above 0. */
export function logScale(min: number, max: number, tickCountMax = 6): Scale {
  const from = niceAtMost(min)
  const to = Math.max(niceAtLeast(max), tidy(from * 2))
  const all = niceBetween(from, to)
  const tens = all.filter((value) => isPowerOfTen(value))
  const few = all.length <= tickCountMax ? all : tens.length >= 2 ? tens : thinned(all, 2)
  const ticks = few.length <= tickCountMax + 1 ? few : thinned(few, Math.ceil(few.length / 6))
  return { isLog: true, min: from, max: to, ticks }
}

/** Logarithmic where a linear axis would press most of what is there against its foot. */
export function fittingScale(typicalMin: number, typical: number, max: number): Scale {
  const isWide = typicalMin > 0 && max > typical * 12
  return isWide ? logScale(typicalMin, max) : linearScale(max)
}

/** 0 at the foot, 1 at the top; values beyond are put at the ends. */
export function positionOn(scale: Scale, value: number): number {
  const { isLog, min, max } = scale
  if (value <= min) return 0
  if (value >= max) return 1
  if (isLog) return Math.log(value / min) / Math.log(max / min)
  return (value - min) / (max - min)
}

/** Seconds at which a time axis is labelled: at most `countMax` of them. */
export function timeTicksS(durationS: number, countMax: number): number[] {
  const nice = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600]
  const wanted = durationS / countMax
  const step =
    wanted <= 1 && durationS < 2
      ? niceAtLeast(wanted)
      : (nice.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400)
  const count = Math.floor(durationS / step + 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => tidy(index * step))
}

function niceAtLeast(value: number): number {
  const power = powerOf(value)
  return tidy(power * steps.find((step) => step * power >= value * (1 - 1e-9))!)
}

function niceAtMost(value: number): number {
  const power = powerOf(value)
  return tidy(power * steps.findLast((step) => step * power <= value * (1 + 1e-9))!)
}

function niceBetween(from: number, to: number): number[] {
  const values: number[] = []
  for (let power = powerOf(from); power <= to; power *= 10) {
    for (const step of [1, 2, 5]) {
      const value = tidy(step * power)
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) values.push(value)
    }
  }
  return values
}

function powerOf(value: number): number {
  return 10 ** Math.floor(Math.log10(value) + 1e-9)
}

function isPowerOfTen(value: number): boolean {
  return Math.abs(value / powerOf(value) - 1) < 1e-9
}

function thinned(values: readonly number[], every: number): number[] {
  return values.filter((_, index) => index % every === 0)
}

/** Without the dust of floating point. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
