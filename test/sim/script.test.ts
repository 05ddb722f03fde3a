/** Scripted sessions in virtual time: steps, variables, checks, feeders, pauses, failures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { Disqualification, FailureKind } from '../../src/metrics/outcome.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type {
  CheckPlan,
  ExtractionPlan,
  FeederPlan,
  ScenarioPlan,
  ScriptPlan,
  StepPlan,
} from '../../src/plan/script-plan.ts'
import { type PlanWishes, planOf, simulate } from './simulated-run.ts'
import { type Behaviour, ScriptedServer } from './simulated-servers.ts'

const BASE = 'http://10.0.0.1'

/** Answers each path with what the table says: a status, a body, header lines. */
function site(pages: Readonly<Record<string, { status?: number; body?: string; head?: string }>>) {
  const behaviour: Behaviour = {
    answer(session) {
      const {
        status = 200,
        body = '',
        head = '',
      } = pages[session.request.target] ?? { status: 404 }
      const text = `HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\n${head}\r\n${body}`
      session.last(text, { bodyBytes: body.length, delayNs: 10 * NS_PER_MS })
    },
  }
  const server = new ScriptedServer(behaviour)
  return { server, servers: { '10.0.0.1': server } }
}

function step(url: StepPlan['url'], more: Partial<StepPlan> = {}): StepPlan {
  return {
    nameIndex: 0,
    method: 'GET',
    url,
    headers: [],
    body: null,
    extractions: [],
    checks: [],
    thinkTime: null,
    stopsOnError: true,
    ...more,
  }
}

function scenario(steps: readonly StepPlan[], more: Partial<ScenarioPlan> = {}): ScenarioPlan {
  return { name: 'all', weight: 1, feederIndexes: [], steps, ...more }
}

function scripted(script: Partial<ScriptPlan>, wishes: PlanWishes = {}): Plan {
  const plan = planOf({ ...wishes, targets: [] })
  const whole = { scenarios: [], variableNames: [], feeders: [], checks: [], ...script }
  return { ...plan, script: whole, requestNames: ['first', 'second', 'third'] }
}

const jsonToken: ExtractionPlan = {
  variableIndex: 0,
  kind: 'json',
  pointer: '/token',
  fallback: null,
}
const isOk: CheckPlan = { checkIndex: 0, kind: 'status', ranges: [{ from: 200, to: 299 }] }
const checks = [{ name: 'status is 2xx', nameIndex: 0 }]

test('a value of one answer is in the next request: URL, header and body', async () => {
  const { server, servers } = site({ '/login': { body: '{"token":"a b"}' }, '/item/a%20b': {} })
  const plan = scripted({
    variableNames: ['token'],
    scenarios: [
      scenario([
        step([`${BASE}/login`], { extractions: [jsonToken] }),
        step([`${BASE}/item/`, { variableIndex: 0, escape: 'url' }], {
          nameIndex: 1,
          method: 'POST',
          headers: [{ name: 'X-Token', value: [0] }],
          body: ['token=', 0],
        }),
      ]),
    ],
  })
  const { snapshot } = await simulate({ plan, servers })
  assert.deepEqual(server.requestLines, ['GET /login HTTP/1.1', 'POST /item/a%20b HTTP/1.1'])
  assert.equal(snapshot.completedCount, 2)
  assert.equal(snapshot.errorCount, 0)
  assert.deepEqual(
    snapshot.names.map(({ completedCount }) => completedCount),
    [1, 1, 0],
  )
  assert.equal(snapshot.pageCount, 1)
})

test('a failed check is an error of its exchange and ends the iteration', async () => {
  const { server, servers } = site({ '/bad': { status: 500 }, '/next': {} })
  const steps = [
    step([`${BASE}/bad`], { checks: [isOk] }),
    step([`${BASE}/next`], { nameIndex: 1 }),
  ]
  const plan = scripted({ checks, scenarios: [scenario(steps)] }, { iterationCount: 3 })
  const { snapshot } = await simulate({ plan, servers })
  assert.equal(server.requestCount, 3)
  assert.deepEqual(snapshot.checks, [{ passedCount: 0, failedCount: 3 }])
  assert.equal(snapshot.disqualificationCounts[Disqualification.checkFailed], 3)
  assert.equal(snapshot.errorCount, 3)
  assert.equal(snapshot.names[0]!.errorCount, 3)
  assert.equal(snapshot.pageCount, 0)
})

test('a script may go on after an error', async () => {
  const { server, servers } = site({ '/bad': { status: 500 }, '/next': {} })
  const steps = [step([`${BASE}/bad`], { stopsOnError: false }), step([`${BASE}/next`])]
  const { snapshot } = await simulate({ plan: scripted({ scenarios: [scenario(steps)] }), servers })
  assert.equal(server.requestCount, 2)
  assert.equal(snapshot.errorCount, 1)
  assert.equal(snapshot.pageCount, 0)
})

test('a status that a check asks for is no error, whatever it is', async () => {
  const { servers } = site({})
  const isMissing: CheckPlan = { checkIndex: 0, kind: 'status', ranges: [{ from: 404, to: 404 }] }
  const steps = [step([`${BASE}/nowhere`], { checks: [isMissing] })]
  const { snapshot } = await simulate({
    plan: scripted({ checks, scenarios: [scenario(steps)] }),
    servers,
  })
  assert.equal(snapshot.statusCounts[404], 1)
  assert.equal(snapshot.errorCount, 0)
  assert.equal(snapshot.pageCount, 1)
})

test('an extraction that finds nothing is an error unless it has a fallback', async () => {
  for (const fallback of [null, 'none']) {
    const { server, servers } = site({ '/login': { body: '{}' }, '/none': {} })
    const steps = [
      step([`${BASE}/login`], { extractions: [{ ...jsonToken, fallback }] }),
      step([`${BASE}/`, 0]),
    ]
    const plan = scripted({ variableNames: ['token'], scenarios: [scenario(steps)] })
    const { snapshot } = await simulate({ plan, servers })
    const missedCount = snapshot.disqualificationCounts[Disqualification.nothingExtracted]
    assert.equal(missedCount, fallback === null ? 1 : 0)
    assert.equal(server.requestCount, fallback === null ? 1 : 2)
  }
})

const rows: FeederPlan = {
  name: 'rows',
  columns: [0],
  rows: [['a'], ['b'], ['c']],
  order: 'in-order',
}

test('feeders give rows in turn; a unique one ends the run with its last row', async () => {
  for (const order of ['in-order', 'unique'] as const) {
    const { server, servers } = site({ '/a': {}, '/b': {}, '/c': {} })
    const steps = [step([`${BASE}/`, 0])]
    const plan = scripted(
      {
        variableNames: ['row'],
        feeders: [{ ...rows, order }],
        scenarios: [scenario(steps, { feederIndexes: [0] })],
      },
      { iterationCount: 5 },
    )
    const { result } = await simulate({ plan, servers })
    const paths = server.requestLines.map((line) => line[5]).join('')
    assert.equal(paths, order === 'unique' ? 'abc' : 'abcab')
    assert.equal(result.endedBy, 'count')
  }
})

test('a unique feeder that is used up ends an open run', async () => {
  const { server, servers } = site({ '/a': {}, '/b': {}, '/c': {} })
  const plan: Plan = {
    ...scripted({
      variableNames: ['row'],
      feeders: [{ ...rows, order: 'unique' }],
      scenarios: [scenario([step([`${BASE}/`, 0])], { feederIndexes: [0] })],
    }),
    load: {
      model: 'open',
      userCount: 10,
      iterationCount: null,
      thinkTimeNsMax: 0,
      durationNs: 60 * NS_PER_S,
      arrivals: 'even',
      stages: [{ durationNs: null, from: 10, to: 10 }],
    },
  }
  const { snapshot, result } = await simulate({ plan, servers })
  assert.equal(server.requestCount, 3)
  assert.equal(snapshot.arrivalCount, 3)
  assert.ok(result.elapsedNs < NS_PER_S)
})

test('users pause between steps, and a drain does not wait for them', async () => {
  const { server, servers } = site({ '/a': {}, '/b': {} })
  const thinkTime = { kind: 'constant', timeNs: NS_PER_S } as const
  const steps = [step([`${BASE}/a`], { thinkTime }), step([`${BASE}/b`])]
  const plan = scripted({ scenarios: [scenario(steps)] }, { iterationCount: 2 })
  const { exchanges } = await simulate({ plan, servers })
  assert.equal(exchanges[1]!.startNs - exchanges[0]!.endNs, NS_PER_S)
  assert.ok(exchanges[2]!.startNs - exchanges[1]!.endNs < NS_PER_MS)
  const drained = await simulate({
    plan: scripted({ scenarios: [scenario(steps)] }, { iterationCount: 2 }),
    servers,
    prepare: ({ runner, reactor }) =>
      reactor.queue.plan(NS_PER_S / 2, () => runner.stop('drain', 'signal')),
  })
  assert.ok(drained.result.elapsedNs < 0.51 * NS_PER_S)
  assert.equal(server.requestCount, 4 + 1)
})

test('a request that cannot be made is a failure, and neither a crash nor a spin', async () => {
  const { server, servers } = site({ '/a': {} })
  const plan = scripted(
    { variableNames: ['host'], scenarios: [scenario([step([0, '/a'])])] },
    { iterationCount: null, durationNs: NS_PER_S },
  )
  const { snapshot } = await simulate({ plan, servers })
  assert.equal(server.requestCount, 0)
  assert.equal(snapshot.failedCount, snapshot.failureCounts[FailureKind.unsendable])
  assert.ok(snapshot.failedCount > 100 && snapshot.failedCount <= 1001)
  assert.match(snapshot.failureExamples[0]!.text, /\/a$/)
})

test('scenarios share iterations by weight, the same on any number of runners', async () => {
  const pages = { '/a': {}, '/b': {} }
  const plan = scripted(
    {
      scenarios: [
        scenario([step([`${BASE}/a`])], { name: 'a', weight: 3 }),
        scenario([step([`${BASE}/b`], { nameIndex: 1 })], { name: 'b', weight: 1 }),
      ],
    },
    { iterationCount: 100, userCount: 4 },
  )
  const one = await simulate({ plan, ...site(pages) })
  const countsOf = (counts: typeof one.snapshot) => counts.names.map((name) => name.completedCount)
  const [often, seldom] = countsOf(one.snapshot)
  assert.ok(Math.abs(often! - 300) < 8 && often! + seldom! === 400, `${often}`)
  const halves = await Promise.all(
    [0, 1].map((index) =>
      simulate({
        plan,
        ...site(pages),
        part: { index, count: 2 },
        users: { first: index * 2, count: 2 },
      }),
    ),
  )
  const [first, second] = halves.map(({ snapshot }) => countsOf(snapshot))
  assert.deepEqual([first![0]! + second![0]!, first![1]! + second![1]!], [often, seldom])
})

test('users of a closed load pause between iterations as the plan has it', async () => {
  const { server, servers } = site({ '/': {} })
  const plan = scripted(
    { scenarios: [scenario([step([`${BASE}/`])])] },
    { iterationCount: null, durationNs: 10 * NS_PER_S },
  )
  assert.ok(plan.load.model === 'closed')
  const load = { ...plan.load, thinkTime: { kind: 'constant', timeNs: NS_PER_S } as const }
  await simulate({ plan: { ...plan, load }, servers })
  assert.equal(server.requestCount, 10)
})
