/**
 * A histogram as HdrHistogram's percentile distribution, the text that its plotters take: values in
 * ms at levels that come closer and closer to 100 %.
 *
 * Levels and values are those of HdrHistogram to the last digit; mean, deviation and maximum in the
 * lines below are exact, where HdrHistogram's own rest on the buckets.
 */
import { msFromNs } from '../base/units.ts'
import {
  bucketCountOf,
  Histogram,
  type HistogramSnapshot,
  highestValueUs,
} from '../metrics/histogram.ts'

/** Steps in each half of the distance to 100 %. */
const TICKS_PER_HALF = 5
const US_PER_MS = 1000

export function percentileDistribution(snapshot: HistogramSnapshot): string {
  const { digits, totalCount } = snapshot
  const lines = levelsOf(snapshot).map(({ index, percent, count }) => {
    const value = (highestValueUs(digits, index) / US_PER_MS).toFixed(3).padStart(12)
    const share = (percent / 100).toFixed(12).padStart(2)
    const start = `${value} ${share} ${String(count).padStart(10)}`
    return percent === 100 ? start : `${start} ${(1 / (1 - percent / 100)).toFixed(2).padStart(14)}`
  })
  const histogram = Histogram.from(snapshot)
  const number = (ns: number) => msFromNs(ns).toFixed(3).padStart(12)
  const whole = (count: number) => String(count).padStart(12)
  const subBucketCount = digits === 3 ? 2048 : 256
  const bucketCount = bucketCountOf(digits) / (subBucketCount / 2) - 1
  return [
    '       Value     Percentile TotalCount 1/(1-Percentile)',
    '',
    ...lines,
    `#[Mean    = ${number(histogram.meanNs)}, StdDeviation   = ${number(histogram.stdevNs)}]`,
    `#[Max     = ${number(histogram.maxNs)}, Total count    = ${whole(totalCount)}]`,
    `#[Buckets = ${whole(bucketCount)}, SubBuckets     = ${whole(subBucketCount)}]`,
    '',
  ].join('\n')
}

interface Level {
  /** Bucket in which the level is reached. */
  readonly index: number
  readonly percent: number
  /** Values up to and including that bucket. */
  readonly count: number
}

function levelsOf({ indexes, counts, totalCount }: HistogramSnapshot): Level[] {
  const levels: Level[] = []
  let percent = 0
  let count = 0
  for (const [at, index] of indexes.entries()) {
    count += counts[at]!
    while ((100 * count) / totalCount >= percent && percent < 100) {
      levels.push({ index, percent, count })
      const halvings = Math.floor(Math.log2(100 / (100 - percent))) + 1
      percent += 100 / (TICKS_PER_HALF * 2 ** halvings)
      if (count >= totalCount) break
    }
  }
  const last = indexes.at(-1)
  if (last !== undefined) levels.push({ index: last, percent: 100, count: totalCount })
  return levels
}
