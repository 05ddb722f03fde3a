/** The series of intervals: boundaries, joining, and merging at different widths. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import {
  emptyIntervalSeries,
  INTERVAL_COUNT_MAX,
  IntervalCounter,
  type IntervalSeries,
  mergeIntervalSeries,
} from './intervals.ts'

const S = 1_000_000_000

/**
 * One start and end at each time, in order; the number in flight is the index, to be recognised.
 */
function seriesOf(timesNs: readonly number[], endNs: number): IntervalSeries {
  const counter = new IntervalCounter()
  timesNs.forEach((atNs, index) => {
    counter.advance(atNs, index)
    counter.startedCount++
    counter.completedCount++
    counter.bodyBytes += 10
    counter.responseTime.record(1_000_000)
  })
  return counter.series(endNs, timesNs.length)
}

test('IntervalCounter puts each event into its second; the end belongs to the second before', () => {
  const { intervals, widthNs, endNs } = seriesOf([0, 1 * S, 1 * S + 1, 3.5 * S], 4 * S)
  assert.equal(widthNs, S)
  assert.equal(endNs, 4 * S)
  assert.deepEqual(
    intervals.map((i) => [i.startNs, i.durationNs, i.startedCount, i.inFlightCountAtEnd]),
    [
      [0, S, 2, 2],
      [S, S, 1, 3],
      [2 * S, S, 0, 3],
      [3 * S, S, 1, 4],
    ],
  )
})

test('IntervalCounter shortens the last interval to the end of the run', () => {
  assert.equal(seriesOf([], 2.25 * S).intervals.at(-1)?.durationNs, 0.25 * S)
  assert.equal(seriesOf([], 2 * S).intervals.length, 2)
})

test('IntervalCounter counts a straggler where it is noticed', () => {
  const { intervals } = seriesOf([1.5 * S, 0.9 * S], 2 * S)
  assert.deepEqual(
    intervals.map((i) => i.startedCount),
    [0, 2],
  )
})

test('IntervalCounter stays bounded over days and loses nothing', () => {
  const timesNs = Array.from({ length: 200_000 }, (_, i) => i * 1.3 * S)
  const endNs = 260_000 * S
  const { intervals, widthNs } = seriesOf(timesNs, endNs)
  assert.equal(widthNs, 128 * S)
  assert.ok(intervals.length <= INTERVAL_COUNT_MAX)
  assert.equal(
    intervals.reduce((sum, i) => sum + i.startedCount, 0),
    timesNs.length,
  )
  let soFarCount = 0
  intervals.forEach((interval, index) => {
    const startNs = index * widthNs
    assert.equal(interval.startNs, startNs)
    soFarCount += interval.startedCount
    assert.equal(interval.inFlightCountAtEnd, soFarCount)
    assert.ok(timesNs[soFarCount - 1]! <= startNs + widthNs)
    assert.ok((timesNs[soFarCount] ?? Number.POSITIVE_INFINITY) > startNs + widthNs)
    assert.equal(interval.responseTime.totalCount, interval.completedCount)
  })
})

test('mergeIntervalSeries() adds up at the coarser width, in any order and grouping', () => {
  // Ends chosen so that widths of 1, 2 and 4 seconds meet.
  const series = fc
    .tuple(
      fc.constantFrom(3, 50, 3_601, 7_300, 9_000),
      fc.array(fc.nat(9_000 * S), { maxLength: 6 }),
    )
    .map(([endS, times]) => {
      const inTime = times.filter((t) => t <= endS * S).sort((a, b) => a - b)
      return seriesOf(inTime, endS * S + 5)
    })
  fc.assert(
    fc.property(series, series, series, (a, b, c) => {
      const left = mergeIntervalSeries(mergeIntervalSeries(a, b), c)
      const right = mergeIntervalSeries(a, mergeIntervalSeries(c, b))
      assert.deepEqual(left, right)
      assert.deepEqual(mergeIntervalSeries(a, emptyIntervalSeries()), a)
      assert.equal(left.widthNs, Math.max(a.widthNs, b.widthNs, c.widthNs))
      const startedCount = (s: IntervalSeries) =>
        s.intervals.reduce((n, i) => n + i.startedCount, 0)
      assert.equal(startedCount(left), startedCount(a) + startedCount(b) + startedCount(c))
    }),
    { numRuns: 20 },
  )
})

test('mergeIntervalSeries() carries on what a thread that ended earlier left in flight', () => {
  const short = seriesOf([0.5 * S, 0.6 * S], 1 * S)
  const long = seriesOf([2.5 * S], 3 * S)
  const merged = mergeIntervalSeries(short, long)
  assert.deepEqual(
    merged.intervals.map((i) => i.inFlightCountAtEnd),
    [2, 2, 3],
  )
})
