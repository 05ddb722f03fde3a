/** Numbers on the page are those of the other reports, with blanks that do not break. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, momentText, percentText, spanText, timeText } from './quantities.ts'

test('numbers are not parted from their units', () => {
  const texts = [timeText(12_345), timeText(200e9), spanText(3_900e9), percentText(1e-9)]
  assert.deepEqual(
    [...texts, counted(2, 'menu', 'menus')].map((text) => text.replaceAll('\u00a0', '_')),
    ['12.3_\u00b5s', '3_min_20_s', '1_h_5_min', '<_0.01_%', '2_menus'],
  )
})

test('momentText() has one form for all moments of a run', () => {
  assert.deepEqual(
    [0, 7e9].map((ns) => momentText(ns, 60e9).replace('\u00a0', ' ')),
    ['0', '7 s'],
  )
  assert.deepEqual(
    [0, 750e9].map((ns) => momentText(ns, 900e9)),
    ['0:00', '12:30'],
  )
  assert.equal(momentText(62e9, 3_600e9), '0:01:02')
})
