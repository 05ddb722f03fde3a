/** Warnings of the open model and of errors: when they are given, and that siege and ab stay without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedOnagerRuns } from '../../test/support/fixed-onager-runs.ts'
import { fixedRuns } from '../../test/support/fixed-runs.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'
import type { RunResult } from '../result/run-result.ts'
import { summarize } from './summary.ts'
import { runWarnings } from './warnings.ts'

function kindsOf(result: RunResult): string[] {
  return runWarnings(summarize(result)).map(({ kind }) => kind)
}

function textOf(result: RunResult, wanted: string): string {
  return runWarnings(summarize(result)).find(({ kind }) => kind === wanted)?.text ?? ''
}

function times(...valuesMs: number[]): HistogramSnapshot {
  const histogram = new Histogram(3)
  for (const valueMs of valuesMs) histogram.record(valueMs * 1e6)
  return histogram.snapshot()
}

const steady = fixedOnagerRuns.steady()

function withTimes(changed: Partial<RunResult['snapshot']>): RunResult {
  return { ...steady, snapshot: { ...steady.snapshot, ...changed } }
}

test('runWarnings() says what dropped arrivals mean', () => {
  const stalled = fixedOnagerRuns.stalled()
  assert.ok(kindsOf(stalled).includes('dropped'))
  assert.match(
    textOf(stalled, 'dropped'),
    /^\d+ of 8000 arrivals \(\d\.\d+ %\) were dropped, as 600 were under way.*lower bound\.$/,
  )
  assert.ok(!kindsOf(steady).includes('dropped'))
  const { droppedCount } = stalled.snapshot
  const overdue = (overdueCount: number) =>
    textOf({ ...stalled, snapshot: { ...stalled.snapshot, overdueCount } }, 'dropped')
  assert.match(overdue(droppedCount), /dropped, as the generator itself could not .* in time\. The/)
  assert.match(overdue(1), /dropped, 1 as the generator .* time, the others as 600 were under way/)
})

test('runWarnings() names each feeder that ran out, and after how many rows', () => {
  const usedUpFeeders = [
    { name: 'accounts', rowCount: 1000 },
    { name: 'codes', rowCount: 1 },
  ]
  const texts = runWarnings(summarize({ ...steady, usedUpFeeders }))
    .filter(({ kind }) => kind === 'feeder-used-up')
    .map(({ text }) => text)
  assert.equal(texts.length, 2)
  assert.match(
    texts[0]!,
    /^The feeder accounts ran out after 1000 rows: .* nothing more is begun\.$/,
  )
  assert.match(texts[1]!, /^The feeder codes ran out after 1 row: /)
  assert.ok(!kindsOf(steady).includes('feeder-used-up'))
})

test('runWarnings() tells late starts and waiting from a slow target', () => {
  const responseTime = times(900)
  const serviceTime = times(9)
  const late = withTimes({ responseTime, serviceTime, startLag: times(891) })
  assert.match(textOf(late, 'late-starts'), /late, by 891 ms at p99 and 891 ms at most/)
  assert.ok(!kindsOf(late).includes('waited-to-begin'), 'one cause, one warning')
  const waited = withTimes({ responseTime, serviceTime, startLag: times(2) })
  assert.match(textOf(waited, 'waited-to-begin'), /900 ms after it was due, but 9 ms after/)
  const slow = kindsOf(withTimes({ responseTime, serviceTime: responseTime, startLag: times(0.9) }))
  assert.ok(!slow.includes('waited-to-begin') && !slow.includes('late-starts'))
  // Twice as long, but of next to nothing.
  const quick = kindsOf(withTimes({ responseTime: times(1), serviceTime: times(0.3) }))
  assert.ok(!quick.includes('waited-to-begin'))
})

test('runWarnings() says when errors are among the responses of the percentiles', () => {
  assert.match(textOf(fixedRuns.mixed(), 'error-responses'), /^\d\d\.\d+ % of the responses/)
  assert.ok(!kindsOf(fixedRuns['all-404']()).includes('error-responses'))
  assert.ok(!kindsOf(fixedRuns.clean()).includes('error-responses'))
})

test('the summaries of siege and ab have none of these warnings', () => {
  const ours = ['dropped', 'late-starts', 'waited-to-begin', 'error-responses']
  for (const makeResult of Object.values(fixedRuns)) {
    const kinds = summarize(makeResult()).warnings.map(({ kind }) => kind)
    assert.ok(!kinds.some((kind) => ours.includes(kind)))
  }
})
