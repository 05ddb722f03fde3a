/**
 * ab's report as text, line by line as ab prints it, and below it what ab never said.
 *
 * Scripts scrape these lines by label and column, so labels, widths and units are ab's to the byte.
 * Everything is derived elsewhere (`result/ab-figures.ts`); this file only lays it out.
 */
import { type AbFigures, type AbTimes, textPercentileUs } from '../result/ab-figures.ts'

/** What the report says of what was asked for. */
export interface AbReportFacts {
  readonly hostname: string
  readonly port: number
  readonly path: string
  readonly concurrency: number
  readonly keepAlive: boolean
  readonly hasBody: boolean
  readonly isLengthFree: boolean
  readonly hidesConfidence: boolean
  readonly hidesPercentiles: boolean
  /** Null for plain http, and when no handshake succeeded. */
  readonly tls: AbTlsFacts | null
  /** The name sent as SNI; null: none. */
  readonly serverName: string | null
}

export interface AbTlsFacts {
  readonly protocol: string
  readonly cipher: string
  readonly keyBits: number
  readonly cipherBits: number
  /** Such as `X25519 253 bits`; null: none was used. */
  readonly temporaryKey: string | null
}

const LABEL_WIDTH = 24
const TEXT_PERCENTS = [50, 66, 75, 80, 90, 95, 98, 99] as const

export function abText(figures: AbFigures, facts: AbReportFacts): string {
  const lines = [...targetLines(figures, facts), '', ...countLines(figures, facts)]
  if (figures.elapsedS > 0 && figures.completeCount > 0) lines.push(...rateLines(figures, facts))
  if (figures.timedCount > 0) lines.push('', ...timeLines(figures, facts))
  if (figures.timedCount > 1 && !facts.hidesPercentiles) lines.push('', ...percentileLines(figures))
  return `\n\n${lines.join('\n')}\n`
}

/** A label in 24 columns, with its colon, and a value; without a label the value alone. */
export function row(label: string, value: string | number): string {
  return (label === '' ? '' : `${label}:`).padEnd(LABEL_WIDTH) + value
}

function targetLines(figures: AbFigures, facts: AbReportFacts): string[] {
  const { tls, serverName } = facts
  const length = facts.isLengthFree ? 'Variable' : `${figures.documentBytes} bytes`
  const lines = [
    row('Server Software', figures.serverSoftware),
    row('Server Hostname', facts.hostname),
    row('Server Port', facts.port),
  ]
  if (tls !== null) {
    const { protocol, cipher, keyBits, cipherBits, temporaryKey } = tls
    lines.push(row('SSL/TLS Protocol', `${protocol},${cipher},${keyBits},${cipherBits}`))
    if (temporaryKey !== null) lines.push(row('Server Temp Key', temporaryKey))
  }
  if (serverName !== null) lines.push(row('TLS Server Name', serverName))
  lines.push('', row('Document Path', facts.path), row('Document Length', length))
  return lines
}

function countLines(figures: AbFigures, facts: AbReportFacts): string[] {
  const { connectFailedCount, receiveFailedCount, lengthFailedCount, exceptionCount } = figures
  const lines = [
    row('Concurrency Level', facts.concurrency),
    row('Time taken for tests', `${figures.elapsedS.toFixed(3)} seconds`),
    row('Complete requests', figures.completeCount),
    row('Failed requests', figures.failedCount),
  ]
  if (figures.failedCount > 0) {
    lines.push(
      `   (Connect: ${connectFailedCount}, Receive: ${receiveFailedCount}, ` +
        `Length: ${lengthFailedCount}, Exceptions: ${exceptionCount})`,
    )
  }
  if (figures.non2xxCount > 0) lines.push(row('Non-2xx responses', figures.non2xxCount))
  if (facts.keepAlive) lines.push(row('Keep-Alive requests', figures.keptConnectionCount))
  lines.push(row('Total transferred', `${figures.receivedBytes} bytes`))
  if (facts.hasBody) lines.push(row('Total body sent', figures.sentBytes))
  lines.push(row('HTML transferred', `${figures.bodyBytes} bytes`))
  return lines
}

function rateLines(figures: AbFigures, facts: AbReportFacts): string[] {
  const { elapsedS, completeCount, receivedBytes, sentBytes } = figures
  const eachMs = (elapsedS * 1000) / completeCount
  const rate = (bytes: number) => (bytes / 1024 / elapsedS).toFixed(2)
  const indent = ' '.repeat(LABEL_WIDTH)
  const across = 'mean, across all concurrent requests'
  return [
    row('Requests per second', `${(completeCount / elapsedS).toFixed(2)} [#/sec] (mean)`),
    row('Time per request', `${(facts.concurrency * eachMs).toFixed(3)} [ms] (mean)`),
    row('Time per request', `${eachMs.toFixed(3)} [ms] (${across})`),
    row('Transfer rate', `${rate(receivedBytes)} [Kbytes/sec] received`),
    ...(facts.hasBody
      ? [
          `${indent}${rate(sentBytes)} kb/s sent`,
          `${indent}${rate(receivedBytes + sentBytes)} kb/s total`,
        ]
      : []),
  ]
}

function timeLines({ times }: AbFigures, { hidesConfidence }: AbReportFacts): string[] {
  const heading = hidesConfidence ? 'min   avg   max' : 'min  mean[+/-sd] median   max'
  const line = hidesConfidence ? plainTimes : fullTimes
  return [
    'Connection Times (ms)',
    `${' '.repeat(14)}${heading}`,
    line('Connect:', times.connect),
    line('Processing:', times.processing),
    line('Waiting:', times.waiting),
    line('Total:', times.total),
  ]
}

function fullTimes(label: string, times: AbTimes): string {
  const sd = (times.sdUs / 1000).toFixed(1)
  return (
    `${label.padEnd(12)}${ms(times.minUs, 5)} ${ms(times.meanUs, 4)} ${sd.padStart(5)} ` +
    `${ms(times.medianUs, 6)} ${ms(times.maxUs, 7)}`
  )
}

function plainTimes(label: string, times: AbTimes): string {
  return `${label.padEnd(12)}${ms(times.minUs, 5)} ${ms(times.meanUs, 5)}${ms(times.maxUs, 5)}`
}

/** Whole milliseconds, halves up. */
export function ms(timeUs: number, width: number): string {
  return String(Math.floor((timeUs + 500) / 1000)).padStart(width)
}

function percentileLines(figures: AbFigures): string[] {
  const last = figures.totalAt(figures.timedCount - 1)
  return [
    'Percentage of the requests served within a certain time (ms)',
    ...TEXT_PERCENTS.map(
      (percent) => `  ${percent}%  ${ms(textPercentileUs(figures, percent), 5)}`,
    ),
    ` 100%  ${ms(last, 5)} (longest request)`,
  ]
}
