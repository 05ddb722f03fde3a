/** A series keeps exact figures of all samples and a bounded number of points. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { SeriesBuilder } from './watched.ts'

function seriesOf(values: readonly number[]) {
  const builder = new SeriesBuilder()
  for (const [index, value] of values.entries()) builder.add(index * 1e9, value)
  return builder.series('load', 'cat /proc/loadavg')
}

test('SeriesBuilder keeps every sample, and minimum, mean, maximum and last of all', () => {
  const value = fc.double({ noNaN: true, min: -1e300, max: 1e300 })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 50 }), (values) => {
      const { min, mean, max, last, sampleCount, points, samplesPerPoint } = seriesOf(values)
      assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)])
      assert.deepEqual([last, sampleCount, samplesPerPoint], [values.at(-1), values.length, 1])
      assert.deepEqual(
        points,
        values.map((value, index) => ({ atNs: index * 1e9, value })),
      )
      const truth = values.reduce((sum, one) => sum + one / values.length, 0)
      const scale = Math.max(...values.map(Math.abs))
      assert.ok(Math.abs(mean - truth) <= scale * 1e-12 + 1e-300)
    }),
  )
})

test('SeriesBuilder joins neighbours when a day is longer than its points', () => {
  const values = Array.from({ length: 86_400 }, (_, index) => index)
  const { points, samplesPerPoint, mean, sampleCount } = seriesOf(values)
  assert.equal(sampleCount, 86_400)
  assert.equal(samplesPerPoint, 32)
  assert.equal(points.length, 86_400 / 32)
  assert.ok(Math.abs(mean - 43_199.5) < 1e-6)
  for (const [index, { atNs, value }] of points.entries()) {
    assert.equal(atNs, index * 32e9)
    assert.ok(Math.abs(value - (index * 32 + 15.5)) < 1e-6)
  }
})

test('SeriesBuilder counts failures, keeps the first reason, and is finite without a sample', () => {
  const builder = new SeriesBuilder()
  builder.fail('refused')
  builder.fail('late')
  const series = builder.series('a', 'b')
  assert.deepEqual([series.failureCount, series.failureExample], [2, 'refused'])
  assert.deepEqual([series.min, series.mean, series.max, series.last], [0, 0, 0, 0])
})
