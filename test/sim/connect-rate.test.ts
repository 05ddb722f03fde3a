/** New connections held to a rate, in virtual time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { type PlanWishes, planOf, simulate } from './simulated-run.ts'
import { plain, ScriptedServer } from './simulated-servers.ts'

function paced(ratePerS: number, wishes: PlanWishes): Plan {
  const plan = planOf(wishes)
  return { ...plan, connection: { ...plan.connection, connectRatePerS: ratePerS } }
}

const quick = () => new ScriptedServer(plain({ delayNs: 10 * NS_PER_MS }))

test('a crowd opens its connections one after another, and waiting is no part of an exchange', async () => {
  const plan = paced(100, { userCount: 50, iterationCount: 3 })
  const { snapshot, exchanges } = await simulate({ plan, servers: { '10.0.0.1': quick() } })
  assert.equal(snapshot.completedCount, 150)
  const firsts = [
    ...new Map(exchanges.toReversed().map((one) => [one.userId, one.startNs])).values(),
  ]
  assert.deepEqual(
    firsts.sort((a, b) => a - b).map((startNs) => Math.round(startNs / NS_PER_MS)),
    Array.from({ length: 50 }, (_, index) => index * 10),
  )
  assert.ok(snapshot.responseTime.maxNs < 11 * NS_PER_MS)
})

test('without keep-alive the rate of connections is that of requests', async () => {
  const plan = paced(100, {
    userCount: 20,
    iterationCount: null,
    durationNs: 5 * NS_PER_S,
    keepAlive: false,
  })
  const { snapshot, result } = await simulate({ plan, servers: { '10.0.0.1': quick() } })
  assert.ok(Math.abs(snapshot.connectionCount - 500) <= 1, `${snapshot.connectionCount}`)
  assert.equal(result.endedBy, 'time')
})

test('several runners together keep the rate', async () => {
  const plan = paced(100, { userCount: 40, iterationCount: 1 })
  const starts: number[] = []
  for (const index of [0, 1]) {
    const setup = { plan, part: { index, count: 2 }, users: { first: 20 * index, count: 20 } }
    const { exchanges } = await simulate({ ...setup, servers: { '10.0.0.1': quick() } })
    starts.push(...exchanges.map(({ startNs }) => Math.round(startNs / NS_PER_MS)))
  }
  assert.deepEqual(
    starts.sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index * 10),
  )
})
