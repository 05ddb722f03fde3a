/** The same plan and seed give the same run to the last bit, and parts of it add up to the whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { SharedQuota } from '../../src/engine/shared-quota.ts'
import { mergeSnapshots } from '../../src/metrics/snapshot-merge.ts'
import type { OpenLoad, Plan } from '../../src/plan/plan.ts'
import type { ScriptPlan, StepPlan } from '../../src/plan/script-plan.ts'
import { planOf, type Simulation, simulate } from './simulated-run.ts'
import { type Behaviour, plain, ScriptedServer } from './simulated-servers.ts'

const BASE = 'http://10.0.0.1'
const SEED = 20_261_201

/** Poisson arrivals of a ramp, for ten seconds. */
const ramp: OpenLoad = {
  model: 'open',
  userCount: 1000,
  iterationCount: null,
  thinkTimeNsMax: 0,
  durationNs: 10 * NS_PER_S,
  arrivals: 'poisson',
  stages: [
    { durationNs: 5 * NS_PER_S, from: 0, to: 200 },
    { durationNs: null, from: 200, to: 200 },
  ],
  drainNs: 10 * NS_PER_S,
}

function openPlan(): Plan {
  return { ...planOf({ keepAlive: false, seed: SEED }), load: ramp }
}

function step(nameIndex: number, url: StepPlan['url']): StepPlan {
  return {
    nameIndex,
    method: 'GET',
    url,
    headers: [],
    body: null,
    extractions: [],
    checks: [{ checkIndex: nameIndex, kind: 'status', ranges: [{ from: 200, to: 200 }] }],
    thinkTime: { kind: 'exponential', meanNs: 50 * NS_PER_MS },
    stopsOnError: true,
  }
}

/** Two scenarios of different weight, with rows of two feeders. */
const script: ScriptPlan = {
  variableNames: ['id', 'word'],
  feeders: [
    { name: 'ids', columns: [0], rows: ['1', '2', '3'].map((id) => [id]), order: 'in-order' },
    { name: 'words', columns: [1], rows: [...'abcdefg'].map((word) => [word]), order: 'random' },
  ],
  checks: [0, 1, 2].map((nameIndex) => ({ name: 'status 200', nameIndex })),
  scenarios: [
    {
      name: 'read',
      weight: 3,
      feederIndexes: [0],
      steps: [
        step(0, [`${BASE}/list`]),
        step(1, [`${BASE}/item/`, { variableIndex: 0, escape: 'url' }]),
      ],
    },
    {
      name: 'search',
      weight: 1,
      feederIndexes: [1],
      steps: [step(2, [`${BASE}/find/`, { variableIndex: 1, escape: 'url' }])],
    },
  ],
}

const names = ['list', 'item', 'find']

function scriptPlan(load: Plan['load']): Plan {
  const plan = planOf({ targets: [], keepAlive: false, seed: SEED })
  return { ...plan, load, script, requestNames: names }
}

function closedLoad(): Plan['load'] {
  const { load } = planOf({ userCount: 7, iterationCount: null })
  return { ...load, totalCount: 300 }
}

async function runOf(plan: Plan, part = { index: 0, count: 1 }, behaviour: Behaviour = steady) {
  const server = new ScriptedServer(behaviour)
  const { totalCount } = plan.load
  const simulation = await simulate({
    plan,
    servers: { '10.0.0.1': server },
    part,
    users: { first: part.index * plan.load.userCount, count: plan.load.userCount },
    ...(totalCount == null ? {} : { quota: new SharedQuota(totalCount) }),
  })
  return { ...simulation, requestLines: server.requestLines }
}

const steady = plain({ delayNs: 20 * NS_PER_MS })

function same(one: Simulation, other: Simulation): void {
  assert.deepEqual(one.snapshot, other.snapshot)
  assert.deepEqual(one.exchanges, other.exchanges)
  assert.deepEqual(one.result, other.result)
}

test('an open run is the same again, and another with another seed', async () => {
  const one = await runOf(openPlan())
  same(one, await runOf(openPlan()))
  assert.ok(one.snapshot.arrivalCount > 1000)
  const other = await runOf({ ...openPlan(), seed: SEED + 1 })
  assert.notDeepEqual(other.exchanges, one.exchanges)
})

test('a scripted run is the same again, with users and at a rate', async () => {
  for (const load of [closedLoad(), ramp]) {
    const one = await runOf(scriptPlan(load))
    const again = await runOf(scriptPlan(load))
    same(one, again)
    assert.deepEqual(one.requestLines, again.requestLines)
    assert.equal(one.snapshot.errorCount, 0)
    const other = await runOf({ ...scriptPlan(load), seed: SEED + 1 })
    assert.notDeepEqual(other.exchanges, one.exchanges)
  }
})

test('an open run on two runners adds up to that of one', async () => {
  const whole = await runOf(openPlan())
  const parts = await Promise.all([0, 1].map((index) => runOf(openPlan(), { index, count: 2 })))
  const merged = mergeSnapshots(parts.map(({ snapshot }) => snapshot))
  const { snapshot } = whole
  const counts = ['arrivalCount', 'droppedCount', 'startedCount', 'completedCount'] as const
  for (const name of counts) assert.equal(merged[name], snapshot[name], name)
  assert.deepEqual(merged.statusCounts, snapshot.statusCounts)
  const startsOf = (runs: readonly Simulation[]) =>
    runs.flatMap(({ exchanges }) => exchanges.map(({ startNs }) => startNs)).sort((a, b) => a - b)
  assert.deepEqual(startsOf(parts), startsOf([whole]))
  const perSecond = ({ intervals }: typeof merged) =>
    intervals.intervals.map(({ startedCount }) => startedCount)
  assert.deepEqual(perSecond(merged), perSecond(snapshot))
})

test('scenarios and rows at a rate are the same on two runners as on one', async () => {
  const plan = scriptPlan({ ...ramp, drainNs: 60 * NS_PER_S, arrivals: 'even' })
  const whole = await runOf(plan)
  const parts = await Promise.all([0, 1].map((index) => runOf(plan, { index, count: 2 })))
  const merged = mergeSnapshots(parts.map(({ snapshot }) => snapshot))
  assert.equal(merged.arrivalCount, whole.snapshot.arrivalCount)
  // Pauses of iterations under way at the end are cut off, so only first steps are told exactly.
  const firstsOf = (lines: readonly string[]) =>
    lines.filter((line) => !line.includes('/item/')).map((line) => line.split('/')[1])
  assert.deepEqual(
    firstsOf(parts.flatMap(({ requestLines }) => requestLines)).sort(),
    firstsOf(whole.requestLines).sort(),
  )
})
