/** Tests of the shared quota: what several take together is the whole, and no more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedQuota } from './shared-quota.ts'

test('SharedQuota gives out the whole once, whoever takes', () => {
  const first = new SharedQuota(5)
  const second = new SharedQuota(5, first.cell)
  const taken = [first, second, second, first, second, first, second].map((quota) => quota.take())
  assert.deepEqual(taken, [true, true, true, true, true, false, false])
})

test('SharedQuota of nothing gives nothing', () => {
  assert.equal(new SharedQuota(0).take(), false)
})
