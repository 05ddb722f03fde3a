/**
 * What load the open model meant, what it offered, and what it had to drop.
 *
 * Only arrivals after the warm-up are in these figures, as in all others.
 */
import { NS_PER_S, secondsFromNs } from '../base/units.ts'
import type { Stage } from '../plan/plan.ts'
import { ArrivalClock, levelAt, scheduledNs } from '../plan/schedule.ts'
import { ratio } from './ratio.ts'
import type { LoadFacts, RunResult } from './run-result.ts'

export interface ArrivalSummary {
  /** By the stages up to the end of the run; a mean where arrivals are random. */
  readonly plannedCount: number
  /** Begun or dropped. */
  readonly dueCount: number
  readonly begunCount: number
  readonly droppedCount: number
  readonly droppedRatio: number
  /** Of the dropped, those that the generator came too late for. */
  readonly overdueCount: number
  readonly plannedPerSecond: number
  /** Begun, over the time in which arrivals were due. */
  readonly begunPerSecond: number
}

/** Null in the closed model, which has no arrivals. */
export function arrivalSummary(result: RunResult): ArrivalSummary | null {
  const { load, durationNs } = result.plan
  if (load.model === 'closed') return null
  const { arrivalCount, droppedCount, overdueCount } = result.snapshot
  const plannedEndNs = durationNs ?? scheduledNs(load.stages) ?? Number.POSITIVE_INFINITY
  const endNs = Math.min(plannedEndNs, result.elapsedNs, usedUpNs(load))
  const countMax = load.totalCount ?? Number.POSITIVE_INFINITY
  // Even arrivals come at the whole numbers of the integral, the first one at 0.
  const countUntil = (atNs: number) => {
    const integral = arrivalIntegral(load.stages, atNs)
    return Math.min(load.arrivals === 'even' ? Math.ceil(integral) : integral, countMax)
  }
  const plannedCount = Math.max(0, countUntil(endNs) - countUntil(Math.min(load.warmUpNs, endNs)))
  const offeredS = secondsFromNs(Math.max(0, endNs - load.warmUpNs))
  const dueCount = arrivalCount + droppedCount
  return {
    plannedCount: Math.round(plannedCount),
    dueCount,
    begunCount: arrivalCount,
    droppedCount,
    droppedRatio: ratio(droppedCount, dueCount),
    overdueCount,
    plannedPerSecond: ratio(plannedCount, offeredS),
    begunPerSecond: ratio(arrivalCount, offeredS),
  }
}

/** When all arrivals of a number have come; if they come at random, when that is expected. */
function usedUpNs({ stages, totalCount }: LoadFacts): number {
  if (totalCount === null) return Number.POSITIVE_INFINITY
  return new ArrivalClock(stages).timeOf(totalCount)
}

/** How many arrivals are due before a time: the area below the rate. */
function arrivalIntegral(stages: readonly Stage[], untilNs: number): number {
  let startNs = 0
  let count = 0
  for (const { durationNs, from } of stages) {
    const endNs = Math.min(untilNs, startNs + (durationNs ?? Number.POSITIVE_INFINITY))
    if (endNs <= startNs) break
    const to = durationNs === null ? from : levelBefore(stages, endNs)
    count += ((from + to) / 2) * ((endNs - startNs) / NS_PER_S)
    startNs = endNs
  }
  return count
}

/** At the very end of a stage the level is already that of the next one. */
function levelBefore(stages: readonly Stage[], atNs: number): number {
  let startNs = 0
  for (const { durationNs, to } of stages) {
    startNs += durationNs ?? Number.POSITIVE_INFINITY
    if (atNs === startNs) return to
  }
  return levelAt(stages, atNs)
}
