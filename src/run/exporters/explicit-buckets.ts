/**
 * A histogram of ours in the few buckets that monitoring systems want.
 *
 * Ours are far finer, so that every count falls on one side of a bound, but for those of the one
 * bucket that the bound lies in: they are counted as slower. A count at a bound is therefore never
 * too good, and short by at most what lies within 1/1024 below it.
 */
import { NS_PER_S } from '../../base/units.ts'
import { type HistogramSnapshot, highestValueUs } from '../../metrics/histogram.ts'

const US_PER_S = 1e6

/** In seconds; six to a decade, so that quantiles worked out of them are about right. */
export const fineBoundsS: readonly number[] = [
  ...[0.0001, 0.00015, 0.0002, 0.0003, 0.0005, 0.0007],
  ...[0.001, 0.0015, 0.002, 0.003, 0.005, 0.007],
  ...[0.01, 0.015, 0.02, 0.03, 0.05, 0.07],
  ...[0.1, 0.15, 0.2, 0.3, 0.5, 0.7],
  ...[1, 1.5, 2, 3, 5, 7],
  ...[10, 20, 30, 60],
]

/** For what there may be hundreds of. */
export const coarseBoundsS: readonly number[] = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
]

export interface Buckets {
  readonly boundsS: readonly number[]
  /** One more than there are bounds: up to each, and above the last. */
  readonly counts: readonly number[]
  readonly totalCount: number
  readonly sumS: number
  readonly minS: number
  readonly maxS: number
}

export function explicitBuckets(histogram: HistogramSnapshot, boundsS: readonly number[]): Buckets {
  const counts = new Array<number>(boundsS.length + 1).fill(0)
  let bucket = 0
  for (let i = 0; i < histogram.indexes.length; i++) {
    const highestUs = highestValueUs(histogram.digits, histogram.indexes[i]!)
    while (bucket < boundsS.length && highestUs > boundUs(boundsS[bucket]!)) bucket++
    counts[bucket]! += histogram.counts[i]!
  }
  return {
    boundsS,
    counts,
    totalCount: histogram.totalCount,
    sumS: histogram.sumNs / NS_PER_S,
    minS: histogram.minNs / NS_PER_S,
    maxS: histogram.maxNs / NS_PER_S,
  }
}

/** A whole number, which the product of a decimal fraction need not be. */
function boundUs(boundS: number): number {
  return Math.round(boundS * US_PER_S)
}
