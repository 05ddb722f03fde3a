/** The few buckets against the values that were counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { Histogram } from '../../metrics/histogram.ts'
import { coarseBoundsS, explicitBuckets, fineBoundsS } from './explicit-buckets.ts'

const valueNs = fc
  .tuple(fc.nat(38), fc.double({ min: 1, max: 2, noNaN: true }))
  .map(([power, factor]) => Math.floor(2 ** power * factor))

test('explicitBuckets() counts up to each bound what lies below it, and never what lies above', () => {
  const list = fc.array(valueNs, { maxLength: 200 })
  fc.assert(
    fc.property(list, fc.constantFrom(fineBoundsS, coarseBoundsS), (valuesNs, boundsS) => {
      const histogram = new Histogram(3)
      for (const value of valuesNs) histogram.record(value)
      const { counts, totalCount, sumS } = explicitBuckets(histogram.snapshot(), boundsS)
      assert.equal(counts.length, boundsS.length + 1)
      assert.equal(totalCount, valuesNs.length)
      assert.equal(sumS, histogram.sumNs / 1e9)
      let upTo = 0
      boundsS.forEach((boundS, index) => {
        upTo += counts[index]!
        const boundNs = boundS * 1e9
        const surelyBelow = valuesNs.filter((value) => value <= boundNs * (1 - 1 / 1024) - 1000)
        const below = valuesNs.filter((value) => value < boundNs + 500)
        assert.ok(upTo >= surelyBelow.length, `${upTo} up to ${boundS} s`)
        assert.ok(upTo <= below.length, `${upTo} up to ${boundS} s`)
      })
      assert.equal(upTo + counts.at(-1)!, totalCount)
    }),
    { numRuns: 200 },
  )
})

test('explicitBuckets() has a value at a bound in its bucket where ours are a microsecond wide', () => {
  const histogram = new Histogram(3)
  for (const us of [100, 101, 150, 1000, 1001]) histogram.record(us * 1000)
  const { counts } = explicitBuckets(histogram.snapshot(), [0.0001, 0.00015, 0.001])
  assert.deepEqual(counts, [1, 2, 1, 1])
})

test('bounds ascend and have no more digits than a person would write', () => {
  for (const bounds of [fineBoundsS, coarseBoundsS]) {
    assert.deepEqual(
      [...bounds].sort((a, b) => a - b),
      bounds,
    )
    assert.equal(new Set(bounds).size, bounds.length)
    for (const bound of bounds) assert.match(String(bound), /^[\d.]{1,7}$/)
  }
})
