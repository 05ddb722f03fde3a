/**
 * The open model against a server with a timetable: response times are what the server's own notes
 * and the planned arrivals imply, a stall shows in them and not only in one request, and as much is
 * offered as was planned.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { monotonicNs } from '../../src/engine/net/monotonic-clock.ts'
import { startPlan } from '../../src/fleet/run-plan.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import type { Plan, ReactorWish } from '../../src/plan/plan.ts'
import { TargetList } from '../../src/plan/target-list.ts'
import type { RunResult } from '../../src/result/run-result.ts'
import { planOf } from '../sim/simulated-run.ts'
import { projectRoot } from '../support/files.ts'
import type { Scope } from '../support/scope.ts'
import { obstacleOf } from '../support/siege-run.ts'

interface Timetable {
  readonly serviceMs: number
  readonly stallFromMs: number
  readonly stallToMs: number
}

interface TimetableServer {
  readonly url: string
  /** By request: the monotonic clock at which its answer was handed to the kernel, ms. */
  log(): Promise<(number | null)[]>
}

async function startServer(scope: Scope, timetable: Timetable): Promise<TimetableServer> {
  const program = join(projectRoot, 'dist', 'test', 'support', 'timetable-server.js')
  const { serviceMs, stallFromMs, stallToMs } = timetable
  const child = fork(program, [serviceMs, stallFromMs, stallToMs].map(String))
  scope.after(() => child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    async log() {
      child.send('log')
      const [sentAtMs] = (await once(child, 'message')) as [(number | null)[]]
      return sentAtMs
    },
  }
}

function planFor(url: string, ratePerS: number, durationS: number, reactor: ReactorWish): Plan {
  const count = ratePerS * durationS
  const targets = Array.from({ length: count }, (_, index) => ({ url: `${url}/${index}` }))
  return {
    ...planOf({ targets, timeoutNs: 30 * NS_PER_S }),
    load: {
      model: 'open',
      userCount: 5000,
      iterationCount: null,
      thinkTimeNsMax: 0,
      durationNs: durationS * NS_PER_S,
      drainNs: 5 * NS_PER_S,
      arrivals: 'even',
      stages: [{ durationNs: null, from: ratePerS, to: ratePerS }],
    },
    reactor,
  }
}

async function run(plan: Plan): Promise<RunResult> {
  const running = startPlan(plan, {
    lines: null,
    wire: 'nothing',
    takeLines: () => {},
    failureSeen: () => {},
  })
  return (await running.finished).result
}

/** The quantile as our histograms rank. */
function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1]!
}

/** On a machine that has other things to do, a figure that is right comes out in one of these. */
const TRY_COUNT = 3
/** A generator that began arrivals later than this has told so: its figures need not be right. */
const LATE_NS = NS_PER_MS

const timetable = { serviceMs: 5, stallFromMs: 1000, stallToMs: 1500 }

/** What the server noted and what was measured differ by so much; null: they agree. */
async function disagreement(scope: Scope, plan: (url: string) => Plan): Promise<string | null> {
  const server = await startServer(scope, timetable)
  const wanted = plan(server.url)
  const { snapshot, startedAtMs } = await run(wanted)
  const wallNowMs = performance.timeOrigin + performance.now()
  const startMs = monotonicNs() / NS_PER_MS - (wallNowMs - startedAtMs)
  const { count } = new TargetList(wanted.targets)
  assert.equal(snapshot.arrivalCount + snapshot.droppedCount, count, 'offered as planned')
  assert.equal(snapshot.completedCount, snapshot.arrivalCount)
  const gapMs = wanted.load.durationNs! / NS_PER_MS / count
  // Of a dropped arrival there is no answer.
  const sorted = (await server.log())
    .flatMap((atMs, index) => (atMs === null ? [] : [atMs - startMs - index * gapMs]))
    .sort((a, b) => a - b)
  assert.equal(sorted.length, snapshot.completedCount)
  const measured = Histogram.from(snapshot.responseTime)
  const startLag = Histogram.from(snapshot.startLag)
  for (const q of [0.5, 0.9, 0.99, 0.999]) {
    const wantedMs = quantile(sorted, q)
    const gotMs = measured.valueNsAtQuantile(q) / NS_PER_MS
    if (Math.abs(gotMs - wantedMs) <= Math.max(0.02 * wantedMs, 0.2)) continue
    if (startLag.valueNsAtQuantile(0.99) > LATE_NS) return null
    return `p${q * 100}: ${gotMs} ms, the server's notes say ${wantedMs} ms`
  }
  return null
}

const cases: readonly [ReactorWish, number, number][] = [
  ['node', 100, 3],
  ['epoll', 100, 3],
  ['epoll', 1000, 2],
  ['epoll', 10_000, 2],
  ['uring', 1000, 2],
]
for (const [reactor, ratePerS, durationS] of cases) {
  const name = `${ratePerS}/s: response times are what the server's notes imply (${reactor})`
  const options = reactor === 'uring' ? { skip: obstacleOf('uring') ?? false } : {}
  test(name, options, async (t) => {
    let problem: string | null = ''
    for (let left = TRY_COUNT; left > 0 && problem !== null; left--) {
      problem = await disagreement(t, (url) => planFor(url, ratePerS, durationS, reactor))
    }
    assert.equal(problem, null)
  })
}
