/**
 * The numbers of a report, derived from a result: each with its unit in its name, and each a
 * finite number whatever happened. What cannot be computed from nothing is 0, or null where 0 would
 * say something.
 */
import { secondsFromNs } from '../base/units.ts'
import {
  emptyHistogramSnapshot,
  Histogram,
  type HistogramSnapshot,
  mergeHistogramSnapshots,
} from '../metrics/histogram.ts'
import { disqualificationNames, failureKindNames, isTimeout } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { ratio } from './ratio.ts'
import type { EndedBy, PlanFacts, RunResult, ThreadHealth } from './run-result.ts'
import { type Warning, warningsOf, warningText } from './warnings.ts'
import type { WatchedSeries } from './watched.ts'

/** The percentiles of every report. */
export const reportQuantiles: readonly { readonly name: string; readonly quantile: number }[] = [
  { name: 'p50', quantile: 0.5 },
  { name: 'p75', quantile: 0.75 },
  { name: 'p90', quantile: 0.9 },
  { name: 'p95', quantile: 0.95 },
  { name: 'p99', quantile: 0.99 },
  { name: 'p99.9', quantile: 0.999 },
]

export interface Percentile {
  /** `p50` ... `p99.9`. */
  readonly name: string
  readonly quantile: number
  readonly valueNs: number
  /** At least ten values lie above it: there are 10 / (1 - quantile) or more in all. */
  readonly isFirm: boolean
}

/** All 0, with percentiles that are not firm, when `count` is 0. */
export interface TimeSummary {
  readonly count: number
  readonly minNs: number
  readonly meanNs: number
  readonly stdevNs: number
  readonly maxNs: number
  readonly percentiles: readonly Percentile[]
}

export interface ThreadSummary {
  readonly cpuUserNs: number
  readonly cpuSystemNs: number
  readonly busyRatio: number
  readonly eventLoopUtilizationRatio: number
  /** Null when the loop was never probed. */
  readonly loopLagNsP50: number | null
  readonly loopLagNsP99: number | null
  readonly loopLagNsMax: number | null
}

/** `loopLag...` over all threads together. */
export interface GeneratorSummary {
  readonly threadCount: number
  readonly busyRatioMax: number
  readonly loopLagNsP50: number | null
  readonly loopLagNsP99: number | null
  readonly loopLagNsMax: number | null
  /** Several, joined by commas, if machines differ. */
  readonly reactorName: string
  /** Why not a faster one. */
  readonly reactorReason: string | null
  /** The busiest first. */
  readonly threads: readonly ThreadSummary[]
}

export interface Summary {
  readonly onagerVersion: string
  readonly startedAtMs: number
  readonly elapsedNs: number
  readonly endedBy: EndedBy
  readonly plan: PlanFacts
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly inFlightCount: number
  readonly completedPerSecond: number
  /** As received, of failed exchanges too. */
  readonly bodyBytes: number
  readonly completedBodyBytes: number
  readonly headBytes: number
  readonly requestBytes: number
  /** Heads and bodies received. */
  readonly receivedBytesPerSecond: number
  readonly requestBytesPerSecond: number
  readonly connectionCount: number
  readonly retryCount: number
  /** Those that occurred, ascending. */
  readonly statuses: readonly {
    readonly status: number
    readonly count: number
    /** Challenges (401, 407) that were answered: part of a success. */
    readonly answeredCount: number
  }[]
  /** Those that occurred, in the order of the kinds. */
  readonly failures: readonly {
    /** A `FailureKind`. */
    readonly kind: number
    readonly name: string
    readonly count: number
    readonly example: string
  }[]
  readonly disqualifications: readonly {
    /** A `Disqualification`. */
    readonly kind: number
    readonly name: string
    readonly count: number
  }[]
  /** Exchanges that ended in a timeout: they stand outside the percentiles. */
  readonly timeoutCount: number
  /** The setting. */
  readonly timeoutNs: number
  readonly timeoutTime: TimeSummary
  readonly responseTime: TimeSummary
  readonly serviceTime: TimeSummary
  readonly phases: { readonly [name in keyof Snapshot['phases']]: TimeSummary }
  readonly pageCount: number
  readonly pagesPerSecond: number
  readonly pageTime: TimeSummary
  /** Sum of response times over elapsed time. */
  readonly concurrencyMean: number
  /** Integrated over time, independently of any response time. */
  readonly inFlightMean: number
  /**
   * Share of the time in flight that is not in the times of completed and timed-out exchanges: by
   * Little's law that of other failures and of what was in flight at the end, and nothing else.
   */
  readonly littleGapRatio: number
  readonly generator: GeneratorSummary
  readonly watched: readonly WatchedSeries[]
  /** Each with its sentence from `warnings.ts`. */
  readonly warnings: readonly (Warning & { readonly text: string })[]
}

export function summarize(result: RunResult): Summary {
  const { snapshot, elapsedNs } = result
  const elapsedS = secondsFromNs(elapsedNs)
  const { phases } = snapshot
  const withoutWarnings = {
    onagerVersion: result.onagerVersion,
    startedAtMs: result.startedAtMs,
    elapsedNs,
    endedBy: result.endedBy,
    plan: result.plan,
    startedCount: snapshot.startedCount,
    completedCount: snapshot.completedCount,
    failedCount: snapshot.failedCount,
    inFlightCount: snapshot.inFlightCount,
    completedPerSecond: ratio(snapshot.completedCount, elapsedS),
    bodyBytes: snapshot.bodyBytes,
    completedBodyBytes: snapshot.completedBodyBytes,
    headBytes: snapshot.headBytes,
    requestBytes: snapshot.requestBytes,
    receivedBytesPerSecond: ratio(snapshot.headBytes + snapshot.bodyBytes, elapsedS),
    requestBytesPerSecond: ratio(snapshot.requestBytes, elapsedS),
    connectionCount: snapshot.connectionCount,
    retryCount: snapshot.retryCount,
    ...outcomes(snapshot),
    timeoutNs: result.plan.timeoutNs,
    timeoutTime: timeSummary(snapshot.timeoutTime),
    responseTime: timeSummary(snapshot.responseTime),
    serviceTime: timeSummary(snapshot.serviceTime),
    phases: {
      dns: timeSummary(phases.dns),
      connect: timeSummary(phases.connect),
      tls: timeSummary(phases.tls),
      firstByte: timeSummary(phases.firstByte),
      transfer: timeSummary(phases.transfer),
    },
    pageCount: snapshot.pageCount,
    pagesPerSecond: ratio(snapshot.pageCount, elapsedS),
    pageTime: timeSummary(snapshot.pageTime),
    ...concurrency(snapshot, elapsedNs),
    generator: generatorSummary(result.threads),
    watched: result.watched ?? [],
  }
  const warnings = warningsOf(withoutWarnings).map((warning) => ({
    ...warning,
    text: warningText(warning),
  }))
  return { ...withoutWarnings, warnings }
}

export function timeSummary(snapshot: HistogramSnapshot): TimeSummary {
  const histogram = Histogram.from(snapshot)
  const count = histogram.totalCount
  return {
    count,
    minNs: histogram.minNs,
    meanNs: histogram.meanNs,
    stdevNs: histogram.stdevNs,
    maxNs: histogram.maxNs,
    percentiles: reportQuantiles.map(({ name, quantile }) => ({
      name,
      quantile,
      valueNs: histogram.valueNsAtQuantile(quantile),
      isFirm: isFirmQuantile(quantile, count),
    })),
  }
}

/** Whether at least ten of so many values lie above the quantile. */
export function isFirmQuantile(quantile: number, count: number): boolean {
  // Rounded, as 10 / (1 - 0.9) is a little above 100 in doubles.
  return count >= Math.round(10 / (1 - quantile))
}

function outcomes(
  snapshot: Snapshot,
): Pick<Summary, 'statuses' | 'failures' | 'disqualifications' | 'timeoutCount'> {
  const failures = occurred(snapshot.failureCounts).map(({ index: kind, count }) => {
    const example = snapshot.failureExamples.find((candidate) => candidate.kind === kind)
    return { kind, name: failureKindNames[kind]!, count, example: example?.text ?? '' }
  })
  return {
    statuses: occurred(snapshot.statusCounts).map(({ index: status, count }) => ({
      status,
      count,
      answeredCount:
        status === 401 || status === 407 ? count - snapshot.disqualifiedStatusCounts[status]! : 0,
    })),
    failures,
    disqualifications: occurred(snapshot.disqualificationCounts).map(({ index: kind, count }) => ({
      kind,
      name: disqualificationNames[kind]!,
      count,
    })),
    timeoutCount: failures.reduce((sum, { kind, count }) => sum + (isTimeout(kind) ? count : 0), 0),
  }
}

function occurred(counts: Float64Array): { index: number; count: number }[] {
  return [...counts].map((count, index) => ({ index, count })).filter(({ count }) => count > 0)
}

function concurrency(
  snapshot: Snapshot,
  elapsedNs: number,
): Pick<Summary, 'concurrencyMean' | 'inFlightMean' | 'littleGapRatio'> {
  const { inFlightIntegralNs, responseTime, serviceTime, timeoutTime } = snapshot
  // An exchange is in flight from its actual start: its service time, not its response time.
  const unexplainedNs = inFlightIntegralNs - serviceTime.sumNs - timeoutTime.sumNs
  return {
    concurrencyMean: ratio(responseTime.sumNs, elapsedNs),
    inFlightMean: ratio(inFlightIntegralNs, elapsedNs),
    littleGapRatio: ratio(unexplainedNs, inFlightIntegralNs),
  }
}

function generatorSummary(threads: readonly ThreadHealth[]): GeneratorSummary {
  const loopLag = threads
    .map((thread) => thread.loopLag)
    .reduce(mergeHistogramSnapshots, emptyHistogramSnapshot(2))
  const reasons = threads.map((thread) => thread.reactorReason)
  return {
    threadCount: threads.length,
    busyRatioMax: Math.max(0, ...threads.map((thread) => thread.busyRatio)),
    ...loopLagSummary(loopLag),
    reactorName: distinct(threads.map((thread) => thread.reactorName)).join(', '),
    reactorReason: distinct(reasons.filter((reason) => reason !== null)).join('; ') || null,
    threads: threads.map((thread) => ({
      cpuUserNs: thread.cpuUserNs,
      cpuSystemNs: thread.cpuSystemNs,
      busyRatio: thread.busyRatio,
      eventLoopUtilizationRatio: thread.eventLoopUtilizationRatio,
      ...loopLagSummary(thread.loopLag),
    })),
  }
}

function loopLagSummary(
  loopLag: HistogramSnapshot,
): Pick<ThreadSummary, 'loopLagNsP50' | 'loopLagNsP99' | 'loopLagNsMax'> {
  if (loopLag.totalCount === 0) {
    return { loopLagNsP50: null, loopLagNsP99: null, loopLagNsMax: null }
  }
  const histogram = Histogram.from(loopLag)
  return {
    loopLagNsP50: histogram.valueNsAtQuantile(0.5),
    loopLagNsP99: histogram.valueNsAtQuantile(0.99),
    loopLagNsMax: histogram.maxNs,
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}
