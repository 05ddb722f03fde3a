/** Think times: bounds and means of each distribution. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { seededRandom } from '../base/random.ts'
import type { ThinkTimePlan } from '../plan/script-plan.ts'
import { thinkTimeNs } from './think-time.ts'

const DRAW_COUNT = 20_000

function draws(plan: ThinkTimePlan): number[] {
  const random = seededRandom(7)
  return Array.from({ length: DRAW_COUNT }, () => thinkTimeNs(plan, random))
}

function near(value: number, expected: number): void {
  assert.ok(Math.abs(value / expected - 1) < 0.03, `${value} is not near ${expected}`)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length / 2]!

test('thinkTimeNs() has the mean or median that was asked for', () => {
  assert.deepEqual(new Set(draws({ kind: 'constant', timeNs: 5 })), new Set([5]))
  near(mean(draws({ kind: 'uniform', minNs: 1e9, maxNs: 3e9 })), 2e9)
  const exponential = draws({ kind: 'exponential', meanNs: 2e9 })
  near(mean(exponential), 2e9)
  near(median(exponential), 2e9 * Math.LN2)
  const lognormal = draws({ kind: 'lognormal', medianNs: 2e9, sigma: 0.5 })
  near(median(lognormal), 2e9)
  near(mean(lognormal), 2e9 * Math.exp(0.125))
})

test('thinkTimeNs() stays within its bounds and is a whole number', () => {
  const ns = fc.integer({ min: 0, max: 1e12 })
  const plans: fc.Arbitrary<ThinkTimePlan> = fc.oneof(
    fc.record({ kind: fc.constant('uniform' as const), minNs: ns, maxNs: ns }),
    fc.record({ kind: fc.constant('exponential' as const), meanNs: ns }),
    fc.record({
      kind: fc.constant('lognormal' as const),
      medianNs: ns,
      sigma: fc.double({ min: 0, max: 10, noNaN: true }),
    }),
  )
  fc.assert(
    fc.property(plans, fc.nat(), (plan, seed) => {
      const timeNs = thinkTimeNs(plan, seededRandom(seed))
      assert.ok(Number.isSafeInteger(timeNs) && timeNs >= 0, `${timeNs}`)
      if (plan.kind === 'lognormal') assert.ok(timeNs <= 100 * plan.medianNs)
      if (plan.kind !== 'uniform') return
      assert.ok(timeNs >= Math.min(plan.minNs, plan.maxNs))
      assert.ok(timeNs <= Math.max(plan.minNs, plan.maxNs))
    }),
  )
})
