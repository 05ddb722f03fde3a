/**
 * Counts of durations at a bounded relative error, in the bucket layout of HdrHistogram.
 *
 * Values are counted in whole microseconds from 0 to an hour; what is longer goes into the last
 * bucket and is counted in `clampedCount` as well. With 3 digits values below 2,048 µs have a
 * bucket
 * each; above, every power of two is split into 1,024 equal parts. With 2 digits it is 256 and 128.
 * An hour in microseconds fits into 32 bits, so that a bucket is found by `clz32` and a shift.
 *
 * Counts are doubles (exact to 2^53) in pages made on first use: a histogram takes memory for the
 * powers of two it has seen. Minimum, maximum and sum are exact in nanoseconds; the sum of squares
 * is as exact as a double.
 */
import { invariant } from '../base/errors.ts'
import { DOUBLE, NS_PER_US } from '../base/units.ts'

export type HistogramDigits = 2 | 3

/**
 * What a histogram holds, as plain data without empty buckets. All zero when nothing was counted.
 */
export interface HistogramSnapshot {
  readonly digits: HistogramDigits
  readonly totalCount: number
  /** Values above an hour: they stand in the last bucket. */
  readonly clampedCount: number
  readonly minNs: number
  readonly maxNs: number
  readonly sumNs: number
  /** Sum of squares in ns^2. */
  readonly squareSumNs2: number
  /** Non-empty counts: ascending HdrHistogram indexes and, beside them, their counts. */
  readonly indexes: Uint32Array
  readonly counts: Float64Array
}

export const VALUE_US_MAX = 3_600_000_000
const VALUE_NS_MAX = VALUE_US_MAX * NS_PER_US

/** Values are rounded to the nearest microsecond: up to so much more falls into a bucket. */
const HALF_US_NS = 499

/** 256 counts, 2 KB: a quarter of a power of two with 3 digits. */
const PAGE_BITS = 8
const PAGE_COUNTS = 1 << PAGE_BITS
const PAGE_MASK = PAGE_COUNTS - 1

export class Histogram {
  readonly digits: HistogramDigits
  totalCount = 0
  clampedCount = 0
  sumNs: number = DOUBLE
  squareSumNs2: number = DOUBLE
  #minNs = Number.POSITIVE_INFINITY
  #maxNs: number = DOUBLE
  /** log2 of half the number of sub-buckets: each power of two takes this many index bits. */
  readonly #halfBits: number
  /** The largest value of bucket 0. */
  readonly #subBucketMask: number
  /** Leading zeros of a 32-bit value of bucket 0, at least. */
  readonly #zeroBits: number
  readonly #pages: (Float64Array | null)[]

  constructor(digits: HistogramDigits) {
    this.digits = digits
    this.#halfBits = halfBitsOf(digits)
    this.#subBucketMask = 2 ** (this.#halfBits + 1) - 1
    this.#zeroBits = 32 - (this.#halfBits + 1)
    const pageCount = Math.ceil(bucketCountOf(digits) / PAGE_COUNTS)
    this.#pages = new Array<Float64Array | null>(pageCount).fill(null)
    this.#maxNs = 0
    this.sumNs = 0
    this.squareSumNs2 = 0
  }

  static from(snapshot: HistogramSnapshot): Histogram {
    const histogram = new Histogram(snapshot.digits)
    histogram.addSnapshot(snapshot)
    return histogram
  }

  /** 0 when nothing was counted. */
  get minNs(): number {
    return this.totalCount === 0 ? 0 : this.#minNs
  }

  get maxNs(): number {
    return this.#maxNs
  }

  /** 0 when nothing was counted. */
  get meanNs(): number {
    return this.totalCount === 0 ? 0 : this.sumNs / this.totalCount
  }

  /** Standard deviation of all values counted (not of a sample); 0 when nothing was counted. */
  get stdevNs(): number {
    if (this.totalCount === 0) return 0
    const variance = this.squareSumNs2 / this.totalCount - this.meanNs * this.meanNs
    return Math.sqrt(Math.max(variance, 0))
  }

  /**
   * HOT (bench/micro/histogram.bench.ts): no allocation but for a page met for the first time.
   * @throws {BugError} for a negative value or NaN.
   */
  record(valueNs: number): void {
    if (!(valueNs >= 0)) refuse(valueNs)
    let valueUs = VALUE_US_MAX
    if (valueNs > VALUE_NS_MAX) this.clampedCount++
    else valueUs = (valueNs / NS_PER_US + 0.5) >>> 0
    const bucket = this.#zeroBits - Math.clz32(valueUs | this.#subBucketMask)
    const index = (bucket << this.#halfBits) + (valueUs >>> bucket)
    const page = this.#pages[index >>> PAGE_BITS] ?? this.#addPage(index >>> PAGE_BITS)
    page[index & PAGE_MASK] = page[index & PAGE_MASK]! + 1
    this.totalCount++
    this.sumNs += valueNs
    this.squareSumNs2 += valueNs * valueNs
    if (valueNs < this.#minNs) this.#minNs = valueNs
    if (valueNs > this.#maxNs) this.#maxNs = valueNs
  }

  /**
   * The smallest value such that `quantile` (0..1) of all values are at most that value, as
   * HdrHistogram ranks: the ceil(quantile x total)-th in ascending order.
   *
   * It is the largest value that falls into the same bucket, but no larger than the maximum: never
   * below the true value, and above it by at most 1/1024 (1/128 with 2 digits) and a microsecond.
   * Exact at 0 and 1; 0 when nothing was counted. Values above an hour share a bucket
   * whose largest value is the maximum.
   */
  valueNsAtQuantile(quantile: number): number {
    invariant(quantile >= 0 && quantile <= 1, `a quantile is in 0..1, not ${quantile}`)
    if (quantile === 0) return this.minNs
    // A product such as 0.07 x 100 lies a little above the whole number that is meant.
    const rank = Math.max(1, Math.ceil(quantile * this.totalCount * (1 - 2 * Number.EPSILON)))
    if (quantile === 1 || rank > this.totalCount - this.clampedCount) return this.#maxNs
    let seenCount = 0
    for (let pageIndex = 0; pageIndex < this.#pages.length; pageIndex++) {
      const page = this.#pages[pageIndex]
      if (!page) continue
      for (let offset = 0; offset < PAGE_COUNTS; offset++) {
        seenCount += page[offset]!
        if (seenCount < rank) continue
        const valueUs = highestValueUs(this.digits, pageIndex * PAGE_COUNTS + offset)
        return Math.min(valueUs * NS_PER_US + HALF_US_NS, this.#maxNs)
      }
    }
    return this.#maxNs
  }

  add(other: Histogram): void {
    this.addSnapshot(other.snapshot())
  }

  /** @throws {BugError} when the digits differ. */
  addSnapshot(snapshot: HistogramSnapshot): void {
    invariant(snapshot.digits === this.digits, 'histograms that are added have the same digits')
    invariant(snapshot.indexes.length === snapshot.counts.length, 'each count has an index')
    for (let i = 0; i < snapshot.indexes.length; i++) {
      const index = snapshot.indexes[i]!
      invariant(index < bucketCountOf(this.digits), 'a bucket index is within the layout')
      const page = this.#pages[index >>> PAGE_BITS] ?? this.#addPage(index >>> PAGE_BITS)
      page[index & PAGE_MASK] = page[index & PAGE_MASK]! + snapshot.counts[i]!
    }
    if (snapshot.totalCount === 0) return
    this.totalCount += snapshot.totalCount
    this.clampedCount += snapshot.clampedCount
    this.sumNs += snapshot.sumNs
    this.squareSumNs2 += snapshot.squareSumNs2
    this.#minNs = Math.min(this.#minNs, snapshot.minNs)
    this.#maxNs = Math.max(this.#maxNs, snapshot.maxNs)
  }

  snapshot(): HistogramSnapshot {
    let filledCount = 0
    for (const page of this.#pages) {
      if (!page) continue
      for (let offset = 0; offset < PAGE_COUNTS; offset++) if (page[offset] !== 0) filledCount++
    }
    const indexes = new Uint32Array(filledCount)
    const counts = new Float64Array(filledCount)
    let filled = 0
    for (let pageIndex = 0; pageIndex < this.#pages.length; pageIndex++) {
      const page = this.#pages[pageIndex]
      if (!page) continue
      for (let offset = 0; offset < PAGE_COUNTS; offset++) {
        if (page[offset] === 0) continue
        indexes[filled] = pageIndex * PAGE_COUNTS + offset
        counts[filled++] = page[offset]!
      }
    }
    return {
      digits: this.digits,
      totalCount: this.totalCount,
      clampedCount: this.clampedCount,
      minNs: this.minNs,
      maxNs: this.#maxNs,
      sumNs: this.sumNs,
      squareSumNs2: this.squareSumNs2,
      indexes,
      counts,
    }
  }

  /** Forgets all values and keeps the pages. */
  reset(): void {
    for (const page of this.#pages) page?.fill(0)
    this.totalCount = 0
    this.clampedCount = 0
    this.sumNs = 0
    this.squareSumNs2 = 0
    this.#minNs = Number.POSITIVE_INFINITY
    this.#maxNs = 0
  }

  #addPage(pageIndex: number): Float64Array {
    const page = new Float64Array(PAGE_COUNTS)
    this.#pages[pageIndex] = page
    return page
  }
}

export function emptyHistogramSnapshot(digits: HistogramDigits): HistogramSnapshot {
  return new Histogram(digits).snapshot()
}

/** What one histogram would hold that had counted the values of both. */
export function mergeHistogramSnapshots(
  a: HistogramSnapshot,
  b: HistogramSnapshot,
): HistogramSnapshot {
  invariant(a.digits === b.digits, 'histograms that are merged have the same digits')
  if (a.totalCount === 0) return b
  if (b.totalCount === 0) return a
  const indexes = new Uint32Array(a.indexes.length + b.indexes.length)
  const counts = new Float64Array(indexes.length)
  let length = 0
  for (let i = 0, j = 0; i < a.indexes.length || j < b.indexes.length; length++) {
    const indexA = a.indexes[i] ?? Number.POSITIVE_INFINITY
    const indexB = b.indexes[j] ?? Number.POSITIVE_INFINITY
    indexes[length] = Math.min(indexA, indexB)
    counts[length] =
      (indexA <= indexB ? a.counts[i++]! : 0) + (indexB <= indexA ? b.counts[j++]! : 0)
  }
  return {
    digits: a.digits,
    totalCount: a.totalCount + b.totalCount,
    clampedCount: a.clampedCount + b.clampedCount,
    minNs: Math.min(a.minNs, b.minNs),
    maxNs: Math.max(a.maxNs, b.maxNs),
    sumNs: a.sumNs + b.sumNs,
    squareSumNs2: a.squareSumNs2 + b.squareSumNs2,
    // Copies of the right size: a view would keep the whole buffer alive and be cloned with it.
    indexes: indexes.slice(0, length),
    counts: counts.slice(0, length),
  }
}

/**
 * What was counted between two snapshots of one histogram. Counts and sum are those of the values
 * in between; their minimum and maximum are known only as far as their buckets are.
 * @throws {BugError} when `earlier` counted what `later` did not.
 */
export function subtractHistogramSnapshots(
  later: HistogramSnapshot,
  earlier: HistogramSnapshot,
): HistogramSnapshot {
  invariant(later.digits === earlier.digits, 'histograms that are subtracted have the same digits')
  if (earlier.totalCount === 0) return later
  if (later.totalCount === earlier.totalCount) return emptyHistogramSnapshot(later.digits)
  const indexes = new Uint32Array(later.indexes.length)
  const counts = new Float64Array(indexes.length)
  let length = 0
  let j = 0
  for (let i = 0; i < later.indexes.length; i++) {
    const index = later.indexes[i]!
    const isInBoth = earlier.indexes[j] === index
    const count = later.counts[i]! - (isInBoth ? earlier.counts[j++]! : 0)
    invariant(count >= 0, 'counts never fall')
    if (count === 0) continue
    indexes[length] = index
    counts[length++] = count
  }
  invariant(j === earlier.indexes.length, 'the later histogram has every bucket of the earlier')
  const clampedCount = later.clampedCount - earlier.clampedCount
  const lowestNs = lowestValueNs(later.digits, indexes[0]!)
  const highestNs = highestValueUs(later.digits, indexes[length - 1]!) * NS_PER_US + HALF_US_NS
  return {
    digits: later.digits,
    totalCount: later.totalCount - earlier.totalCount,
    clampedCount,
    minNs: Math.max(later.minNs, lowestNs),
    maxNs: clampedCount > 0 ? later.maxNs : Math.min(later.maxNs, highestNs),
    sumNs: later.sumNs - earlier.sumNs,
    squareSumNs2: Math.max(later.squareSumNs2 - earlier.squareSumNs2, 0),
    indexes: indexes.slice(0, length),
    counts: counts.slice(0, length),
  }
}

/** The number of buckets in HdrHistogram's layout for 1 µs to 1 h. */
export function bucketCountOf(digits: HistogramDigits): number {
  const halfBits = halfBitsOf(digits)
  const powerCount = 32 - Math.clz32(VALUE_US_MAX) - halfBits
  return (powerCount + 1) << halfBits
}

/** The largest value in microseconds that is counted under `index`. */
export function highestValueUs(digits: HistogramDigits, index: number): number {
  const halfBits = halfBitsOf(digits)
  // Bucket 0 has twice the sub-buckets of the others and so takes the first two shares of indexes.
  const bucket = Math.max((index >>> halfBits) - 1, 0)
  return (index - (bucket << halfBits) + 1) * 2 ** bucket - 1
}

/** The smallest value that is counted under `index`: what is rounded up to it is below it. */
function lowestValueNs(digits: HistogramDigits, index: number): number {
  if (index === 0) return 0
  return (highestValueUs(digits, index - 1) + 1) * NS_PER_US - HALF_US_NS - 1
}

function halfBitsOf(digits: HistogramDigits): number {
  return digits === 3 ? 10 : 7
}

function refuse(valueNs: number): never {
  invariant(false, `a duration is not negative, but this one is ${valueNs} ns`)
}
