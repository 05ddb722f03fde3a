/** The figures of one histogram: what a report says of response times, service times, phases. */
import { invariant } from '../base/errors.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'

/** The percentiles of every report. */
export const reportQuantiles: readonly { readonly name: string; readonly quantile: number }[] = [
  { name: 'p50', quantile: 0.5 },
  { name: 'p75', quantile: 0.75 },
  { name: 'p90', quantile: 0.9 },
  { name: 'p95', quantile: 0.95 },
  { name: 'p99', quantile: 0.99 },
  { name: 'p99.9', quantile: 0.999 },
]

export interface Percentile {
  /** `p50` ... `p99.9`. */
  readonly name: string
  readonly quantile: number
  readonly valueNs: number
  /** At least ten values lie above it: there are 10 / (1 - quantile) or more in all. */
  readonly isFirm: boolean
}

/** All 0, with percentiles that are not firm, when `count` is 0. */
export interface TimeSummary {
  readonly count: number
  readonly minNs: number
  readonly meanNs: number
  readonly stdevNs: number
  readonly maxNs: number
  readonly percentiles: readonly Percentile[]
}

export function timeSummary(snapshot: HistogramSnapshot): TimeSummary {
  const histogram = Histogram.from(snapshot)
  const count = histogram.totalCount
  return {
    count,
    minNs: histogram.minNs,
    meanNs: histogram.meanNs,
    stdevNs: histogram.stdevNs,
    maxNs: histogram.maxNs,
    percentiles: reportQuantiles.map(({ name, quantile }) => ({
      name,
      quantile,
      valueNs: histogram.valueNsAtQuantile(quantile),
      isFirm: isFirmQuantile(quantile, count),
    })),
  }
}

/** Of one of the names in `reportQuantiles`. */
export function percentileOf({ percentiles }: TimeSummary, name: string): Percentile {
  const found = percentiles.find((percentile) => percentile.name === name)
  invariant(found !== undefined, 'a report has this percentile')
  return found
}

/** Whether at least ten of so many values lie above the quantile. */
export function isFirmQuantile(quantile: number, count: number): boolean {
  // Rounded, as 10 / (1 - 0.9) is a little above 100 in doubles.
  return count >= Math.round(10 / (1 - quantile))
}
