/** One run in every format: the figures that people compare are the same in all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlReport } from '../src/fleet/html-file.ts'
import { namesCsv } from '../src/report/run-csv.ts'
import { runJson } from '../src/report/run-json.ts'
import { runMarkdown } from '../src/report/run-markdown.ts'
import { msText, percentText, rateText, timeText } from '../src/report/run-numbers.ts'
import { runText } from '../src/report/run-text.ts'
import type { RunResult } from '../src/result/run-result.ts'
import { summarize } from '../src/result/summary.ts'
import { percentileOf } from '../src/result/time-summary.ts'
import { verdictsOf } from '../src/result/verdicts.ts'
import { fixedOnagerRuns } from './support/fixed-onager-runs.ts'

/** With blanks that break, and letters of ASCII. */
function plain(text: string): string {
  return text.replaceAll('\u00b5', 'u').replace(/[\s\u00a0]+/g, ' ')
}

function withoutTags(html: string): string {
  return html
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

function reportsOf(result: RunResult) {
  const summary = summarize(result)
  const verdicts = verdictsOf(result)
  return {
    summary,
    verdicts,
    json: JSON.parse(runJson(summary, verdicts)),
    csv: namesCsv({ ...summary, names: [] })
      .split('\r\n')
      .map((line) => line.split(',')),
    texts: {
      text: plain(runText(summary, verdicts, { colour: false, zone: () => 0 })),
      markdown: plain(runMarkdown(summary, verdicts).replaceAll('\\', '')),
      html: plain(withoutTags(htmlReport(result))),
    },
  }
}

for (const [name, makeResult] of Object.entries(fixedOnagerRuns)) {
  test(`all reports of the run "${name}" have the same figures`, () => {
    const { summary, verdicts, json, csv, texts } = reportsOf(makeResult())
    const { completedCount, errorCount, completedPerSecond, errorRatio, responseTime } = summary
    const p99Ns = percentileOf(responseTime, 'p99').valueNs
    const hasTimes = responseTime.count > 0

    const cell = (column: string) => csv[1]![csv[0]!.indexOf(column)]
    assert.equal(json.requests.completed, completedCount)
    assert.equal(cell('completed'), String(completedCount))
    assert.equal(cell('completed_per_second'), String(json.requests.completed_per_second))
    assert.equal(cell('error_ratio'), String(json.requests.error_ratio))
    assert.equal(cell('response_p99_ms'), hasTimes ? String(json.response_time_ms.p99) : '')

    for (const [format, text] of Object.entries(texts)) {
      const has = (figure: string) => assert.ok(text.includes(figure), `${format}: ${figure}`)
      if (!hasTimes) continue
      has(String(completedCount))
      has(rateText(completedPerSecond))
      has(msText(p99Ns))
      if (errorCount > 0) has(percentText(errorRatio))
    }
    for (const { measured, threshold } of verdicts) {
      if (measured === null || !('time' in threshold.metric)) continue
      for (const text of Object.values(texts)) assert.ok(text.includes(`${msText(measured)} ms`))
    }
    if (hasTimes) assert.ok(texts.html.includes(`99 % within ${timeText(p99Ns)}`))
  })

  test(`all reports of the run "${name}" give the same verdict`, () => {
    const { json, texts } = reportsOf(makeResult())
    const sentences = Object.values(texts).map(
      (text) =>
        /All \d+ requests went well|\d+ requests went wrong|No request \w+|\d of \d thresholds broken|All \d thresholds hold/.exec(
          text,
        )?.[0],
    )
    assert.notEqual(sentences[0], undefined)
    assert.equal(new Set(sentences).size, 1, sentences.join('; '))
    if (json.passed === true) assert.match(sentences[0]!, /hold$/)
    if (json.passed === false) assert.match(sentences[0]!, /broken$|^No request/)
  })
}

test('a rate is over the time in which requests were begun, and not over the drain', () => {
  const run = fixedOnagerRuns.steady()
  const plan = { ...run.plan, load: { ...run.plan.load, drainNs: 30e9 } }
  const before = summarize({ ...run, plan, elapsedNs: 20e9 })
  const result = { ...run, plan, elapsedNs: 50e9 }
  const { json, texts } = reportsOf(result)
  assert.equal(summarize(result).completedPerSecond, before.completedPerSecond)
  assert.equal(json.under_load_s, 15)
  assert.equal(json.measured_s, 45)
  const [rate] = json.thresholds.filter(({ unit }: { unit: string }) => unit === 'per_second')
  assert.equal(rate.measured, json.requests.completed_per_second)
  assert.match(texts.text, / complete in 15 s, and 30 s of drain /)
})
