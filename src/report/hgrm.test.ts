/** Percentile distributions against those of hdr-histogram-js. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'hdr-histogram-js'
import { fc } from '../../test/support/property.ts'
import { Histogram, type HistogramDigits, VALUE_US_MAX } from '../metrics/histogram.ts'
import { percentileDistribution } from './hgrm.ts'

const valueUs = fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(VALUE_US_MAX))

test('percentileDistribution() is what hdr-histogram-js prints, but for the exact mean', () => {
  const values = fc.array(fc.tuple(valueUs, fc.integer({ min: 1, max: 400 })), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.constantFrom<HistogramDigits>(2, 3), (entries, digits) => {
      const histogram = new Histogram(digits)
      const theirs = build({
        bitBucketSize: 64,
        highestTrackableValue: VALUE_US_MAX,
        numberOfSignificantValueDigits: digits,
      })
      for (const [us, count] of entries) {
        for (let i = 0; i < count; i++) histogram.record(us * 1000)
        theirs.recordValueWithCount(us, count)
      }
      const lines = percentileDistribution(histogram.snapshot()).split('\n')
      const expected = theirs.outputPercentileDistribution(5, 1000).split('\n')
      // With 2 digits theirs has two decimals, which would hide microseconds.
      if (digits === 2) return assert.equal(lines.length, expected.length)
      assert.deepEqual(lines.slice(0, -4), expected.slice(0, -4))
      assert.equal(lines.at(-2), expected.at(-2))
      assert.equal(lines.at(-1), expected.at(-1))
      assert.equal(lines.at(-3)!.slice(-14), expected.at(-3)!.slice(-14))
    }),
  )
})

test('percentileDistribution() of nothing has no line and only numbers', () => {
  const text = percentileDistribution(new Histogram(3).snapshot())
  assert.equal(text.split('\n').length, 6)
  assert.doesNotMatch(text, /NaN|Infinity/)
})
