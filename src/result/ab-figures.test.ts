/** Tests of ab's figures: statistics as ab computes them, but for its median. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { type AbFigures, csvPercentileUs, exactTimes, textPercentileUs } from './ab-figures.ts'

const eleven = [13510, 13916, 14008, 14040, 14079, 15009, 18295, 18491, 18541, 18923, 20007]
const ten = [13834, 15086, 15203, 15298, 15615, 15622, 15918, 16377, 16474, 17415]

function figuresOf(times: readonly number[]): AbFigures {
  const sorted = Uint32Array.from(times).sort()
  // Only what percentiles look at.
  return { timedCount: sorted.length, totalAt: (index) => sorted[index]! } as AbFigures
}

const ms = (us: number) => Math.floor((us + 500) / 1000)
const PERCENTS = [50, 66, 75, 80, 90, 95, 98, 99]

test('exactTimes() gives what real ab gave, and the true median', () => {
  const times = exactTimes(Uint32Array.from(eleven))
  assert.deepEqual([ms(times.minUs), ms(times.meanUs), ms(times.maxUs)], [14, 16, 20])
  assert.equal((times.sdUs / 1000).toFixed(1), '2.5')
  assert.equal(times.medianUs, 15009)
  const even = exactTimes(Uint32Array.from(ten))
  assert.deepEqual([ms(even.minUs), ms(even.meanUs), ms(even.maxUs)], [14, 16, 17])
  assert.equal((even.sdUs / 1000).toFixed(1), '1.0')
  assert.equal(even.medianUs, 15618)
})

test('exactTimes() of one time has no deviation, of none nothing', () => {
  assert.equal(exactTimes(Uint32Array.of(7)).sdUs, 0)
  assert.equal(exactTimes(Uint32Array.of(7)).medianUs, 7)
  assert.equal(exactTimes(new Uint32Array()).maxUs, 0)
})

test('textPercentileUs() takes the elements that real ab took', () => {
  const shown = (times: readonly number[]) =>
    PERCENTS.map((percent) => ms(textPercentileUs(figuresOf(times), percent)))
  assert.deepEqual(shown(eleven), [15, 18, 19, 19, 19, 20, 20, 20])
  assert.deepEqual(shown(ten), [16, 16, 16, 16, 17, 17, 17, 17])
})

test('csvPercentileUs() takes the elements that real ab took, and none beyond the last', () => {
  const figures = figuresOf(ten)
  const expected = (percent: number) => ten[Math.min(9, Math.floor(0.5 + percent / 10))]
  for (let percent = 0; percent <= 100; percent++) {
    const wanted = percent === 0 ? ten[0] : expected(percent)
    assert.equal(csvPercentileUs(figures, percent), wanted, `at ${percent}`)
  }
})

test('csvPercentileUs() never falls', () => {
  const times = fc.array(fc.nat(2 ** 32 - 1), { minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(times, (values) => {
      const figures = figuresOf(values)
      let before = 0
      for (let percent = 0; percent <= 100; percent++) {
        const value = csvPercentileUs(figures, percent)
        assert.ok(value >= before)
        before = value
      }
      assert.equal(before, Math.max(...values))
    }),
  )
})
