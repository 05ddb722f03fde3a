/**
 * Random runs: any plan against any servers on any network keeps every law.
 *
 * The same runs each time, so that a commit passes or fails wherever it is tested; others with
 * `SIM_FIRST_SEED=n SIM_SEED_COUNT=1 node --test dist/test/sim/runs.test.js`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureBudget } from '../../src/engine/failure-budget.ts'
import { brokenLaws } from '../../src/metrics/laws.ts'
import { mergeSnapshots } from '../../src/metrics/snapshot-merge.ts'
import { sliceUsers, walkOf } from '../../src/plan/walk.ts'
import { type RandomRun, randomRun } from './random-run.ts'
import { TURN_NS } from './simulated-reactor.ts'
import { methodsOf, type Simulation, sequencesOf, simulate } from './simulated-run.ts'

const seedCount = Number(process.env.SIM_SEED_COUNT ?? 200)
const seedFirst = Number(process.env.SIM_FIRST_SEED ?? 1)

/** Runs the check for each seed and says which one failed. */
async function forEachSeed(check: (seed: number) => Promise<void>): Promise<void> {
  for (let seed = seedFirst; seed < seedFirst + seedCount; seed++) {
    try {
      await check(seed)
    } catch (error) {
      const settings = `SIM_FIRST_SEED=${seed} SIM_SEED_COUNT=1`
      const repeat = `${settings} node --test dist/test/sim/runs.test.js`
      const what = error instanceof Error ? error.stack : error
      throw new Error(`seed ${seed} fails; repeat it with ${repeat}\n${what}`)
    }
  }
}

const seeds = `${seedCount} seeds from ${seedFirst}`

test(`a run keeps every law, and is the same with the same seed (${seeds})`, async () => {
  const covered = new Set<string>()
  let failedCount = 0
  await forEachSeed(async (seed) => {
    const run = randomRun(seed)
    const simulation = await simulate(run.setup())
    checkSequences(run, simulation)
    checkAmount(run, simulation)
    checkRetries(run, simulation)
    checkServers(run, simulation)
    const again = await simulate(randomRun(seed).setup())
    assert.deepEqual(again.result, simulation.result)
    assert.deepEqual(again.exchanges, simulation.exchanges)
    covered.add(simulation.result.endedBy)
    failedCount += simulation.snapshot.failedCount
  })
  if (seedCount < 100) return
  // The random runs reach what they are there for.
  for (const endedBy of ['count', 'time', 'failures', 'signal']) {
    assert.ok(covered.has(endedBy), `no run was ended by ${endedBy}`)
  }
  assert.ok(failedCount > 100)
})

test('users shared out over 1, 2 or 4 runners ask for the same in the same order', async () => {
  await forEachSeed(async (seed) => {
    const { plan } = randomRun(seed)
    if (plan.load.iterationCount === null && plan.walk !== 'once') return
    const expected = sequencesOf(await slicesOf(seed, 1))
    for (const sliceCount of [2, 4]) {
      const slices = await slicesOf(seed, sliceCount)
      const sequences = sequencesOf(slices)
      assert.deepEqual(
        [...sequences].sort(([a], [b]) => a - b),
        [...expected].sort(([a], [b]) => a - b),
      )
      const merged = mergeSnapshots(slices.map((slice) => slice.snapshot))
      assert.deepEqual(brokenLaws(merged), [])
    }
  })
})

async function slicesOf(seed: number, sliceCount: number): Promise<Simulation[]> {
  const slices: Simulation[] = []
  const { userCount } = randomRun(seed).plan.load
  const failureBudget = new FailureBudget(null)
  for (let index = 0; index < sliceCount; index++) {
    const setup = randomRun(seed).uncutSetup()
    const users = sliceUsers(userCount, { index, count: sliceCount })
    if (users.count === 0) continue
    const networkSeed = seed * 4 + index
    slices.push(await simulate({ ...setup, users, networkSeed, failureBudget }))
  }
  return slices
}

/** Every user asks for what its walk says, from the start and without a gap. */
function checkSequences({ plan }: RandomRun, simulation: Simulation): void {
  const facts = {
    walk: plan.walk,
    targetCount: plan.targets.count,
    userCount: plan.load.userCount,
    seed: plan.seed,
  }
  for (const [userId, sequence] of sequencesOf([simulation])) {
    const walk = walkOf(facts, userId)
    assert.deepEqual(
      sequence,
      sequence.map(() => walk.next()),
      `the targets of user ${userId}`,
    )
  }
  const lastEndOf = new Map<number, number>()
  for (const { userId, startNs, endNs } of simulation.exchanges) {
    assert.ok(startNs >= (lastEndOf.get(userId) ?? 0), 'a user has one exchange at a time')
    assert.ok(endNs >= startNs)
    lastEndOf.set(userId, endNs)
  }
}

/** The run did as much as was planned, neither more nor less. */
function checkAmount({ plan, stop }: RandomRun, { result, snapshot }: Simulation): void {
  const { userCount, iterationCount, durationNs } = plan.load
  if (result.endedBy === 'time') {
    // An alarm that is due already takes a turn of the loop, during which the time may come.
    const lateNs = result.elapsedNs - durationNs!
    assert.ok(lateNs >= 0 && lateNs < TURN_NS, `${lateNs} ns after the end`)
  } else assert.ok(durationNs === null || result.elapsedNs <= durationNs + TURN_NS)
  if (result.endedBy === 'signal') assert.ok(result.elapsedNs >= stop!.atNs)
  if (result.endedBy === 'signal' && stop!.how === 'now') {
    assert.equal(result.elapsedNs, stop!.atNs)
  }
  // A drain may itself be cut off by the time, or by a stop at once.
  const isCutByTime = durationNs !== null && result.elapsedNs >= durationNs
  const isCutByStop = stop?.how === 'now' && result.elapsedNs === stop.atNs
  if (!isCutByTime && !isCutByStop) assert.equal(snapshot.inFlightCount, 0)
  assert.ok(snapshot.inFlightCount <= userCount)
  const planned =
    plan.walk === 'once'
      ? Math.min(plan.targets.count, (iterationCount ?? Number.POSITIVE_INFINITY) * userCount)
      : iterationCount === null
        ? Number.POSITIVE_INFINITY
        : userCount * iterationCount
  if (result.endedBy === 'count') assert.equal(snapshot.startedCount, planned)
  else assert.ok(snapshot.startedCount <= planned)
  if (result.endedBy === 'failures') {
    assert.ok(snapshot.failedCount >= plan.failureCountMax!)
    assert.ok(snapshot.failedCount < plan.failureCountMax! + userCount)
  }
}

/** A request is sent at most twice, and twice only if that does no harm. */
function checkRetries({ plan, requestBytesOf }: RandomRun, simulation: Simulation): void {
  const methods = methodsOf(plan)
  let secondSendCount = 0
  for (const { targetIndex, requestBytes } of simulation.exchanges) {
    const isPost = methods[targetIndex] === 'POST'
    const sendCount = Math.ceil(requestBytes / requestBytesOf(targetIndex))
    assert.ok(sendCount <= (isPost ? 1 : 2), `${methods[targetIndex]} was sent ${sendCount} times`)
    if (sendCount === 2) secondSendCount++
  }
  assert.ok(secondSendCount <= simulation.snapshot.retryCount)
}

/** What the servers counted agrees with what we counted. */
function checkServers(run: RandomRun, { snapshot, reactor }: Simulation): void {
  const sum = (key: CountKey) => run.servers.reduce((total, server) => total + server[key], 0)
  const { startedCount, completedCount, retryCount } = snapshot
  assert.equal(sum('closedCount'), sum('connectionCount'), 'connections that servers see open')
  assert.ok(snapshot.connectionCount <= sum('connectionCount'))
  assert.ok(sum('attemptCount') <= reactor.openedCount)
  assert.ok(sum('requestCount') <= startedCount + retryCount, 'more requests than were sent')
  assert.ok(completedCount <= sum('answeredCount'), 'more answers than were given')
  assert.ok(completedCount <= sum('requestCount') + sum('earlyAnswerCount'))
  assert.ok(snapshot.completedBodyBytes <= sum('answeredBodyBytes'))
  if (snapshot.failedCount + snapshot.inFlightCount + retryCount > 0) return
  if (sum('earlyAnswerCount') > 0) return
  assert.equal(sum('requestCount'), completedCount)
  assert.equal(sum('answeredCount'), completedCount)
  assert.equal(sum('answeredBodyBytes'), snapshot.bodyBytes)
  assert.equal(sum('receivedBytes'), snapshot.requestBytes)
}

type CountKey =
  | 'attemptCount'
  | 'connectionCount'
  | 'closedCount'
  | 'requestCount'
  | 'answeredCount'
  | 'answeredBodyBytes'
  | 'receivedBytes'
  | 'earlyAnswerCount'
