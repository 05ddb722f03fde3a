/** Draft of the seam; the implementation follows. */
import type { Exchange } from './exchange.ts'
import type { FailureKindNumber } from './outcome.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Who counts. The engine tells it each thing that happens, once and in order of time.
 * An exchange is told as started, then exactly once as completed or failed; the rest is in flight.
 */
export interface Recorder {
  /** HOT. */
  started(nowNs: number): void
  /** HOT. A whole response arrived; all facts are in `exchange`, `endNs` included. */
  completed(exchange: Exchange): void
  /** `detail` is called only when this kind has no example yet. */
  failed(exchange: Exchange, kind: FailureKindNumber, detail: () => string): void
  /** A connection was opened for some exchange. */
  connected(): void
  /** A request was sent again on a fresh connection. */
  retried(): void
  /** HOT. An iteration ended; its time runs from the start of its first exchange to `endNs`. */
  pageEnded(pageTimeNs: number, endNs: number): void
  /** The counts so far; the recorder goes on. */
  snapshot(nowNs: number): Snapshot
}
