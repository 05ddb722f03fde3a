/** Numbers have units, few digits and no surprises. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import {
  bytesText,
  counted,
  momentText,
  msText,
  percentText,
  rateText,
  spanText,
  timeText,
} from './quantities.ts'

function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}

test('timeText() takes the unit that needs the fewest digits', () => {
  const texts = [0, 850, 12_345, 999_600, 12_400_000, 999_700_000, 1.254e9, 200e9].map((ns) =>
    timeText(ns),
  )
  assert.deepEqual(texts.map(plain), [
    ...['0 ms', '0.85 \u00b5s', '12.3 \u00b5s', '1 ms', '12.4 ms', '1 s', '1.25 s', '3 min 20 s'],
  ])
})

test('spanText() is to the second, and exact for short runs', () => {
  const texts = [0, 4e6, 45e9, 600e9, 3_900e9, 86_399.6e9].map(spanText)
  assert.deepEqual(texts.map(plain), ['0 s', '4 ms', '45 s', '10 min', '1 h 5 min', '24 h'])
})

test('momentText() has one form for all moments of a run', () => {
  assert.deepEqual(
    [0, 7e9].map((ns) => plain(momentText(ns, 60e9))),
    ['0', '7 s'],
  )
  assert.deepEqual(
    [0, 750e9].map((ns) => momentText(ns, 900e9)),
    ['0:00', '12:30'],
  )
  assert.equal(momentText(62e9, 3_600e9), '0:01:02')
})

test('percentText() says neither all nor nothing unless it is so', () => {
  const texts = [0, 1e-9, 0.004_2, 0.5, 0.9998, 0.999_999_9, 1].map(percentText)
  assert.deepEqual(texts.map(plain), [
    ...['0 %', '<0.01 %', '0.42 %', '50.0 %', '99.98 %', '>99.99 %', '100 %'],
  ])
})

test('bytesText(), rateText(), msText() and counted() keep three digits', () => {
  assert.deepEqual(
    [0, 512, 1023, 1024, 1536, 21_076_378, 1_048_570].map((bytes) => plain(bytesText(bytes))),
    ['0 B', '512 B', '1023 B', '1 KiB', '1.5 KiB', '20.1 MiB', '1 MiB'],
  )
  assert.deepEqual([0, 0.254_4, 14.31, 999.4, 999.6, 123_456.7].map(rateText), [
    ...['0', '0.254', '14.3', '999', '1000', '123457'],
  ])
  assert.deepEqual([0, 1_234_000, 12_340_000, 1234e6].map(msText), ['0.00', '1.23', '12.3', '1234'])
  assert.deepEqual(
    [1, 2].map((count) => plain(counted(count, 'user'))),
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
      for (const text of texts) assert.match(plain(text), /^[<>]?\d+(\.\d+)?([ e].*)?$/)
    }),
  )
})
