/** Numbers have units, few digits and no surprises, and none contradicts a verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { emptySnapshot } from '../metrics/snapshot.ts'
import { readThresholds } from '../plan/slo.ts'
import { judge, type Verdict } from '../result/verdicts.ts'
import {
  bytesText,
  countedText,
  measuredText,
  msText,
  percentText,
  rateText,
  spanText,
  timeText,
} from './run-numbers.ts'

test('timeText() takes the unit that needs the fewest digits', () => {
  const texts = [0, 850, 12_345, 999_600, 12_400_000, 999_700_000, 1.254e9, 200e9].map(timeText)
  assert.deepEqual(texts, [
    ...['0 ms', '0.85 us', '12.3 us', '1 ms', '12.4 ms', '1 s', '1.25 s', '3 min 20 s'],
  ])
})

test('spanText() keeps short times exact and long ones to the second', () => {
  const texts = [0, 4e6, 45e9, 600e9, 3_900e9, 86_399.6e9].map(spanText)
  assert.deepEqual(texts, ['0 s', '0.004 s', '45 s', '10 min', '1 h 5 min', '24 h'])
})

test('percentText() says neither all nor nothing unless it is so', () => {
  const texts = [0, 1e-9, 0.004_2, 0.5, 0.9998, 0.999_999_9, 1].map(percentText)
  assert.deepEqual(texts, [
    ...['0 %', '< 0.01 %', '0.42 %', '50.00 %', '99.98 %', '> 99.99 %', '100 %'],
  ])
})

test('bytesText(), rateText(), msText() and countedText() keep what a reader can use', () => {
  assert.deepEqual([0, 512, 1023, 1024, 1536, 21_076_378, 1_048_570].map(bytesText), [
    '0 B',
    '512 B',
    '1023 B',
    '1 KiB',
    '1.5 KiB',
    '20.1 MiB',
    '1 MiB',
  ])
  assert.deepEqual([0, 0.254_4, 14.31, 999.4, 123_456.7].map(rateText), [
    ...['0', '0.254', '14.3', '999.4', '123456.7'],
  ])
  assert.deepEqual([0, 1_000, 12_340_000].map(msText), ['0.000', '0.001', '12.340'])
  assert.deepEqual(
    [1, 2].map((count) => countedText(count, 'user')),
    ['1 user', '2 users'],
  )
})

test('no quantity is anything but a number with its unit', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e18, noNaN: true }), (value) => {
      const texts = [
        timeText(value),
        spanText(value),
        bytesText(Math.round(value)),
        rateText(value),
        msText(value),
        percentText(value / 1e18),
      ]
      for (const text of texts) assert.match(text, /^(?:[<>] )?\d+(\.\d+)?([ e].*)?$/)
    }),
  )
})

function measured(text: string, value: number): string {
  const [threshold] = readThresholds(text).thresholds
  assert.ok(threshold !== undefined)
  return measuredText({ threshold, outcome: 'failed', isFirm: true, reason: '', measured: value })
}

test('measuredText() has the unit of what is judged', () => {
  assert.equal(measured('p99<200ms', 310.4e6), '310.400 ms')
  assert.equal(measured('errors<1%', 0.012_34), '1.23 %')
  assert.equal(measured('errors<7%', 0.07), '7 %')
  assert.equal(measured('errors<5', 17), '17')
  assert.equal(measured('rate>300/s', 1234.5), '1234.5 /s')
})

test('measuredText() is on the same side of the bound as the value', () => {
  assert.equal(measured('p99<200ms', 200.000_04e6), '200.00004 ms')
  assert.equal(measured('rate>300/s', 299.997), '299.997 /s')
  assert.equal(measured('errors<1%', 0.010_000_2), '1.00002 %')
  assert.equal(measured('p99<200ms', 200e6), '200.000 ms')
})

test('measuredText() lets no share read as nothing or as all', () => {
  assert.equal(measured('errors<1%', 0.000_002), '0.0002 %')
  assert.equal(measured('checks>99%', 0.999_999), '99.9999 %')
})

test('measuredText() says why nothing was measured', () => {
  const { thresholds } = readThresholds('rate>300/s')
  const counts = { underLoadNs: 0, model: 'closed', requestNames: [], checks: [] } as const
  const [verdict] = judge(thresholds, { ...counts, snapshot: emptySnapshot() })
  assert.equal(measuredText(verdict as Verdict), 'no time was measured')
})
