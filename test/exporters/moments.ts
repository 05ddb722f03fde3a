/** Runs at one moment, for tests of exporters: plain ones, and one with hostile names. */
import type { PlanFacts } from '../../src/result/run-result.ts'
import type { Moment } from '../../src/run/exporters/metrics.ts'
import { LiveRun, openFacts } from '../support/live-run.ts'

export const hostileNames: readonly string[] = ['GET /', 'say "hi"\\n', 'two\nlines', 'größe 首页']

export const namedFacts: PlanFacts = {
  ...openFacts,
  title: 'a "plan"\\with\nall of it',
  requestNames: hostileNames,
  checks: [{ name: 'status is 200', nameIndex: 1 }],
}

/** Of `namedFacts`, after so many seconds at 200 a second. */
export class NamedRun {
  readonly #run = new LiveRun({
    rateAt: () => 200,
    typicalMs: () => 5,
    errorRatio: 0.02,
    inFlightMax: 20,
    nameCount: hostileNames.length,
  })

  at(second: number): Moment {
    const elapsedNs = second * 1e9
    const snapshot = this.#run.advance(elapsedNs)
    return { elapsedNs, snapshot: { ...snapshot, checks: [{ passedCount: 40, failedCount: 2 }] } }
  }
}
