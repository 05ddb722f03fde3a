/** When a person is told that nothing is answered, and what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_S } from '../base/units.ts'
import { FailureKind } from '../metrics/outcome.ts'
import { emptySnapshot, type Snapshot } from '../metrics/snapshot.ts'
import { noAnswerNotice } from './no-answer-notice.ts'

function failed(failedCount: number, completedCount = 0): Snapshot {
  const empty = emptySnapshot()
  const failureCounts = empty.failureCounts.slice()
  failureCounts[FailureKind.connect] = failedCount
  const text = 'connect ECONNREFUSED 127.0.0.1:1\u001b[2J'
  return {
    ...empty,
    failedCount,
    completedCount,
    failureCounts,
    failureExamples: [{ kind: FailureKind.connect, text, atNs: 0 }],
  }
}

test('noAnswerNotice() tells once, after two seconds of failures alone', () => {
  const notice = noAnswerNotice()
  assert.equal(notice(failed(500), 1.9 * NS_PER_S), null)
  const text = notice(failed(600), 2 * NS_PER_S)
  assert.match(text!, /^nothing has been answered yet: 600 requests failed, most by "/)
  assert.match(text!, /\(connect ECONNREFUSED 127\.0\.0\.1:1[^\u001b]*\); Ctrl-C ends the run$/)
  assert.equal(notice(failed(700), 3 * NS_PER_S), null)
})

test('noAnswerNotice() is quiet where something was answered, or little was asked', () => {
  const answered = noAnswerNotice()
  assert.equal(answered(failed(0, 1), NS_PER_S), null)
  assert.equal(answered(failed(900, 1), 5 * NS_PER_S), null)
  assert.equal(noAnswerNotice()(failed(9), 60 * NS_PER_S), null)
})
