/** Counts the exchanges that a plan gives one name; the recorder of one thread has one for each. */
import { DOUBLE } from '../base/units.ts'
import type { Exchange } from './exchange.ts'
import { Histogram } from './histogram.ts'
import type { NameSnapshot } from './snapshot.ts'

export class NameCounter {
  startedCount = 0
  #completedCount = 0
  #failedCount = 0
  #errorCount = 0
  #bodyBytes: number = DOUBLE
  readonly #statusCounts = new Map<number, number>()
  readonly #responseTime = new Histogram(3)
  readonly #serviceTime = new Histogram(3)

  constructor() {
    this.#bodyBytes = 0
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  completed(exchange: Exchange): void {
    const { status, endNs } = exchange
    this.#completedCount++
    this.#bodyBytes += exchange.bodyBytes
    if (exchange.isError) this.#errorCount++
    this.#statusCounts.set(status, (this.#statusCounts.get(status) ?? 0) + 1)
    this.#responseTime.record(endNs - exchange.dueNs)
    this.#serviceTime.record(endNs - exchange.startNs)
  }

  failed(exchange: Exchange): void {
    this.#failedCount++
    this.#errorCount++
    this.#bodyBytes += exchange.bodyBytes
  }

  snapshot(): NameSnapshot {
    return {
      startedCount: this.startedCount,
      completedCount: this.#completedCount,
      failedCount: this.#failedCount,
      errorCount: this.#errorCount,
      bodyBytes: this.#bodyBytes,
      statusCounts: [...this.#statusCounts]
        .map(([status, count]) => ({ status, count }))
        .sort((a, b) => a.status - b.status),
      responseTime: this.#responseTime.snapshot(),
      serviceTime: this.#serviceTime.snapshot(),
    }
  }
}
