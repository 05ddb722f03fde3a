/** Planned arrivals against those that the engine's own sequence has, and what was made of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedOnagerRuns } from '../../test/support/fixed-onager-runs.ts'
import { fc } from '../../test/support/property.ts'
import { Arrivals } from '../plan/arrivals.ts'
import type { OpenLoad, Stage } from '../plan/plan.ts'
import { scheduledNs } from '../plan/schedule.ts'
import { arrivalSummary } from './offered.ts'
import type { RunResult } from './run-result.ts'

const S = 1e9
const steady = fixedOnagerRuns.steady()

function resultOf(load: Partial<RunResult['plan']['load']>, rest: Partial<RunResult>): RunResult {
  const plan = { ...steady.plan, durationNs: null, load: { ...steady.plan.load, ...load } }
  return { ...steady, ...rest, plan }
}

/** How many of the sequence are due from a time up to another. */
function countOf(
  stages: readonly Stage[],
  fromNs: number,
  toNs: number,
  totalCount: number | null,
) {
  const load: OpenLoad = {
    model: 'open',
    userCount: 1,
    iterationCount: null,
    thinkTimeNsMax: 0,
    arrivals: 'even',
    stages,
    durationNs: null,
    totalCount,
  }
  const arrivals = new Arrivals(load, 1, { index: 0, count: 1 })
  let count = 0
  for (; arrivals.nextDueNs < toNs; arrivals.advance()) if (arrivals.nextDueNs >= fromNs) count++
  return count
}

const stage = fc.record(
  {
    durationNs: fc.integer({ min: 1, max: 40 }).map((tenths) => tenths * 1e8),
    from: fc.nat(50),
    to: fc.nat(50),
  },
  { noNullPrototype: true },
)

test('arrivalSummary() plans as many arrivals as the sequence has after the warm-up', () => {
  const stages = fc.array(stage, { minLength: 1, maxLength: 4 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const total = fc.option(fc.nat(200), { nil: null })
  fc.assert(
    fc.property(stages, share, share, total, (stages, warmUp, end, totalCount) => {
      const lengthNs = scheduledNs(stages)!
      const warmUpNs = Math.floor(warmUp * lengthNs)
      const elapsedNs = Math.floor(end * lengthNs)
      const result = resultOf({ stages, warmUpNs, totalCount }, { elapsedNs })
      const { plannedCount } = arrivalSummary(result)!
      const truth = countOf(stages, warmUpNs, elapsedNs, totalCount)
      // The very moment of an arrival may be rounded to either side.
      assert.ok(Math.abs(plannedCount - truth) <= 1, `${plannedCount} for ${truth}`)
    }),
    { numRuns: 300 },
  )
})

test('arrivalSummary() relates what was begun and dropped to what was due', () => {
  const summary = arrivalSummary(fixedOnagerRuns.stalled())!
  assert.equal(summary.dueCount, summary.begunCount + summary.droppedCount)
  assert.equal(summary.plannedCount, 8000)
  assert.equal(summary.droppedRatio, summary.droppedCount / 8000)
  assert.equal(summary.begunPerSecond, summary.begunCount / 10)
})

test('arrivalSummary() is null in the closed model, and finite for a run of no time', () => {
  assert.equal(arrivalSummary(fixedOnagerRuns.users()), null)
  const none = arrivalSummary(resultOf({ warmUpNs: 5 * S }, { elapsedNs: 0 }))!
  assert.deepEqual([none.plannedCount, none.plannedPerSecond, none.begunPerSecond], [0, 0, 0])
})

test('arrivalSummary() relates a number of arrivals to the time that they came in', () => {
  const stages = [{ durationNs: null, from: 500, to: 500 }]
  const arrivals = { arrivalCount: 1000, droppedCount: 0 }
  const snapshot = { ...steady.snapshot, ...arrivals }
  // The last response took ten seconds.
  const result = resultOf(
    { stages, warmUpNs: 0, totalCount: 1000 },
    { snapshot, elapsedNs: 12 * S },
  )
  const { plannedCount, plannedPerSecond, begunPerSecond } = arrivalSummary(result)!
  assert.deepEqual([plannedCount, plannedPerSecond, begunPerSecond], [1000, 500, 500])
})
