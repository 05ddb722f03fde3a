/** Draft of the shape; the implementation follows. */
import type { HistogramSnapshot } from './histogram.ts'

/** What happened in one stretch of the run: a second, or several once neighbours were merged. */
export interface Interval {
  readonly startNs: number
  readonly durationNs: number
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly bodyBytes: number
  /** Completed with a status of 400 or above. */
  readonly errorStatusCount: number
  readonly inFlightCountAtEnd: number
  /** Response times with 2 digits. */
  readonly responseTime: HistogramSnapshot
}
