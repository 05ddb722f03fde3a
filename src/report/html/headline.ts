/**
 * What a reader who stops after ten seconds has to know: what was tested, how it went, and the few
 * figures that matter.
 */
import { ratio } from '../../result/ratio.ts'
import type { Summary } from '../../result/summary.ts'
import { percentileOf } from '../../result/time-summary.ts'
import type { Verdict } from '../../result/verdicts.ts'
import { runWarnings } from '../../result/warnings.ts'
import { loadText } from '../load-text.ts'
import { measuredText } from '../run-numbers.ts'
import { runVerdict } from '../run-verdict.ts'
import { foreign, html, type Markup, nothing, shown } from './markup.ts'
import { bytesText, counted, percentText, rateText, timeText } from './quantities.ts'

/** Of these the headline tells one by one. */
const TOLD_COUNT_MAX = 3

/** The styles `.verdict....`, and signs, so that a verdict is told by more than its colour. */
const looks = {
  good: { style: 'pass', sign: '\u2713' },
  doubtful: { style: 'warn', sign: '!' },
  bad: { style: 'fail', sign: '\u2717' },
} as const

export function headlineMarkup(summary: Summary, verdicts: readonly Verdict[]): Markup {
  const { tone, sentence, ending } = runVerdict(summary, verdicts)
  const { style, sign } = looks[tone]
  const load = `${loadText(summary.plan)}.`
  const sentences = [load, resultSentence(summary), ...brokenSentences(verdicts), ending]
  const text = sentences.map(shown).join(' ').trimEnd()
  return html`<section class="verdict ${style}" aria-label="Verdict">
<span class="sign" aria-hidden="true">${sign}</span>
<div><p class="word">${sentence.replace(/\.$/, '')}</p><p>${text}</p></div></section>
${tiles(summary)}
${warnings(summary)}`
}

/** The first thresholds that failed, each with what was measured. */
function brokenSentences(verdicts: readonly Verdict[]): string[] {
  const broken = verdicts.filter(({ outcome }) => outcome !== 'passed')
  const told = broken.slice(0, TOLD_COUNT_MAX).map((verdict) => {
    const found = measuredText(verdict)
    const what = verdict.measured === null ? `but ${found}` : `measured ${found}`
    return `Wanted ${verdict.threshold.text}, ${what}.`
  })
  const leftCount = broken.length - told.length
  return leftCount === 0 ? told : [...told, `${leftCount} more failed, see below.`]
}

function resultSentence(summary: Summary): string {
  const { completedCount, startedCount, responseTime } = summary
  if (startedCount === 0) return 'No request was begun.'
  if (completedCount === 0) {
    const [failure] = summary.failures
    const none = `None of ${counted(startedCount, 'request')} was answered in full`
    if (failure === undefined) return `${none}.`
    const example = failure.example === '' ? '' : ` (${failure.example})`
    return `${none}: ${failure.name}${example}.`
  }
  if (completedCount === 1) return `One response came, after ${timeText(responseTime.maxNs)}.`
  const at = (name: string) => timeText(percentileOf(responseTime, name).valueNs)
  const rate = `${rateText(summary.completedPerSecond)} per second`
  return (
    `${counted(completedCount, 'response')} came, ${rate}: half of them within ${at('p50')}, ` +
    `99\u00a0% within ${at('p99')}, the slowest after ${timeText(responseTime.maxNs)}.`
  )
}

function tiles(summary: Summary): Markup {
  const { responseTime, completedCount, failedCount, bodyBytes, headBytes, arrivals } = summary
  // What was dropped would have had to wait, so that times are at least what was measured.
  const isLowerBound = arrivals !== null && arrivals.droppedCount > 0
  const time = (name: string, meaning: string) => {
    const found = percentileOf(responseTime, name)
    const title = `${name} response time`
    if (responseTime.count === 0) return tile(title, '\u2013', 'no response')
    const detail = isLowerBound ? 'a lower bound' : meaning
    return tile(title, timeText(found.valueNs), found.isFirm ? detail : 'of few responses')
  }
  const received = bytesText(Math.round(summary.receivedBytesPerSecond))
  return html`<dl class="tiles">
${[
  tile(
    'Completed',
    `${rateText(summary.completedPerSecond)}/s`,
    counted(completedCount, 'response'),
  ),
  time('p50', 'half were faster'),
  time('p99', '1 of 100 was slower'),
  shareTile('Errors', summary.errorCount, completedCount + failedCount),
  arrivals === null
    ? tile('In flight', rateText(summary.inFlightMean), 'on average')
    : shareTile('Dropped arrivals', arrivals.droppedCount, arrivals.dueCount),
  tile('Received', `${received}/s`, `${bytesText(bodyBytes + headBytes)} in all`),
]}</dl>`
}

/** Bad unless it is nothing. */
function shareTile(name: string, count: number, wholeCount: number): Markup {
  const share = wholeCount === 0 ? '\u2013' : percentText(ratio(count, wholeCount))
  return tile(name, share, `${count} of ${wholeCount}`, count > 0)
}

function tile(name: string, value: string, detail: string, isBad = false): Markup {
  return html`<div class="tile${isBad ? ' bad' : ''}"><dt>${name}</dt>
<dd>${value}<small>${detail}</small></dd></div>
`
}

function warnings(summary: Summary): Markup {
  const warnings = runWarnings(summary)
  if (warnings.length === 0) return nothing
  return html`<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Notes on these figures</h2>
<ul>${warnings.map(({ text }) => html`<li>${foreign(text)}</li>`)}</ul></section>`
}
