/**
 * The recorder of one thread: counts, histograms and intervals in memory that does not grow with
 * the number of exchanges.
 *
 * It reads no clock; all times come with what it is told. Per exchange it allocates nothing but
 * the pages of histograms met for the first time and, once a second, one sealed interval.
 */
import { DOUBLE } from '../base/units.ts'
import type { Exchange } from './exchange.ts'
import { Histogram } from './histogram.ts'
import { emptyIntervalSeries, IntervalCounter } from './intervals.ts'
import { NameCounter } from './name-counter.ts'
import {
  DISQUALIFICATION_COUNT,
  Disqualification,
  FAILURE_KIND_COUNT,
  type FailureKindNumber,
  isTimeout,
} from './outcome.ts'
import type { Recorder } from './recorder.ts'
import { type FailureExample, type NameSnapshot, type Snapshot, STATUS_COUNT } from './snapshot.ts'

/** What of a plan is counted by itself; all of it 0 when absent. */
export interface CountedParts {
  readonly nameCount: number
  readonly checkCount: number
}

export class CountingRecorder implements Recorder {
  #startedCount = 0
  #completedCount = 0
  #failedCount = 0
  #inFlightCount = 0
  #inFlightIntegralNs: number = DOUBLE
  #inFlightSinceNs: number = DOUBLE
  #bodyBytes: number = DOUBLE
  #completedBodyBytes: number = DOUBLE
  #headBytes: number = DOUBLE
  #requestBytes: number = DOUBLE
  #connectionCount = 0
  #retryCount = 0
  readonly #statusCounts = new Float64Array(STATUS_COUNT)
  readonly #disqualifiedStatusCounts = new Float64Array(STATUS_COUNT)
  readonly #disqualificationCounts = new Float64Array(DISQUALIFICATION_COUNT)
  readonly #failureCounts = new Float64Array(FAILURE_KIND_COUNT)
  readonly #failureExamples = new Map<number, FailureExample>()
  readonly #responseTime = new Histogram(3)
  readonly #serviceTime = new Histogram(3)
  readonly #timeoutTime = new Histogram(3)
  readonly #pageTime = new Histogram(3)
  readonly #dns = new Histogram(2)
  readonly #connect = new Histogram(2)
  readonly #tls = new Histogram(2)
  readonly #firstByte = new Histogram(2)
  readonly #transfer = new Histogram(2)
  readonly #intervals = new IntervalCounter()
  #errorCount = 0
  #arrivalCount = 0
  #droppedCount = 0
  #overdueCount = 0
  readonly #startLag = new Histogram(3)
  readonly #names: NameCounter[]
  readonly #checksPassed: Float64Array
  readonly #checksFailed: Float64Array

  constructor(parts: CountedParts = { nameCount: 0, checkCount: 0 }) {
    this.#inFlightIntegralNs = 0
    this.#inFlightSinceNs = 0
    this.#bodyBytes = 0
    this.#completedBodyBytes = 0
    this.#headBytes = 0
    this.#requestBytes = 0
    this.#names = Array.from({ length: parts.nameCount }, () => new NameCounter())
    this.#checksPassed = new Float64Array(parts.checkCount)
    this.#checksFailed = new Float64Array(parts.checkCount)
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  started(exchange: Exchange): void {
    const nowNs = exchange.startNs
    this.#intervals.advance(nowNs, this.#inFlightCount)
    this.#intervals.startedCount++
    this.#startedCount++
    this.#changeInFlight(1, nowNs)
    if (exchange.nameIndex >= 0) this.#names[exchange.nameIndex]!.startedCount++
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  completed(exchange: Exchange): void {
    const responseTimeNs = exchange.endNs - exchange.dueNs
    this.#end(exchange)
    this.#completedCount++
    this.#completedBodyBytes += exchange.bodyBytes
    const status = exchange.status
    this.#statusCounts[status] = this.#statusCounts[status]! + 1
    if (exchange.disqualification !== Disqualification.none) this.#disqualify(exchange)
    this.#responseTime.record(responseTimeNs)
    this.#serviceTime.record(exchange.endNs - exchange.startNs)
    this.#recordPhases(exchange)
    this.#intervals.completedCount++
    this.#intervals.responseTime.record(responseTimeNs)
    if (exchange.isError) this.#countError()
    if (exchange.nameIndex >= 0) this.#names[exchange.nameIndex]!.completed(exchange)
  }

  failed(exchange: Exchange, kind: FailureKindNumber, detail: () => string): void {
    this.#end(exchange)
    this.#failedCount++
    this.#intervals.failedCount++
    this.#countError()
    if (exchange.nameIndex >= 0) this.#names[exchange.nameIndex]!.failed(exchange)
    this.#failureCounts[kind] = this.#failureCounts[kind]! + 1
    if (isTimeout(kind)) this.#timeoutTime.record(exchange.endNs - exchange.dueNs)
    if (!this.#failureExamples.has(kind)) {
      this.#failureExamples.set(kind, { kind, text: detail(), atNs: exchange.endNs })
    }
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  checked(checkIndex: number, hasPassed: boolean): void {
    const counts = hasPassed ? this.#checksPassed : this.#checksFailed
    counts[checkIndex] = counts[checkIndex]! + 1
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  arrived(dueNs: number, nowNs: number): void {
    this.#arrivalCount++
    this.#startLag.record(nowNs - dueNs)
  }

  dropped(dueNs: number, isOverdue = false): void {
    this.#intervals.advance(dueNs, this.#inFlightCount)
    this.#intervals.droppedCount++
    this.#droppedCount++
    if (isOverdue) this.#overdueCount++
  }

  connected(): void {
    this.#connectionCount++
  }

  retried(): void {
    this.#retryCount++
  }

  /** HOT (bench/micro/recorder.bench.ts). */
  pageEnded(pageTimeNs: number, endNs: number): void {
    this.#intervals.advance(endNs, this.#inFlightCount)
    this.#intervals.pageCount++
    this.#pageTime.record(pageTimeNs)
  }

  snapshot(nowNs: number): Snapshot {
    const intervals = this.#intervals.series(nowNs, this.#inFlightCount)
    return { ...this.#counts(nowNs), intervals, names: this.#nameCounts() }
  }

  progress(nowNs: number, withNames: boolean): Snapshot {
    return { ...this.#counts(nowNs), names: withNames ? this.#nameCounts() : [] }
  }

  #nameCounts(): NameSnapshot[] {
    return this.#names.map((name) => name.snapshot())
  }

  #counts(nowNs: number): Snapshot {
    return {
      startedCount: this.#startedCount,
      completedCount: this.#completedCount,
      failedCount: this.#failedCount,
      inFlightCount: this.#inFlightCount,
      statusCounts: this.#statusCounts.slice(),
      disqualifiedStatusCounts: this.#disqualifiedStatusCounts.slice(),
      disqualificationCounts: this.#disqualificationCounts.slice(),
      failureCounts: this.#failureCounts.slice(),
      failureExamples: [...this.#failureExamples.values()].sort((a, b) => a.kind - b.kind),
      bodyBytes: this.#bodyBytes,
      completedBodyBytes: this.#completedBodyBytes,
      headBytes: this.#headBytes,
      requestBytes: this.#requestBytes,
      connectionCount: this.#connectionCount,
      retryCount: this.#retryCount,
      responseTime: this.#responseTime.snapshot(),
      serviceTime: this.#serviceTime.snapshot(),
      timeoutTime: this.#timeoutTime.snapshot(),
      phases: {
        dns: this.#dns.snapshot(),
        connect: this.#connect.snapshot(),
        tls: this.#tls.snapshot(),
        firstByte: this.#firstByte.snapshot(),
        transfer: this.#transfer.snapshot(),
      },
      pageCount: this.#pageTime.totalCount,
      pageTime: this.#pageTime.snapshot(),
      intervals: emptyIntervalSeries(),
      inFlightIntegralNs:
        this.#inFlightIntegralNs + this.#inFlightCount * (nowNs - this.#inFlightSinceNs),
      errorCount: this.#errorCount,
      arrivalCount: this.#arrivalCount,
      droppedCount: this.#droppedCount,
      overdueCount: this.#overdueCount,
      startLag: this.#startLag.snapshot(),
      names: [],
      checks: Array.from(this.#checksPassed, (passedCount, index) => ({
        passedCount,
        failedCount: this.#checksFailed[index]!,
      })),
      warmUp: { startedCount: 0, endedCount: 0, droppedCount: 0 },
    }
  }

  #countError(): void {
    this.#errorCount++
    this.#intervals.errorCount++
  }

  /** What completed and failed exchanges have in common. */
  #end(exchange: Exchange): void {
    this.#intervals.advance(exchange.endNs, this.#inFlightCount)
    this.#intervals.bodyBytes += exchange.bodyBytes
    this.#changeInFlight(-1, exchange.endNs)
    this.#bodyBytes += exchange.bodyBytes
    this.#headBytes += exchange.headBytes
    this.#requestBytes += exchange.requestBytes
  }

  /**
   * The integral is right even if events are told a little out of order: a step back in time
   * subtracts what was added too much.
   */
  #changeInFlight(change: 1 | -1, nowNs: number): void {
    this.#inFlightIntegralNs += this.#inFlightCount * (nowNs - this.#inFlightSinceNs)
    this.#inFlightSinceNs = nowNs
    this.#inFlightCount += change
  }

  #disqualify(exchange: Exchange): void {
    const { status, disqualification } = exchange
    this.#disqualifiedStatusCounts[status] = this.#disqualifiedStatusCounts[status]! + 1
    this.#disqualificationCounts[disqualification] =
      this.#disqualificationCounts[disqualification]! + 1
  }

  #recordPhases(exchange: Exchange): void {
    const { startNs, resolvedNs, connectedNs, securedNs, sentNs, firstByteNs } = exchange
    if (resolvedNs >= 0) this.#dns.record(resolvedNs - startNs)
    if (connectedNs >= 0)
      this.#connect.record(connectedNs - (resolvedNs >= 0 ? resolvedNs : startNs))
    if (securedNs >= 0) this.#tls.record(securedNs - connectedNs)
    if (firstByteNs < 0) return
    if (sentNs >= 0) this.#firstByte.record(firstByteNs - sentNs)
    this.#transfer.record(exchange.endNs - firstByteNs)
  }
}
