/** The recorder and the sum of recorders, against random runs and their laws. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginExchange } from '../../test/support/exchanges.ts'
import { fc } from '../../test/support/property.ts'
import { seededRandom } from '../base/random.ts'
import { CountingRecorder } from './counting-recorder.ts'
import { Exchange } from './exchange.ts'
import { brokenLaws } from './laws.ts'
import { Disqualification, FAILURE_KIND_COUNT, FailureKind } from './outcome.ts'
import type { Recorder } from './recorder.ts'
import { emptySnapshot, type Snapshot } from './snapshot.ts'
import { mergeSnapshots } from './snapshot-merge.ts'

interface Happening {
  readonly atNs: number
  tell(recorder: Recorder): void
}

/** A run of random exchanges over `durationNs`, as happenings in order of time. */
function randomRun(seed: number, exchangeCount: number, durationNs: number): Happening[] {
  const random = seededRandom(seed)
  const happenings: Happening[] = []
  for (let i = 0; i < exchangeCount; i++) {
    const startNs = random.below(durationNs)
    const exchange = new Exchange()
    exchange.reset(0, startNs)
    exchange.endNs = startNs + random.below(durationNs / 4)
    happenings.push({ atNs: startNs, tell: (recorder) => beginExchange(recorder, startNs) })
    // What would end after the run is in flight.
    if (exchange.endNs > durationNs) continue
    exchange.bodyBytes = random.below(10_000)
    exchange.headBytes = 200
    exchange.requestBytes = 100
    if (random.below(4) === 0) {
      const kind = random.below(FAILURE_KIND_COUNT) as FailureKindOf
      const text = `run ${seed}, exchange ${i}`
      happenings.push({
        atNs: exchange.endNs,
        tell: (recorder) => recorder.failed(exchange, kind, () => text),
      })
      continue
    }
    exchange.status = [200, 302, 404, 500][random.below(4)]!
    if (random.below(5) === 0) exchange.disqualification = Disqualification.rejected
    exchange.sentNs = startNs
    exchange.firstByteNs = startNs + Math.floor((exchange.endNs - startNs) / 2)
    happenings.push({
      atNs: exchange.endNs,
      tell(recorder) {
        recorder.completed(exchange)
        recorder.connected()
        recorder.retried()
        recorder.pageEnded(exchange.endNs - startNs, exchange.endNs)
      },
    })
  }
  return happenings.sort((a, b) => a.atNs - b.atNs)
}

type FailureKindOf = Parameters<Recorder['failed']>[1]

function recorded(happenings: readonly Happening[], endNs: number): Snapshot {
  const recorder = new CountingRecorder()
  for (const happening of happenings) happening.tell(recorder)
  return recorder.snapshot(endNs)
}

/** Sums of squares go beyond 2^53 and so depend on the order in their last bits. */
function withoutSquares(snapshot: Snapshot): unknown {
  return JSON.parse(
    JSON.stringify(snapshot, (key, value) => (key === 'squareSumNs2' ? undefined : value)),
  )
}

const run = fc.record({
  seed: fc.nat(),
  exchangeCount: fc.nat(40),
  durationNs: fc.integer({ min: 1000, max: 12_000_000_000 }),
})

test('CountingRecorder keeps the laws, and a snapshot changes nothing that follows', () => {
  fc.assert(
    fc.property(run, ({ seed, exchangeCount, durationNs }) => {
      const happenings = randomRun(seed, exchangeCount, durationNs)
      const snapshot = recorded(happenings, durationNs)
      assert.deepEqual(brokenLaws(snapshot), [])
      const watched = new CountingRecorder()
      for (const happening of happenings) {
        happening.tell(watched)
        assert.deepEqual(brokenLaws(watched.snapshot(happening.atNs)), [])
      }
      assert.deepEqual(watched.snapshot(durationNs), snapshot)
    }),
    { numRuns: 40 },
  )
})

test('mergeSnapshots() is associative, order-free and keeps the laws', () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 3, maxLength: 3 }), (runs) => {
      const [a, b, c] = runs.map((r) =>
        recorded(randomRun(r.seed, r.exchangeCount, r.durationNs), r.durationNs),
      )
      const all = mergeSnapshots([a!, b!, c!])
      const others = [
        mergeSnapshots([mergeSnapshots([a!, b!]), c!]),
        mergeSnapshots([a!, mergeSnapshots([b!, c!])]),
        mergeSnapshots([c!, b!, a!]),
        mergeSnapshots([b!, emptySnapshot(), c!, a!]),
      ]
      assert.deepEqual(brokenLaws(all), [])
      for (const other of others) assert.deepEqual(withoutSquares(other), withoutSquares(all))
    }),
    { numRuns: 60 },
  )
})

test('mergeSnapshots() of shares is what one recorder counts of all', () => {
  fc.assert(
    fc.property(run, ({ seed, exchangeCount, durationNs }) => {
      const happenings = randomRun(seed, exchangeCount, durationNs)
      // An exchange's start and end go to the same thread: the run is made of two runs.
      const others = randomRun(seed + 1, exchangeCount, durationNs)
      const all = [...happenings, ...others].sort((a, b) => a.atNs - b.atNs)
      const merged = mergeSnapshots([
        recorded(happenings, durationNs),
        recorded(others, durationNs),
      ])
      assert.deepEqual(withoutSquares(merged), withoutSquares(recorded(all, durationNs)))
    }),
    { numRuns: 60 },
  )
})

test('mergeSnapshots() keeps the earliest example of each kind', () => {
  const early = new CountingRecorder()
  const late = new CountingRecorder()
  for (const [recorder, endNs, text] of [
    [late, 500, 'late'],
    [early, 300, 'early'],
  ] as const) {
    const exchange = new Exchange()
    exchange.endNs = endNs
    beginExchange(recorder, 0)
    recorder.failed(exchange, FailureKind.reset, () => text)
    beginExchange(recorder, 0)
    recorder.failed(exchange, FailureKind.reset, () =>
      assert.fail('a second example is not asked for'),
    )
  }
  const { failureExamples } = mergeSnapshots([late.snapshot(900), early.snapshot(900)])
  assert.deepEqual(failureExamples, [{ kind: FailureKind.reset, text: 'early', atNs: 300 }])
})

test('CountingRecorder takes phases from the times that are there', () => {
  const recorder = new CountingRecorder()
  const exchange = new Exchange()
  exchange.reset(0, 1_000_000)
  Object.assign(exchange, {
    dueNs: 500_000,
    resolvedNs: 3_000_000,
    connectedNs: 6_000_000,
    securedNs: 10_000_000,
    sentNs: 10_500_000,
    firstByteNs: 15_500_000,
    endNs: 21_500_000,
    status: 200,
  })
  beginExchange(recorder, 1_000_000)
  recorder.completed(exchange)
  exchange.resolvedNs = -1
  exchange.securedNs = -1
  beginExchange(recorder, 1_000_000)
  recorder.completed(exchange)
  const { phases, responseTime, serviceTime } = recorder.snapshot(30_000_000)
  const sums = Object.entries(phases).map(([name, phase]) => [name, phase.totalCount, phase.sumNs])
  assert.deepEqual(sums, [
    ['dns', 1, 2_000_000],
    ['connect', 2, 3_000_000 + 5_000_000],
    ['tls', 1, 4_000_000],
    ['firstByte', 2, 10_000_000],
    ['transfer', 2, 12_000_000],
  ])
  assert.equal(responseTime.maxNs, 21_000_000)
  assert.equal(serviceTime.maxNs, 20_500_000)
})

test('CountingRecorder counts bytes of failed exchanges apart and times of timeouts apart', () => {
  const recorder = new CountingRecorder()
  const exchange = new Exchange()
  exchange.bodyBytes = 70
  exchange.endNs = 5_000
  beginExchange(recorder, 0)
  recorder.failed(exchange, FailureKind.idleTimeout, () => 'silent')
  beginExchange(recorder, 0)
  recorder.failed(exchange, FailureKind.truncated, () => 'cut')
  exchange.status = 200
  beginExchange(recorder, 0)
  recorder.completed(exchange)
  const snapshot = recorder.snapshot(10_000)
  assert.equal(snapshot.bodyBytes, 210)
  assert.equal(snapshot.completedBodyBytes, 70)
  assert.equal(snapshot.timeoutTime.totalCount, 1)
  assert.equal(snapshot.responseTime.totalCount, 1)
})

test('snapshot() is not changed by what is counted later', () => {
  const recorder = new CountingRecorder()
  const happenings = randomRun(3, 50, 2_000_000_000)
  for (const happening of happenings.slice(0, 40)) happening.tell(recorder)
  const snapshot = recorder.snapshot(happenings[39]!.atNs)
  const copy = structuredClone(snapshot)
  for (const happening of happenings.slice(40)) happening.tell(recorder)
  assert.deepEqual(snapshot, copy)
})

test('CountingRecorder integrates the number in flight, whatever the order it is told in', () => {
  const recorder = new CountingRecorder()
  const exchange = new Exchange()
  exchange.status = 200
  beginExchange(recorder, 0)
  beginExchange(recorder, 1_000)
  exchange.endNs = 4_000
  recorder.completed(exchange)
  // This one is noticed late: it began before the last one ended.
  beginExchange(recorder, 3_000)
  // 0..1000: 1, 1000..3000: 2, 3000..4000: 3, 4000..10000: 2.
  assert.equal(recorder.snapshot(10_000).inFlightIntegralNs, 1_000 + 4_000 + 3_000 + 12_000)
})

test('brokenLaws() notices every kind of cooked books', () => {
  const durationNs = 3_500_000_000
  const honest = recorded(randomRun(7, 400, durationNs), durationNs)
  assert.deepEqual(brokenLaws(honest), [])
  const { intervals, phases, responseTime } = honest
  const [first, ...rest] = intervals.intervals
  const cooked: Partial<Snapshot>[] = [
    { startedCount: honest.startedCount + 1 },
    { inFlightCount: honest.inFlightCount - 1, startedCount: honest.startedCount - 1 },
    { inFlightCount: -1, startedCount: honest.startedCount - honest.inFlightCount - 1 },
    { statusCounts: honest.statusCounts.map((n, i) => (i === 200 ? n + 1 : n)) },
    { failureCounts: honest.failureCounts.map((n, i) => (i === 3 ? n + 1 : n)) },
    { timeoutTime: responseTime },
    { serviceTime: honest.timeoutTime },
    { serviceTime: { ...honest.serviceTime, sumNs: responseTime.sumNs * 2 } },
    { responseTime: { ...responseTime, counts: responseTime.counts.map((n) => n + 1) } },
    { responseTime: { ...responseTime, minNs: responseTime.maxNs + 1 } },
    { responseTime: { ...responseTime, indexes: responseTime.indexes.toReversed() } },
    { pageCount: honest.pageCount + 1 },
    { completedBodyBytes: honest.bodyBytes + 1 },
    { disqualificationCounts: honest.disqualificationCounts.map((n) => n + 1) },
    { failureExamples: honest.failureExamples.slice(1) },
    { phases: { ...phases, dns: { ...phases.transfer, totalCount: 1e9 } } },
    { intervals: { ...intervals, intervals: rest } },
    { intervals: { ...intervals, endNs: intervals.endNs + 1 } },
    { intervals: { ...intervals, intervals: [{ ...first!, bodyBytes: -1 }, ...rest] } },
  ]
  for (const change of cooked) {
    assert.notDeepEqual(brokenLaws({ ...honest, ...change }), [], Object.keys(change).join())
  }
})
