/** The small parts that pictures are made of: numbers, widths, charts, stages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { areaChart } from './charts.ts'
import { bytesPerSecondText, clockText, durationText, percentText, rateText } from './format.ts'
import { fitLine, foreign, lineText, lineWidth, padLine, span, textWidth } from './spans.ts'
import { loadProfile, stageAt, stagesDurationNs } from './stages.ts'

test('durationText() has three digits that say something, and a unit', () => {
  const texts = [0, 499, 812_000, 999_499, 999_500, 2_114_000, 12.44e6, 998.6e6, 999.6e6, 1.04e9]
  assert.deepEqual(
    texts.map((ns) => durationText(ns, 'µ')),
    [
      '0 µs',
      '0 µs',
      '812 µs',
      '999 µs',
      '1.00 ms',
      '2.11 ms',
      '12.4 ms',
      '999 ms',
      '1.00 s',
      '1.04 s',
    ],
  )
  assert.equal(durationText(5000, 'u'), '5 us')
})

test('rateText(), bytesPerSecondText() and percentText() are short and never say nothing of something', () => {
  assert.deepEqual([0, 0.5, 9.994, 12.34, 641.4, 120_000].map(rateText), [
    '0/s',
    '0.50/s',
    '9.99/s',
    '12.3/s',
    '641/s',
    '120000/s',
  ])
  assert.deepEqual([0, 12.3, 1500, 3.2e6, 4e9].map(bytesPerSecondText), [
    '0 B/s',
    '12 B/s',
    '1.50 kB/s',
    '3.20 MB/s',
    '4.00 GB/s',
  ])
  assert.deepEqual([0, 1e-6, 0.0004, 0.123, 0.99999, 1].map(percentText), [
    '0 %',
    '<0.01 %',
    '0.04 %',
    '12.3 %',
    '>99.9 %',
    '100 %',
  ])
})

test('clockText() counts whole seconds that are over', () => {
  const texts = [-1, 0, 0.999e9, 59.99e9, 60e9, 725e9, 3600e9, 36_061e9].map(clockText)
  assert.deepEqual(texts, ['0:00', '0:00', '0:00', '0:59', '1:00', '12:05', '1:00:00', '10:01:01'])
})

test('textWidth() gives wide characters two cells and marks none', () => {
  assert.equal(textWidth('abc'), 3)
  assert.equal(textWidth('größe'), 5)
  assert.equal(textWidth('gro\u0308ße'), 5)
  assert.equal(textWidth('首页'), 4)
  assert.equal(textWidth('🚀 go'), 5)
  assert.equal(textWidth('⣿✓━…µ'), 5)
})

test('fitLine() is never wider than the columns and leaves alone what fits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '首', '🚀', 'e\u0301', ' ') })
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 5 }),
      fc.integer({ min: 1, max: 30 }),
      (texts, columns) => {
        const line = texts.map((one) => span(one))
        const fitted = fitLine(line, columns, '…')
        assert.ok(lineWidth(fitted) <= columns)
        if (lineWidth(line) <= columns) assert.deepEqual(fitted, line)
        else assert.match(lineText(fitted, false), /…$/)
      },
    ),
  )
})

test('lineText() ends each colour where its piece ends, and has none without colours', () => {
  const line = [span('a', 'bad'), span('b'), span('c', 'faint')]
  assert.equal(lineText(line, true), '\x1b[1;31ma\x1b[mb\x1b[2mc\x1b[m')
  assert.equal(lineText(line, false), 'abc')
})

test('foreign() lets no control character through', () => {
  assert.equal(lineText([foreign('a\x1b[2Jb\r\n')], true), 'a\\x1b[2Jb\\x0d\\x0a')
})

test('padLine() fills up with blanks', () => {
  assert.equal(lineText(padLine([span('首')], 4), false), '首  ')
  assert.equal(lineText(padLine([span('abcd')], 3), false), 'abcd')
})

test('areaChart() fills from below, newest at the right, two values in a cell', () => {
  const size = { columns: 3, rows: 1, isUnicode: true, top: 4 }
  assert.deepEqual(areaChart([1, 2, 3, 4], size), [' ⣠⣾'])
  assert.deepEqual(areaChart([4, 4, 4, 4, 4, 4, 0, 4], size), ['⣿⣿⢸'])
  assert.deepEqual(areaChart([4, null], { ...size, rows: 2 }), ['  ⡇', '  ⡇'])
  assert.deepEqual(areaChart([], size), ['   '])
  assert.deepEqual(areaChart([1, 2, 3, 4], { ...size, isUnicode: false }), [' :#'])
})

test('areaChart() shows what is not zero, however small', () => {
  const size = { columns: 1, rows: 4, isUnicode: true, top: 1e9 }
  assert.deepEqual(areaChart([1e9, 1], size), ['⡇', '⡇', '⡇', '⣇'])
  assert.deepEqual(areaChart([0, 0], { ...size, top: 0 }), [' ', ' ', ' ', ' '])
})

const stages = [
  { durationNs: 10e9, from: 0, to: 100 },
  { durationNs: 20e9, from: 100, to: 100 },
  { durationNs: null, from: 50, to: 50 },
]

test('stageAt() finds the stage, its time and the level meant', () => {
  assert.deepEqual(stageAt(stages, 5e9), { index: 0, stage: stages[0], elapsedNs: 5e9, level: 50 })
  assert.equal(stageAt(stages, 10e9)?.index, 1)
  assert.deepEqual(stageAt(stages, 1e12)?.level, 50)
  assert.equal(stageAt(stages.slice(0, 2), 30e9), null)
  assert.equal(stageAt([], 0), null)
})

test('stagesDurationNs() and loadProfile() are of all stages', () => {
  assert.equal(stagesDurationNs(stages.slice(0, 2)), 30e9)
  assert.equal(stagesDurationNs(stages), null)
  assert.equal(stagesDurationNs([]), null)
  assert.deepEqual(loadProfile(stages, 60e9, 6), [50, 100, 100, 50, 50, 50])
})
