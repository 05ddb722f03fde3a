/** Axes hold what is drawn on them, and have a few round labels. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { fittingScale, linearScale, logScale, positionOn, type Scale, timeTicksS } from './scale.ts'

function assertSound(scale: Scale, values: readonly number[]): void {
  for (const value of values) {
    const slack = scale.isLog ? value * 1e-9 : (scale.max - scale.min) * 1e-9
    assert.ok(scale.min <= value + slack && scale.max >= value - slack, `${value} is on the axis`)
  }
  assert.ok(scale.ticks.length >= 2 && scale.ticks.length <= 9, `${scale.ticks}`)
  for (const [index, tick] of scale.ticks.entries()) {
    assert.ok(Number.isFinite(tick) && tick >= scale.min && tick <= scale.max)
    if (index > 0) assert.ok(tick > scale.ticks[index - 1]!)
  }
}

test('linearScale() holds 0 and its values, whatever they are', () => {
  assert.deepEqual(linearScale(606).ticks, [0, 200, 400, 600, 800])
  assert.deepEqual(linearScale(0).ticks, [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(linearScale(30, 4, -12).ticks, [-20, 0, 20, 40])
  const values = fc.double({ min: -1e299, max: 1e299, noNaN: true })
  fc.assert(
    fc.property(values, values, (a, b) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)]
      const span = Math.max(max, 0) - Math.min(min, 0)
      assertSound(linearScale(max, 5, min), span > 1e-280 ? [min, max, 0] : [0])
    }),
  )
})

test('logScale() goes from a round number to a round number', () => {
  assert.deepEqual(logScale(3, 80).ticks, [2, 5, 10, 20, 50, 100])
  assert.deepEqual(logScale(1.2e3, 1.5e9).ticks, [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9])
  const values = fc.double({ min: 1e-6, max: 1e15, noNaN: true })
  fc.assert(
    fc.property(values, values, (a, b) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)]
      assertSound(logScale(min, max), [min, max])
    }),
  )
})

test('fittingScale() is logarithmic only where a linear one would flatten what is usual', () => {
  assert.equal(fittingScale(4e6, 10e6, 100e6).isLog, false)
  assert.equal(fittingScale(4e6, 10e6, 1e9).isLog, true)
  assert.equal(fittingScale(0, 0, 0).isLog, false)
})

test('positionOn() is 0 at the foot, 1 at the top, and equal steps for equal factors', () => {
  const scale = logScale(1, 1000)
  const places = [0.1, 1, 10, 100, 1000, 1e6].map((value) => positionOn(scale, value))
  assert.deepEqual(
    places.map((place) => Math.round(place * 1e6)),
    [0, 0, 333_333, 666_667, 1e6, 1e6],
  )
})

test('timeTicksS() begins at 0, stays within the run and is not crowded', () => {
  assert.deepEqual(timeTicksS(300, 10), [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300])
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e7, noNaN: true }), (durationS) => {
      const ticks = timeTicksS(durationS, 10)
      assert.equal(ticks[0], 0)
      assert.ok(ticks.length <= 12 && ticks.at(-1)! <= durationS * (1 + 1e-9), `${ticks}`)
    }),
  )
})
