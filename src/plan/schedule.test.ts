/** Levels over time, and the arrivals that a rate makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { NS_PER_S } from '../base/units.ts'
import type { Stage } from './plan.ts'
import { ArrivalClock, levelAt, scheduledNs, timeAbove } from './schedule.ts'

const level = fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000)
const stage: fc.Arbitrary<Stage> = fc.record({
  durationNs: fc.integer({ min: 1_000_000, max: 20 * NS_PER_S }),
  from: level,
  to: level,
})
const stages = fc.array(stage, { minLength: 1, maxLength: 5 })

test('levelAt() goes in straight lines and jumps between stages', () => {
  const ramp: Stage[] = [
    { durationNs: 10, from: 0, to: 100 },
    { durationNs: 10, from: 50, to: 50 },
    { durationNs: 20, from: 50, to: 10 },
  ]
  assert.deepEqual(
    [0, 5, 9, 10, 19, 20, 30, 40, 99].map((atNs) => levelAt(ramp, atNs)),
    [0, 50, 90, 50, 50, 50, 30, 10, 10],
  )
  assert.equal(scheduledNs(ramp), 40)
  assert.equal(scheduledNs([...ramp, { durationNs: null, from: 1, to: 1 }]), null)
})

test('timeAbove() is the first time from which on the level is above', () => {
  const anyLevel = fc.integer({ min: 0, max: 900 })
  const anyShare = fc.double({ min: 0, max: 1.2, noNaN: true })
  fc.assert(
    fc.property(stages, anyLevel, anyShare, (list, level, share) => {
      const wholeNs = scheduledNs(list)!
      const fromNs = Math.floor(share * wholeNs)
      const foundNs = timeAbove(list, level, fromNs)
      const probes = Array.from({ length: 200 }, (_, index) => fromNs + (index * wholeNs) / 200)
      const isSooner = (atNs: number) =>
        atNs < Math.min(foundNs, wholeNs) && levelAt(list, atNs) > level + 1e-6
      assert.equal(probes.find(isSooner), undefined)
      if (foundNs === Number.POSITIVE_INFINITY) return
      assert.ok(foundNs >= fromNs && foundNs < wholeNs)
      assert.ok(levelAt(list, foundNs) > level - 1e-3)
    }),
  )
})

test('ArrivalClock inverts the integral of the rate', () => {
  const integralAt = (list: readonly Stage[], atNs: number): number => {
    let startNs = 0
    let count = 0
    for (const { durationNs, from, to } of list) {
      const inNs = Math.min(Math.max(atNs - startNs, 0), durationNs!)
      const levelThen = from + ((to - from) * inNs) / durationNs!
      count += (((from + levelThen) / 2) * inNs) / NS_PER_S
      startNs += durationNs!
    }
    return count
  }
  const anyCounts = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(stages, anyCounts, (list, counts) => {
      const clock = new ArrivalClock(list)
      const wholeNs = scheduledNs(list)!
      const whole = integralAt(list, wholeNs)
      for (const count of counts.sort((a, b) => a - b)) {
        const atNs = clock.timeOf(count)
        if (count >= whole) assert.ok(atNs === Number.POSITIVE_INFINITY || count - whole < 1e-6)
        else assert.ok(Math.abs(integralAt(list, atNs) - count) < 1e-6 * Math.max(1, count))
      }
    }),
  )
})

test('ArrivalClock goes on at the last rate where a stage has no end', () => {
  const clock = new ArrivalClock([
    { durationNs: NS_PER_S, from: 0, to: 10 },
    { durationNs: null, from: 10, to: 10 },
  ])
  assert.equal(clock.timeOf(5), NS_PER_S)
  assert.ok(Math.abs(clock.timeOf(1005) - 101 * NS_PER_S) < 1)
})
