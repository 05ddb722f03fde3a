/** Verdicts on scripted runs, finished and not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import { Exchange } from '../metrics/exchange.ts'
import { FailureKind } from '../metrics/outcome.ts'
import { readThresholds } from '../plan/slo.ts'
import { abortingVerdicts, isBroken, type JudgedCounts, judge } from './verdicts.ts'

interface Script {
  /** ms of response times; service times are half of them. */
  readonly home?: readonly number[]
  readonly login?: readonly number[]
  readonly failedCount?: number
  readonly arrivalCount?: number
  readonly droppedCount?: number
  readonly checks?: readonly (readonly [passed: number, failed: number])[]
  readonly model?: 'closed' | 'open'
}

function countsOf(script: Script): JudgedCounts {
  const recorder = new CountingRecorder({ nameCount: 2, checkCount: 2 })
  const exchange = new Exchange()
  function begin(nameIndex: number, timeMs: number): void {
    exchange.reset(0, 0)
    exchange.nameIndex = nameIndex
    exchange.startNs = timeMs * 5e5
    exchange.endNs = timeMs * 1e6
    recorder.started(exchange)
  }
  for (const [nameIndex, times] of [script.home ?? [], script.login ?? []].entries()) {
    for (const timeMs of times) {
      begin(nameIndex, timeMs)
      exchange.status = 200
      recorder.completed(exchange)
    }
  }
  for (let i = 0; i < (script.failedCount ?? 0); i++) {
    begin(1, 1)
    recorder.failed(exchange, FailureKind.reset, () => 'reset')
  }
  for (let i = 0; i < (script.arrivalCount ?? 0); i++) recorder.arrived(0, 0)
  for (let i = 0; i < (script.droppedCount ?? 0); i++) recorder.dropped(0)
  for (const [index, [passed, failed]] of (script.checks ?? []).entries()) {
    for (let i = 0; i < passed; i++) recorder.checked(index, true)
    for (let i = 0; i < failed; i++) recorder.checked(index, false)
  }
  return {
    snapshot: recorder.snapshot(10e9),
    underLoadNs: 10e9,
    model: script.model ?? 'open',
    requestNames: ['home', 'login'],
    checks: [
      { name: 'has a title', nameIndex: 0 },
      { name: 'has a token', nameIndex: 1 },
    ],
  }
}

function thresholds(text: string) {
  const read = readThresholds(text)
  assert.deepEqual(read.problems, [])
  return read.thresholds
}

/** `outcome measured` of each threshold, `~` behind what is not firm. */
function outcomes(text: string, counts: JudgedCounts): string[] {
  return judge(thresholds(text), counts).map(
    ({ outcome, measured, isFirm, reason }) =>
      `${outcome} ${measured ?? reason}${isFirm ? '' : ' ~'}`,
  )
}

const hundred = Array.from({ length: 100 }, (_, i) => i + 1)

test('judge() measures times, response and service, whole and by name', () => {
  const counts = countsOf({ home: hundred, login: [200] })
  assert.deepEqual(outcomes('min>=1ms,max<200ms,service-max<=100ms,home:mean<51ms', counts), [
    'passed 1000000',
    'failed 200000000',
    'passed 100000000',
    'passed 50500000',
  ])
  const [p50, p99, service] = judge(thresholds('p50<60ms,p99<1s,service-p50<26ms'), counts)
  assert.ok(p50!.measured! >= 51e6 && p50!.measured! < 51.1e6)
  assert.deepEqual([p50!.isFirm, p99!.isFirm], [true, false])
  assert.ok(service!.measured! >= 25.5e6 && service!.measured! < 25.6e6)
})

test('judge() measures errors, rate, dropped arrivals and checks', () => {
  const counts = countsOf({
    home: hundred,
    failedCount: 25,
    arrivalCount: 99,
    droppedCount: 1,
    checks: [
      [90, 10],
      [0, 0],
    ],
  })
  assert.deepEqual(outcomes('errors<=20%,errors<25,login:errors<=100%,rate>=10/s', counts), [
    'passed 0.2',
    'failed 25',
    'passed 1',
    'passed 10',
  ])
  assert.deepEqual(outcomes('dropped<1%,dropped<=1,checks>=90%,home:checks>90%', counts), [
    'failed 0.01',
    'passed 1',
    'passed 0.9',
    'failed 0.9',
  ])
  assert.deepEqual(outcomes('"has a title":checks>=90%,home:rate>11/s', counts), [
    'passed 0.9',
    'failed 10',
  ])
})

test('judge() finds thresholds without data unknown, each with its reason, and so broken', () => {
  const counts = { ...countsOf({}), underLoadNs: 0 }
  assert.deepEqual(
    outcomes('p99<1s,errors<1%,rate<1/s,dropped<1%,checks>1%,cart:p50<1s,login:min<1s', counts),
    [
      'unknown no response came',
      'unknown no request ended',
      'unknown no time was measured',
      'unknown no arrival was due',
      'unknown no check was made',
      "unknown no request is called 'cart'",
      'unknown no response came',
    ],
  )
  const closed = countsOf({ model: 'closed', home: [1] })
  const [verdict] = judge(thresholds('dropped<=0'), closed)
  assert.match(verdict!.reason, /closed loop/)
  assert.equal(isBroken([verdict!]), true)
  assert.equal(isBroken(judge(thresholds('max<1s'), closed)), false)
  assert.equal(isBroken(judge(thresholds('max<1s,max<1ms'), closed)), true)
})

/** The texts of the thresholds that would end a run. */
function aborting(text: string, counts: JudgedCounts): string[] {
  return abortingVerdicts(thresholds(text), counts).map(({ threshold }) => threshold.text)
}

test('abortingVerdicts() waits for ten bad events, but not where nothing can be made good', () => {
  const few = countsOf({ home: [50, 50], failedCount: 9, droppedCount: 9, checks: [[0, 9]] })
  const shares = 'errors<1%,dropped<1%,checks>99%,p50<10ms,mean<10ms'
  assert.deepEqual(aborting(shares, few), [])
  assert.deepEqual(aborting('errors<9,dropped<9,max<50ms', few), [
    'errors<9',
    'dropped<9',
    'max<50ms',
  ])
  const many = countsOf({
    home: Array.from({ length: 20 }, () => 50),
    failedCount: 10,
    droppedCount: 10,
    checks: [[0, 10]],
  })
  assert.deepEqual(aborting(shares, many), shares.split(','))
})

test('abortingVerdicts() gives a percentile up when half of a hundred are beyond its bound', () => {
  const slow = Array<number>(100).fill(50)
  assert.deepEqual(aborting('p99<10ms,p99<100ms', countsOf({ home: slow })), ['p99<10ms'])
  assert.deepEqual(aborting('p99<10ms', countsOf({ home: slow.slice(1) })), [])
  const mixed = [...slow.slice(0, 49), ...Array<number>(51).fill(1)]
  assert.deepEqual(aborting('p99<10ms', countsOf({ home: mixed })), [])
})

test('abortingVerdicts() never ends a run for what it may still reach', () => {
  const counts = countsOf({ home: hundred, failedCount: 50, checks: [[0, 50]] })
  assert.deepEqual(aborting('rate>900/s,min>1s,p50>1s,errors>99%,cart:errors<1%', counts), [])
  assert.deepEqual(aborting('checks>50%,home:max<1ms', counts), ['checks>50%', 'home:max<1ms'])
})
