/**
 * Keeps the warm-up out of the figures: what was due before its end is counted here, and only
 * what was due later reaches the recorder behind. An exchange is the warm-up's to its end, however
 * long that takes.
 */
import type { Exchange } from './exchange.ts'
import type { FailureKindNumber } from './outcome.ts'
import type { Recorder } from './recorder.ts'
import type { Snapshot, WarmUpSnapshot } from './snapshot.ts'

export class WarmUpRecorder implements Recorder {
  readonly #recorder: Recorder
  readonly #warmUpNs: number
  #startedCount = 0
  #endedCount = 0
  #droppedCount = 0

  constructor(recorder: Recorder, warmUpNs: number) {
    this.#recorder = recorder
    this.#warmUpNs = warmUpNs
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  started(exchange: Exchange): void {
    if (exchange.dueNs < this.#warmUpNs) this.#startedCount++
    else this.#recorder.started(exchange)
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  completed(exchange: Exchange): void {
    if (exchange.dueNs < this.#warmUpNs) this.#endedCount++
    else this.#recorder.completed(exchange)
  }

  failed(exchange: Exchange, kind: FailureKindNumber, detail: () => string): void {
    if (exchange.dueNs < this.#warmUpNs) this.#endedCount++
    else this.#recorder.failed(exchange, kind, detail)
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  checked(checkIndex: number, hasPassed: boolean, exchange: Exchange): void {
    if (exchange.dueNs >= this.#warmUpNs) this.#recorder.checked(checkIndex, hasPassed, exchange)
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  arrived(dueNs: number, nowNs: number): void {
    if (dueNs >= this.#warmUpNs) this.#recorder.arrived(dueNs, nowNs)
  }

  dropped(dueNs: number, isOverdue?: boolean): void {
    if (dueNs < this.#warmUpNs) this.#droppedCount++
    else this.#recorder.dropped(dueNs, isOverdue)
  }

  connected(): void {
    this.#recorder.connected()
  }

  retried(): void {
    this.#recorder.retried()
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  pageEnded(pageTimeNs: number, endNs: number): void {
    if (endNs - pageTimeNs >= this.#warmUpNs) this.#recorder.pageEnded(pageTimeNs, endNs)
  }

  progress(nowNs: number, withNames: boolean): Snapshot {
    return { ...this.#recorder.progress(nowNs, withNames), warmUp: this.#warmUp() }
  }

  snapshot(nowNs: number): Snapshot {
    return { ...this.#recorder.snapshot(nowNs), warmUp: this.#warmUp() }
  }

  #warmUp(): WarmUpSnapshot {
    return {
      startedCount: this.#startedCount,
      endedCount: this.#endedCount,
      droppedCount: this.#droppedCount,
    }
  }
}
