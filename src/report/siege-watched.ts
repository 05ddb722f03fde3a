/** What `--watch` saw, as rows below the statistics and as JSON. */
import { secondsFromNs } from '../base/units.ts'
import type { WatchedSeries } from '../result/watched.ts'
import { printable } from './printable.ts'

/** A line for each series, after `head` in the first one; a line more where samples failed. */
export function watchedLines(
  watched: readonly WatchedSeries[],
  labelColumn: number,
  head: string,
): string[] {
  const labels = watched.map(({ label }) => printable(label))
  const width = Math.max(0, ...labels.map((label) => label.length))
  return watched.flatMap((series, index) => {
    const start = (index === 0 ? head : '').padEnd(labelColumn) + labels[index]!.padEnd(width)
    return [`${start}  ${figures(series)}`, ...failureLines(series, labelColumn)]
  })
}

function figures({ sampleCount, min, mean, max, last }: WatchedSeries): string {
  if (sampleCount === 0) return 'no sample'
  return `min ${short(min)}  mean ${short(mean)}  max ${short(max)}  last ${short(last)}`
}

function failureLines(series: WatchedSeries, labelColumn: number): string[] {
  const { failureCount, sampleCount, failureExample } = series
  if (failureCount === 0) return []
  const counts = `${failureCount} of ${failureCount + sampleCount} samples failed`
  return [`${' '.repeat(labelColumn)}${counts}: ${printable(failureExample)}`]
}

/** Two decimals, or three digits where these would say nothing; whole numbers are shown whole. */
function short(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  if (Math.abs(value) >= 0.01 && Math.abs(value) < 1e15) return value.toFixed(2)
  const rounded = Number(value.toPrecision(3))
  // The largest doubles would be rounded to more than there is.
  return String(Number.isFinite(rounded) ? rounded : value)
}

/** Names that begin with `value` are written with all their digits: they may be of any size. */
export interface WatchedJson {
  readonly [key: string]: string | number | null | readonly { at_s: number; value: number }[]
}

export function watchedJson(series: WatchedSeries): WatchedJson {
  const isEmpty = series.sampleCount === 0
  return {
    label: series.label,
    source: series.source,
    samples: series.sampleCount,
    failures: series.failureCount,
    failure_example: series.failureCount === 0 ? null : series.failureExample,
    value_min: isEmpty ? null : series.min,
    value_mean: isEmpty ? null : series.mean,
    value_max: isEmpty ? null : series.max,
    value_last: isEmpty ? null : series.last,
    samples_per_point: series.samplesPerPoint,
    series: series.points.map(({ atNs, value }) => ({ at_s: secondsFromNs(atNs), value })),
  }
}
