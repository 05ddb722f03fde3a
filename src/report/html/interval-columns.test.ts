/** What is drawn of the intervals adds up to what was counted in them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedRuns } from '../../../test/support/fixed-runs.ts'
import { coarseIntervals, drawnIntervals, intervalColumns } from './interval-columns.ts'

const { intervals: series } = fixedRuns.mixed().snapshot

function completed(intervals: readonly { completedCount: number }[]): number {
  return intervals.reduce((sum, { completedCount }) => sum + completedCount, 0)
}

test('drawnIntervals() joins a short last interval to the one before', () => {
  const last = series.intervals.at(-1)!
  const short = { ...last, durationNs: 1e8 }
  const drawn = drawnIntervals({ ...series, intervals: [...series.intervals.slice(0, -1), short] })
  assert.equal(drawn.length, series.intervals.length - 1)
  assert.equal(drawn.at(-1)!.durationNs, 1.1e9)
  assert.equal(completed(drawn), completed(series.intervals))
  assert.equal(drawn.at(-1)!.inFlightCountAtEnd, last.inFlightCountAtEnd)
  assert.equal(drawnIntervals({ ...series, intervals: [short] }).length, 1)
})

test('coarseIntervals() keeps counts, times and the end, and no more than wanted', () => {
  const drawn = drawnIntervals(series)
  const coarse = coarseIntervals(drawn, 5)
  assert.ok(coarse.length <= 5)
  assert.equal(completed(coarse), completed(drawn))
  const { edgesNs } = intervalColumns(coarse)
  assert.equal(edgesNs.length, coarse.length + 1)
  assert.equal(edgesNs.at(-1), intervalColumns(drawn).edgesNs.at(-1))
  const responses = coarse.reduce((sum, { responseTime }) => sum + responseTime.totalCount, 0)
  assert.equal(responses, completed(drawn))
})

test('intervalColumns() has no percentile where nothing came, and rates per second', () => {
  const [first] = series.intervals
  const idle = {
    ...first!,
    completedCount: 0,
    responseTime: fixedRuns.nothing().snapshot.responseTime,
  }
  const columns = intervalColumns([{ ...first!, durationNs: 2e9 }, idle])
  assert.deepEqual(columns.completedPerSecond, [first!.completedCount / 2, 0])
  assert.equal(columns.p99Ns[1], null)
  assert.ok(columns.p50Ns[0]! <= columns.p90Ns[0]! && columns.p90Ns[0]! <= columns.p99Ns[0]!)
})
