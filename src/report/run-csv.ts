/** A run as tables for spreadsheets and plotters (RFC 4180): second by second, or name by name. */
import { msFromNs, secondsFromNs } from '../base/units.ts'
import { Histogram } from '../metrics/histogram.ts'
import type { IntervalSeries } from '../metrics/intervals.ts'
import { ratio } from '../result/ratio.ts'
import type { Summary } from '../result/summary.ts'
import { printable } from './printable.ts'

const intervalColumns = [
  'start_s',
  'duration_s',
  'started',
  'completed',
  'failed',
  'errors',
  'dropped',
  'iterations',
  'in_flight_at_end',
  'body_bytes',
  'completed_per_second',
  'response_mean_ms',
  'response_p50_ms',
  'response_p95_ms',
  'response_p99_ms',
  'response_max_ms',
]

/** A row for each interval; times are empty where no response came. */
export function seriesCsv({ intervals }: IntervalSeries): string {
  return table(
    intervalColumns,
    intervals.map((interval) => {
      const times = Histogram.from(interval.responseTime)
      const ms = (valueNs: number) => (times.totalCount === 0 ? '' : decimal(msFromNs(valueNs)))
      return [
        decimal(secondsFromNs(interval.startNs)),
        decimal(secondsFromNs(interval.durationNs)),
        interval.startedCount,
        interval.completedCount,
        interval.failedCount,
        interval.errorCount,
        interval.droppedCount,
        interval.pageCount,
        interval.inFlightCountAtEnd,
        interval.bodyBytes,
        decimal(ratio(interval.completedCount, secondsFromNs(interval.durationNs))),
        ms(times.meanNs),
        ...[0.5, 0.95, 0.99].map((quantile) => ms(times.valueNsAtQuantile(quantile))),
        ms(times.maxNs),
      ]
    }),
  )
}

/** A row for each name, and one for all requests where requests have none. */
export function namesCsv(summary: Summary): string {
  const { percentiles } = summary.responseTime
  const columns = [
    ...['name', 'started', 'completed', 'failed', 'errors', 'error_ratio', 'completed_per_second'],
    ...['body_bytes', 'response_mean_ms'],
    ...percentiles.map(({ name }) => `response_${name.replace('.', '_')}_ms`),
    ...['response_max_ms', 'service_mean_ms'],
    ...percentiles.map(({ name }) => `service_${name.replace('.', '_')}_ms`),
    'service_max_ms',
  ]
  const rows = summary.names.length > 0 ? summary.names : [{ ...summary, name: '' }]
  return table(
    columns,
    rows.map((row) => [
      row.name,
      row.startedCount,
      row.completedCount,
      row.failedCount,
      row.errorCount,
      decimal(row.errorRatio),
      decimal(row.completedPerSecond),
      row.bodyBytes,
      ...[row.responseTime, row.serviceTime].flatMap((time) =>
        [time.meanNs, ...time.percentiles.map(({ valueNs }) => valueNs), time.maxNs].map(
          (valueNs) => (time.count === 0 ? '' : decimal(msFromNs(valueNs))),
        ),
      ),
    ]),
  )
}

function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/** A control character in a name would break tables, and may steer a terminal. */
function field(value: string | number): string {
  const text = printable(String(value))
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function decimal(value: number): string {
  return String(Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : 0)
}
