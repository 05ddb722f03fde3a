/** Results of any shape, as a recorder, a fleet and watchers could leave them behind. */
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import {
  DISQUALIFICATION_COUNT,
  type DisqualificationNumber,
  FAILURE_KIND_COUNT,
  type FailureKindNumber,
} from '../../src/metrics/outcome.ts'
import type { Snapshot } from '../../src/metrics/snapshot.ts'
import { WarmUpRecorder } from '../../src/metrics/warm-up-recorder.ts'
import type { PlanFacts, RunResult, ThreadHealth } from '../../src/result/run-result.ts'
import type { WatchedSeries } from '../../src/result/watched.ts'
import { fc } from './property.ts'

/** Integers are exact in sums, other numbers stay themselves. */
const ns = fc.oneof(fc.nat(1e6), fc.nat(2 ** 31 - 1), fc.integer({ min: 0, max: 4e13 }))
const ratio = fc.double({ min: 0, max: 3, noNaN: true }).map((value) => value + 0)
const anyNumber = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  // -0 is 0 in JSON.
  .map((value) => value + 0)
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const step = fc.record({
  kind: fc.constantFrom('completed', 'completed', 'completed', 'failed', 'left', 'dropped'),
  startsIn: fc.nat(3e9),
  lateNs: fc.oneof(fc.constant(0), fc.nat(1e8)),
  timeNs: ns,
  status: fc.integer({ min: 100, max: 599 }),
  disqualification: fc.oneof(fc.constant(0), fc.nat(DISQUALIFICATION_COUNT - 1)),
  failure: fc.nat(FAILURE_KIND_COUNT - 1),
  nameIndex: fc.integer({ min: -1, max: 1 }),
  checks: fc.array(fc.boolean(), { maxLength: 2 }),
  text: fc.string(),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function snapshotOf(steps: readonly Step[], warmUpNs: number): Snapshot {
  const recorder = new WarmUpRecorder(
    new CountingRecorder({ nameCount: 2, checkCount: 2 }),
    warmUpNs,
  )
  let nowNs = 0
  for (const each of steps) {
    const dueNs = nowNs
    const exchange = new Exchange()
    exchange.reset(0, dueNs + each.lateNs)
    exchange.dueNs = dueNs
    exchange.nameIndex = each.nameIndex
    if (each.kind === 'dropped') {
      recorder.dropped(dueNs)
      nowNs += each.startsIn
      continue
    }
    recorder.arrived(dueNs, exchange.startNs)
    recorder.started(exchange)
    recorder.connected()
    exchange.endNs = exchange.startNs + each.timeNs
    exchange.bodyBytes = each.timeNs % 10_000
    nowNs = exchange.endNs
    if (each.kind === 'completed') complete(recorder, exchange, each)
    // A list of kinds is indexed by their numbers.
    if (each.kind === 'failed') {
      recorder.failed(exchange, each.failure as FailureKindNumber, () => each.text)
    }
    nowNs += each.startsIn
  }
  return recorder.snapshot(nowNs)
}

function complete(recorder: WarmUpRecorder, exchange: Exchange, each: Step): void {
  exchange.status = each.status
  // As with kinds of failures.
  exchange.disqualification = each.disqualification as DisqualificationNumber
  exchange.resolvedNs = exchange.startNs
  exchange.connectedNs = exchange.startNs
  exchange.sentNs = exchange.startNs
  exchange.firstByteNs = exchange.endNs
  for (const [index, hasPassed] of each.checks.entries())
    recorder.checked(index, hasPassed, exchange)
  recorder.completed(exchange)
  recorder.pageEnded(each.timeNs, exchange.endNs)
}

const plan: fc.Arbitrary<PlanFacts> = fc.record(
  {
    userCount: fc.nat(),
    iterationCount: orNull(fc.nat()),
    durationNs: orNull(ns),
    thinkTimeNsMax: ns,
    walk: fc.constantFrom('in-order', 'random', 'once'),
    targetCount: fc.nat(),
    originCount: fc.nat(),
    httpVersion: fc.constantFrom('1.0', '1.1'),
    keepAlive: fc.boolean(),
    timeoutNs: ns,
    failureCountMax: orNull(fc.nat()),
    threadCount: fc.nat(),
    seed: fc.nat(),
    load: fc.record(
      {
        model: fc.constantFrom('closed', 'open'),
        stages: fc.array(
          fc.record({ durationNs: orNull(ns), from: ratio, to: ratio }, { noNullPrototype: true }),
          { maxLength: 3 },
        ),
        arrivals: orNull(fc.constantFrom('even', 'poisson')),
        totalCount: orNull(fc.nat()),
        warmUpNs: ns,
        drainNs: fc.oneof(fc.constant(0), ns),
        scenarios: fc.array(
          fc.record({ name: fc.string(), weight: ratio }, { noNullPrototype: true }),
          { maxLength: 2 },
        ),
      },
      { noNullPrototype: true },
    ),
    requestNames: fc.tuple(fc.string(), fc.string({ unit: 'binary' })),
    checks: fc
      .tuple(fc.string(), fc.string())
      .map((names) => names.map((name, nameIndex) => ({ name, nameIndex }))),
    thresholds: fc.array(fc.string(), { maxLength: 2 }),
    title: fc.string(),
  },
  { noNullPrototype: true },
)

const thread: fc.Arbitrary<ThreadHealth> = fc.record(
  {
    cpuUserNs: ns,
    cpuSystemNs: ns,
    busyRatio: ratio,
    eventLoopUtilizationRatio: ratio,
    loopLag: fc.array(ns, { maxLength: 5 }).map((values) => {
      const histogram = new Histogram(2)
      for (const value of values) histogram.record(value)
      return histogram.snapshot()
    }),
    reactorName: fc.string(),
    reactorReason: orNull(fc.string()),
  },
  { noNullPrototype: true },
)

const watched: fc.Arbitrary<WatchedSeries> = fc.record(
  {
    label: fc.string(),
    source: fc.string(),
    sampleCount: fc.nat(),
    failureCount: fc.nat(),
    failureExample: fc.string(),
    min: anyNumber,
    mean: anyNumber,
    max: anyNumber,
    last: anyNumber,
    samplesPerPoint: fc.nat(),
    points: fc.array(fc.record({ atNs: ns, value: anyNumber }, { noNullPrototype: true }), {
      maxLength: 4,
    }),
  },
  { noNullPrototype: true },
)

export const anyResult: fc.Arbitrary<RunResult> = fc
  .record({
    steps: fc.array(step, { maxLength: 30 }),
    warmUpNs: fc.oneof(fc.constant(0), fc.nat(5e9)),
    startedAtMs: fc.nat(),
    elapsedNs: ns,
    endedBy: fc.constantFrom('count' as const, 'time' as const, 'threshold' as const),
    plan,
    threads: fc.array(thread, { maxLength: 3 }),
    watched: fc.option(fc.array(watched, { maxLength: 2 }), { nil: undefined }),
    usedUpFeeders: fc.option(
      fc.array(
        fc.record(
          { name: fc.constantFrom('a', 'b\u001b[1m'), rowCount: fc.nat() },
          { noNullPrototype: true },
        ),
        { minLength: 1, maxLength: 1 },
      ),
      { nil: undefined },
    ),
  })
  .map(({ steps, warmUpNs, watched: series, usedUpFeeders, ...facts }) => ({
    ...facts,
    onagerVersion: '1.2.3-rc.4',
    snapshot: snapshotOf(steps, warmUpNs),
    ...(series === undefined ? {} : { watched: series }),
    ...(usedUpFeeders === undefined ? {} : { usedUpFeeders }),
  }))
