/**
 * Thresholds judged: what was measured, and whether it keeps within the bound.
 *
 * Nothing measured is not a pass: a threshold without data is `unknown`, with a reason, and counts
 * as failed. Percentiles are those of the reports, so a value may be up to 1/1024 above the truth
 * and never below it.
 */
import { secondsFromNs } from '../base/units.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'
import type { CheckSnapshot, Snapshot } from '../metrics/snapshot.ts'
import type { CheckFacts } from '../plan/script-plan.ts'
import { readThresholds, type Threshold, type ThresholdMetric } from '../plan/slo.ts'
import { underLoadNsOf } from './measured-time.ts'
import type { RunResult } from './run-result.ts'
import { isFirmQuantile } from './time-summary.ts'

export interface Verdict {
  readonly threshold: Threshold
  /** `unknown`: nothing was there to measure. */
  readonly outcome: 'passed' | 'failed' | 'unknown'
  /** In the unit of the threshold's bound; null when unknown. */
  readonly measured: number | null
  /** For a percentile, that at least ten values lie above it; true for the rest. */
  readonly isFirm: boolean
  /** Why nothing was measured; empty otherwise. */
  readonly reason: string
}

/** What is judged: a finished run's counts, or those of a run so far. */
export interface JudgedCounts {
  readonly snapshot: Snapshot
  /** Rates are over this time: see `measured-time.ts`. */
  readonly underLoadNs: number
  readonly model: 'closed' | 'open'
  /** Of the plan, in its order. */
  readonly requestNames: readonly string[]
  readonly checks: readonly CheckFacts[]
}

/** The verdicts on a result's own thresholds, and on others. */
export function verdictsOf(result: RunResult, further: readonly Threshold[] = []): Verdict[] {
  const own = result.plan.thresholds.flatMap((text) => readThresholds(text).thresholds)
  return judge([...own, ...further], judgedCounts(result))
}

export function judgedCounts({ plan, snapshot, elapsedNs }: RunResult): JudgedCounts {
  return {
    snapshot,
    underLoadNs: underLoadNsOf(elapsedNs, plan),
    model: plan.load.model,
    requestNames: plan.requestNames,
    checks: plan.checks,
  }
}

export function judge(thresholds: readonly Threshold[], counts: JudgedCounts): Verdict[] {
  return thresholds.map((threshold) => {
    const measurement = measure(threshold, counts)
    if ('missing' in measurement) {
      const reason = measurement.missing
      return { threshold, outcome: 'unknown', measured: null, isFirm: true, reason }
    }
    const { value, isFirm } = measurement
    const outcome = holds(value, threshold) ? 'passed' : 'failed'
    return { threshold, outcome, measured: value, isFirm, reason: '' }
  })
}

/** Whether a program has to end with an error. */
export function isBroken(verdicts: readonly Verdict[]): boolean {
  return verdicts.some(({ outcome }) => outcome !== 'passed')
}

/** Events of the bad kind that must have been seen before a run is given up for them. */
const ABORT_EVENTS_MIN = 10
/** Responses of which half are beyond a bound, where it is for a percentile further up. */
const ABORT_TIMES_MIN = 100

/**
 * Of the counts so far, the verdicts that are reason enough to end a run early: broken upper
 * bounds of times, errors and dropped arrivals, and broken lower bounds of checks, once they rest
 * on ten events of the bad kind, or on a hundred times whose median is too long. A rate is known at the end alone, as are lower bounds of times.
 */
export function abortingVerdicts(
  thresholds: readonly Threshold[],
  counts: JudgedCounts,
): Verdict[] {
  const ending = thresholds.filter(({ metric, comparison }) => {
    if (metric.kind === 'rate') return false
    return comparison.startsWith('<') !== (metric.kind === 'checks')
  })
  return judge(ending, counts).filter(
    ({ outcome, threshold }) => outcome === 'failed' && hasBadEvents(threshold, counts),
  )
}

function hasBadEvents(threshold: Threshold, counts: JudgedCounts): boolean {
  const { metric } = threshold
  const part = partOf(threshold, counts)
  if (part === undefined) return false
  switch (metric.kind) {
    case 'quantile':
      return isHopeless(threshold, metric.quantile, timesOf(part, metric.time))
    case 'mean':
      return timesOf(part, metric.time).totalCount >= ABORT_EVENTS_MIN
    case 'errors':
      return metric.unit === 'count' || part.errorCount >= ABORT_EVENTS_MIN
    case 'dropped':
      return metric.unit === 'count' || counts.snapshot.droppedCount >= ABORT_EVENTS_MIN
    case 'checks':
      return sumOfChecks(threshold, counts).failedCount >= ABORT_EVENTS_MIN
    default:
      // A maximum can only grow and a minimum only fall: once broken, they stay so.
      return true
  }
}

/** Ten are beyond the quantile, or of a hundred the median is already too long. */
function isHopeless(threshold: Threshold, quantile: number, times: HistogramSnapshot): boolean {
  if (isFirmQuantile(quantile, times.totalCount)) return true
  if (times.totalCount < ABORT_TIMES_MIN) return false
  return !holds(Histogram.from(times).valueNsAtQuantile(0.5), threshold)
}

type Measurement =
  | { readonly value: number; readonly isFirm: boolean }
  | { readonly missing: string }

function measure(threshold: Threshold, counts: JudgedCounts): Measurement {
  const { metric, name } = threshold
  if (metric.kind === 'checks') return measureChecks(threshold, counts)
  if (metric.kind === 'dropped') return measureDropped(metric.unit, counts)
  const part = partOf(threshold, counts)
  if (part === undefined) return { missing: `no request is called '${name}'` }
  switch (metric.kind) {
    case 'errors':
      return measureErrors(metric.unit, part)
    case 'rate':
      if (counts.underLoadNs <= 0) return { missing: 'no time was measured' }
      return exactly(part.completedCount / secondsFromNs(counts.underLoadNs))
    default:
      return measureTime(metric, part)
  }
}

/** The counts of all requests, and those of one name, have these in common. */
type Part = Pick<
  Snapshot,
  'completedCount' | 'failedCount' | 'errorCount' | 'responseTime' | 'serviceTime'
>

function partOf({ name }: Threshold, { snapshot, requestNames }: JudgedCounts): Part | undefined {
  return name === null ? snapshot : snapshot.names[requestNames.indexOf(name)]
}

function timesOf(part: Part, time: 'response' | 'service'): HistogramSnapshot {
  return time === 'response' ? part.responseTime : part.serviceTime
}

function measureTime(
  metric: Extract<ThresholdMetric, { readonly time: unknown }>,
  part: Part,
): Measurement {
  const times = timesOf(part, metric.time)
  const { totalCount } = times
  if (totalCount === 0) return { missing: 'no response came' }
  switch (metric.kind) {
    case 'min':
      return exactly(times.minNs)
    case 'mean':
      return exactly(times.sumNs / totalCount)
    case 'max':
      return exactly(times.maxNs)
    case 'quantile': {
      const value = Histogram.from(times).valueNsAtQuantile(metric.quantile)
      return { value, isFirm: isFirmQuantile(metric.quantile, totalCount) }
    }
  }
}

function measureErrors(unit: 'ratio' | 'count', part: Part): Measurement {
  const endedCount = part.completedCount + part.failedCount
  if (endedCount === 0) return { missing: 'no request ended' }
  return exactly(unit === 'count' ? part.errorCount : part.errorCount / endedCount)
}

function measureDropped(unit: 'ratio' | 'count', { snapshot, model }: JudgedCounts): Measurement {
  if (model === 'closed') return { missing: 'users in a closed loop have no arrivals to drop' }
  const { arrivalCount, droppedCount } = snapshot
  const dueCount = arrivalCount + droppedCount
  if (dueCount === 0) return { missing: 'no arrival was due' }
  return exactly(unit === 'count' ? droppedCount : droppedCount / dueCount)
}

function measureChecks(threshold: Threshold, counts: JudgedCounts): Measurement {
  const { passedCount, failedCount } = sumOfChecks(threshold, counts)
  const madeCount = passedCount + failedCount
  if (madeCount === 0) return { missing: 'no check was made' }
  return exactly(passedCount / madeCount)
}

/** All checks; those of a request; or, where no request has the name, those with that name. */
function sumOfChecks({ name }: Threshold, counts: JudgedCounts): CheckSnapshot {
  const { snapshot, requestNames, checks } = counts
  const nameIndex = name === null ? -1 : requestNames.indexOf(name)
  let passedCount = 0
  let failedCount = 0
  for (const [index, check] of snapshot.checks.entries()) {
    const facts = checks[index]
    const isMeant = nameIndex >= 0 ? facts?.nameIndex === nameIndex : facts?.name === name
    if (name !== null && !isMeant) continue
    passedCount += check.passedCount
    failedCount += check.failedCount
  }
  return { passedCount, failedCount }
}

function exactly(value: number): Measurement {
  return { value, isFirm: true }
}

function holds(value: number, { comparison, bound }: Threshold): boolean {
  switch (comparison) {
    case '<':
      return value < bound
    case '<=':
      return value <= bound
    case '>':
      return value > bound
    case '>=':
      return value >= bound
  }
}
