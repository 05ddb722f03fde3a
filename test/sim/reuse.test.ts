/**
 * Connections that carry more than one exchange: when they may, when they die in between, what is
 * sent once more and what never is. And what a whole answer is counted as.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS } from '../../src/base/units.ts'
import { Disqualification, FailureKind } from '../../src/metrics/outcome.ts'
import { calmNetwork } from './simulated-reactor.ts'
import { type PlanWishes, planOf, type Simulation, simulate } from './simulated-run.ts'
import {
  type Behaviour,
  chunked,
  closeDelimited,
  closesIdle,
  cutShort,
  early,
  garbage,
  interimFirst,
  plain,
  ScriptedServer,
  surplus,
} from './simulated-servers.ts'

interface ServedSimulation extends Simulation {
  readonly server: ScriptedServer
}

async function against(behaviour: Behaviour, wishes: PlanWishes = {}): Promise<ServedSimulation> {
  const server = new ScriptedServer(behaviour)
  const simulation = await simulate({
    plan: planOf({ iterationCount: 10, ...wishes }),
    servers: { '10.0.0.1': server },
  })
  return { ...simulation, server }
}

const post = [{ url: 'http://10.0.0.1/', method: 'POST', bodyBytes: 10 }]

test('a connection carries all exchanges of its user while both sides keep it', async () => {
  for (const behaviour of [plain(), chunked([1, 2, 3]), interimFirst]) {
    const { snapshot, server } = await against(behaviour, { userCount: 3 })
    assert.equal(snapshot.completedCount, 30)
    assert.equal(server.connectionCount, 3)
    assert.equal(snapshot.connectionCount, 3)
  }
})

test('a connection is closed when the server says so, or ends a body with it', async () => {
  for (const behaviour of [plain({ closes: true }), closeDelimited(10)]) {
    const { snapshot, server } = await against(behaviour)
    assert.equal(snapshot.completedCount, 10)
    assert.equal(server.connectionCount, 10)
    assert.equal(snapshot.retryCount, 0)
  }
})

test('a plan without keep-alive opens a connection for each exchange', async () => {
  const { snapshot, server } = await against(plain(), { keepAlive: false })
  assert.equal(snapshot.completedCount, 10)
  assert.equal(server.connectionCount, 10)
})

for (const how of ['close', 'reset'] as const) {
  test(`whenever a server may ${how} an idle connection, a GET is completed`, async () => {
    let retryCount = 0
    // From before the next request is sent to long after it would have been answered.
    for (let idleNs = 0; idleNs <= 400e3; idleNs += 5e3) {
      const { snapshot, server } = await against(closesIdle(idleNs, how))
      assert.equal(snapshot.completedCount, 10, `${idleNs} ns`)
      assert.equal(snapshot.failedCount, 0)
      assert.ok(snapshot.retryCount <= 9)
      assert.equal(server.requestCount, 10)
      retryCount += snapshot.retryCount
    }
    assert.ok(retryCount > 100, 'the race was hardly met')
  })

  test(`whenever a server may ${how} an idle connection, no POST is sent twice`, async () => {
    let failedCount = 0
    for (let idleNs = 0; idleNs <= 400e3; idleNs += 5e3) {
      const { snapshot, server, exchanges } = await against(closesIdle(idleNs, how), {
        targets: post,
      })
      assert.equal(snapshot.retryCount, 0)
      assert.equal(server.requestCount, snapshot.completedCount)
      for (const { failure, requestBytes } of exchanges) {
        assert.equal(requestBytes, exchanges[0]!.requestBytes)
        if (failure === undefined) continue
        const kinds: number[] = [FailureKind.closed, FailureKind.reset]
        assert.ok(kinds.includes(failure.kind), failure.text)
      }
      failedCount += snapshot.failedCount
    }
    assert.ok(failedCount > 100, 'the race was hardly met')
  })
}

/** Answers requests by their number, from 1, over all connections. */
function byNumber(behaviourOf: (requestNumber: number) => Behaviour): Behaviour {
  let requestNumber = 0
  return { answer: (session) => behaviourOf(++requestNumber).answer(session) }
}

test('a retry happens once: the next connection that dies is a failure', async () => {
  const dying = byNumber((n) => (n === 1 ? plain() : cutShort('nothing', 'close')))
  const { snapshot, server, exchanges } = await against(dying, { iterationCount: 2 })
  assert.equal(snapshot.retryCount, 1)
  assert.equal(exchanges[1]!.failure!.kind, FailureKind.closed)
  assert.equal(server.requestCount, 3)
})

test('a fresh connection that dies before an answer is not tried again', async () => {
  for (const how of ['close', 'reset'] as const) {
    const { snapshot, server } = await against(cutShort('nothing', how))
    assert.equal(snapshot.failedCount, 10)
    assert.equal(server.requestCount, 10)
  }
})

test('what has begun to answer is not tried again', async () => {
  for (const cut of ['half a head', 'half a body'] as const) {
    for (const how of ['close', 'reset'] as const) {
      const dying = byNumber((n) => (n === 1 ? plain() : cutShort(cut, how)))
      const { exchanges, snapshot } = await against(dying, { iterationCount: 2 })
      const kind = how === 'close' ? FailureKind.truncated : FailureKind.reset
      assert.equal(exchanges[1]!.failure!.kind, kind, `${cut}, ${how}`)
      assert.equal(snapshot.retryCount, 0)
    }
  }
})

test('body bytes of a failed exchange are counted as received, not as completed', async () => {
  const { snapshot } = await against(cutShort('half a body', 'close'), { iterationCount: 1 })
  assert.equal(snapshot.bodyBytes, 50)
  assert.equal(snapshot.completedBodyBytes, 0)
})

test('what is not HTTP is a failure of the protocol and ends the connection', async () => {
  const { snapshot, server } = await against(garbage)
  assert.equal(snapshot.failureCounts[FailureKind.protocol], 10)
  assert.equal(server.connectionCount, 10)
})

test('bytes behind an answer end the connection, not the exchange', async () => {
  const { snapshot, server } = await against(surplus(0))
  assert.equal(snapshot.completedCount, 10)
  assert.equal(server.connectionCount, 10)
})

test('bytes that nobody asked for end an idle connection, and harm no exchange', async () => {
  // The pauses are longer than the delay of the surplus in nearly all cases.
  const wishes = { thinkTimeNsMax: 1000 * NS_PER_MS, seed: 3 }
  const { snapshot, server } = await against(surplus(0.3 * NS_PER_MS), wishes)
  assert.equal(snapshot.completedCount, 10)
  assert.equal(server.connectionCount, 10)
})

test('an answer before the request was sent counts, and ends the connection', async () => {
  const upload = [{ url: 'http://10.0.0.1/', method: 'POST', bodyBytes: 8e6 }]
  for (const behaviour of [early(), early(NS_PER_MS)]) {
    const { snapshot, server } = await against(behaviour, { targets: upload, iterationCount: 3 })
    assert.equal(snapshot.completedCount, 3)
    assert.equal(snapshot.statusCounts[413], 3)
    assert.equal(server.connectionCount, 3)
    assert.equal(server.requestCount, 0)
  }
})

test('only what was handed to the socket counts as sent', async () => {
  const upload = [{ url: 'http://10.0.0.1/', method: 'POST', bodyBytes: 8e6 }]
  const { snapshot, server } = await against(early(), { targets: upload, iterationCount: 1 })
  assert.equal(snapshot.requestBytes, server.receivedBytes)
  assert.ok(snapshot.requestBytes < 8e6)
})

test('a large request arrives whole, and its connection is used again', async () => {
  const upload = [{ url: 'http://10.0.0.1/', method: 'PUT', bodyBytes: 600_000 }]
  const { snapshot, server } = await against(plain(), { targets: upload })
  assert.equal(snapshot.completedCount, 10)
  assert.equal(server.requestCount, 10)
  assert.equal(server.receivedBytes, snapshot.requestBytes)
  assert.equal(server.connectionCount, 1)
})

test('HEAD has no body, whatever its fields say', async () => {
  const targets = [{ url: 'http://10.0.0.1/', method: 'HEAD' }]
  for (const behaviour of [plain(), chunked([5, 5])]) {
    const { snapshot, server } = await against(behaviour, { targets, failEmptyBodies: true })
    assert.equal(snapshot.completedCount, 10)
    assert.equal(snapshot.bodyBytes, 0)
    assert.equal(snapshot.disqualificationCounts[Disqualification.emptyBody], 0)
    assert.equal(server.connectionCount, 1)
  }
})

test('401 and 407 are completed but disqualified', async () => {
  for (const status of [401, 407]) {
    const { snapshot } = await against(plain({ status }))
    assert.equal(snapshot.completedCount, 10)
    assert.equal(snapshot.disqualifiedStatusCounts[status], 10)
    assert.equal(snapshot.disqualificationCounts[Disqualification.rejected], 10)
  }
  const { snapshot } = await against(plain({ status: 403 }))
  assert.equal(snapshot.disqualificationCounts[Disqualification.rejected], 0)
})

test('an empty body is disqualified only where the plan wants one', async () => {
  const empty = plain({ bodyBytes: 0 })
  const strict = await against(empty, { failEmptyBodies: true })
  assert.equal(strict.snapshot.completedCount, 10)
  assert.equal(strict.snapshot.disqualificationCounts[Disqualification.emptyBody], 10)
  const lenient = await against(empty)
  assert.equal(lenient.snapshot.disqualificationCounts[Disqualification.emptyBody], 0)
  const full = await against(plain(), { failEmptyBodies: true })
  assert.equal(full.snapshot.disqualificationCounts[Disqualification.emptyBody], 0)
})

/** One server for each origin and the run of one user over them. */
async function overOrigins(hosts: readonly string[]): Promise<Map<string, ScriptedServer>> {
  const servers = new Map(hosts.map((host) => [host, new ScriptedServer(plain())]))
  const { snapshot, reactor } = await simulate({
    plan: planOf({
      targets: hosts.map((host) => ({ url: `http://${host}/` })),
      iterationCount: hosts.length,
    }),
    servers: Object.fromEntries(servers),
    faults: calmNetwork,
  })
  assert.equal(snapshot.completedCount, hosts.length)
  assert.equal(reactor.openCountMax, Math.min(8, servers.size))
  return servers
}

test('a user keeps a connection to each of up to eight origins', async () => {
  const hosts = Array.from({ length: 8 }, (_, index) => `10.0.0.${index}`)
  const servers = await overOrigins([...hosts, ...hosts, ...hosts])
  for (const server of servers.values()) assert.equal(server.connectionCount, 1)
})

test('for a ninth origin a user closes the connection not used for longest', async () => {
  // The first origin is asked before each of the others, so it is never the one to be closed.
  const others = Array.from({ length: 12 }, (_, index) => `10.0.1.${index}`)
  const servers = await overOrigins(others.flatMap((host) => ['10.0.0.1', host]))
  for (const server of servers.values()) assert.equal(server.connectionCount, 1)
})
