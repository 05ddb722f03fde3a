/** Runs of `onager run` that never happened, the same everywhere: what its reports are tested with. */
import type { LoadFacts, PlanFacts, RunResult } from '../../src/result/run-result.ts'
import { SeriesBuilder } from '../../src/result/watched.ts'
import { RunScript, resultOf } from './fixed-runs.ts'
import { openSnapshot } from './open-run.ts'

const NS_PER_S = 1e9

export type FixedOnagerRunName = 'steady' | 'stalled' | 'users' | 'nothing' | 'names'

export const fixedOnagerRuns: Readonly<Record<FixedOnagerRunName, () => RunResult>> = {
  steady: () =>
    withPlan(
      {
        ...resultOf(new RunScript()),
        snapshot: openSnapshot({
          arrivalsPerSecond: 500,
          durationS: 20,
          warmUpS: 5,
          names: [
            { weight: 6, typicalMs: 3 },
            { weight: 3, typicalMs: 8 },
            { weight: 1, typicalMs: 25 },
          ],
          checkCount: 2,
        }),
        elapsedNs: 20.043 * NS_PER_S,
        endedBy: 'time',
      },
      {
        ...shop,
        durationNs: 20 * NS_PER_S,
        load: { ...open(500, 20), warmUpNs: 5 * NS_PER_S },
        thresholds: ['p99<200ms', 'errors<0.1%', 'rate>450/s', 'login:p95<=300ms', 'checks>99%'],
      },
    ),
  stalled: () => {
    const load = new SeriesBuilder()
    for (let second = 0; second < 10; second++) load.add(second * NS_PER_S, 0.5 + second / 10)
    load.fail('connection refused')
    const durationS = 10
    const result = resultOf(new RunScript(), { loopLagMs: 3.2 })
    const snapshot = openSnapshot({
      arrivalsPerSecond: 800,
      durationS,
      names: [
        { weight: 6, typicalMs: 3 },
        { weight: 3, typicalMs: 8 },
        { weight: 1, typicalMs: 25 },
      ],
      checkCount: 2,
      stall: { fromS: 6, toS: 7 },
      inFlightMax: 600,
      errorRatio: 0.03,
      resetRatio: 0.002,
      checkFailureRatio: 0.004,
    })
    return withPlan(
      {
        ...result,
        snapshot,
        elapsedNs: snapshot.intervals.endNs,
        endedBy: 'time',
        watched: [load.series('load', 'cat /proc/loadavg')],
      },
      {
        ...shop,
        userCount: 600,
        durationNs: durationS * NS_PER_S,
        load: { ...open(800, durationS), arrivals: 'poisson', drainNs: NS_PER_S },
        thresholds: ['p99<200ms', 'errors<0.1%', 'dropped<1%', 'p99.99<2s', 'cart:rate>1/s'],
      },
      0.97,
    )
  },
  users: () =>
    withPlan(
      resultOf(new RunScript().completed(12_000, 200, 0.41).completed(60, 404, 0.3), {
        endedBy: 'time',
      }),
      { title: 'http://127.0.0.1:8080/' },
    ),
  nothing: () =>
    withPlan(resultOf(new RunScript().inFlight(25), { endedBy: 'signal' }), {
      title: 'http://127.0.0.1:8080/slow',
      load: open(25, 60),
      thresholds: ['p99<200ms', 'login:errors<1%'],
    }),
  names: () => {
    const names = Array.from({ length: 1000 }, (_, index) => ({
      weight: 1000 - index,
      typicalMs: 1 + (index % 37),
    }))
    const snapshot = openSnapshot({ arrivalsPerSecond: 2000, durationS: 6, names, checkCount: 0 })
    return withPlan(
      { ...resultOf(new RunScript()), snapshot, elapsedNs: 6.04 * NS_PER_S, endedBy: 'time' },
      {
        title: 'catalogue | "every" <page>',
        durationNs: 6 * NS_PER_S,
        load: open(2000, 6),
        requestNames: names.map((_, index) => `GET /catalogue/section-${index % 7}/item,${index}`),
      },
    )
  },
}

const shop: Partial<PlanFacts> = {
  title: 'shop.yaml',
  userCount: 1000,
  targetCount: 0,
  originCount: 1,
  keepAlive: true,
  requestNames: ['home', 'login', 'cart'],
  checks: [
    { name: 'status is 200', nameIndex: 1 },
    { name: 'has a token', nameIndex: 1 },
  ],
}

function open(arrivalsPerSecond: number, durationS: number): LoadFacts {
  const stage = { durationNs: durationS * NS_PER_S, from: arrivalsPerSecond, to: arrivalsPerSecond }
  return {
    model: 'open',
    stages: [stage],
    arrivals: 'even',
    totalCount: null,
    warmUpNs: 0,
    drainNs: 0,
    scenarios: [],
  }
}

function withPlan(result: RunResult, plan: Partial<PlanFacts>, busyRatio = 0.43): RunResult {
  const threads = result.threads.map((thread) => ({ ...thread, busyRatio }))
  return { ...result, threads, plan: { ...result.plan, ...plan } }
}
