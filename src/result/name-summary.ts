/** The figures of each name that requests have in a plan, and of each check. */
import type { StatusCount } from '../metrics/snapshot.ts'
import { ratio } from './ratio.ts'
import type { RunResult } from './run-result.ts'
import { type TimeSummary, timeSummary } from './time-summary.ts'

export interface NameSummary {
  readonly name: string
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly errorCount: number
  /** Of those that ended. */
  readonly errorRatio: number
  readonly completedPerSecond: number
  readonly bodyBytes: number
  readonly statuses: readonly StatusCount[]
  readonly responseTime: TimeSummary
  readonly serviceTime: TimeSummary
}

export interface CheckSummary {
  readonly name: string
  /** Of the request whose answers are checked; empty: it has none. */
  readonly requestName: string
  readonly passedCount: number
  readonly failedCount: number
  readonly passedRatio: number
}

/** In the order of the plan; empty for a plan without names. */
export function nameSummaries({ plan, snapshot }: RunResult, underLoadS: number): NameSummary[] {
  return snapshot.names.map((counts, index) => ({
    name: plan.requestNames[index] ?? '',
    startedCount: counts.startedCount,
    completedCount: counts.completedCount,
    failedCount: counts.failedCount,
    errorCount: counts.errorCount,
    errorRatio: ratio(counts.errorCount, counts.completedCount + counts.failedCount),
    completedPerSecond: ratio(counts.completedCount, underLoadS),
    bodyBytes: counts.bodyBytes,
    statuses: counts.statusCounts,
    responseTime: timeSummary(counts.responseTime),
    serviceTime: timeSummary(counts.serviceTime),
  }))
}

export function checkSummaries({ plan, snapshot }: RunResult): CheckSummary[] {
  return snapshot.checks.map(({ passedCount, failedCount }, index) => {
    const facts = plan.checks[index]
    return {
      name: facts?.name ?? '',
      requestName: plan.requestNames[facts?.nameIndex ?? -1] ?? '',
      passedCount,
      failedCount,
      passedRatio: ratio(passedCount, passedCount + failedCount),
    }
  })
}
