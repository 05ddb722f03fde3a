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
    'clean: pass, Completed without errors',
    'all-failed: fail, Every request failed',
    'all-404: fail, Every response was an error',
    'mixed: fail, Completed with 31.4 % errors',
    'timeouts: fail, Completed with 2.6 % errors',
    'nothing: fail, No response was complete',
    'pages: pass, Completed without errors',
    'one: pass, Completed without errors',
    'threads: pass, Completed without errors',
  ])
})

test('headlineMarkup() puts thresholds before errors, and total failure before thresholds', () => {
  const clean = fixedRuns.clean()
  assert.equal(headline(judged(clean, 'p99<1s')).word, 'The threshold passed')
  assert.equal(headline(judged(clean, 'p99<1s', 'errors<1')).word, 'All 2 thresholds passed')
  const broken = headline(judged(clean, 'p99<1s', 'p99<1ms'))
  assert.deepEqual([broken.tone, broken.word], ['fail', '1 of 2 thresholds failed'])
  assert.match(broken.text, /Wanted p99&lt;1ms, measured 7\.\d+ ms\./)
  assert.equal(headline(judged(fixedRuns['all-failed'](), 'p99<1s')).word, 'Every request failed')
})

test('headlineMarkup() names an end that came early', () => {
  const clean = fixedRuns.clean()
  assert.equal(headline({ ...clean, endedBy: 'signal' }).word, 'Stopped by hand')
  const stopped = headline({ ...fixedRuns.mixed(), endedBy: 'failures' })
  assert.deepEqual([stopped.tone, stopped.word], ['fail', 'Stopped after too many failures'])
  assert.match(stopped.text, /^Completed with 31\.4 % errors\./)
})

test('headlineMarkup() tells why nothing came', () => {
  const { text } = headline(fixedRuns['all-failed']())
  assert.match(text, /None of 50 requests was answered in full: connection refused/)
  assert.match(text, /\(connect ECONNREFUSED 127\.0\.0\.1:8081\)/)
})
