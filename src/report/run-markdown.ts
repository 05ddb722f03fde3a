/** A run as Markdown, short enough for a comment on a pull request. */
import type { Summary } from '../result/summary.ts'
import { percentileOf } from '../result/time-summary.ts'
import type { Verdict } from '../result/verdicts.ts'
import { runWarnings } from '../result/warnings.ts'
import { loadText } from './load-text.ts'
import { printable } from './printable.ts'
import {
  completedText,
  countedText,
  measuredText,
  msText,
  percentText,
  rateText,
} from './run-numbers.ts'
import { runVerdict } from './run-verdict.ts'

/** Requests shown without a click. */
const OPEN_NAME_COUNT_MAX = 10
/** GitHub refuses comments above 65,536 characters. */
const NAME_COUNT_MAX = 200

export function runMarkdown(summary: Summary, verdicts: readonly Verdict[]): string {
  const { tone, word, sentence, ending } = runVerdict(summary, verdicts)
  const sign = { good: '\u2705', bad: '\u274c', doubtful: '\u26a0\ufe0f' }[tone]
  const blocks = [
    `### ${sign} ${word}: ${escaped(summary.plan.title === '' ? 'run' : summary.plan.title)}`,
    escaped(`${sentence} ${ending}`.trimEnd()),
    thresholdTable(verdicts),
    factTable(summary),
    timeTable(summary),
    nameTable(summary),
    failureList(summary),
    checkTable(summary),
    runWarnings(summary)
      .map(({ text }) => `- ${escaped(text)}`)
      .join('\n'),
    `<sub>onager ${escaped(summary.onagerVersion)}, ${startedText(summary)}</sub>`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function startedText({ startedAtMs }: Summary): string {
  return new Date(startedAtMs).toISOString()
}

function thresholdTable(verdicts: readonly Verdict[]): string {
  return table(
    ['Threshold', 'Measured', ''],
    verdicts.map((verdict) => [
      code(verdict.threshold.text),
      escaped(measuredText(verdict)) + (verdict.isFirm ? '' : ' (few samples)'),
      verdict.outcome === 'passed' ? '\u2705' : '\u274c',
    ]),
  )
}

function factTable(summary: Summary): string {
  const { arrivals, errorCount } = summary
  const rate = `${rateText(summary.completedPerSecond)} /s`
  const rows: [string, string][] = [
    ['Load', loadText(summary.plan)],
    ['Requests', `${rate}, ${completedText(summary)}`],
    ['Errors', errorCount === 0 ? 'none' : `${errorCount} (${percentText(summary.errorRatio)})`],
  ]
  if (arrivals !== null && arrivals.droppedCount > 0) {
    const dropped = `${arrivals.droppedCount} of ${arrivals.dueCount}`
    rows.push(['Dropped arrivals', `${dropped} (${percentText(arrivals.droppedRatio)})`])
  }
  return table(['Figure', 'Value'], rows)
}

function timeTable({ responseTime, serviceTime, arrivals }: Summary): string {
  if (responseTime.count === 0) return ''
  const times = arrivals === null ? [responseTime] : [responseTime, serviceTime]
  const heads = ['Times in ms', ...responseTime.percentiles.map(({ name }) => name), 'max']
  return table(
    heads,
    times.map((time, index) => [
      index === 0 ? 'response' : 'service',
      ...time.percentiles.map(({ valueNs, isFirm }) => `${msText(valueNs)}${isFirm ? '' : ' \\*'}`),
      msText(time.maxNs),
    ]),
  )
}

function nameTable({ names }: Summary): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, NAME_COUNT_MAX)
  const rows = shown.map(({ name, completedPerSecond, errorCount, errorRatio, responseTime }) => {
    const time = (valueNs: number) => (responseTime.count === 0 ? '' : msText(valueNs))
    return [
      code(name),
      completedPerSecond.toFixed(2),
      errorCount === 0 ? '' : percentText(errorRatio),
      ...['p50', 'p95', 'p99'].map((each) => time(percentileOf(responseTime, each).valueNs)),
    ]
  })
  const text = table(['Request', 'per s', 'errors', 'p50 ms', 'p95 ms', 'p99 ms'], rows)
  const rest = names.length - shown.length
  const note = rest > 0 ? `\n\nand ${rest} more` : ''
  if (names.length <= OPEN_NAME_COUNT_MAX) return text
  const head = `<details><summary>${countedText(names.length, 'request')}</summary>`
  return `${head}\n\n${text}${note}\n\n</details>`
}

function failureList({ failures, disqualifications }: Summary): string {
  return [
    ...disqualifications.map(({ count, name }) => `- ${count} \u00d7 ${name}`),
    ...failures.map(({ count, name, example }) => {
      const shown = example.trim() === '' ? '' : `: ${code(example.trim())}`
      return `- ${count} \u00d7 ${name}${shown}`
    }),
  ].join('\n')
}

function checkTable({ checks }: Summary): string {
  return table(
    ['Check', 'passed', 'failed'],
    checks.map(({ name, requestName, passedCount, failedCount }) => [
      code(requestName === '' ? name : `${requestName}: ${name}`),
      String(passedCount),
      String(failedCount),
    ]),
  )
}

/** Empty without rows. All columns but the first are numbers. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = heads.map((_, index) => (index === 0 ? '---' : '--:'))
  return [line(heads), line(rule), ...rows.map(line)].join('\n')
}

/** Names are shown as they are: a code span with as many backticks as it takes. */
function code(text: string): string {
  const shown = printable(text).replaceAll('|', '\\|')
  if (shown.trim() === '') return '(no name)'
  const ticks = '`'.repeat(
    Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)) + 1,
  )
  return ticks.length === 1 ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`
}

/** Nothing in it is markup, mentions somebody or refers to an issue. */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u200b')
}
