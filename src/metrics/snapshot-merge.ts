/**
 * Adds up what threads or machines counted, in any order and grouping.
 *
 * Counts, minima, maxima, examples and sums below 2^53 come out the same to the last bit whatever
 * the order; larger sums to a double's precision.
 */
import { invariant } from '../base/errors.ts'
import { mergeHistogramSnapshots } from './histogram.ts'
import { mergeIntervalSeries } from './intervals.ts'
import {
  emptySnapshot,
  type FailureExample,
  type NameSnapshot,
  type PhaseSnapshots,
  type Snapshot,
  type StatusCount,
} from './snapshot.ts'

/** What one recorder would have counted; `emptySnapshot()` for an empty list. */
export function mergeSnapshots(snapshots: readonly Snapshot[]): Snapshot {
  return snapshots.reduce(mergeTwo, emptySnapshot())
}

function mergeTwo(a: Snapshot, b: Snapshot): Snapshot {
  return {
    startedCount: a.startedCount + b.startedCount,
    completedCount: a.completedCount + b.completedCount,
    failedCount: a.failedCount + b.failedCount,
    inFlightCount: a.inFlightCount + b.inFlightCount,
    statusCounts: sumOf(a.statusCounts, b.statusCounts),
    disqualifiedStatusCounts: sumOf(a.disqualifiedStatusCounts, b.disqualifiedStatusCounts),
    disqualificationCounts: sumOf(a.disqualificationCounts, b.disqualificationCounts),
    failureCounts: sumOf(a.failureCounts, b.failureCounts),
    failureExamples: earliestOfEachKind([...a.failureExamples, ...b.failureExamples]),
    bodyBytes: a.bodyBytes + b.bodyBytes,
    completedBodyBytes: a.completedBodyBytes + b.completedBodyBytes,
    headBytes: a.headBytes + b.headBytes,
    requestBytes: a.requestBytes + b.requestBytes,
    connectionCount: a.connectionCount + b.connectionCount,
    retryCount: a.retryCount + b.retryCount,
    responseTime: mergeHistogramSnapshots(a.responseTime, b.responseTime),
    serviceTime: mergeHistogramSnapshots(a.serviceTime, b.serviceTime),
    timeoutTime: mergeHistogramSnapshots(a.timeoutTime, b.timeoutTime),
    phases: mergePhases(a.phases, b.phases),
    pageCount: a.pageCount + b.pageCount,
    pageTime: mergeHistogramSnapshots(a.pageTime, b.pageTime),
    intervals: mergeIntervalSeries(a.intervals, b.intervals),
    inFlightIntegralNs: a.inFlightIntegralNs + b.inFlightIntegralNs,
    errorCount: a.errorCount + b.errorCount,
    arrivalCount: a.arrivalCount + b.arrivalCount,
    droppedCount: a.droppedCount + b.droppedCount,
    overdueCount: a.overdueCount + b.overdueCount,
    startLag: mergeHistogramSnapshots(a.startLag, b.startLag),
    names: pairwise(a.names, b.names, mergeNames),
    checks: pairwise(a.checks, b.checks, (one, other) => ({
      passedCount: one.passedCount + other.passedCount,
      failedCount: one.failedCount + other.failedCount,
    })),
    warmUp: {
      startedCount: a.warmUp.startedCount + b.warmUp.startedCount,
      endedCount: a.warmUp.endedCount + b.warmUp.endedCount,
      droppedCount: a.warmUp.droppedCount + b.warmUp.droppedCount,
    },
  }
}

function mergePhases(a: PhaseSnapshots, b: PhaseSnapshots): PhaseSnapshots {
  return {
    dns: mergeHistogramSnapshots(a.dns, b.dns),
    connect: mergeHistogramSnapshots(a.connect, b.connect),
    tls: mergeHistogramSnapshots(a.tls, b.tls),
    firstByte: mergeHistogramSnapshots(a.firstByte, b.firstByte),
    transfer: mergeHistogramSnapshots(a.transfer, b.transfer),
  }
}

function mergeNames(a: NameSnapshot, b: NameSnapshot): NameSnapshot {
  return {
    startedCount: a.startedCount + b.startedCount,
    completedCount: a.completedCount + b.completedCount,
    failedCount: a.failedCount + b.failedCount,
    errorCount: a.errorCount + b.errorCount,
    bodyBytes: a.bodyBytes + b.bodyBytes,
    statusCounts: mergeStatusCounts([...a.statusCounts, ...b.statusCounts]),
    responseTime: mergeHistogramSnapshots(a.responseTime, b.responseTime),
    serviceTime: mergeHistogramSnapshots(a.serviceTime, b.serviceTime),
  }
}

function mergeStatusCounts(counts: readonly StatusCount[]): StatusCount[] {
  const byStatus = new Map<number, number>()
  for (const { status, count } of counts) byStatus.set(status, (byStatus.get(status) ?? 0) + count)
  return [...byStatus]
    .map(([status, count]) => ({ status, count }))
    .sort((a, b) => a.status - b.status)
}

/** Shares of one plan have lists of the same length; one that counted nothing has an empty one. */
function pairwise<T>(a: readonly T[], b: readonly T[], merge: (a: T, b: T) => T): readonly T[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  invariant(a.length === b.length, 'what is merged was counted for one plan')
  return a.map((one, index) => merge(one, b[index]!))
}

function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((count, index) => count + b[index]!)
}

/** Of two at the same time the one whose text sorts first, so that the order does not matter. */
function earliestOfEachKind(examples: FailureExample[]): FailureExample[] {
  examples.sort((a, b) => a.kind - b.kind || a.atNs - b.atNs || (a.text < b.text ? -1 : 1))
  return examples.filter((example, index) => example.kind !== examples[index - 1]?.kind)
}
