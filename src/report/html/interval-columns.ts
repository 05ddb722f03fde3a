/**
 * The per-second intervals of a run as columns, ready to be drawn.
 *
 * A last interval that is shorter than half the others would draw a rate from next to nothing; it
 * is joined to the one before.
 */

import { secondsFromNs } from '../../base/units.ts'
import {
  Histogram,
  type HistogramSnapshot,
  mergeHistogramSnapshots,
} from '../../metrics/histogram.ts'
import type { Interval, IntervalSeries } from '../../metrics/intervals.ts'

/** Entries of one place belong together; times of an interval without responses are null. */
export interface IntervalColumns {
  /** One more than there are intervals: where each begins, and where the last ends. */
  readonly edgesNs: readonly number[]
  readonly startedPerSecond: readonly number[]
  readonly completedPerSecond: readonly number[]
  readonly errorsPerSecond: readonly number[]
  readonly droppedPerSecond: readonly number[]
  readonly inFlightCounts: readonly number[]
  readonly p50Ns: readonly (number | null)[]
  readonly p90Ns: readonly (number | null)[]
  readonly p99Ns: readonly (number | null)[]
  readonly responseTimes: readonly HistogramSnapshot[]
}

export function intervalColumns(intervals: readonly Interval[]): IntervalColumns {
  const last = intervals.at(-1)
  const edgesNs = intervals.map(({ startNs }) => startNs)
  if (last !== undefined) edgesNs.push(last.startNs + last.durationNs)
  const perSecond = (countOf: (interval: Interval) => number) =>
    intervals.map((interval) => countOf(interval) / secondsFromNs(interval.durationNs))
  const histograms = intervals.map(({ responseTime }) =>
    responseTime.totalCount === 0 ? null : Histogram.from(responseTime),
  )
  const atQuantile = (quantile: number) =>
    histograms.map((histogram) => histogram?.valueNsAtQuantile(quantile) ?? null)
  return {
    edgesNs,
    startedPerSecond: perSecond(({ startedCount }) => startedCount),
    completedPerSecond: perSecond(({ completedCount }) => completedCount),
    errorsPerSecond: perSecond(({ errorCount }) => errorCount),
    droppedPerSecond: perSecond(({ droppedCount }) => droppedCount),
    inFlightCounts: intervals.map(({ inFlightCountAtEnd }) => inFlightCountAtEnd),
    p50Ns: atQuantile(0.5),
    p90Ns: atQuantile(0.9),
    p99Ns: atQuantile(0.99),
    responseTimes: intervals.map(({ responseTime }) => responseTime),
  }
}

/** What is drawn: intervals that took time, the last one not much shorter than the others. */
export function drawnIntervals({ intervals, widthNs }: IntervalSeries): readonly Interval[] {
  const lasting = intervals.filter(({ durationNs }) => durationNs > 0)
  const last = lasting.at(-1)
  if (last === undefined || lasting.length < 2 || last.durationNs >= widthNs / 2) return lasting
  return [...lasting.slice(0, -2), joined(lasting.slice(-2))]
}

/** At most `countMax` intervals, by joining neighbours. */
export function coarseIntervals(intervals: readonly Interval[], countMax: number): Interval[] {
  const size = Math.ceil(intervals.length / countMax)
  if (size <= 1) return [...intervals]
  const coarse: Interval[] = []
  for (let at = 0; at < intervals.length; at += size) {
    coarse.push(joined(intervals.slice(at, at + size)))
  }
  return coarse
}

/** At least one, in order and without gaps. */
function joined(intervals: readonly Interval[]): Interval {
  const first = intervals[0]!
  const sum = (countOf: (interval: Interval) => number) =>
    intervals.reduce((total, interval) => total + countOf(interval), 0)
  return {
    startNs: first.startNs,
    durationNs: sum(({ durationNs }) => durationNs),
    startedCount: sum(({ startedCount }) => startedCount),
    completedCount: sum(({ completedCount }) => completedCount),
    failedCount: sum(({ failedCount }) => failedCount),
    bodyBytes: sum(({ bodyBytes }) => bodyBytes),
    errorCount: sum(({ errorCount }) => errorCount),
    droppedCount: sum(({ droppedCount }) => droppedCount),
    pageCount: sum(({ pageCount }) => pageCount),
    inFlightCountAtEnd: intervals.at(-1)!.inFlightCountAtEnd,
    responseTime: intervals.map(({ responseTime }) => responseTime).reduce(mergeHistogramSnapshots),
  }
}
