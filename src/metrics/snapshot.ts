/**
 * What one thread counted, as plain data: it can be cloned between threads, stored and added up.
 * Adding snapshots is associative and does not depend on order (`snapshot-merge.ts`); the laws
 * that any of them keeps are in `laws.ts`.
 */
import { emptyHistogramSnapshot, type HistogramSnapshot } from './histogram.ts'
import { emptyIntervalSeries, type IntervalSeries } from './intervals.ts'
import { DISQUALIFICATION_COUNT, FAILURE_KIND_COUNT } from './outcome.ts'

/** Statuses have three digits. */
export const STATUS_COUNT = 1000

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
  /** The earliest example of each kind that occurred, in the order of the kinds. */
  readonly failureExamples: readonly FailureExample[]
  /** Body bytes of all exchanges that ended, failed ones included. */
  readonly bodyBytes: number
  /** Body bytes of completed exchanges alone. */
  readonly completedBodyBytes: number
  readonly headBytes: number
  readonly requestBytes: number
  readonly connectionCount: number
  /** Requests sent once more because a pooled connection had died. */
  readonly retryCount: number
  /** From intended start to the last body byte; completed exchanges only; 3 digits. */
  readonly responseTime: HistogramSnapshot
  /** From actual start to the last body byte; completed exchanges only; 3 digits. */
  readonly serviceTime: HistogramSnapshot
  /** How long exchanges waited, from intended start, that ended in a timeout; 3 digits. */
  readonly timeoutTime: HistogramSnapshot
  readonly phases: PhaseSnapshots
  /** Whole iterations: a page with its redirects and resources; 3 digits. */
  readonly pageCount: number
  readonly pageTime: HistogramSnapshot
  readonly intervals: IntervalSeries
  /**
   * Integral of the number in flight over time, in exchange-nanoseconds: the check by Little's
   * law.
   */
  readonly inFlightIntegralNs: number
  /**
   * Exchanges that went wrong: those that failed, and the completed ones that `Exchange.isError`
   * calls so.
   */
  readonly errorCount: number
  /** Arrivals of the open model that were begun; 0 in the closed model. */
  readonly arrivalCount: number
  /** Arrivals that were due but never begun; they are in no other count. */
  readonly droppedCount: number
  /** Of these, those that the generator was too late for; the others found too many under way. */
  readonly overdueCount: number
  /** How late arrivals were begun: actual start less intended start; 3 digits. */
  readonly startLag: HistogramSnapshot
  /** In the order of the plan's `requestNames`. */
  readonly names: readonly NameSnapshot[]
  /** In the order of the plan's checks. */
  readonly checks: readonly CheckSnapshot[]
  /** What was due in the warm-up: in none of the other counts but those of connections. */
  readonly warmUp: WarmUpSnapshot
}

/** The exchanges that the plan gives one name. */
export interface NameSnapshot {
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly errorCount: number
  /** Of exchanges that ended, failed ones included. */
  readonly bodyBytes: number
  /** Completed ones by status, ascending, those that occurred. */
  readonly statusCounts: readonly StatusCount[]
  /** Completed exchanges, as in `Snapshot`; 3 digits. */
  readonly responseTime: HistogramSnapshot
  readonly serviceTime: HistogramSnapshot
}

export interface StatusCount {
  readonly status: number
  readonly count: number
}

export interface CheckSnapshot {
  readonly passedCount: number
  readonly failedCount: number
}

/** started = ended + in flight. */
export interface WarmUpSnapshot {
  readonly startedCount: number
  /** Completed or failed. */
  readonly endedCount: number
  readonly droppedCount: number
}

/**
 * Where the time of completed exchanges went; each only for those that went through it; 2 digits.
 */
export interface PhaseSnapshots {
  readonly dns: HistogramSnapshot
  readonly connect: HistogramSnapshot
  readonly tls: HistogramSnapshot
  /** From the request's first byte out to the response's first byte in. */
  readonly firstByte: HistogramSnapshot
  /** From the first byte in to the last. */
  readonly transfer: HistogramSnapshot
}

/** Nothing happened: adding it changes nothing. */
export function emptySnapshot(): Snapshot {
  return {
    startedCount: 0,
    completedCount: 0,
    failedCount: 0,
    inFlightCount: 0,
    statusCounts: new Float64Array(STATUS_COUNT),
    disqualifiedStatusCounts: new Float64Array(STATUS_COUNT),
    disqualificationCounts: new Float64Array(DISQUALIFICATION_COUNT),
    failureCounts: new Float64Array(FAILURE_KIND_COUNT),
    failureExamples: [],
    bodyBytes: 0,
    completedBodyBytes: 0,
    headBytes: 0,
    requestBytes: 0,
    connectionCount: 0,
    retryCount: 0,
    responseTime: emptyHistogramSnapshot(3),
    serviceTime: emptyHistogramSnapshot(3),
    timeoutTime: emptyHistogramSnapshot(3),
    phases: {
      dns: emptyHistogramSnapshot(2),
      connect: emptyHistogramSnapshot(2),
      tls: emptyHistogramSnapshot(2),
      firstByte: emptyHistogramSnapshot(2),
      transfer: emptyHistogramSnapshot(2),
    },
    pageCount: 0,
    pageTime: emptyHistogramSnapshot(3),
    intervals: emptyIntervalSeries(),
    inFlightIntegralNs: 0,
    errorCount: 0,
    arrivalCount: 0,
    droppedCount: 0,
    overdueCount: 0,
    startLag: emptyHistogramSnapshot(3),
    names: [],
    checks: [],
    warmUp: { startedCount: 0, endedCount: 0, droppedCount: 0 },
  }
}
