/** Merging the results of shares. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginExchange } from '../../test/support/exchanges.ts'
import { plainPlanFacts } from '../../test/support/plan-facts.ts'
import { fc } from '../../test/support/property.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import { Exchange } from '../metrics/exchange.ts'
import { Histogram } from '../metrics/histogram.ts'
import {
  mergeEndings,
  mergeResults,
  type PlanFacts,
  type RunResult,
  sortThreads,
  type ThreadHealth,
  threadHealth,
  usedUpFeeders,
} from './run-result.ts'

const plan: PlanFacts = { ...plainPlanFacts, userCount: 10, threadCount: 2 }

function thread(cpuUserNs: number, elapsedNs: number): ThreadHealth {
  const reading = {
    cpuUserNs,
    cpuSystemNs: 1000,
    eventLoopUtilizationRatio: 0.5,
    loopLag: new Histogram(2).snapshot(),
    reactorName: 'node',
    reactorReason: null,
  }
  return threadHealth(reading, elapsedNs)
}

const share = fc
  .record({
    startedAtMs: fc.nat(1e6),
    elapsedNs: fc.integer({ min: 1, max: 1e9 }),
    endedBy: fc.constantFrom('count', 'time', 'failures', 'signal'),
    cpusNs: fc.array(fc.nat(1e6), { minLength: 1, maxLength: 3 }),
    completedCount: fc.nat(5),
    feeder: fc.option(fc.record({ name: fc.constantFrom('a', 'b'), rowCount: fc.nat(9) })),
  })
  .map(({ startedAtMs, elapsedNs, endedBy, cpusNs, completedCount, feeder }): RunResult => {
    const recorder = new CountingRecorder()
    const exchange = new Exchange()
    exchange.status = 200
    exchange.endNs = 1000
    for (let i = 0; i < completedCount; i++) {
      beginExchange(recorder, 0)
      recorder.completed(exchange)
    }
    return {
      onagerVersion: '1.2.3',
      startedAtMs,
      elapsedNs,
      endedBy,
      plan,
      snapshot: recorder.snapshot(elapsedNs),
      threads: sortThreads(cpusNs.map((cpuNs) => thread(cpuNs, elapsedNs))),
      ...(feeder === null ? {} : { usedUpFeeders: [feeder] }),
    }
  })

test('mergeResults() is associative and order-free', () => {
  fc.assert(
    fc.property(share, share, share, (a, b, c) => {
      const whole = mergeResults([a, b, c])
      assert.deepEqual(mergeResults([mergeResults([c, a]), b]), whole)
      assert.deepEqual(mergeResults([b, mergeResults([a, c])]), whole)
      const shares = [a, b, c]
      const sum = shares.reduce((total, { snapshot }) => total + snapshot.completedCount, 0)
      assert.equal(whole.snapshot.completedCount, sum)
      assert.equal(whole.startedAtMs, Math.min(...shares.map((s) => s.startedAtMs)))
      assert.equal(whole.elapsedNs, Math.max(...shares.map((s) => s.elapsedNs)))
      const rowCountOf = (all: readonly RunResult[]) =>
        all
          .flatMap((s) => s.usedUpFeeders ?? [])
          .reduce((total, { rowCount }) => total + rowCount, 0)
      assert.equal(rowCountOf([whole]), rowCountOf(shares))
      assert.equal(whole.threads.length, shares.flatMap((s) => s.threads).length)
    }),
  )
})

test('mergeResults() refuses none, other plans and other versions', () => {
  const [a] = fc.sample(share, { numRuns: 1, seed: 1 })
  assert.throws(() => mergeResults([]), /there is a result to merge/)
  const other = { ...a!, plan: { ...plan, userCount: 11 } }
  assert.throws(() => mergeResults([a!, other]), /of one plan/)
  assert.throws(() => mergeResults([a!, { ...a!, onagerVersion: '1.2.4' }]), /of one version/)
})

test('mergeEndings() lets what stopped the run outweigh what merely came to an end', () => {
  assert.equal(mergeEndings([]), 'count')
  assert.equal(mergeEndings(['count', 'time']), 'time')
  assert.equal(mergeEndings(['failures', 'time', 'count']), 'failures')
  assert.equal(mergeEndings(['failures', 'signal']), 'signal')
})

test('usedUpFeeders() counts the rows of all shares of a feeder that ran out in one of them', () => {
  const use = (name: string, rowCount: number, isUsedUp: boolean) => ({ name, rowCount, isUsedUp })
  const uses = [use('ids', 5, true), use('codes', 7, false), use('ids', 4, false)]
  assert.deepEqual(usedUpFeeders(uses), { usedUpFeeders: [{ name: 'ids', rowCount: 9 }] })
  assert.deepEqual(usedUpFeeders([use('codes', 7, false)]), {})
})

test('threadHealth() relates CPU time to elapsed time', () => {
  assert.equal(thread(499_000, 1_000_000).busyRatio, 0.5)
  assert.equal(thread(499_000, 0).busyRatio, 0)
})
