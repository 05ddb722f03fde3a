/**
 * Every wait of an exchange has its bound, counts as what it is, and is noticed at its deadline or
 * within one period of the sweep after it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import { planOf, type SeenExchange, simulate } from './simulated-run.ts'
import {
  type Behaviour,
  chunked,
  closesIdle,
  dropping,
  failingTls,
  headOf,
  interimFirst,
  mute,
  plain,
  ScriptedServer,
  stalledBody,
} from './simulated-servers.ts'

const TIMEOUT_NS = 1 * NS_PER_S
/** A fortieth of the timeout. */
const SWEEP_PERIOD_NS = 25 * NS_PER_MS
/** The calm network's latency. */
const LATENCY_NS = 50e3
const CONNECTED_NS = 2 * LATENCY_NS

async function singleExchange(url: string, behaviour: Behaviour): Promise<SeenExchange> {
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ targets: [{ url }], timeoutNs: TIMEOUT_NS }),
    servers: { '10.0.0.1': new ScriptedServer(behaviour) },
  })
  assert.equal(exchanges.length, 1)
  assert.equal(snapshot.startedCount, 1)
  return exchanges[0]!
}

const plainUrl = 'http://10.0.0.1/'
const tlsUrl = 'https://10.0.0.1/'
const sends100: Behaviour = { answer: (session) => session.part(headOf(100, [])) }
const waits = [
  {
    name: 'connect',
    url: plainUrl,
    behaviour: dropping,
    kind: FailureKind.connectTimeout,
    sinceNs: 0,
    text: 'no connection to 10.0.0.1 within 1 s',
  },
  {
    name: 'TLS handshake',
    url: tlsUrl,
    behaviour: failingTls('silent'),
    kind: FailureKind.tlsTimeout,
    sinceNs: CONNECTED_NS,
    text: 'no TLS with 10.0.0.1 within 1 s',
  },
  {
    name: 'first byte',
    url: plainUrl,
    behaviour: mute,
    kind: FailureKind.firstByteTimeout,
    sinceNs: CONNECTED_NS,
    text: 'no answer from 10.0.0.1 within 1 s',
  },
  {
    name: 'first byte after TLS',
    url: tlsUrl,
    behaviour: mute,
    kind: FailureKind.firstByteTimeout,
    sinceNs: CONNECTED_NS + 2 * LATENCY_NS,
    text: 'no answer from 10.0.0.1 within 1 s',
  },
  {
    name: 'rest of a body',
    url: plainUrl,
    behaviour: stalledBody,
    kind: FailureKind.idleTimeout,
    sinceNs: CONNECTED_NS + 2 * LATENCY_NS,
    text: 'no further byte from 10.0.0.1 for 1 s',
  },
  {
    name: 'answer after an interim one',
    url: plainUrl,
    behaviour: sends100,
    kind: FailureKind.idleTimeout,
    sinceNs: CONNECTED_NS + 2 * LATENCY_NS,
    text: 'no further byte from 10.0.0.1 for 1 s',
  },
] as const

for (const { name, url, behaviour, kind, sinceNs, text } of waits) {
  test(`waiting for the ${name} ends at its timeout and counts as itself`, async () => {
    const { failure, endNs } = await singleExchange(url, behaviour)
    assert.deepEqual(failure, { kind, text })
    const lateNs = endNs - (sinceNs + TIMEOUT_NS)
    assert.ok(lateNs >= 0, `${-lateNs} ns too early`)
    assert.ok(lateNs <= SWEEP_PERIOD_NS, `${lateNs} ns too late`)
  })
}

test('a body that keeps coming never times out, however long it takes', async () => {
  const gapNs = 0.9 * NS_PER_S
  const { failure, endNs } = await singleExchange(plainUrl, chunked([1, 1, 1, 1, 1], gapNs))
  assert.equal(failure, undefined)
  assert.equal(endNs, CONNECTED_NS + 2 * LATENCY_NS + 5 * gapNs)
})

test('an answer just before the deadline is an answer', async () => {
  const delayNs = TIMEOUT_NS - 3 * LATENCY_NS
  const { failure } = await singleExchange(plainUrl, plain({ delayNs }))
  assert.equal(failure, undefined)
})

test('an idle connection of a thinking user has no deadline', async () => {
  const server = new ScriptedServer(interimFirst)
  const { snapshot } = await simulate({
    plan: planOf({ iterationCount: 5, thinkTimeNsMax: 20 * NS_PER_S, timeoutNs: TIMEOUT_NS }),
    servers: { '10.0.0.1': server },
  })
  assert.equal(snapshot.completedCount, 5)
  assert.equal(server.connectionCount, 1)
})

test('a retry has the whole timeout before it, and keeps its first start', async () => {
  // The second request dies with its connection 0.9 s after it was sent; its retry waits 0.9 s.
  let requestCount = 0
  const server = new ScriptedServer({
    answer(session) {
      requestCount++
      if (requestCount === 1) plain().answer(session)
      else if (requestCount === 2) session.line.close(0.9 * NS_PER_S)
      else plain({ delayNs: 0.9 * NS_PER_S }).answer(session)
    },
  })
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ iterationCount: 2, timeoutNs: TIMEOUT_NS }),
    servers: { '10.0.0.1': server },
  })
  assert.equal(snapshot.completedCount, 2)
  assert.equal(snapshot.retryCount, 1)
  const second = exchanges[1]!
  assert.equal(second.startNs, exchanges[0]!.endNs)
  assert.ok(second.endNs - second.startNs >= 1.8 * NS_PER_S)
})

test('a reused connection that says nothing is not tried again', async () => {
  let requestCount = 0
  const server = new ScriptedServer({
    answer: (session) => (++requestCount === 1 ? plain().answer(session) : undefined),
  })
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ iterationCount: 2, timeoutNs: TIMEOUT_NS }),
    servers: { '10.0.0.1': server },
  })
  assert.equal(exchanges[1]!.failure!.kind, FailureKind.firstByteTimeout)
  assert.equal(snapshot.retryCount, 0)
  assert.equal(server.requestCount, 2)
})

test('timeouts have their own times in the snapshot, of the length of the timeout', async () => {
  const { snapshot } = await simulate({
    plan: planOf({ userCount: 10, iterationCount: 3, timeoutNs: TIMEOUT_NS }),
    servers: { '10.0.0.1': new ScriptedServer(mute) },
  })
  assert.equal(snapshot.timeoutTime.totalCount, 30)
  assert.ok(snapshot.timeoutTime.minNs >= TIMEOUT_NS)
  assert.ok(snapshot.timeoutTime.maxNs <= TIMEOUT_NS + SWEEP_PERIOD_NS + CONNECTED_NS)
})

test('a crowd on dying connections is timed out without being counted twice', async () => {
  const { snapshot } = await simulate({
    plan: planOf({ userCount: 50, iterationCount: 20, timeoutNs: 10 * NS_PER_MS }),
    servers: { '10.0.0.1': new ScriptedServer(closesIdle(12 * NS_PER_MS)) },
  })
  assert.equal(snapshot.startedCount, 1000)
  assert.equal(snapshot.completedCount, 1000)
})
