/** What the facts of a plain plan of the closed model have in common, for tests of results. */
import type { PlanFacts } from '../../src/result/run-result.ts'

export const plainFacts: Pick<
  PlanFacts,
  'load' | 'requestNames' | 'checks' | 'thresholds' | 'title'
> = {
  load: {
    model: 'closed',
    stages: [],
    arrivals: null,
    totalCount: null,
    warmUpNs: 0,
    drainNs: 0,
    scenarios: [],
  },
  requestNames: [],
  checks: [],
  thresholds: [],
  title: '',
}

/** A closed plan of 25 users for five seconds; tests change what they are about. */
export const plainPlanFacts: PlanFacts = {
  userCount: 25,
  iterationCount: null,
  durationNs: 5e9,
  thinkTimeNsMax: 0,
  walk: 'in-order',
  targetCount: 1,
  originCount: 1,
  httpVersion: '1.1',
  keepAlive: false,
  timeoutNs: 30e9,
  failureCountMax: null,
  threadCount: 1,
  seed: 1,
  ...plainFacts,
}
