/**
 * A level that changes over time in straight lines: how many users there are, or how many arrivals
 * a second, and when the n-th of them is due.
 *
 * Pure functions of the stages: any thread or machine computes the same times by itself.
 */
import { NS_PER_S } from '../base/units.ts'
import type { Stage } from './plan.ts'

/** The stages' time together; null when the last one has no end. */
export function scheduledNs(stages: readonly Stage[]): number | null {
  let sumNs = 0
  for (const { durationNs } of stages) {
    if (durationNs === null) return null
    sumNs += durationNs
  }
  return sumNs
}

/** The level at a time; after the last stage the level that it ends with, without stages 0. */
export function levelAt(stages: readonly Stage[], atNs: number): number {
  let startNs = 0
  for (const stage of stages) {
    const { durationNs, from, to } = stage
    if (durationNs === null) return to
    if (atNs < startNs + durationNs) return from + ((to - from) * (atNs - startNs)) / durationNs
    startNs += durationNs
  }
  return stages.at(-1)?.to ?? 0
}

/**
 * The first time from `fromNs` on at which the level is above `level`, in whole nanoseconds;
 * Infinity: never again. After the last stage the level is 0.
 */
export function timeAbove(stages: readonly Stage[], level: number, fromNs: number): number {
  let startNs = 0
  for (const { durationNs, from, to } of stages) {
    const endNs = durationNs === null ? Number.POSITIVE_INFINITY : startNs + durationNs
    if (fromNs < endNs) {
      const sinceNs = Math.max(fromNs, startNs)
      if (durationNs === null) return to > level ? sinceNs : Number.POSITIVE_INFINITY
      const slope = (to - from) / durationNs
      if (from + slope * (sinceNs - startNs) > level) return sinceNs
      if (to > level) {
        const crossingNs = startNs + Math.floor((level - from) / slope) + 1
        if (crossingNs < endNs) return Math.max(crossingNs, sinceNs)
      }
    }
    startNs = endNs
  }
  return Number.POSITIVE_INFINITY
}

/**
 * When a number of arrivals is reached, for ascending numbers: the inverse of the integral of the
 * rate. A stage's integral is `a t + (b - a) t² / 2d`; it is inverted in the form that does not
 * cancel when the rate hardly changes.
 */
export class ArrivalClock {
  readonly #stages: readonly Stage[]
  #index = 0
  #startNs = 0
  #countBefore = 0

  /** Levels are arrivals per second. */
  constructor(stages: readonly Stage[]) {
    this.#stages = stages
  }

  /** Nanoseconds, not rounded, at which `count` arrivals have come; Infinity: never. */
  timeOf(count: number): number {
    for (; this.#index < this.#stages.length; this.#index++) {
      const { durationNs, from, to } = this.#stages[this.#index]!
      const stageCount = count - this.#countBefore
      if (durationNs === null) return this.#startNs + timeInStageS(stageCount, to, 0) * NS_PER_S
      const durationS = durationNs / NS_PER_S
      const wholeCount = ((from + to) / 2) * durationS
      if (stageCount < wholeCount) {
        const slope = (to - from) / durationS
        return this.#startNs + timeInStageS(stageCount, from, slope) * NS_PER_S
      }
      this.#countBefore += wholeCount
      this.#startNs += durationNs
    }
    return Number.POSITIVE_INFINITY
  }
}

/** The positive root of `from t + slope t² / 2 = count`. */
function timeInStageS(count: number, from: number, slope: number): number {
  if (count <= 0 && (from > 0 || slope > 0)) return 0
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count))
  const sum = from + root
  return sum === 0 ? Number.POSITIVE_INFINITY : (2 * count) / sum
}
