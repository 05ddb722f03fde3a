/** Which lists of CPUs are taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pinnedCpus } from './pin-option.ts'

test('pinnedCpus() reads numbers and ranges that the process may use', () => {
  assert.deepEqual(pinnedCpus('2', '0-3'), { value: [2] })
  assert.deepEqual(pinnedCpus('3, 0-2', '0-1,2-3'), { value: [3, 0, 1, 2] })
  assert.deepEqual(pinnedCpus('1023', '1023'), { value: [1023] })
})

test('pinnedCpus() refuses what is no list, and CPUs that are not to be had', () => {
  for (const raw of ['', 'all', '-1', '1,', '2-1', '1.5', '1024', '0x1', '1 2', '99999']) {
    assert.deepEqual(pinnedCpus(raw, '0-3'), { mustBe: 'CPUs such as 2,3 or 0-3' }, raw)
  }
  assert.deepEqual(pinnedCpus('0-4', '0-3'), {
    mustBe: 'CPUs that this process may use (0-3)',
  })
  assert.deepEqual(pinnedCpus('0', null), {
    mustBe: 'left out: only Linux binds threads to CPUs',
  })
})
