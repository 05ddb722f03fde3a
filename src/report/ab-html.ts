/** ab's report as HTML tables, for `-w`, row by row as ab prints it but with its values escaped. */
import type { AbFigures, AbTimes } from '../result/ab-figures.ts'
import { type AbReportFacts, ms } from './ab-text.ts'

/** Attributes as given with `-x`, `-y` and `-z`. */
export interface AbHtmlAttributes {
  readonly table: string
  readonly row: string
  readonly cell: string
}

export function abHtml(
  figures: AbFigures,
  facts: AbReportFacts,
  attributes: AbHtmlAttributes,
): string {
  const rows = [
    ...countRows(figures, facts, attributes),
    ...(figures.elapsedS > 0 && figures.completeCount > 0
      ? rateRows(figures, facts, attributes)
      : []),
    ...(figures.timedCount > 0 ? timeRows(figures, attributes) : []),
  ]
  return `\n\n<table ${attributes.table}>\n${rows.join('\n')}\n</table>\n`
}

function labelled({ row, cell }: AbHtmlAttributes, label: string, value: string | number): string {
  const escaped = escapeHtml(String(value))
  return `<tr ${row}><th colspan=2 ${cell}>${label}:</th><td colspan=2 ${cell}>${escaped}</td></tr>`
}

function countRows(
  figures: AbFigures,
  facts: AbReportFacts,
  attributes: AbHtmlAttributes,
): string[] {
  const line = (label: string, value: string | number) => labelled(attributes, label, value)
  const length = facts.isLengthFree ? 'Variable' : `${figures.documentBytes} bytes`
  const rows = [
    line('Server Software', figures.serverSoftware),
    line('Server Hostname', facts.hostname),
    line('Server Port', facts.port),
    line('Document Path', facts.path),
    line('Document Length', length),
    line('Concurrency Level', facts.concurrency),
    line('Time taken for tests', `${figures.elapsedS.toFixed(3)} seconds`),
    line('Complete requests', figures.completeCount),
    line('Failed requests', figures.failedCount),
  ]
  if (figures.failedCount > 0) rows.push(failureRow(figures, attributes))
  if (figures.non2xxCount > 0) rows.push(line('Non-2xx responses', figures.non2xxCount))
  if (facts.keepAlive) rows.push(line('Keep-Alive requests', figures.keptConnectionCount))
  rows.push(line('Total transferred', `${figures.receivedBytes} bytes`))
  if (facts.hasBody) rows.push(line('Total body sent', figures.sentBytes))
  rows.push(line('HTML transferred', `${figures.bodyBytes} bytes`))
  return rows
}

function failureRow(figures: AbFigures, { row, cell }: AbHtmlAttributes): string {
  const { connectFailedCount, receiveFailedCount, lengthFailedCount, exceptionCount } = figures
  return (
    `<tr ${row}><td colspan=4 ${cell} >   (Connect: ${connectFailedCount}, ` +
    `Receive: ${receiveFailedCount}, Length: ${lengthFailedCount}, ` +
    `Exceptions: ${exceptionCount})</td></tr>`
  )
}

function rateRows(
  figures: AbFigures,
  facts: AbReportFacts,
  attributes: AbHtmlAttributes,
): string[] {
  const { elapsedS, completeCount, receivedBytes, sentBytes } = figures
  const { row, cell } = attributes
  const rate = (bytes: number) => `${(bytes / 1024 / elapsedS).toFixed(2)} kb/s`
  const further = (text: string) =>
    `<tr ${row}><td colspan=2 ${cell}>&nbsp;</td><td colspan=2 ${cell}>${text}</td></tr>`
  return [
    labelled(attributes, 'Requests per second', (completeCount / elapsedS).toFixed(2)),
    labelled(attributes, 'Transfer rate', `${rate(receivedBytes)} received`),
    ...(facts.hasBody
      ? [further(`${rate(sentBytes)} sent`), further(`${rate(receivedBytes + sentBytes)} total`)]
      : []),
  ]
}

function timeRows({ times }: AbFigures, { row, cell }: AbHtmlAttributes): string[] {
  const line = (label: string, { minUs, meanUs, maxUs }: AbTimes) => {
    const cells = [minUs, meanUs, maxUs].map((value) => `<td ${cell}>${ms(value, 5)}</td>`)
    return `<tr ${row}><th ${cell}>${label}:</th>${cells.join('')}</tr>`
  }
  return [
    `<tr ${row}><th ${cell} colspan=4>Connection Times (ms)</th></tr>`,
    `<tr ${row}><th ${cell}>&nbsp;</th> <th ${cell}>min</th>   <th ${cell}>avg</th>   ` +
      `<th ${cell}>max</th></tr>`,
    line('Connect', times.connect),
    line('Processing', times.processing),
    line('Total', times.total),
  ]
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
