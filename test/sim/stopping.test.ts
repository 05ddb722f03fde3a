/** When users start, pause and stop, and what ends a run: count, time, failures, a call. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { FailureBudget } from '../../src/engine/failure-budget.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import { type PlanWishes, planOf, type SimulationSetup, simulate } from './simulated-run.ts'
import { mute, plain, refusing, ScriptedServer } from './simulated-servers.ts'

/** A server that takes 10 ms for an answer: with the network's way there and back 10.1 ms. */
const slowly = () => new ScriptedServer(plain({ delayNs: 10 * NS_PER_MS }))

function setupOf(wishes: PlanWishes, server: ScriptedServer): SimulationSetup {
  return { plan: planOf(wishes), servers: { '10.0.0.1': server } }
}

test('a counted run makes exactly its iterations', async () => {
  const wishes = { userCount: 7, iterationCount: 13 }
  const { result, snapshot, exchanges } = await simulate(setupOf(wishes, slowly()))
  assert.equal(result.endedBy, 'count')
  assert.equal(snapshot.completedCount, 7 * 13)
  assert.equal(snapshot.pageCount, 7 * 13)
  assert.equal(result.elapsedNs, Math.max(...exchanges.map(({ endNs }) => endNs)))
})

test('a timed run ends on the nanosecond, whatever is in flight then', async () => {
  const wishes = { userCount: 7, iterationCount: null, durationNs: NS_PER_S + 1 }
  const { result, snapshot } = await simulate(setupOf(wishes, slowly()))
  assert.equal(result.endedBy, 'time')
  assert.equal(result.elapsedNs, NS_PER_S + 1)
  assert.equal(snapshot.inFlightCount, 7)
  assert.equal(snapshot.failedCount, 0)
})

test('with a count and a time, whichever comes first ends the run', async () => {
  const short = { iterationCount: 1000, durationNs: 100 * NS_PER_MS }
  assert.equal((await simulate(setupOf(short, slowly()))).result.endedBy, 'time')
  const long = { iterationCount: 3, durationNs: 100 * NS_PER_MS }
  const { result, snapshot } = await simulate(setupOf(long, slowly()))
  assert.equal(result.endedBy, 'count')
  assert.equal(snapshot.completedCount, 3)
})

test('users without a share of the list have nothing to do and hold nothing up', async () => {
  const targets = [{ url: 'http://10.0.0.1/a' }, { url: 'http://10.0.0.1/b' }]
  const wishes = { targets, walk: 'once', userCount: 5, iterationCount: null } as const
  const server = slowly()
  const { snapshot } = await simulate(setupOf(wishes, server))
  assert.equal(snapshot.completedCount, 2)
  assert.deepEqual(server.requestLines.sort(), ['GET /a HTTP/1.1', 'GET /b HTTP/1.1'])
})

test('a thread without users ends at once', async () => {
  const setup = setupOf({ userCount: 3 }, slowly())
  const { result, snapshot } = await simulate({ ...setup, users: { first: 3, count: 0 } })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['count', 0])
  assert.equal(snapshot.startedCount, 0)
})

test('more users than begin in one turn all begin at once', async () => {
  const wishes = { userCount: 1800, iterationCount: 1 }
  const { exchanges } = await simulate(setupOf(wishes, slowly()))
  assert.equal(exchanges.length, 1800)
  assert.ok(Math.max(...exchanges.map(({ startNs }) => startNs)) < NS_PER_MS)
})

test('users think between iterations, up to the maximum, and not after the last', async () => {
  const thinkTimeNsMax = 400 * NS_PER_MS
  const wishes = { userCount: 20, iterationCount: 6, thinkTimeNsMax }
  const { result, exchanges } = await simulate(setupOf(wishes, slowly()))
  const pausesNs: number[] = []
  const endOf = new Map<number, number>()
  for (const { userId, startNs, endNs } of exchanges) {
    if (endOf.has(userId)) pausesNs.push(startNs - endOf.get(userId)!)
    else assert.equal(startNs, 0, 'nobody thinks before the first')
    endOf.set(userId, endNs)
  }
  assert.equal(pausesNs.length, 100)
  assert.ok(pausesNs.every((pauseNs) => pauseNs >= 0 && pauseNs <= thinkTimeNsMax + 1))
  const meanNs = pausesNs.reduce((sum, pauseNs) => sum + pauseNs, 0) / pausesNs.length
  assert.ok(meanNs > 0.35 * thinkTimeNsMax && meanNs < 0.65 * thinkTimeNsMax, `${meanNs}`)
  assert.equal(result.elapsedNs, Math.max(...endOf.values()))
})

test('a stop at once leaves what is under way in flight', async () => {
  const wishes = { userCount: 5, iterationCount: null }
  const { result, snapshot } = await simulate({
    ...setupOf(wishes, slowly()),
    prepare: ({ runner, reactor }) =>
      reactor.queue.plan(105 * NS_PER_MS, () => runner.stop('now', 'signal')),
  })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['signal', 105 * NS_PER_MS])
  assert.equal(snapshot.inFlightCount, 5)
  assert.equal(snapshot.completedCount, 50)
})

test('a drain lets what is under way come to its end and starts nothing', async () => {
  const wishes = { userCount: 5, iterationCount: null, thinkTimeNsMax: 0 }
  const { result, snapshot, exchanges } = await simulate({
    ...setupOf(wishes, slowly()),
    prepare: ({ runner, reactor }) =>
      reactor.queue.plan(105 * NS_PER_MS, () => runner.stop('drain', 'signal')),
  })
  assert.equal(result.endedBy, 'signal')
  assert.equal(snapshot.inFlightCount, 0)
  assert.equal(snapshot.completedCount, 55)
  assert.ok(result.elapsedNs > 105 * NS_PER_MS && result.elapsedNs < 116 * NS_PER_MS)
  assert.ok(exchanges.every(({ startNs }) => startNs < 105 * NS_PER_MS))
})

test('a drain does not wait for users who think', async () => {
  const wishes = { userCount: 5, iterationCount: null, thinkTimeNsMax: 1000 * NS_PER_S }
  const { result } = await simulate({
    ...setupOf(wishes, slowly()),
    prepare: ({ runner, reactor }) =>
      reactor.queue.plan(NS_PER_S, () => runner.stop('drain', 'signal')),
  })
  assert.ok(result.elapsedNs <= NS_PER_S + 11 * NS_PER_MS)
})

test('a stop at once ends a drain', async () => {
  const { result, snapshot } = await simulate({
    ...setupOf({ userCount: 5, timeoutNs: 100 * NS_PER_S }, new ScriptedServer(mute)),
    prepare({ runner, reactor }) {
      reactor.queue.plan(NS_PER_S, () => runner.stop('drain', 'signal'))
      reactor.queue.plan(2 * NS_PER_S, () => runner.stop('now', 'signal'))
      reactor.queue.plan(3 * NS_PER_S, () => runner.stop('now', 'signal'))
    },
  })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['signal', 2 * NS_PER_S])
  assert.equal(snapshot.inFlightCount, 5)
})

test('the limit of failures ends the run, once, and drains it', async () => {
  const wishes = { userCount: 10, iterationCount: null, failureCountMax: 25 }
  const setup = setupOf(wishes, new ScriptedServer(refusing))
  const { result, snapshot, failureLimitCallCount } = await simulate(setup)
  assert.equal(result.endedBy, 'failures')
  assert.equal(failureLimitCallCount, 1)
  assert.ok(snapshot.failedCount >= 25 && snapshot.failedCount < 35)
  assert.equal(snapshot.inFlightCount, 0)
})

test('statuses are not failures: a server of errors reaches no limit', async () => {
  const wishes = { userCount: 2, iterationCount: 50, failureCountMax: 1 }
  const server = new ScriptedServer(plain({ status: 500 }))
  const { result, snapshot } = await simulate(setupOf(wishes, server))
  assert.equal(result.endedBy, 'count')
  assert.equal(snapshot.statusCounts[500], 100)
})

test('failures are counted over all threads', async () => {
  const failureBudget = new FailureBudget(10)
  const wishes = { userCount: 2, iterationCount: 6, failureCountMax: 10 }
  const setup = { ...setupOf(wishes, new ScriptedServer(refusing)), failureBudget }
  const first = await simulate({ ...setup, users: { first: 0, count: 1 } })
  assert.deepEqual([first.result.endedBy, first.snapshot.failedCount], ['count', 6])
  const second = await simulate({ ...setup, users: { first: 1, count: 1 } })
  assert.deepEqual([second.result.endedBy, second.snapshot.failedCount], ['failures', 4])
})

/** The first failure ends the run while another user waits for an answer that does not come. */
const brokenRun: PlanWishes = {
  targets: [{ url: 'http://10.0.0.1/' }, { url: 'http://10.0.0.2/' }],
  userCount: 2,
  iterationCount: null,
  failureCountMax: 1,
  timeoutNs: 10 * NS_PER_S,
}
const brokenServers = {
  '10.0.0.1': new ScriptedServer(refusing),
  '10.0.0.2': new ScriptedServer(mute),
}

test('a run that drains after failures was ended by them, even if its time comes', async () => {
  const plan = planOf({ ...brokenRun, durationNs: NS_PER_S })
  const { result, snapshot } = await simulate({ plan, servers: brokenServers })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['failures', NS_PER_S])
  assert.equal(snapshot.failureCounts[FailureKind.connect], 1)
  assert.equal(snapshot.inFlightCount, 1)
})

test('a run was ended by what ended it first', async () => {
  const { result } = await simulate({
    plan: planOf(brokenRun),
    servers: brokenServers,
    prepare({ runner, reactor }) {
      reactor.queue.plan(NS_PER_S, () => runner.stop('drain', 'signal'))
      reactor.queue.plan(2 * NS_PER_S, () => runner.stop('now', 'signal'))
    },
  })
  assert.deepEqual([result.endedBy, result.elapsedNs], ['failures', 2 * NS_PER_S])
})

test('users wait while the observer is behind, and go on when it is ready again', async () => {
  const [heldNs, resumedNs] = [55 * NS_PER_MS, 300 * NS_PER_MS]
  const { snapshot, exchanges } = await simulate({
    ...setupOf({ userCount: 4, iterationCount: 20 }, slowly()),
    isObserverReady: (nowNs) => nowNs < heldNs || nowNs >= resumedNs,
    prepare: ({ runner, reactor }) => reactor.queue.plan(resumedNs, () => runner.resume()),
  })
  assert.equal(snapshot.completedCount, 80)
  assert.ok(exchanges.every(({ startNs }) => startNs < heldNs || startNs >= resumedNs))
  assert.ok(exchanges.some(({ startNs }) => startNs >= resumedNs))
})

test('users who wait for the observer neither hold up the end nor outlive it', async () => {
  const wishes = { userCount: 4, iterationCount: null, durationNs: NS_PER_S }
  const setup = { ...setupOf(wishes, slowly()), isObserverReady: (nowNs: number) => nowNs < 50e6 }
  const timed = await simulate(setup)
  assert.deepEqual([timed.result.endedBy, timed.result.elapsedNs], ['time', NS_PER_S])
  assert.equal(timed.snapshot.inFlightCount, 0)
  const drained = await simulate({
    ...setup,
    prepare: ({ runner, reactor }) =>
      reactor.queue.plan(NS_PER_S / 2, () => runner.stop('drain', 'signal')),
  })
  assert.deepEqual([drained.result.endedBy, drained.result.elapsedNs], ['signal', NS_PER_S / 2])
})
