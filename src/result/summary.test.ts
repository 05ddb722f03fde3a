/** Derived numbers: right where they are known, finite where there is nothing to derive from. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginExchange } from '../../test/support/exchanges.ts'
import { plainFacts } from '../../test/support/plan-facts.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import { Exchange } from '../metrics/exchange.ts'
import { Histogram } from '../metrics/histogram.ts'
import { Disqualification, FailureKind } from '../metrics/outcome.ts'
import { emptySnapshot, type Snapshot } from '../metrics/snapshot.ts'
import type { RunResult, ThreadHealth } from './run-result.ts'
import { type Summary, summarize } from './summary.ts'
import type { Warning } from './warnings.ts'

const S = 1_000_000_000
const MS = 1_000_000

function resultOf(
  snapshot: Snapshot,
  elapsedNs: number,
  threads: readonly ThreadHealth[] = [threadOf(0.5, [0])],
): RunResult {
  return {
    onagerVersion: '1.2.3',
    startedAtMs: 0,
    elapsedNs,
    endedBy: 'count',
    plan: {
      userCount: 1,
      iterationCount: 1,
      durationNs: null,
      thinkTimeNsMax: 0,
      walk: 'in-order',
      targetCount: 1,
      originCount: 1,
      httpVersion: '1.1',
      keepAlive: true,
      timeoutNs: 30 * S,
      failureCountMax: null,
      threadCount: 1,
      seed: 1,
      ...plainFacts,
    },
    snapshot,
    threads,
  }
}

function threadOf(busyRatio: number, lagsNs: readonly number[]): ThreadHealth {
  const loopLag = new Histogram(2)
  for (const lagNs of lagsNs) loopLag.record(lagNs)
  return {
    cpuUserNs: busyRatio * S,
    cpuSystemNs: 0,
    busyRatio,
    eventLoopUtilizationRatio: busyRatio,
    loopLag: loopLag.snapshot(),
    reactorName: 'node',
    reactorReason: 'no FFI',
  }
}

/** One exchange after another, each of `timeNs`, from a run's start on. */
class Script {
  readonly recorder = new CountingRecorder()
  nowNs = 0

  begin(timeNs: number): Exchange {
    const exchange = new Exchange()
    exchange.reset(0, this.nowNs)
    beginExchange(this.recorder, this.nowNs)
    this.nowNs += timeNs
    exchange.endNs = this.nowNs
    return exchange
  }

  complete(status: number, timeNs: number, facts: Partial<Exchange> = {}): void {
    const exchange = Object.assign(this.begin(timeNs), { status, ...facts })
    this.recorder.completed(exchange)
    this.recorder.pageEnded(timeNs, exchange.endNs)
  }

  fail(kind: (typeof FailureKind)[keyof typeof FailureKind], timeNs: number): void {
    this.recorder.failed(this.begin(timeNs), kind, () => `example of ${kind}`)
  }

  summary(threads?: readonly ThreadHealth[]): Summary {
    return summarize(resultOf(this.recorder.snapshot(this.nowNs), this.nowNs, threads))
  }
}

function kindsOf(summary: Summary): string[] {
  return summary.warnings.map(({ kind }) => kind)
}

function textOf(summary: Summary, kind: Warning['kind']): string | undefined {
  return summary.warnings.find((warning) => warning.kind === kind)?.text
}

test('summarize() has a finite number everywhere, also for a run in which nothing happened', () => {
  const script = new Script()
  script.fail(FailureKind.connect, 0)
  const instant = summarize(resultOf(script.recorder.snapshot(0), 0, []))
  for (const summary of [summarize(resultOf(emptySnapshot(), 0, [])), instant]) {
    const numbers: number[] = []
    JSON.stringify(summary, (_key, value) => {
      if (typeof value === 'number') numbers.push(value)
      return value
    })
    assert.ok(numbers.length > 100)
    assert.deepEqual(
      numbers.filter((value) => !Number.isFinite(value)),
      [],
    )
  }
})

test('summarize() derives rates, means and lists', () => {
  const script = new Script()
  script.complete(200, 400 * MS, { bodyBytes: 3000, headBytes: 500, requestBytes: 100 })
  script.complete(404, 600 * MS, { disqualification: Disqualification.emptyBody })
  script.fail(FailureKind.reset, 500 * MS)
  script.fail(FailureKind.idleTimeout, 500 * MS)
  const summary = script.summary()
  assert.equal(summary.elapsedNs, 2 * S)
  assert.equal(summary.completedPerSecond, 1)
  assert.equal(summary.pagesPerSecond, 1)
  assert.equal(summary.receivedBytesPerSecond, 1750)
  assert.equal(summary.requestBytesPerSecond, 50)
  assert.equal(summary.responseTime.meanNs, 500 * MS)
  assert.equal(summary.responseTime.stdevNs, 100 * MS)
  assert.equal(summary.responseTime.minNs, 400 * MS)
  assert.equal(summary.responseTime.maxNs, 600 * MS)
  assert.deepEqual(summary.statuses, [
    { status: 200, count: 1, answeredCount: 0 },
    { status: 404, count: 1, answeredCount: 0 },
  ])
  assert.deepEqual(summary.disqualifications, [{ kind: 1, name: 'empty body', count: 1 }])
  assert.deepEqual(summary.failures, [
    { kind: 6, name: 'timeout inside a response', count: 1, example: 'example of 6' },
    { kind: 7, name: 'connection reset', count: 1, example: 'example of 7' },
  ])
  assert.equal(summary.timeoutCount, 1)
  assert.equal(summary.timeoutTime.maxNs, 500 * MS)
  assert.equal(summary.concurrencyMean, 0.5)
  assert.equal(summary.inFlightMean, 1)
  // The reset exchange: a quarter of the time in flight.
  assert.equal(summary.littleGapRatio, 0.25)
})

test('summarize() finds no gap by Little when all completed', () => {
  const script = new Script()
  for (let i = 0; i < 50; i++) script.complete(200, i * MS)
  assert.equal(script.summary().littleGapRatio, 0)
})

test('summarize() counts waiting for a late start as response time, not as in flight', () => {
  const script = new Script()
  script.nowNs = S
  script.complete(200, S, { dueNs: 0 })
  const summary = script.summary()
  assert.equal(summary.responseTime.maxNs, 2 * S)
  assert.equal(summary.serviceTime.maxNs, S)
  assert.equal(summary.concurrencyMean, 1)
  assert.equal(summary.inFlightMean, 0.5)
  assert.equal(summary.littleGapRatio, 0)
})

test('summarize() calls a percentile firm from 10 / (1 - q) samples on', () => {
  const needed = { p50: 20, p75: 40, p90: 100, p95: 200, p99: 1000, 'p99.9': 10_000 }
  for (const [name, count] of Object.entries(needed)) {
    for (const [sampleCount, isFirm] of [
      [count - 1, false],
      [count, true],
    ] as const) {
      const script = new Script()
      for (let i = 0; i < sampleCount; i++) script.complete(200, MS)
      const percentile = script.summary().responseTime.percentiles.find((p) => p.name === name)
      assert.equal(percentile?.isFirm, isFirm, `${name} of ${sampleCount}`)
    }
  }
})

test('summarize() takes percentiles from the values', () => {
  const script = new Script()
  for (let i = 1; i <= 1000; i++) script.complete(200, i * 1000)
  const { percentiles } = script.summary().responseTime
  assert.deepEqual(
    percentiles.map(({ name, valueNs }) => [name, Math.floor(valueNs / 1000)]),
    [
      ['p50', 500],
      ['p75', 750],
      ['p90', 900],
      ['p95', 950],
      ['p99', 990],
      ['p99.9', 999],
    ],
  )
})

test('summarize() has no warning for a long, clean, unhurried run', () => {
  const script = new Script()
  for (let i = 0; i < 10_000; i++) script.complete(i % 2 ? 200 : 304, MS)
  assert.deepEqual(script.summary([threadOf(0.9, [MS])]).warnings, [])
})

test('summarize() warns of a generator at its limits', () => {
  const script = new Script()
  for (let i = 0; i < 10_000; i++) script.complete(200, MS)
  const summary = script.summary([threadOf(0.97, [0, 12 * MS]), threadOf(0.3, [0])])
  assert.deepEqual(kindsOf(summary), ['generator-saturated', 'loop-lag'])
  assert.match(textOf(summary, 'generator-saturated')!, /^1 of 2 generator threads .* 97 % /)
  assert.match(textOf(summary, 'loop-lag')!, /late by 12 ms at p99/)
  assert.equal(summary.generator.busyRatioMax, 0.97)
  assert.equal(summary.generator.threads[1]!.loopLagNsP99, 0)
  assert.equal(summary.generator.reactorName, 'node')
  assert.equal(summary.generator.reactorReason, 'no FFI')
  const alone = script.summary([threadOf(0.97, [])])
  assert.match(textOf(alone, 'generator-saturated')!, /^The generator itself was busy 97 % /)
  assert.equal(alone.generator.loopLagNsP99, null)
})

test('summarize() warns when all failed, of own limits and of timeouts', () => {
  const script = new Script()
  script.fail(FailureKind.ownLimit, MS)
  script.fail(FailureKind.connectTimeout, MS)
  const summary = script.summary()
  assert.deepEqual(kindsOf(summary), ['all-failed', 'own-limit', 'timeouts'])
  assert.equal(textOf(summary, 'all-failed'), 'All 2 requests failed.')
  assert.match(textOf(summary, 'own-limit')!, /^1 request failed .* \(example of 11\)\.$/)
  assert.match(textOf(summary, 'timeouts')!, /^1 request was given up after the timeout of 30 s/)
  script.complete(200, MS)
  assert.ok(!kindsOf(script.summary()).includes('all-failed'))
})

test('summarize() warns of more than a tenth of error statuses', () => {
  const script = new Script()
  script.complete(500, MS)
  for (let i = 0; i < 9; i++) script.complete(302, MS)
  assert.ok(!kindsOf(script.summary()).includes('many-error-statuses'))
  script.complete(404, MS)
  const text = textOf(script.summary(), 'many-error-statuses')
  assert.equal(text, '2 of 11 responses have error statuses.')
  // Downloads by FTP count under the reply that they begin with.
  script.complete(150, MS)
  script.complete(125, MS)
  assert.match(textOf(script.summary(), 'many-error-statuses')!, /^2 of 13 /)
  script.complete(101, MS)
  assert.match(textOf(script.summary(), 'many-error-statuses')!, /^3 of 14 /)
  const all = new Script()
  all.complete(503, MS)
  assert.equal(
    textOf(all.summary(), 'many-error-statuses'),
    'The only response has an error status.',
  )
  all.complete(503, MS)
  assert.equal(textOf(all.summary(), 'many-error-statuses'), 'All 2 responses have error statuses.')
})

test('summarize() says what is in flight and which percentiles rest on too little', () => {
  const script = new Script()
  for (let i = 0; i < 150; i++) script.complete(200, MS)
  script.begin(MS)
  const summary = script.summary()
  assert.deepEqual(kindsOf(summary), ['in-flight-at-end', 'few-samples'])
  assert.match(textOf(summary, 'in-flight-at-end')!, /^1 request was still in flight/)
  assert.match(
    textOf(summary, 'few-samples')!,
    /^150 responses are too few to rely on p95, p99 and p99\.9:/,
  )
})
