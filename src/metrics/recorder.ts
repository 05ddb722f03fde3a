/**
 * The seam between the engine and whoever counts.
 *
 * The engine tells each thing that happens, once. An exchange is told as started, then exactly
 * once as completed or failed; what is left when the run ends is in flight.
 */
import type { Exchange } from './exchange.ts'
import type { FailureKindNumber } from './outcome.ts'
import { emptySnapshot, type Snapshot } from './snapshot.ts'

export interface Recorder {
  /** HOT (bench/micro/recorder.bench.ts). `dueNs`, `startNs` and `nameIndex` are set. */
  started(exchange: Exchange): void
  /**
   * HOT (bench/micro/recorder.bench.ts). A whole response arrived; all facts are in `exchange`,
   * `endNs` included.
   */
  completed(exchange: Exchange): void
  /** `endNs` is set here too. `detail` is called only when this kind has no example yet. */
  failed(exchange: Exchange, kind: FailureKindNumber, detail: () => string): void
  /** HOT (bench/micro/recorder.bench.ts). One more answer to a check, by its place in the plan. */
  checked(checkIndex: number, hasPassed: boolean, exchange: Exchange): void
  /**
   * HOT (bench/micro/recorder.bench.ts). An arrival of the open model that was due began now. Its
   * first exchange is told by itself.
   */
  arrived(dueNs: number, nowNs: number): void
  /**
   * An arrival of the open model was never begun: as many were under way as may be, or, `isOverdue`,
   * the time was over before the generator came to it.
   */
  dropped(dueNs: number, isOverdue?: boolean): void
  /** A connection was opened for some exchange. */
  connected(): void
  /** A request was sent again on a fresh connection. */
  retried(): void
  /**
   * HOT (bench/micro/recorder.bench.ts). An iteration ended; its time runs from the start of its
   * first exchange to `endNs`.
   */
  pageEnded(pageTimeNs: number, endNs: number): void
  /**
   * The counts so far without the series of intervals, which grows: for whoever watches the run.
   * `withNames`: the counts by name are there, too.
   */
  progress(nowNs: number, withNames: boolean): Snapshot
  /** The counts so far; the recorder goes on. */
  snapshot(nowNs: number): Snapshot
}

/** Counts nothing: what the engine costs by itself. */
export const nullRecorder: Recorder = {
  started() {},
  completed() {},
  failed() {},
  checked() {},
  arrived() {},
  dropped() {},
  connected() {},
  retried() {},
  pageEnded() {},
  progress: emptySnapshot,
  snapshot: emptySnapshot,
}
