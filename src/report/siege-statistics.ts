/**
 * The statistics at the end of a siege, as text for a terminal.
 *
 * First siege 4.0's block, byte for byte, since scripts read it. Below it what siege never said,
 * in the same two columns: a label, and a value that ends where siege's values end. Only what
 * applies is printed, so that a clean run stays short. Everything is derived elsewhere
 * (`result/`); this file only lays it out.
 */
import { msFromNs } from '../base/units.ts'
import type { SiegeFigures } from '../result/siege-figures.ts'
import type { Summary } from '../result/summary.ts'
import type { TimeSummary } from '../result/time-summary.ts'
import { printable } from './printable.ts'
import { watchedLines } from './siege-watched.ts'

export interface StatisticsOptions {
  /** siege's block and nothing else. */
  readonly classic: boolean
  /** Adds siege's line for responses with exactly 200. */
  readonly debug: boolean
}

/** siege's values are 12 wide and end in column 36. */
const VALUE_WIDTH = 12
const LABEL_WIDTH = 24
const NESTED_WIDTH = 17
const TEXT_WIDTH = 80

/** All of it: a sentence when the answers were bad, siege's block, the addition. */
export function siegeStatistics(
  figures: SiegeFigures,
  summary: Summary,
  options: StatisticsOptions,
): string {
  const block = classicBlock(figures, options.debug)
  if (options.classic) return block
  return outcomeSentence(summary) + block + addition(summary)
}

/** siege 4.0's block. Begins with a line break and ends with a line that holds one blank. */
export function classicBlock(figures: SiegeFigures, debug: boolean): string {
  const lines = [
    `Transactions:\t\t${whole(figures.transactionCount)} hits`,
    `Availability:\t\t${two(figures.availabilityPercent)} %`,
    `Elapsed time:\t\t${two(figures.elapsedS)} secs`,
    `Data transferred:\t${two(figures.dataMb)} MB`,
    `Response time:\t\t${two(figures.responseTimeS)} secs`,
    `Transaction rate:\t${two(figures.transactionsPerSecond)} trans/sec`,
    `Throughput:\t\t${two(figures.mbPerSecond)} MB/sec`,
    `Concurrency:\t\t${two(figures.concurrency)}`,
    `Successful transactions:${whole(figures.successfulCount)}`,
    ...(debug ? [`HTTP OK received:\t${whole(figures.okCount)}`] : []),
    `Failed transactions:\t${whole(figures.failedCount)}`,
    `Longest transaction:\t${two(figures.longestS)}`,
    `Shortest transaction:\t${two(figures.shortestS)}`,
  ]
  return `\n${lines.join('\n')}\n \n`
}

function addition(summary: Summary): string {
  const lines = [
    ...pageLines(summary),
    ...responseTimeLines(summary.responseTime),
    ...statusLines(summary),
    ...failureLines(summary),
    ...generatorLines(summary),
    ...watchedLines(summary.watched, NESTED_WIDTH, 'Watched:'),
  ]
  const notes = noteLines(summary)
  if (notes.length > 0) lines.push('', ...notes)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}

function pageLines(summary: Summary): string[] {
  // Where nothing came back a rate of pages would only say how fast they failed.
  if (summary.pageCount === 0 || summary.completedCount === 0) return []
  const lines = [
    row('Pages:', whole(summary.pageCount)),
    row('Page rate:', two(summary.pagesPerSecond), 'pages/sec'),
  ]
  return [...lines, ...percentileLines('Page time:', pagePercentiles(summary))]
}

/** None where every page is one response: its time would have nothing to add. */
function pagePercentiles(summary: Summary): TimeSummary['percentiles'] {
  if (summary.completedCount <= summary.pageCount) return []
  return summary.pageTime.percentiles.filter(({ name }) => name === 'p50' || name === 'p95')
}

function responseTimeLines(times: TimeSummary): string[] {
  if (times.count === 0) return []
  return [
    // Not `Response time`: scripts look for siege's line by that name.
    ...percentileLines('Percentiles:', times.percentiles),
    row(nested('', 'max'), milliseconds(times.maxNs), 'ms'),
  ]
}

function percentileLines(label: string, percentiles: TimeSummary['percentiles']): string[] {
  return percentiles.map((percentile, index) =>
    row(
      nested(index === 0 ? label : '', percentile.name),
      milliseconds(percentile.valueNs),
      percentile.isFirm ? 'ms' : 'ms *',
    ),
  )
}

function statusLines(summary: Summary): string[] {
  return summary.statuses.map(({ status, count }, index) =>
    row(
      nested(index === 0 ? 'Status:' : '', String(status)),
      whole(count),
      summary.statuses.length > 1 ? `${share(count, summary.completedCount).padStart(5)} %` : '',
    ),
  )
}

function failureLines(summary: Summary): string[] {
  const lines: string[] = []
  for (const { name, count } of summary.disqualifications) {
    lines.push(row(lines.length === 0 ? 'Not accepted:' : '', whole(count), name))
  }
  const failures: string[] = []
  for (const { name, count, example } of summary.failures) {
    failures.push(row(failures.length === 0 ? 'Failures:' : '', whole(count), name))
    if (example.trim() !== '') failures.push(beside(example))
  }
  lines.push(...failures)
  if (summary.inFlightCount > 0) {
    const what = 'neither hits nor failures'
    lines.push(row('In flight at the end:', whole(summary.inFlightCount), what))
  }
  return lines
}

function generatorLines(summary: Summary): string[] {
  const { generator } = summary
  if (generator.threadCount === 0) return []
  const threads = generator.threadCount === 1 ? '1 thread' : `${generator.threadCount} threads`
  const busiest = generator.threadCount === 1 ? '' : ', the busiest'
  const lines = [
    row(
      'Generator busy:',
      two(generator.busyRatioMax * 100),
      `% of ${threads}${busiest} (${generator.reactorName})`,
    ),
  ]
  if (generator.reactorReason !== null) lines.push(beside(`because ${generator.reactorReason}`))
  if (generator.loopLagNsP99 !== null) {
    lines.push(row('Event-loop lag:', milliseconds(generator.loopLagNsP99), 'ms p99'))
  }
  return lines
}

/** What the rows above cannot say by themselves. The texts are those of `result/warnings.ts`. */
function noteLines(summary: Summary): string[] {
  const lines: string[] = []
  for (const { kind, text } of summary.warnings) {
    // A row of its own says this already.
    if (kind === 'in-flight-at-end' || isOutcome(kind)) continue
    if (kind === 'few-samples') lines.push(...note('Note:', `* ${text}`))
    else lines.push(...note(kind === 'timeouts' ? 'Note:' : 'Warning:', text))
  }
  const isExplained = summary.warnings.some(({ kind }) => kind === 'few-samples')
  if (!isExplained && pagePercentiles(summary).some(({ isFirm }) => !isFirm)) {
    lines.push(...note('Note:', `* ${summary.pageCount} pages are too few to rely on it.`))
  }
  return lines
}

/** Says in plain words what a reader of `Availability: 100.00 %` would miss. */
function outcomeSentence(summary: Summary): string {
  const found = summary.warnings.find(({ kind }) => isOutcome(kind))
  return found === undefined ? '' : `\n${note('', found.text).join('\n').trimStart()}\n`
}

function isOutcome(kind: Summary['warnings'][number]['kind']): boolean {
  return kind === 'all-failed' || kind === 'many-error-statuses'
}

/** A label, then a value that ends where siege's values end, then its unit. */
function row(label: string, value: string, unit = ''): string {
  const start = label.padEnd(LABEL_WIDTH) + value
  return unit === '' ? start : `${start} ${unit}`
}

/** More about the row above, where units stand. */
function beside(text: string): string {
  return ' '.repeat(LABEL_WIDTH + VALUE_WIDTH + 1) + printable(text).trimEnd()
}

/** Two labels in the place of one: `Status:          404`. */
function nested(label: string, name: string): string {
  return label.padEnd(NESTED_WIDTH) + name
}

/** Words broken into lines; all but the first are set in under the text. */
function note(head: string, text: string): string[] {
  const lines: string[] = []
  let line = head
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > TEXT_WIDTH) {
      lines.push(line)
      line = ' '.repeat(head.length)
    }
    line += ` ${word}`
  }
  lines.push(line)
  return lines
}

function whole(value: number): string {
  return String(finite(value)).padStart(VALUE_WIDTH)
}

function two(value: number): string {
  return finite(value).toFixed(2).padStart(VALUE_WIDTH)
}

function milliseconds(ns: number): string {
  return msFromNs(finite(ns)).toFixed(3).padStart(VALUE_WIDTH)
}

/** A share that is not zero never reads as zero, nor one that is not all as all. */
function share(count: number, total: number): string {
  const percent = (100 * count) / total
  if (percent > 0 && percent < 0.01) return '< 0.01'
  if (percent < 100 && percent > 99.99) return '> 99.99'
  return percent.toFixed(2)
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
