/** What is said of results that cannot be added up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedOnagerRuns } from '../../test/support/fixed-onager-runs.ts'
import { areApart, mergeProblems } from './merge-check.ts'
import { mergeResults, type RunResult } from './run-result.ts'

const a = fixedOnagerRuns.users()

function problemsWith(change: (result: RunResult) => RunResult): string[] {
  const named = [
    { name: 'a.json', result: a },
    { name: 'b.json', result: change(a) },
  ]
  return mergeProblems(named).map(({ name, text }) => `${name}: ${text}`)
}

test('mergeProblems() names the setting that differs, with both values', () => {
  const rest = 'in a.json: only parts of one run can be added up'
  const { plan } = a
  for (const [changed, what] of [
    [{ ...plan, userCount: 50 }, 'userCount is 50 here and 25'],
    [{ ...plan, durationNs: null }, 'durationNs is null here and 5 s'],
    [{ ...plan, title: 'x' }, 'title is "x" here and "http://127.0.0.1:8080/"'],
    [{ ...plan, requestNames: ['x'] }, 'requestNames.0 is "x" here and missing'],
    [{ ...plan, load: { ...plan.load, warmUpNs: 1e9 } }, 'load.warmUpNs is 1 s here and 0 s'],
  ] as const) {
    assert.deepEqual(
      problemsWith((result) => ({ ...result, plan: changed })),
      [`b.json: it is of another plan: ${what} ${rest}`],
    )
  }
  assert.deepEqual(
    problemsWith((result) => ({ ...result, onagerVersion: '9.0.0' })),
    [`b.json: it was measured by onager 9.0.0, not by 0.1.0 as ${rest}`],
  )
})

test('mergeProblems() finds none where mergeResults() works', () => {
  assert.deepEqual(mergeProblems([]), [])
  assert.deepEqual(
    problemsWith((result) => ({ ...result, startedAtMs: 5 })),
    [],
  )
  assert.equal(mergeResults([a, a]).snapshot.completedCount, 2 * a.snapshot.completedCount)
})

test('areApart() tells runs one after the other from runs side by side', () => {
  const later = (ms: number) => ({ ...a, startedAtMs: a.startedAtMs + ms })
  assert.equal(areApart([a, later(1000)]), false)
  assert.equal(areApart([a, later(60_000)]), true)
})
