/** The histogram against sorted lists of the same values, and against hdr-histogram-js. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'hdr-histogram-js'
import { fc } from '../../test/support/property.ts'
import {
  bucketCountOf,
  emptyHistogramSnapshot,
  Histogram,
  type HistogramDigits,
  highestValueUs,
  mergeHistogramSnapshots,
  subtractHistogramSnapshots,
  VALUE_US_MAX,
} from './histogram.ts'

const digitsKind = fc.constantFrom<HistogramDigits>(2, 3)

/** Values of every magnitude alike: uniform ones are nearly all in the last power of two. */
const valueNs = fc
  .tuple(fc.nat(41), fc.double({ min: 1, max: 2, noNaN: true }))
  .map(([power, factor]) => Math.min(Math.floor(2 ** power * factor) - 1, 3_600_000_000_000))

/**
 * Few enough below 2^20 that sums of squares are exact and snapshots can be compared as a whole.
 */
const smallValueNs = fc.nat(2 ** 20)

function histogramOf(valuesNs: readonly number[], digits: HistogramDigits = 3): Histogram {
  const histogram = new Histogram(digits)
  for (const value of valuesNs) histogram.record(value)
  return histogram
}

test('valueNsAtQuantile() is never below the sorted truth and at most 1/1024 and 1 µs above', () => {
  const list = fc.array(valueNs, { minLength: 1, maxLength: 200 })
  const quantile = fc.oneof(
    fc.constantFrom(0, 0.5, 0.9, 0.99, 1),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(list, quantile, digitsKind, (valuesNs, q, digits) => {
      const histogram = histogramOf(valuesNs, digits)
      const sorted = valuesNs.toSorted((a, b) => a - b)
      const truth = sorted[Math.max(Math.ceil(q * sorted.length * (1 - 1e-15)), 1) - 1]!
      const value = histogram.valueNsAtQuantile(q)
      const relativeError = digits === 3 ? 1 / 1024 : 1 / 128
      assert.ok(value >= truth, `${value} < ${truth}`)
      assert.ok(value <= truth * (1 + relativeError) + 1000, `${value} is far above ${truth}`)
      if (q === 0) assert.equal(value, sorted[0])
      if (q === 1) assert.equal(value, sorted.at(-1))
    }),
    { numRuns: 500 },
  )
})

test('valueNsAtQuantile() takes the rank that is meant, however q x total rounds', () => {
  for (const total of [100, 1000, 700, 12_300]) {
    const histogram = new Histogram(3)
    // Value i in a bucket of its own up to 2,047 µs; above, the rank is seen through its bucket.
    for (let i = 1; i <= total; i++) histogram.record(i * 1000)
    for (let percent = 1; percent < 100; percent++) {
      const rank = (total / 100) * percent
      const value = histogram.valueNsAtQuantile(percent / 100)
      const [alone] = histogramOf([rank * 1000]).snapshot().indexes
      const expected = Math.min(highestValueUs(3, alone!) * 1000 + 499, total * 1000)
      assert.equal(value, expected, `p${percent} of ${total}`)
    }
  }
})

test('Histogram minimum, maximum, sum, mean and deviation are those of the values', () => {
  fc.assert(
    fc.property(fc.array(smallValueNs, { minLength: 1, maxLength: 50 }), (valuesNs) => {
      const histogram = histogramOf(valuesNs)
      const sum = valuesNs.reduce((a, b) => a + b, 0)
      const mean = sum / valuesNs.length
      const variance = valuesNs.reduce((a, b) => a + (b - mean) ** 2, 0) / valuesNs.length
      assert.equal(histogram.minNs, Math.min(...valuesNs))
      assert.equal(histogram.maxNs, Math.max(...valuesNs))
      assert.equal(histogram.sumNs, sum)
      assert.equal(histogram.meanNs, mean)
      assert.ok(Math.abs(histogram.stdevNs - Math.sqrt(variance)) < 1)
      assert.equal(histogram.totalCount, valuesNs.length)
    }),
  )
})

test('Histogram without values answers 0 to everything', () => {
  const histogram = new Histogram(3)
  assert.deepEqual(histogram.snapshot(), emptyHistogramSnapshot(3))
  for (const q of [0, 0.5, 1]) assert.equal(histogram.valueNsAtQuantile(q), 0)
  assert.equal(histogram.meanNs, 0)
  assert.equal(histogram.stdevNs, 0)
  assert.equal(histogram.minNs, 0)
  assert.equal(histogram.maxNs, 0)
})

test('record() counts what is longer than an hour in the last bucket and as clamped', () => {
  const hourNs = 3_600_000_000_000
  const histogram = histogramOf([1000, hourNs, hourNs + 1, 5 * hourNs])
  assert.equal(histogram.clampedCount, 2)
  assert.equal(histogram.totalCount, 4)
  assert.equal(histogram.maxNs, 5 * hourNs)
  const inHour = histogram.valueNsAtQuantile(0.5)
  assert.ok(inHour >= hourNs && inHour <= hourNs * (1 + 1 / 1024))
  assert.equal(histogram.valueNsAtQuantile(0.75), 5 * hourNs)
})

test('record() refuses what is no duration', () => {
  const histogram = new Histogram(3)
  assert.throws(() => histogram.record(-1), /not negative, but this one is -1 ns/)
  assert.throws(() => histogram.record(Number.NaN), /NaN/)
  assert.deepEqual(histogram.snapshot(), emptyHistogramSnapshot(3))
})

test('add() and mergeHistogramSnapshots() give what recording into one histogram gives', () => {
  const list = fc.array(smallValueNs, { maxLength: 100 })
  fc.assert(
    fc.property(list, list, list, digitsKind, (a, b, c, digits) => {
      const whole = histogramOf([...a, ...b, ...c], digits).snapshot()
      const [x, y, z] = [a, b, c].map((values) => histogramOf(values, digits).snapshot())
      const added = histogramOf(a, digits)
      added.add(histogramOf(b, digits))
      added.addSnapshot(z!)
      assert.deepEqual(added.snapshot(), whole)
      assert.deepEqual(mergeHistogramSnapshots(mergeHistogramSnapshots(x!, y!), z!), whole)
      assert.deepEqual(mergeHistogramSnapshots(z!, mergeHistogramSnapshots(y!, x!)), whole)
    }),
  )
})

test('mergeHistogramSnapshots() refuses different precisions', () => {
  assert.throws(() => mergeHistogramSnapshots(emptyHistogramSnapshot(2), emptyHistogramSnapshot(3)))
})

test('Histogram.from() of a snapshot has that snapshot', () => {
  fc.assert(
    fc.property(fc.array(valueNs, { maxLength: 100 }), digitsKind, (valuesNs, digits) => {
      const snapshot = histogramOf([...valuesNs, 4e12], digits).snapshot()
      assert.deepEqual(Histogram.from(structuredClone(snapshot)).snapshot(), snapshot)
    }),
  )
})

test('reset() leaves nothing behind', () => {
  const histogram = histogramOf([1, 2_000_000, 5e12])
  histogram.reset()
  assert.deepEqual(histogram.snapshot(), emptyHistogramSnapshot(3))
  histogram.record(7000)
  assert.deepEqual(histogram.snapshot(), histogramOf([7000]).snapshot())
})

test('counts go on past 2^32', () => {
  const histogram = histogramOf([1_000_000])
  for (let doubling = 0; doubling < 40; doubling++) histogram.add(histogram)
  histogram.record(1_000_000)
  histogram.record(3_000_000)
  const snapshot = histogram.snapshot()
  assert.equal(snapshot.totalCount, 2 ** 40 + 2)
  assert.deepEqual([...snapshot.counts], [2 ** 40 + 1, 1])
  assert.equal(histogram.valueNsAtQuantile(0.999999), 1_000_499)
  assert.equal(histogram.valueNsAtQuantile(1), 3_000_000)
})

test('Histogram has the layout and the quantiles of hdr-histogram-js', () => {
  const list = fc.array(valueNs, { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(list, digitsKind, (valuesNs, digits) => {
      const oracle = build({
        bitBucketSize: 64,
        autoResize: false,
        lowestDiscernibleValue: 1,
        highestTrackableValue: VALUE_US_MAX,
        numberOfSignificantValueDigits: digits,
        useWebAssembly: false,
      })
      const countsByIndex = new Map<number, number>()
      for (const value of valuesNs) {
        const valueUs = Math.round(value / 1000)
        oracle.recordValue(valueUs)
        // What `build` returns has the layout's methods, its type does not list them.
        const layout = oracle as unknown as { countsArrayIndex(value: number): number }
        const index = layout.countsArrayIndex(valueUs)
        countsByIndex.set(index, (countsByIndex.get(index) ?? 0) + 1)
      }
      const histogram = histogramOf(valuesNs, digits)
      const snapshot = histogram.snapshot()
      const expected = [...countsByIndex].toSorted(([a], [b]) => a - b)
      assert.deepEqual(
        [...snapshot.indexes].map((x, i) => [x, snapshot.counts[i]]),
        expected,
      )
      for (let rank = 1; rank < valuesNs.length; rank++) {
        const q = rank / valuesNs.length
        const oracleNs = oracle.getValueAtPercentile(q * 100) * 1000 + 499
        assert.equal(histogram.valueNsAtQuantile(q), Math.min(oracleNs, histogram.maxNs))
      }
    }),
  )
})

test('bucketCountOf() and highestValueUs() are those of hdr-histogram-js over the whole layout', () => {
  for (const digits of [2, 3] as const) {
    const oracle = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: VALUE_US_MAX,
      numberOfSignificantValueDigits: digits,
    }) as unknown as {
      countsArrayLength: number
      valueFromIndex(index: number): number
      highestEquivalentValue(value: number): number
    }
    assert.equal(bucketCountOf(digits), oracle.countsArrayLength)
    for (let index = 0; index < oracle.countsArrayLength; index++) {
      const value = oracle.highestEquivalentValue(oracle.valueFromIndex(index))
      assert.equal(highestValueUs(digits, index), value)
    }
  }
})

test('subtractHistogramSnapshots() gives the counts in between, and their quantiles', () => {
  const list = fc.array(valueNs, { maxLength: 60 })
  fc.assert(
    fc.property(list, list, digitsKind, (before, between, digits) => {
      const earlier = histogramOf(before, digits).snapshot()
      const later = histogramOf([...before, ...between], digits).snapshot()
      const alone = histogramOf(between, digits)
      const expected = alone.snapshot()
      const difference = subtractHistogramSnapshots(later, earlier)
      assert.deepEqual(difference.indexes, expected.indexes)
      assert.deepEqual(difference.counts, expected.counts)
      assert.equal(difference.totalCount, expected.totalCount)
      assert.ok(Math.abs(difference.sumNs - expected.sumNs) <= later.sumNs * 1e-12)
      assert.ok(difference.minNs <= expected.minNs)
      assert.ok(difference.maxNs >= expected.maxNs)
      for (const q of [0.01, 0.5, 0.99]) {
        const value = Histogram.from(difference).valueNsAtQuantile(q)
        const truth = alone.valueNsAtQuantile(q)
        const relativeError = digits === 3 ? 1 / 1024 : 1 / 128
        assert.ok(value >= truth, `${value} < ${truth}`)
        assert.ok(value <= truth * (1 + relativeError) + 1000, `${value} is far above ${truth}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('subtractHistogramSnapshots() keeps what is above an hour apart', () => {
  const hourNs = 3_600_000_000_000
  const earlier = histogramOf([1000, 2 * hourNs]).snapshot()
  const later = histogramOf([1000, 2 * hourNs, 3 * hourNs, 5000]).snapshot()
  const difference = subtractHistogramSnapshots(later, earlier)
  assert.equal(difference.clampedCount, 1)
  assert.equal(difference.maxNs, 3 * hourNs)
  assert.equal(Histogram.from(difference).valueNsAtQuantile(0.5), 5499)
})

test('subtractHistogramSnapshots() refuses counts that fell', () => {
  const one = histogramOf([1000]).snapshot()
  const two = histogramOf([1000, 1000]).snapshot()
  const other = histogramOf([5000, 6000]).snapshot()
  assert.throws(() => subtractHistogramSnapshots(one, two), /counts never fall/)
  assert.throws(() => subtractHistogramSnapshots(other, one), /every bucket/)
})
