/**
 * What stands below ab's report unless `--classic`: finer percentiles, statuses, failures by kind,
 * how the generator fared, and what a reader must know before trusting the figures.
 *
 * No label is one of ab's, so that scripts which look for those find only those.
 */
import { msFromNs } from '../base/units.ts'
import type { AbFigures } from '../result/ab-figures.ts'
import type { Summary } from '../result/summary.ts'
import { row } from './ab-text.ts'
import { printable } from './printable.ts'

const FINE_PERCENTILES = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['p99.9', 0.999],
  ['p99.99', 0.9999],
] as const

export function abAddition(figures: AbFigures, summary: Summary): string {
  const lines = [
    ...timeLines(figures),
    ...summary.statuses.map(({ status, count }, index) =>
      row(index === 0 ? 'Statuses' : '', `${status}: ${count}`),
    ),
    ...failureLines(summary),
    ...(summary.inFlightCount === 0
      ? []
      : [row('In flight at the end', `${summary.inFlightCount} (neither complete nor failed)`)]),
    ...generatorLines(summary),
    ...summary.warnings
      .filter(({ kind }) => !isSaidElsewhere(kind))
      .map(({ text }) => row('Note', text)),
  ]
  return `\nBeyond ApacheBench (onager ${summary.onagerVersion})\n${lines.join('\n')}\n`
}

/** Says in plain words what a reader of `Failed requests: 0` would miss; empty when all is well. */
export function abSentence({ warnings }: Summary): string {
  const found = warnings.find(({ kind }) => isOutcome(kind))
  return found === undefined ? '' : `\n${found.text}\n`
}

function isOutcome(kind: Summary['warnings'][number]['kind']): boolean {
  return kind === 'all-failed' || kind === 'many-error-statuses'
}

function isSaidElsewhere(kind: Summary['warnings'][number]['kind']): boolean {
  return kind === 'few-samples' || kind === 'in-flight-at-end' || isOutcome(kind)
}

function timeLines(figures: AbFigures): string[] {
  const { timedCount } = figures
  if (timedCount === 0) return []
  const lines = FINE_PERCENTILES.map(([name, quantile], index) => {
    const place = Math.max(0, Math.ceil(quantile * timedCount) - 1)
    const value = figures.totalAt(place)
    const mark = timedCount * (1 - quantile) < 10 ? ' *' : ''
    const label = index === 0 ? 'Response times' : ''
    return row(label, `${name.padEnd(6)} ${(value / 1000).toFixed(3)} ms${mark}`)
  })
  const isWeak = timedCount * (1 - 0.9999) < 10
  if (isWeak) lines.push(row('', `* ${timedCount} responses: fewer than ten were slower`))
  if (!figures.areTimesExact) {
    lines.push(row('', 'all times to 3 digits, from a histogram: there were over 1,000,000'))
  }
  return lines
}

function failureLines(summary: Summary): string[] {
  return summary.failures.flatMap(({ name, count, example }, index) => [
    row(index === 0 ? 'Failures' : '', `${count} ${name}`),
    ...(example.trim() === '' ? [] : [row('', `e.g. ${printable(example).trimEnd()}`)]),
  ])
}

function generatorLines({ generator }: Summary): string[] {
  const threads = generator.threadCount === 1 ? '1 thread' : `${generator.threadCount} threads`
  const busy = `${(generator.busyRatioMax * 100).toFixed(1)} % of ${threads}`
  const reason = generator.reactorReason === null ? '' : `, because ${generator.reactorReason}`
  const lines = [row('Generator busy', `${busy} (${generator.reactorName}${reason})`)]
  if (generator.loopLagNsP99 !== null) {
    lines.push(row('Event-loop lag', `${msFromNs(generator.loopLagNsP99).toFixed(3)} ms p99`))
  }
  return lines
}
