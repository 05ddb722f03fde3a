/**
 * The figures of finished runs as a table: what a run can tell, in which column, in which unit.
 *
 * It knows neither where figures come from (`run-reader.ts`) nor what was done to get them. Times
 * are seconds and data is in MB (2^20 bytes) whatever the source said; what a source does not tell
 * stays empty.
 */

/** Keys in the order of the columns. The first nine are those of siege's own siege2csv. */
const HEADINGS = {
  userCount: 'Users',
  transactionCount: 'Transactions',
  elapsedS: 'Elapsed Time (s)',
  dataMb: 'Data Transferred (MB)',
  responseTimeS: 'Response Time (s)',
  transactionsPerSecond: 'Transaction Rate (1/s)',
  mbPerSecond: 'Throughput (MB/s)',
  concurrency: 'Concurrency',
  successfulCount: 'Successful Transactions',
  failedCount: 'Failed Transactions',
  availabilityPercent: 'Availability (%)',
  longestS: 'Longest Transaction (s)',
  shortestS: 'Shortest Transaction (s)',
  p50S: 'Response Time p50 (s)',
  p75S: 'Response Time p75 (s)',
  p90S: 'Response Time p90 (s)',
  p95S: 'Response Time p95 (s)',
  p99S: 'Response Time p99 (s)',
  p99_9S: 'Response Time p99.9 (s)',
  status1xxCount: 'Status 1xx',
  status2xxCount: 'Status 2xx',
  status3xxCount: 'Status 3xx',
  status4xxCount: 'Status 4xx',
  status5xxCount: 'Status 5xx',
  timeoutCount: 'Timeouts',
  inFlightCount: 'In Flight At End',
  startedAt: 'Date & Time',
  endedBy: 'Ended By',
  mark: 'Mark',
} as const

export type Figure = keyof typeof HEADINGS
/** Numbers are finite; `startedAt`, `endedBy` and `mark` are text as found. */
export type RunRow = Partial<Record<Figure, number | string>>

// The keys of an object literal are exactly those of its type.
const FIGURES = Object.keys(HEADINGS) as Figure[]

/** The line of headings, with RFC 4180's line end. */
export const csvHeader: string = csvLine(FIGURES.map((figure) => HEADINGS[figure]))

/** One line for each run, to be put below `csvHeader`. */
export function csvRows(rows: readonly RunRow[]): string {
  return rows.map((row) => csvLine(FIGURES.map((figure) => cell(row[figure])))).join('')
}

/** Decimal point, no exponent, no noise of doubles behind the sixth decimal. */
function cell(value: number | string | undefined): string {
  if (typeof value !== 'number') return value ?? ''
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(6).replace(/\.?0+$/, '')
}

function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/** RFC 4180, section 2: quotes around what would otherwise end the field or the line. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const TABLE_COLUMNS: readonly (readonly [Figure, string, decimals: number])[] = [
  ['userCount', 'users', 0],
  ['transactionCount', 'trans', 0],
  ['failedCount', 'failed', 0],
  ['availabilityPercent', 'avail %', 2],
  ['elapsedS', 'secs', 2],
  ['responseTimeS', 'mean s', 3],
  ['p95S', 'p95 s', 3],
  ['transactionsPerSecond', 'trans/s', 2],
  ['mbPerSecond', 'MB/s', 2],
  ['concurrency', 'concurr', 2],
]

/** A table for a terminal of 80 columns: one line for each run, numbered from 1. */
export function tableText(rows: readonly RunRow[]): string {
  const heads = ['run', ...TABLE_COLUMNS.map(([, head]) => head)]
  const lines = rows.map((row, index) => [
    String(index + 1),
    ...TABLE_COLUMNS.map(([figure, , decimals]) => {
      const value = row[figure]
      return typeof value === 'number' ? value.toFixed(decimals) : '-'
    }),
  ])
  const all = [heads, ...lines]
  const widths = heads.map((_, column) => Math.max(...all.map((line) => line[column]!.length)))
  return all
    .map((line) => line.map((text, column) => text.padStart(widths[column]!)).join('  '))
    .map((line) => `${line}\n`)
    .join('')
}
