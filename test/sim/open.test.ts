/** The open model, ramps of users, warm-up and drain, in virtual time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { SharedQuota } from '../../src/engine/shared-quota.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import type { Load, OpenLoad, Plan, Stage } from '../../src/plan/plan.ts'
import { type PlanWishes, planOf, simulate } from './simulated-run.ts'
import { type Behaviour, plain, ScriptedServer } from './simulated-servers.ts'

function openPlan(load: Partial<OpenLoad>, wishes: PlanWishes = {}): Plan {
  return {
    ...planOf(wishes),
    load: {
      model: 'open',
      userCount: 1000,
      iterationCount: null,
      thinkTimeNsMax: 0,
      durationNs: 10 * NS_PER_S,
      arrivals: 'even',
      stages: steady(100),
      ...load,
    },
  }
}

function steady(level: number): Stage[] {
  return [{ durationNs: null, from: level, to: level }]
}

function serverOf(behaviour: Behaviour = plain({ delayNs: 10 * NS_PER_MS })) {
  const server = new ScriptedServer(behaviour)
  return { server, servers: { '10.0.0.1': server } }
}

/** A server that stands still between two moments and then answers all that came meanwhile. */
function stalling(nowNs: () => number, fromNs: number, toNs: number): Behaviour {
  return {
    answer(session) {
      const waitNs = nowNs() >= fromNs && nowNs() < toNs ? toNs - nowNs() : 0
      session.last('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', {
        bodyBytes: 2,
        delayNs: waitNs + 10 * NS_PER_MS,
      })
    },
  }
}

test('arrivals are begun when they are due, and offered is what was planned', async () => {
  const { servers, server } = serverOf()
  const { snapshot, result, exchanges } = await simulate({ plan: openPlan({}), servers })
  assert.equal(snapshot.arrivalCount, 1000)
  assert.equal(snapshot.droppedCount, 0)
  assert.equal(server.requestCount, 1000)
  assert.deepEqual([result.endedBy, result.elapsedNs], ['time', 10 * NS_PER_S])
  for (const { startNs } of exchanges) assert.equal(startNs % 1e7, 0)
  assert.equal(snapshot.startLag.maxNs, 0)
  // Ten milliseconds of work a hundred times a second: two users and their connections are enough.
  assert.equal(new Set(exchanges.map(({ userId }) => userId)).size, 2)
})

test('a stall of the server shows in the response times of all who were due meanwhile', async () => {
  let nowNs = () => 0
  const { servers } = serverOf(stalling(() => nowNs(), 5 * NS_PER_S, 6 * NS_PER_S))
  const { snapshot } = await simulate({
    plan: openPlan({ userCount: 200 }),
    servers,
    prepare: ({ reactor }) => {
      nowNs = () => reactor.nowNs()
    },
  })
  // A second of arrivals waits between 1 s and 0 s: a tenth of all requests.
  const times = Histogram.from(snapshot.responseTime)
  assert.ok(Math.abs(times.valueNsAtQuantile(0.95) - 0.5 * NS_PER_S) < 0.03 * NS_PER_S)
  assert.ok(times.valueNsAtQuantile(0.89) < 12 * NS_PER_MS)
  assert.equal(snapshot.droppedCount, 0)
})

test('arrivals that find everybody busy are dropped and counted, and begin no later', async () => {
  const { servers, server } = serverOf(plain({ delayNs: 95 * NS_PER_MS }))
  const { snapshot } = await simulate({ plan: openPlan({ userCount: 5 }), servers })
  // Five at once, 95 ms each, of a hundred a second: half of them.
  assert.equal(snapshot.arrivalCount + snapshot.droppedCount, 1000)
  assert.ok(Math.abs(snapshot.arrivalCount - 500) < 10, `${snapshot.arrivalCount}`)
  assert.equal(snapshot.startLag.maxNs, 0)
  assert.equal(server.attemptCount, 5)
  const dropped = snapshot.intervals.intervals.reduce((sum, one) => sum + one.droppedCount, 0)
  assert.equal(dropped, snapshot.droppedCount)
})

test('arrivals asked for by number end the run when the last has ended', async () => {
  const { servers } = serverOf()
  const plan = openPlan({ totalCount: 7, durationNs: null })
  const { snapshot, result } = await simulate({ plan, servers })
  assert.deepEqual([snapshot.completedCount, result.endedBy], [7, 'count'])
})

test('arrivals walk the list in order, whoever they fall to', async () => {
  const targets = ['a', 'b', 'c'].map((path) => ({ url: `http://10.0.0.1/${path}` }))
  const { servers, server } = serverOf(plain({ delayNs: 35 * NS_PER_MS }))
  const plan = openPlan({ totalCount: 7 }, { targets })
  await simulate({ plan, servers })
  assert.deepEqual(
    server.requestLines.map((line) => line[5]),
    [...'abcabca'],
  )
})

test('the arrivals of several runners are those of one', async () => {
  const one = serverOf()
  const plan = openPlan({ arrivals: 'poisson' })
  const { exchanges } = await simulate({ plan, servers: one.servers })
  const parts = []
  for (const index of [0, 1, 2]) {
    const { servers } = serverOf()
    const setup = { plan, servers, part: { index, count: 3 }, users: { first: 0, count: 300 } }
    parts.push(...(await simulate(setup)).exchanges)
  }
  const startsOf = (list: typeof exchanges) =>
    list.map(({ startNs }) => startNs).sort((a, b) => a - b)
  assert.deepEqual(startsOf(parts), startsOf(exchanges))
})

test('a ramp of arrivals has the shape that was asked for', async () => {
  const { servers } = serverOf()
  const stages = [
    { durationNs: 10 * NS_PER_S, from: 0, to: 100 },
    { durationNs: 10 * NS_PER_S, from: 100, to: 100 },
  ]
  const { snapshot } = await simulate({ plan: openPlan({ stages, durationNs: null }), servers })
  const started = snapshot.intervals.intervals.map(({ startedCount }) => startedCount)
  assert.ok(Math.abs(started.slice(0, 10).reduce((a, b) => a + b) - 500) <= 1)
  for (const count of started.slice(10, 20)) assert.ok(Math.abs(count - 100) <= 1)
})

function closedPlan(load: Partial<Load>, wishes: PlanWishes = {}): Plan {
  const plan = planOf({ iterationCount: null, ...wishes })
  return { ...plan, load: { ...plan.load, ...load } as Load }
}

test('a ramp of users begins and retires them one by one', async () => {
  const { servers } = serverOf()
  const stages = [
    { durationNs: 10 * NS_PER_S, from: 0, to: 10 },
    { durationNs: 10 * NS_PER_S, from: 10, to: 0 },
  ]
  const { snapshot, exchanges, result } = await simulate({
    plan: closedPlan({ stages }, { userCount: 10 }),
    servers,
  })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['time', 20 * NS_PER_S])
  const firsts = Array.from({ length: 10 }, (_, id) =>
    Math.min(...exchanges.filter(({ userId }) => userId === id).map(({ startNs }) => startNs)),
  )
  assert.deepEqual(
    firsts.map((startNs) => Math.round(startNs / NS_PER_MS)),
    [...firsts.keys()].map((id) => id * 1000),
  )
  const inFlight = snapshot.intervals.intervals.map((one) => one.inFlightCountAtEnd)
  // One begins, or has just ended its last, at the very end of each second.
  const wanted = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
  for (const [second, count] of wanted.entries()) {
    assert.ok(Math.abs(inFlight[second]! - count) <= 1, `second ${second}: ${inFlight}`)
  }
})

test('users whose place comes back begin again', async () => {
  const { servers } = serverOf()
  const level = (users: number) => ({ durationNs: NS_PER_S, from: users, to: users })
  const plan = closedPlan({ stages: [level(2), level(1), level(2)] }, { userCount: 2 })
  const { exchanges } = await simulate({ plan, servers })
  const second = exchanges.filter(({ userId }) => userId === 1).map(({ startNs }) => startNs)
  assert.ok(second.some((startNs) => startNs > 2 * NS_PER_S))
  assert.ok(second.every((startNs) => startNs < NS_PER_S || startNs >= 2 * NS_PER_S))
})

test('the warm-up is in no figure but its own', async () => {
  const { servers, server } = serverOf()
  const plan = openPlan({ warmUpNs: 2 * NS_PER_S, userCount: 1 })
  const { snapshot } = await simulate({ plan, servers })
  assert.equal(snapshot.warmUp.startedCount + snapshot.warmUp.droppedCount, 200)
  assert.equal(snapshot.arrivalCount + snapshot.droppedCount, 800)
  assert.equal(server.requestCount, snapshot.warmUp.startedCount + snapshot.startedCount)
  assert.equal(snapshot.intervals.intervals[0]!.startedCount, 0)
})

test('at the end of the time what is under way may end, for as long as the drain lasts', async () => {
  const quick = serverOf(plain({ delayNs: 300 * NS_PER_MS }))
  const plan = openPlan({ durationNs: NS_PER_S, drainNs: NS_PER_S })
  const drained = await simulate({ plan, servers: quick.servers })
  assert.equal(drained.snapshot.inFlightCount, 0)
  assert.equal(drained.snapshot.completedCount, 100)
  assert.equal(drained.result.endedBy, 'time')
  assert.ok(drained.result.elapsedNs < 1.35 * NS_PER_S)
  const slow = serverOf(plain({ delayNs: 5 * NS_PER_S }))
  const cut = await simulate({
    plan: { ...plan, connection: { ...plan.connection, timeoutNs: 60 * NS_PER_S } },
    servers: slow.servers,
  })
  assert.equal(cut.snapshot.inFlightCount, 100)
  assert.deepEqual([cut.result.endedBy, cut.result.elapsedNs], ['time', 2 * NS_PER_S])
})

test('a closed run drains at the end of its time, too', async () => {
  const { servers } = serverOf(plain({ delayNs: 300 * NS_PER_MS }))
  const plan = closedPlan({ durationNs: NS_PER_S, drainNs: NS_PER_S }, { userCount: 4 })
  const { snapshot, result } = await simulate({ plan, servers })
  assert.equal(snapshot.inFlightCount, 0)
  assert.equal(result.endedBy, 'time')
  assert.equal(snapshot.completedCount, 16)
})

test('a rate of 0 begins nothing, not even at the start', async () => {
  const { servers } = serverOf()
  const stages = [{ durationNs: null, from: 0, to: 0 }]
  const plan = openPlan({ stages, durationNs: NS_PER_S })
  const { snapshot, result } = await simulate({ plan, servers })
  assert.deepEqual([snapshot.startedCount, result.endedBy], [0, 'time'])
})

test('a count is reached by the users that are there, those of a later stage are not waited for', async () => {
  const { servers, server } = serverOf()
  const stages = [{ durationNs: 1000 * NS_PER_S, from: 0, to: 100 }]
  const plan = closedPlan({ stages, totalCount: 50 }, { userCount: 100 })
  const { snapshot, result } = await simulate({ plan, servers, quota: new SharedQuota(50) })
  assert.deepEqual([snapshot.completedCount, result.endedBy], [50, 'count'])
  assert.equal(server.requestCount, 50)
  // One user does them all before the second one would begin.
  assert.ok(result.elapsedNs < 5 * NS_PER_S, `${result.elapsedNs}`)
})

test('a user who loses its place leaves its next iteration to the others', async () => {
  const { servers } = serverOf()
  const stages = [
    { durationNs: NS_PER_S, from: 10, to: 10 },
    { durationNs: null, from: 1, to: 1 },
  ]
  const plan = closedPlan({ stages, totalCount: 2000 }, { userCount: 10 })
  const { snapshot, result } = await simulate({ plan, servers, quota: new SharedQuota(2000) })
  assert.deepEqual([snapshot.completedCount, result.endedBy], [2000, 'count'])
})
