/**
 * What one thread counted, as plain data: it can be cloned between threads, stored and added up.
 * Adding snapshots is associative and does not depend on order.
 */
import type { HistogramSnapshot } from './histogram.ts'
import type { Interval } from './intervals.ts'

export interface FailureExample {
  /** A `FailureKind`. */
  readonly kind: number
  /** One sentence: what happened, to which origin. */
  readonly text: string
  readonly atNs: number
}

export interface Snapshot {
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly inFlightCount: number
  /** Completed exchanges by status 0..999. */
  readonly statusCounts: Float64Array
  /** Completed but disqualified exchanges by status 0..999. */
  readonly disqualifiedStatusCounts: Float64Array
  /** By `Disqualification`. */
  readonly disqualificationCounts: Float64Array
  /** By `FailureKind`. */
  readonly failureCounts: Float64Array
  /** The earliest example of each kind that occurred. */
  readonly failureExamples: readonly FailureExample[]
  /** Body bytes of all exchanges, failed ones included. */
  readonly bodyBytes: number
  /** Body bytes of completed exchanges alone. */
  readonly completedBodyBytes: number
  readonly headBytes: number
  readonly requestBytes: number
  readonly connectionCount: number
  /** Requests sent once more because a pooled connection had died. */
  readonly retryCount: number
  /** From intended start to the last body byte; completed exchanges only. */
  readonly responseTime: HistogramSnapshot
  /** From actual start to the last body byte; completed exchanges only. */
  readonly serviceTime: HistogramSnapshot
  /** How long exchanges waited that ended in a timeout. */
  readonly timeoutTime: HistogramSnapshot
  readonly phases: PhaseSnapshots
  /** Whole iterations: a page with its redirects and resources. */
  readonly pageCount: number
  readonly pageTime: HistogramSnapshot
  readonly intervals: readonly Interval[]
  /** Integral of the number in flight over time, in exchange-nanoseconds: the check by Little's law. */
  readonly inFlightIntegralNs: number
}

export interface PhaseSnapshots {
  readonly dns: HistogramSnapshot
  readonly connect: HistogramSnapshot
  readonly tls: HistogramSnapshot
  /** From the request's first byte out to the response's first byte in. */
  readonly firstByte: HistogramSnapshot
  /** From the first byte in to the last. */
  readonly transfer: HistogramSnapshot
}
