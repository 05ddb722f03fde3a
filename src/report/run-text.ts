/**
 * The report that `onager run` prints: for people at a terminal, the most important first, within
 * 80 columns where names allow it. Only what applies is there, so that a clean run stays short.
 */
import type { NameSummary } from '../result/name-summary.ts'
import type { Summary } from '../result/summary.ts'
import { percentileOf, type TimeSummary } from '../result/time-summary.ts'
import type { Verdict } from '../result/verdicts.ts'
import { BUSY_RATIO_MAX, runWarnings } from '../result/warnings.ts'
import { loadText } from './load-text.ts'
import { localTimeText, type ZoneOffset } from './local-time.ts'
import { printable } from './printable.ts'
import { type Column, shortened, TEXT_WIDTH, tableLines, wrappedLines } from './run-lines.ts'
import {
  bytesText,
  completedText,
  countedText,
  measuredText,
  msText,
  percentText,
  rateText,
  timeText,
} from './run-numbers.ts'
import { runVerdict } from './run-verdict.ts'
import { watchedLines } from './siege-watched.ts'

export interface RunTextOptions {
  /** For a terminal that shows colours. */
  readonly colour: boolean
  /** In whose local time the run began. */
  readonly zone: ZoneOffset
}

/** Rows of the table of requests; who wants more has them in other formats. */
const NAME_ROW_COUNT_MAX = 30

export function runText(
  summary: Summary,
  verdicts: readonly Verdict[],
  options: RunTextOptions,
): string {
  const sections = [
    verdictLines(summary, verdicts, options.colour),
    figureLines(summary, options.zone),
    timeLines(summary),
    phaseLines(summary),
    nameLines(summary),
    statusLines(summary),
    failureLines(summary),
    checkLines(summary),
    generatorLines(summary),
    watchedSection(summary),
  ].filter((lines) => lines.length > 0)
  const marked = sections.some((lines) => lines.some((line) => line.endsWith(MARK)))
  const notes = noteLines(summary, marked)
  const all = notes.length === 0 ? sections : [...sections, notes]
  return `\n${all.map((lines) => `${lines.join('\n')}\n`).join('\n')}\n`
}

/** Behind percentiles that rest on few values. */
const MARK = '*'

function verdictLines(summary: Summary, verdicts: readonly Verdict[], colour: boolean): string[] {
  const { tone, word, sentence, ending } = runVerdict(summary, verdicts)
  const lines = wrappedLines(`${word}  `, `${sentence} ${ending}`.trimEnd())
  if (colour) {
    const code = { good: 2, bad: 1, doubtful: 3 }[tone]
    lines[0] = lines[0]!.replace(word, `\x1b[1;3${code}m${word}\x1b[0m`)
  }
  const rows = verdicts.map((verdict) => [
    { passed: 'ok', failed: 'BROKEN', unknown: 'NO DATA' }[verdict.outcome],
    verdict.threshold.text,
    measuredText(verdict),
    verdict.isFirm ? '' : MARK,
  ])
  const left: Column = { head: '', align: 'left' }
  return [...lines, ...tableLines([left, { ...left, isCut: true }, left, left], rows)]
}

/** Labels and values, the values in one column. */
function factLines(facts: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...facts.map(([label]) => label.length)) + 2
  return facts.flatMap(([label, value]) => wrappedLines(`  ${label.padEnd(width)}`, value))
}

function figureLines(summary: Summary, zone: ZoneOffset): string[] {
  const { arrivals, errorCount, failedCount } = summary
  const title = summary.plan.title === '' ? 'Run' : printable(summary.plan.title)
  const started = localTimeText(summary.startedAtMs, zone)
  const facts: [string, string][] = [
    ['Load', loadText(summary.plan)],
    ['Requests', `${rateText(summary.completedPerSecond)} /s, ${completedText(summary)}`],
    ['Errors', errorText(errorCount, failedCount, summary.errorRatio)],
  ]
  if (arrivals !== null) {
    const { begunPerSecond, plannedPerSecond, droppedCount, droppedRatio } = arrivals
    const dropped =
      droppedCount === 0 ? 'none dropped' : `${droppedCount} dropped (${percentText(droppedRatio)})`
    const rates = `${rateText(begunPerSecond)} /s of ${rateText(plannedPerSecond)} /s planned`
    facts.splice(1, 0, ['Arrivals', `${rates}, ${dropped}`])
  }
  if (hasLongerIterations(summary)) {
    const { pageCount, pagesPerSecond, pageTime } = summary
    const [p50, p95] = ['p50', 'p95'].map((name) => timeText(nsOf(pageTime, name)))
    const count = `${rateText(pagesPerSecond)} /s, ${pageCount} in all`
    facts.push(['Iterations', `${count}; p50 ${p50}, p95 ${p95}`])
  }
  const received = `${bytesText(summary.receivedBytesPerSecond)}/s received`
  facts.push(['Traffic', `${received}, ${bytesText(summary.requestBytesPerSecond)}/s sent`])
  facts.push(['In flight', `${summary.inFlightMean.toFixed(2)} on average${leftText(summary)}`])
  const { startedCount, droppedCount } = summary.warmUp
  if (startedCount + droppedCount > 0) {
    const more = droppedCount === 0 ? '' : `, ${countedText(droppedCount, 'arrival')} dropped`
    facts.push(['Warm-up', `${countedText(startedCount, 'request')}${more}, not in these figures`])
  }
  return [`${shortened(title, TEXT_WIDTH - 21)}  ${started}`, ...factLines(facts)]
}

function errorText(errorCount: number, failedCount: number, errorRatio: number): string {
  if (errorCount === 0) return 'none'
  const parts = [
    ...(errorCount > failedCount ? [countedText(errorCount - failedCount, 'bad answer')] : []),
    ...(failedCount > 0 ? [`${failedCount} without an answer`] : []),
  ]
  return `${errorCount} (${percentText(errorRatio)}): ${parts.join(', ')}`
}

function leftText({ inFlightCount }: Summary): string {
  return inFlightCount === 0 ? '' : `, ${inFlightCount} left at the end`
}

/** Where an iteration is one request its time has nothing to add. */
function hasLongerIterations({ pageCount, completedCount, failedCount }: Summary): boolean {
  return pageCount > 0 && completedCount + failedCount > pageCount
}

function nsOf(time: TimeSummary, name: string): number {
  return percentileOf(time, name).valueNs
}

function timeLines({ responseTime, serviceTime, arrivals }: Summary): string[] {
  if (responseTime.count === 0) return []
  // Users who wait for their answers are never late: both times are the same.
  const hasService = arrivals !== null
  const times = hasService ? [responseTime, serviceTime] : [responseTime]
  const row = (name: string, timeOf: (time: TimeSummary) => number, mark = '') => [
    name,
    ...times.map((time) => msText(timeOf(time))),
    mark,
  ]
  const rows = [
    row('min', ({ minNs }) => minNs),
    row('mean', ({ meanNs }) => meanNs),
    ...responseTime.percentiles.map(({ name, isFirm }) =>
      row(name, (time) => nsOf(time, name), isFirm ? '' : MARK),
    ),
    row('max', ({ maxNs }) => maxNs),
  ]
  const columns: Column[] = [
    { head: 'Times in ms', align: 'left' },
    { head: 'response', align: 'right' },
    ...(hasService ? [{ head: 'service', align: 'right' } as const] : []),
    { head: '', align: 'left' },
  ]
  const meaning = '  response: from when it was due, as users feel it; service: from its real start'
  return [...tableLines(columns, rows), ...(hasService ? [meaning] : [])]
}

const phaseLabels: Readonly<Record<keyof Summary['phases'], string>> = {
  dns: 'name lookup',
  connect: 'connect',
  tls: 'TLS handshake',
  firstByte: 'first byte',
  transfer: 'transfer',
}

function phaseLines({ phases }: Summary): string[] {
  // In the order of the labels, whose keys are those of the phases.
  const names = Object.keys(phaseLabels) as (keyof Summary['phases'])[]
  const rows = names
    .filter((name) => phases[name].count > 0)
    .map((name) => {
      const time = phases[name]
      const quantiles = ['p50', 'p95', 'p99'].map((each) => msText(nsOf(time, each)))
      return [phaseLabels[name], String(time.count), ...quantiles, msText(time.maxNs)]
    })
  if (rows.length === 0) return []
  return tableLines(
    [
      { head: 'Phases in ms', align: 'left' },
      ...['count', 'p50', 'p95', 'p99', 'max'].map((head): Column => ({ head, align: 'right' })),
    ],
    rows,
  )
}

function nameLines({ names }: Summary): string[] {
  if (names.length === 0) return []
  const shown =
    names.length <= NAME_ROW_COUNT_MAX ? names : slowestOf(names).slice(0, NAME_ROW_COUNT_MAX)
  const rows = shown.map((name) => {
    const { responseTime } = name
    const time = (valueNs: number) => (responseTime.count === 0 ? '-' : msText(valueNs))
    const p99 = percentileOf(responseTime, 'p99')
    return [
      name.name,
      name.completedPerSecond.toFixed(2),
      name.errorCount === 0 ? '-' : percentText(name.errorRatio),
      time(nsOf(responseTime, 'p50')),
      time(nsOf(responseTime, 'p95')),
      time(p99.valueNs),
      !p99.isFirm && responseTime.count > 0 ? MARK : '',
    ]
  })
  const lines = tableLines(
    [
      { head: 'Requests', align: 'left', isCut: true },
      ...['per s', 'errors', 'p50 ms', 'p95 ms', 'p99 ms'].map(
        (head): Column => ({ head, align: 'right' }),
      ),
      { head: '', align: 'left' },
    ],
    rows,
  )
  const rest = names.length - shown.length
  const note = `  The slowest of ${names.length} at p99; --format csv-names has them all.`
  return [...lines, ...(rest > 0 ? [note] : [])]
}

function slowestOf(names: readonly NameSummary[]): readonly NameSummary[] {
  return names.toSorted((a, b) => nsOf(b.responseTime, 'p99') - nsOf(a.responseTime, 'p99'))
}

function statusLines({ statuses, completedCount }: Summary): string[] {
  const rows = statuses.map(({ status, count }) => [
    String(status),
    String(count),
    percentText(count / completedCount),
  ])
  if (rows.length === 0) return []
  const columns = [0, 1, 2].map((): Column => ({ head: '', align: 'right' }))
  return ['Statuses', ...tableLines(columns, rows)]
}

function failureLines({ failures, disqualifications }: Summary): string[] {
  const width = Math.max(
    0,
    ...[...failures, ...disqualifications].map(({ count }) => String(count).length),
  )
  const line = (count: number, name: string) => `  ${String(count).padStart(width)}  ${name}`
  const lines = [
    ...disqualifications.map(({ count, name }) => line(count, name)),
    ...failures.flatMap(({ count, name, example }) => [
      line(count, name),
      ...(example.trim() === ''
        ? []
        : wrappedLines(' '.repeat(width + 4), printable(example).trim())),
    ]),
  ]
  return lines.length === 0 ? [] : ['What went wrong', ...lines]
}

function checkLines({ checks }: Summary): string[] {
  if (checks.length === 0) return []
  const rows = checks.map(({ name, requestName, passedCount, failedCount, passedRatio }) => [
    passedCount + failedCount === 0 ? 'never made' : percentText(passedRatio),
    failedCount === 0 ? '' : `${failedCount} failed`,
    requestName === '' ? name : `${requestName}: ${name}`,
  ])
  const columns: Column[] = [
    { head: '', align: 'right' },
    { head: '', align: 'right' },
    { head: '', align: 'left', isCut: true },
  ]
  return ['Checks', ...tableLines(columns, rows)]
}

function generatorLines(summary: Summary): string[] {
  const { generator, startLag } = summary
  if (generator.threadCount === 0) return []
  const busiest = generator.threadCount === 1 ? '' : ', the busiest'
  const threads = countedText(generator.threadCount, 'thread')
  const share = percentText(generator.busyRatioMax)
  const busy = `${share} of ${threads}${busiest} (${printable(generator.reactorName)})`
  const facts: [string, string][] = [['Busy', busy]]
  if (generator.reactorReason !== null)
    facts.push(['', `because ${printable(generator.reactorReason)}`])
  facts.push(['Limit', limitText(summary)])
  if (startLag.count > 0) {
    const p99 = timeText(nsOf(startLag, 'p99'))
    facts.push(['Start lag', `${p99} at p99, ${timeText(startLag.maxNs)} at most`])
  }
  if (generator.loopLagNsP99 !== null) {
    facts.push(['Loop lag', `${timeText(generator.loopLagNsP99)} at p99`])
  }
  return ['Generator', ...factLines(facts)]
}

/** What kept the run from being faster. */
function limitText({ generator, arrivals }: Summary): string {
  const { busyRatioMax, threads } = generator
  if (busyRatioMax <= BUSY_RATIO_MAX) {
    const overdueCount = arrivals?.overdueCount ?? 0
    if (overdueCount === 0) return 'the target or the plan; the generator had time left'
    // Not busy and yet too late: others had the processors.
    return `the generator; it came too late for ${countedText(overdueCount, 'arrival')}`
  }
  const userNs = threads.reduce((sum, thread) => sum + thread.cpuUserNs, 0)
  const systemNs = threads.reduce((sum, thread) => sum + thread.cpuSystemNs, 0)
  const share = percentText(systemNs / Math.max(1, userNs + systemNs))
  return `the generator; ${share} of its work was the kernel's, the rest its own`
}

function watchedSection({ watched }: Summary): string[] {
  return watched.length === 0 ? [] : ['Watched', ...watchedLines(watched, 2, '')]
}

function noteLines(summary: Summary, hasMarks: boolean): string[] {
  const mark = `${MARK} Fewer than ten responses were slower: a percentile to take with caution.`
  return [
    ...(hasMarks ? wrappedLines('', mark) : []),
    ...runWarnings(summary)
      // What has a mark or a row of its own is said already.
      .filter(({ kind }) => kind !== 'in-flight-at-end' && kind !== 'few-samples')
      .flatMap(({ text }) => wrappedLines('Warning: ', printable(text))),
  ]
}
