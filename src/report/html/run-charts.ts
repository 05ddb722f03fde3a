/** Which charts over time a run has, and what each of them says in a sentence. */
import type { IntervalSeries } from '../../metrics/intervals.ts'
import type { RunResult } from '../../result/run-result.ts'
import type { WatchedSeries } from '../../result/watched.ts'
import {
  coarseIntervals,
  drawnIntervals,
  type IntervalColumns,
  intervalColumns,
} from './interval-columns.ts'
import { shown } from './markup.ts'
import { digits, momentText, rateText, timeText } from './quantities.ts'
import { fittingScale, linearScale } from './scale.ts'
import type { ChartSeries, TimeChart } from './time-chart.ts'

/** More pieces than this cannot be told apart in a drawing of usual width. */
const DRAWN_COUNT_MAX = 400

/** Fewer have no course that could be drawn. */
const INTERVAL_COUNT_MIN = 3

/** None for a run that was too short. */
export function runCharts(result: RunResult): TimeChart[] {
  const { snapshot, plan } = result
  const intervals = drawnIntervals(snapshot.intervals)
  if (intervals.length < INTERVAL_COUNT_MIN) return []
  const whole = intervalColumns(intervals)
  const drawn = intervalColumns(coarseIntervals(intervals, DRAWN_COUNT_MAX))
  const each = widthText(snapshot.intervals)
  const shared = { whole, drawn, each, warmUpNs: plan.load.warmUpNs }
  const isOneRequestEach =
    snapshot.arrivalCount > 0 && snapshot.arrivalCount === snapshot.startedCount
  return [
    rateChart(shared, isOneRequestEach),
    timesChart(shared),
    inFlightChart(shared),
    errorChart(shared, plan.load.model === 'open'),
  ]
}

interface Shared {
  readonly whole: IntervalColumns
  readonly drawn: IntervalColumns
  /** `second`, `2 seconds` ... */
  readonly each: string
  readonly warmUpNs: number
}

/** Both sets of columns as a chart's data. */
function dataOf(
  { whole, drawn, warmUpNs }: Shared,
  seriesOf: (columns: IntervalColumns) => ChartSeries[],
): Pick<TimeChart, 'data' | 'drawn' | 'warmUpNs'> {
  return {
    data: { edgesNs: whole.edgesNs, series: seriesOf(whole) },
    drawn: { edgesNs: drawn.edgesNs, series: seriesOf(drawn) },
    warmUpNs,
  }
}

function rateChart(shared: Shared, isOneRequestEach: boolean): TimeChart {
  const { whole, each } = shared
  // A dropped arrival stands for one request only where each arrival is one.
  const offered = (columns: IntervalColumns) =>
    isOneRequestEach
      ? columns.startedPerSecond.map((started, index) => started + columns.droppedPerSecond[index]!)
      : columns.startedPerSecond
  const peak = peakOf(whole.completedPerSecond)
  const highest = Math.max(peak.value, ...offered(whole))
  return {
    id: 'rate',
    title: 'Requests per second',
    description:
      `Most completed in a ${each}: ${rateText(peak.value)}/s` + ` at ${momentOf(whole, peak)}.`,
    unit: 'per-second',
    heightPx: 160,
    scale: linearScale(highest),
    ...dataOf(shared, (columns) => [
      {
        name: isOneRequestEach ? 'offered' : 'started',
        tone: 'offered',
        kind: 'dashed',
        values: offered(columns),
      },
      { name: 'completed', tone: 'done', kind: 'area', values: columns.completedPerSecond },
    ]),
  }
}

function timesChart(shared: Shared): TimeChart {
  const { whole, each } = shared
  const p50 = whole.p50Ns.filter((value) => value !== null).toSorted((a, b) => a - b)
  const p99 = whole.p99Ns.map((value) => value ?? 0)
  const peak = peakOf(p99)
  const typicalNs = p50[Math.floor(p50.length / 2)] ?? 0
  const scale = fittingScale(p50[0] ?? 0, typicalNs, peak.value)
  return {
    id: 'times',
    title: 'Response time',
    description:
      p50.length === 0
        ? 'No response was complete.'
        : `Slowest ${each} by p99: ${timeText(peak.value)} at ${momentOf(whole, peak)}.` +
          `${scale.isLog ? ' The axis is logarithmic.' : ''}`,
    unit: 'ns',
    heightPx: 220,
    scale,
    isFan: true,
    ...dataOf(shared, (columns) => [
      { name: 'p50', tone: 'p50', kind: 'line', values: columns.p50Ns },
      { name: 'p90', tone: 'p90', kind: 'line', values: columns.p90Ns },
      { name: 'p99', tone: 'p99', kind: 'line', values: columns.p99Ns },
    ]),
  }
}

function inFlightChart(shared: Shared): TimeChart {
  const { whole, each } = shared
  const peak = peakOf(whole.inFlightCounts)
  return {
    id: 'in-flight',
    title: 'Requests in flight',
    description:
      `Counted at the end of each ${each}; most: ${peak.value}` + ` at ${momentOf(whole, peak)}.`,
    unit: 'count',
    heightPx: 110,
    scale: linearScale(peak.value, 4, 0, 1),
    ...dataOf(shared, ({ inFlightCounts }) => [
      { name: 'in flight', tone: 'flight', kind: 'area', values: inFlightCounts },
    ]),
  }
}

function errorChart(shared: Shared, hasArrivals: boolean): TimeChart {
  const { whole } = shared
  const errors = peakOf(whole.errorsPerSecond)
  const dropped = peakOf(whole.droppedPerSecond)
  const description = (what: string, peak: Peak) =>
    peak.value === 0
      ? `No ${what}.`
      : `Most ${what}: ${rateText(peak.value)}/s at ${momentOf(whole, peak)}.`
  const texts = [description('errors', errors)]
  if (hasArrivals) texts.push(description('dropped arrivals', dropped))
  return {
    id: 'errors',
    title: hasArrivals ? 'Errors and dropped arrivals' : 'Errors',
    description: texts.join(' '),
    unit: 'per-second',
    heightPx: 110,
    scale: linearScale(Math.max(errors.value, dropped.value), 4),
    ...dataOf(shared, (columns) => [
      { name: 'errors', tone: 'error', kind: 'area', values: columns.errorsPerSecond },
      ...(hasArrivals
        ? ([
            { name: 'dropped', tone: 'dropped', kind: 'dashed', values: columns.droppedPerSecond },
          ] as const)
        : []),
    ]),
  }
}

/** Points hold until the next one; a series without points has no chart. */
export function watchedChart(series: WatchedSeries, index: number, endNs: number): TimeChart {
  const { points, min, mean, max, last } = series
  const edgesNs = points.map(({ atNs }) => atNs)
  edgesNs.push(Math.max(endNs, edgesNs.at(-1) ?? 0))
  const values = points.map(({ value }) => value)
  const data: TimeChart['data'] = {
    edgesNs,
    series: [{ name: 'value', tone: 'watched', kind: 'line', values }],
  }
  const four = [
    `min ${digits(min, 4)}`,
    `mean ${digits(mean, 4)}`,
    `max ${digits(max, 4)}`,
    `last ${digits(last, 4)}`,
  ]
  const failures =
    series.failureCount === 0
      ? []
      : [
          `${series.failureCount} of ${series.failureCount + series.sampleCount} samples failed: ` +
            shown(series.failureExample),
        ]
  return {
    id: `watched-${index}`,
    title: shown(series.label),
    isTitleForeign: true,
    description: [four.join(', '), ...failures].join('; '),
    unit: 'number',
    heightPx: 110,
    scale: linearScale(max, 4, min),
    data,
    drawn: data,
    warmUpNs: 0,
  }
}

function momentOf({ edgesNs }: IntervalColumns, { index }: Peak): string {
  return momentText(edgesNs[index]!, edgesNs.at(-1)!)
}

interface Peak {
  readonly value: number
  readonly index: number
}

/** The first of the highest; 0 of an empty list. */
function peakOf(values: readonly number[]): Peak {
  return values.reduce<Peak>(
    (peak, value, index) => (value > peak.value ? { value, index } : peak),
    { value: 0, index: 0 },
  )
}

function widthText({ widthNs }: IntervalSeries): string {
  return widthNs === 1e9 ? 'second' : `${widthNs / 1e9} seconds`
}
