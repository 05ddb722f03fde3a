/** The verdict of each kind of run, in the words that a reader sees first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedRuns } from '../../../test/support/fixed-runs.ts'
import type { RunResult } from '../../result/run-result.ts'
import { summarize } from '../../result/summary.ts'
import { verdictsOf } from '../../result/verdicts.ts'
import { headlineMarkup } from './headline.ts'

function headline(result: RunResult): { tone: string; word: string; text: string } {
  const { text } = headlineMarkup(summarize(result), verdictsOf(result))
  const [, tone = '', word = '', sentences = ''] =
    /class="verdict (\w+)".*<p class="word">(.*?)<\/p><p>(.*?)<\/p>/s.exec(text) ?? []
  return { tone, word: word.replaceAll('\u00a0', ' '), text: sentences.replaceAll('\u00a0', ' ') }
}

function judged(result: RunResult, ...thresholds: readonly string[]): RunResult {
  return { ...result, plan: { ...result.plan, thresholds } }
}

test('headlineMarkup() says how a run went, with a tone that fits', () => {
  const verdicts = Object.entries(fixedRuns).map(([name, run]) => {
    const { tone, word } = headline(run())
    return `${name}: ${tone}, ${word}`
  })
  assert.deepEqual(verdicts, [
    'clean: pass, All 12000 requests went well',
    'all-failed: fail, No request got an answer',
    'all-404: fail, All 500 requests went wrong',
    'mixed: warn, 467 requests went wrong (31.41 %)',
    'timeouts: warn, 4 requests went wrong (2.60 %)',
    'nothing: fail, No request ended',
    'pages: pass, All 2250 requests went well',
    'one: pass, The only request went well',
    'threads: pass, All 24000 requests went well',
  ])
})

test('headlineMarkup() puts thresholds before errors, and total failure before thresholds', () => {
  const clean = fixedRuns.clean()
  assert.equal(headline(judged(clean, 'p99<1s')).word, 'The threshold holds')
  assert.equal(headline(judged(clean, 'p99<1s', 'errors<1')).word, 'Both thresholds hold')
  const broken = headline(judged(clean, 'p99<1s', 'p99<1ms'))
  assert.deepEqual([broken.tone, broken.word], ['fail', '1 of 2 thresholds broken'])
  assert.match(broken.text, /Wanted p99&lt;1ms, measured 7\.\d+ ms\./)
  const failed = judged(fixedRuns['all-failed'](), 'p99<1s')
  assert.equal(headline(failed).word, 'No request got an answer')
  assert.match(headline(failed).text, /Wanted p99&lt;1s, but no response came\./)
})

test('headlineMarkup() names an end that came early', () => {
  const clean = headline({ ...fixedRuns.clean(), endedBy: 'signal' })
  assert.equal(clean.tone, 'warn')
  assert.match(clean.text, /The run was stopped before its end\.$/)
  const stopped = headline({ ...fixedRuns.mixed(), endedBy: 'failures' })
  assert.match(stopped.text, /The run ended early: there were too many failures\.$/)
})

test('headlineMarkup() tells why nothing came', () => {
  const { text } = headline(fixedRuns['all-failed']())
  assert.match(text, /None of 50 requests was answered in full: connection refused/)
  assert.match(text, /\(connect ECONNREFUSED 127\.0\.0\.1:8081\)/)
})
