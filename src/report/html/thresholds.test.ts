/** What was measured is told so that it does not contradict the verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readThresholds } from '../../plan/slo.ts'
import { measuredText } from './thresholds.ts'

function measured(text: string, value: number): string {
  const [threshold] = readThresholds(text).thresholds
  assert.ok(threshold !== undefined)
  const verdict = { threshold, outcome: 'failed', isFirm: true, reason: '' } as const
  return measuredText({ ...verdict, measured: value }).replaceAll('\u00a0', ' ')
}

test('measuredText() has the unit of what is judged', () => {
  assert.equal(measured('p99<200ms', 310.4e6), '310 ms')
  assert.equal(measured('errors<1%', 0.012_34), '1.23 %')
  assert.equal(measured('errors<5', 17), '17')
  assert.equal(measured('rate>300/s', 1234.5), '1235/s')
})

test('measuredText() is on the same side of the bound as the value', () => {
  assert.equal(measured('p99<200ms', 200.04e6), '200.04 ms')
  assert.equal(measured('rate>300/s', 299.997), '299.997/s')
  assert.equal(measured('errors<1%', 0.010_000_2), '1.00002 %')
  assert.equal(measured('p99<200ms', 200e6), '200 ms')
})

test('measuredText() says why nothing was measured', () => {
  const [threshold] = readThresholds('p99<200ms').thresholds
  const verdict = { threshold: threshold!, outcome: 'unknown', isFirm: true } as const
  const text = measuredText({ ...verdict, measured: null, reason: 'no response came' })
  assert.equal(text, 'nothing: no response came')
})
