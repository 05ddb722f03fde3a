/**
 * What happened second by second, in bounded memory.
 *
 * The current interval is counted in place; when its time is over it is sealed as plain data. Once
 * 3,600 are sealed, neighbours are joined pairwise and intervals are twice as long from then on:
 * widths are 1, 2, 4 ... seconds, intervals start at multiples of the width, and a series of any
 * length takes at most 3,600 of them. Two threads' series can therefore always be brought to the
 * coarser width of the two.
 *
 * An interval owns the time after its start up to and including its end, so that an event at the
 * very end of a run does not open an interval of no duration.
 */
import { invariant } from '../base/errors.ts'
import { DOUBLE, NS_PER_S } from '../base/units.ts'
import {
  emptyHistogramSnapshot,
  Histogram,
  type HistogramSnapshot,
  mergeHistogramSnapshots,
} from './histogram.ts'

/** What happened in one stretch of the run: a second, or several once neighbours were joined. */
export interface Interval {
  readonly startNs: number
  /** The series' width; less for the last one. */
  readonly durationNs: number
  readonly startedCount: number
  readonly completedCount: number
  readonly failedCount: number
  /** Of exchanges that ended here, failed ones included. */
  readonly bodyBytes: number
  /** Of exchanges that ended here: see `Snapshot.errorCount`. */
  readonly errorCount: number
  /** Arrivals due here that were never begun. */
  readonly droppedCount: number
  /** Iterations that ended here. */
  readonly pageCount: number
  readonly inFlightCountAtEnd: number
  /** Response times with 2 digits. */
  readonly responseTime: HistogramSnapshot
}

/** Intervals without gaps from the run's start to `endNs`. */
export interface IntervalSeries {
  readonly widthNs: number
  readonly endNs: number
  readonly intervals: readonly Interval[]
}

/** Sealed intervals at which neighbours are joined; even, so that none is left over. */
export const INTERVAL_COUNT_MAX = 3_600

const emptyResponseTime = emptyHistogramSnapshot(2)

/** Counts one thread's series. `advance` comes before whatever is counted. */
export class IntervalCounter {
  startedCount = 0
  completedCount = 0
  failedCount = 0
  bodyBytes: number = DOUBLE
  errorCount = 0
  droppedCount = 0
  pageCount = 0
  readonly responseTime: Histogram = new Histogram(2)
  #widthNs: number = DOUBLE
  #startNs: number = DOUBLE
  #endNs: number = DOUBLE
  #sealed: Interval[] = []

  constructor() {
    this.bodyBytes = 0
    this.#widthNs = NS_PER_S
    this.#startNs = 0
    this.#endNs = NS_PER_S
  }

  /**
   * HOT (bench/micro/recorder.bench.ts). Makes the interval of `nowNs` the current one;
   * `inFlightCount` is the number before the event at `nowNs`. A time before the current interval
   * leaves things as they are: a straggler is counted where it is noticed.
   */
  advance(nowNs: number, inFlightCount: number): void {
    if (nowNs > this.#endNs) this.#sealUntil(nowNs, inFlightCount)
  }

  series(nowNs: number, inFlightCount: number): IntervalSeries {
    this.advance(nowNs, inFlightCount)
    const endNs = Math.max(nowNs, this.#startNs)
    const current = this.#interval(endNs - this.#startNs, inFlightCount)
    return { widthNs: this.#widthNs, endNs, intervals: [...this.#sealed, current] }
  }

  #sealUntil(nowNs: number, inFlightCount: number): void {
    while (nowNs > this.#endNs) {
      this.#sealed.push(this.#interval(this.#widthNs, inFlightCount))
      this.startedCount = 0
      this.completedCount = 0
      this.failedCount = 0
      this.bodyBytes = 0
      this.errorCount = 0
      this.droppedCount = 0
      this.pageCount = 0
      this.responseTime.reset()
      if (this.#sealed.length === INTERVAL_COUNT_MAX) {
        this.#sealed = joinPairs(this.#sealed)
        this.#widthNs *= 2
      }
      this.#startNs = this.#endNs
      this.#endNs += this.#widthNs
    }
  }

  #interval(durationNs: number, inFlightCountAtEnd: number): Interval {
    return {
      startNs: this.#startNs,
      durationNs,
      startedCount: this.startedCount,
      completedCount: this.completedCount,
      failedCount: this.failedCount,
      bodyBytes: this.bodyBytes,
      errorCount: this.errorCount,
      droppedCount: this.droppedCount,
      pageCount: this.pageCount,
      inFlightCountAtEnd,
      // Most intervals of a long idle stretch are empty: they share one snapshot.
      responseTime:
        this.responseTime.totalCount === 0 ? emptyResponseTime : this.responseTime.snapshot(),
    }
  }
}

export function emptyIntervalSeries(): IntervalSeries {
  return { widthNs: NS_PER_S, endNs: 0, intervals: [] }
}

/**
 * The series of two threads with the same epoch, added up at the coarser width. A series that ends
 * earlier keeps its last number in flight, as the exchanges it left are still neither completed
 * nor failed.
 */
export function mergeIntervalSeries(a: IntervalSeries, b: IntervalSeries): IntervalSeries {
  const widthNs = Math.max(a.widthNs, b.widthNs)
  const endNs = Math.max(a.endNs, b.endNs)
  const wideA = widened(a, widthNs)
  const wideB = widened(b, widthNs)
  const intervals: Interval[] = []
  for (let index = 0; index < Math.max(wideA.length, wideB.length); index++) {
    const startNs = index * widthNs
    const durationNs = Math.min(widthNs, endNs - startNs)
    const atSameTime = sum(intervalAt(wideA, index), intervalAt(wideB, index))
    intervals.push({ ...atSameTime, startNs, durationNs })
  }
  return { widthNs, endNs, intervals }
}

function widened(series: IntervalSeries, widthNs: number): readonly Interval[] {
  let intervals = series.intervals
  let width = series.widthNs
  for (; width < widthNs; width *= 2) intervals = joinPairs(intervals)
  invariant(width === widthNs, 'the widths of two series differ by a power of two')
  return intervals
}

/** Joins each interval at an even place with the one after it, if there is one. */
function joinPairs(intervals: readonly Interval[]): Interval[] {
  const pairs: Interval[] = []
  for (let index = 0; index < intervals.length; index += 2) {
    const first = intervals[index]!
    const second = intervals[index + 1]
    if (second === undefined) {
      pairs.push(first)
      continue
    }
    pairs.push({
      ...sum(first, second),
      startNs: first.startNs,
      durationNs: first.durationNs + second.durationNs,
      inFlightCountAtEnd: second.inFlightCountAtEnd,
    })
  }
  return pairs
}

function intervalAt(intervals: readonly Interval[], index: number): Interval {
  const last = intervals.at(-1)
  return intervals[index] ?? { ...emptyInterval, inFlightCountAtEnd: last?.inFlightCountAtEnd ?? 0 }
}

const emptyInterval: Interval = {
  startNs: 0,
  durationNs: 0,
  startedCount: 0,
  completedCount: 0,
  failedCount: 0,
  bodyBytes: 0,
  errorCount: 0,
  droppedCount: 0,
  pageCount: 0,
  inFlightCountAtEnd: 0,
  responseTime: emptyResponseTime,
}

/** Adds up what can be added; the times are the caller's. */
function sum(a: Interval, b: Interval): Interval {
  return {
    startNs: 0,
    durationNs: 0,
    startedCount: a.startedCount + b.startedCount,
    completedCount: a.completedCount + b.completedCount,
    failedCount: a.failedCount + b.failedCount,
    bodyBytes: a.bodyBytes + b.bodyBytes,
    errorCount: a.errorCount + b.errorCount,
    droppedCount: a.droppedCount + b.droppedCount,
    pageCount: a.pageCount + b.pageCount,
    inFlightCountAtEnd: a.inFlightCountAtEnd + b.inFlightCountAtEnd,
    responseTime: mergeHistogramSnapshots(a.responseTime, b.responseTime),
  }
}
