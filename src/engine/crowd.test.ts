/** Users who wait for their turn to begin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Crowd } from './crowd.ts'

function crowdOf(userCount: number, firstTime: (index: number) => number) {
  const asked: number[] = []
  const begun: number[] = []
  const crowd: Crowd = new Crowd(userCount, {
    firstTime(index) {
      asked.push(index)
      return firstTime(index)
    },
    refreshNowNs: () => 0,
    begin: (index) => void begun.push(index),
  })
  return { crowd, asked, begun }
}

test('Crowd lets users begin in order, and looks at nobody before its turn', () => {
  const { crowd, asked, begun } = crowdOf(1_000_000, (index) => index * 10)
  crowd.admit(15)
  assert.deepEqual(
    [begun, asked],
    [
      [0, 1],
      [0, 1, 2],
    ],
  )
  assert.deepEqual([crowd.nextDueNs, crowd.waitingCount, crowd.isEmpty], [20, 999_998, false])
})

test('Crowd.admit() gives the loop back in between', () => {
  const { crowd, begun } = crowdOf(1_000_000, () => 0)
  crowd.admit(0)
  assert.ok(begun.length > 0 && begun.length <= 1000, `${begun.length}`)
  assert.equal(crowd.nextDueNs, 0)
})

test('Crowd.dismiss() tells how many have waited, those without a place among them', () => {
  const { crowd, begun } = crowdOf(5, (index) => (index < 2 ? 7 : Number.POSITIVE_INFINITY))
  crowd.admit(7)
  assert.deepEqual([begun, crowd.isEmpty], [[0, 1], true])
  assert.deepEqual([crowd.dismiss(), crowd.dismiss(), crowd.waitingCount], [3, 0, 0])
  assert.equal(crowdOf(0, () => 0).crowd.isEmpty, true)
})
