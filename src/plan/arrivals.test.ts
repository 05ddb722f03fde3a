/** When arrivals are due, on one thread and on several. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { NS_PER_S } from '../base/units.ts'
import { Arrivals } from './arrivals.ts'
import type { OpenLoad } from './plan.ts'

function loadOf(load: Partial<OpenLoad>): OpenLoad {
  return {
    model: 'open',
    userCount: 100,
    iterationCount: null,
    thinkTimeNsMax: 0,
    durationNs: null,
    arrivals: 'even',
    stages: [{ durationNs: null, from: 100, to: 100 }],
    ...load,
  }
}

function timesOf(load: OpenLoad, part = { index: 0, count: 1 }): [number, number][] {
  const arrivals = new Arrivals(load, 7, part)
  const times: [number, number][] = []
  while (arrivals.nextDueNs < Number.POSITIVE_INFINITY) {
    times.push([arrivals.nextIndex, arrivals.nextDueNs])
    arrivals.advance()
  }
  return times
}

test('Arrivals are even at a steady rate, and as many as rate times time', () => {
  const times = timesOf(loadOf({ durationNs: 10 * NS_PER_S }))
  assert.equal(times.length, 1000)
  assert.deepEqual(
    times.map(([, dueNs]) => dueNs),
    Array.from({ length: 1000 }, (_, index) => index * 1e7),
  )
})

test('Arrivals of a rate below one a second are there', () => {
  const load = loadOf({
    stages: [{ durationNs: 120 * NS_PER_S, from: 1 / 40, to: 1 / 40 }],
  })
  assert.deepEqual(
    timesOf(load).map(([, dueNs]) => dueNs / NS_PER_S),
    [0, 40, 80],
  )
})

test('Arrivals of all threads together are those of one, each once', () => {
  const anyLoad = fc.record({
    arrivals: fc.constantFrom<'even' | 'poisson'>('even', 'poisson'),
    totalCount: fc.option(fc.integer({ min: 1, max: 500 })),
    stages: fc.array(
      fc.record({
        durationNs: fc.integer({ min: 1, max: 3 * NS_PER_S }),
        from: fc.integer({ min: 0, max: 300 }),
        to: fc.integer({ min: 0, max: 300 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  fc.assert(
    fc.property(anyLoad, fc.integer({ min: 1, max: 5 }), (wishes, threadCount) => {
      const load = loadOf(wishes)
      const whole = timesOf(load)
      const parts = Array.from({ length: threadCount }, (_, index) =>
        timesOf(load, { index, count: threadCount }),
      )
      assert.deepEqual(
        parts.flat().sort(([a], [b]) => a - b),
        whole,
      )
      assert.ok(whole.length <= (load.totalCount ?? Number.POSITIVE_INFINITY))
    }),
  )
})

test('Poisson arrivals have the rate that was asked for, and gaps like those of chance', () => {
  const times = timesOf(loadOf({ arrivals: 'poisson', durationNs: 100 * NS_PER_S }))
  // 10,000 are expected, with a standard deviation of 100.
  assert.ok(Math.abs(times.length - 10_000) < 400, `${times.length}`)
  const gaps = times.slice(1).map(([, dueNs], index) => dueNs - times[index]![1])
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  // An exponential distribution's deviation is its mean.
  assert.ok(Math.abs(Math.sqrt(variance) / mean - 1) < 0.05)
})

test('Arrivals that were asked for by number are used up after the last', () => {
  const arrivals = new Arrivals(loadOf({ totalCount: 2 }), 1, { index: 0, count: 1 })
  assert.equal(arrivals.isUsedUp, false)
  arrivals.advance()
  arrivals.advance()
  assert.equal(arrivals.isUsedUp, true)
  const timed = new Arrivals(loadOf({ durationNs: 1 }), 1, { index: 0, count: 1 })
  timed.advance()
  assert.deepEqual([timed.nextDueNs, timed.isUsedUp], [Number.POSITIVE_INFINITY, false])
  timed.end()
  assert.equal(timed.isUsedUp, true)
})
