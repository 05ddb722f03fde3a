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
    scenarios: [],
  },
  requestNames: [],
  checks: [],
  thresholds: [],
  title: '',
}
