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
import type { Snapshot, WarmUpSnapshot } from '../metrics/snapshot.ts'
import { measuredNsOf, underLoadNsOf } from './measured-time.ts'
import {
  type CheckSummary,
  checkSummaries,
  type NameSummary,
  nameSummaries,
} from './name-summary.ts'
import { type ArrivalSummary, arrivalSummary } from './offered.ts'
import { ratio } from './ratio.ts'
import type { EndedBy, PlanFacts, RunResult, ThreadHealth, UsedUpFeeder } from './run-result.ts'
import { type TimeSummary, timeSummary } from './time-summary.ts'
import { type Warning, warningsOf, warningText } from './warnings.ts'
import type { WatchedSeries } from './watched.ts'

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
  /** Without the warm-up: the time that means and traffic are of. */
  readonly measuredNs: number
  /** Without the drain either: the time that rates of requests and iterations are of. */
  readonly underLoadNs: number
  readonly endedBy: EndedBy
  readonly plan: PlanFacts
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly inFlightCount: number
  /** See `Snapshot.errorCount`. */
  readonly errorCount: number
  /** Of those that ended. */
  readonly errorRatio: number
  /** Null in the closed model. */
  readonly arrivals: ArrivalSummary | null
  /** Of arrivals that were begun. */
  readonly startLag: TimeSummary
  readonly warmUp: WarmUpSnapshot
  /** In the order of the plan. */
  readonly names: readonly NameSummary[]
  readonly checks: readonly CheckSummary[]
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
  /** Sum of response times over measured time. */
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
  readonly usedUpFeeders: readonly UsedUpFeeder[]
  /** Each with its sentence from `warnings.ts`. */
  readonly warnings: readonly (Warning & { readonly text: string })[]
}

export function summarize(result: RunResult): Summary {
  const { snapshot, elapsedNs } = result
  const measuredNs = measuredNsOf(elapsedNs, result.plan)
  const measuredS = secondsFromNs(measuredNs)
  const underLoadNs = underLoadNsOf(elapsedNs, result.plan)
  const underLoadS = secondsFromNs(underLoadNs)
  const { phases } = snapshot
  const withoutWarnings = {
    onagerVersion: result.onagerVersion,
    startedAtMs: result.startedAtMs,
    elapsedNs,
    measuredNs,
    underLoadNs,
    endedBy: result.endedBy,
    plan: result.plan,
    startedCount: snapshot.startedCount,
    completedCount: snapshot.completedCount,
    failedCount: snapshot.failedCount,
    inFlightCount: snapshot.inFlightCount,
    errorCount: snapshot.errorCount,
    errorRatio: ratio(snapshot.errorCount, snapshot.completedCount + snapshot.failedCount),
    arrivals: arrivalSummary(result),
    startLag: timeSummary(snapshot.startLag),
    warmUp: snapshot.warmUp,
    names: nameSummaries(result, underLoadS),
    checks: checkSummaries(result),
    completedPerSecond: ratio(snapshot.completedCount, underLoadS),
    bodyBytes: snapshot.bodyBytes,
    completedBodyBytes: snapshot.completedBodyBytes,
    headBytes: snapshot.headBytes,
    requestBytes: snapshot.requestBytes,
    receivedBytesPerSecond: ratio(snapshot.headBytes + snapshot.bodyBytes, measuredS),
    requestBytesPerSecond: ratio(snapshot.requestBytes, measuredS),
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
    pagesPerSecond: ratio(snapshot.pageCount, underLoadS),
    pageTime: timeSummary(snapshot.pageTime),
    ...concurrency(snapshot, measuredNs),
    generator: generatorSummary(result.threads),
    watched: result.watched ?? [],
    usedUpFeeders: result.usedUpFeeders ?? [],
  }
  const warnings = warningsOf(withoutWarnings).map((warning) => ({
    ...warning,
    text: warningText(warning),
  }))
  return { ...withoutWarnings, warnings }
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
  measuredNs: number,
): Pick<Summary, 'concurrencyMean' | 'inFlightMean' | 'littleGapRatio'> {
  const { inFlightIntegralNs, responseTime, serviceTime, timeoutTime } = snapshot
  // An exchange is in flight from its actual start: its service time, not its response time.
  const unexplainedNs = inFlightIntegralNs - serviceTime.sumNs - timeoutTime.sumNs
  return {
    concurrencyMean: ratio(responseTime.sumNs, measuredNs),
    inFlightMean: ratio(inFlightIntegralNs, measuredNs),
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
