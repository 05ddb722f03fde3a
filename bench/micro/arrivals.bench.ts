/**
 * What the next arrival of the open model costs.
 *
 * Guards the promise that planning arrivals is nothing beside sending them. Relative numbers of
 * one machine and minute; the hash shows that the work was done and did not change.
 */
import { Arrivals } from '../../src/plan/arrivals.ts'
import type { OpenLoad } from '../../src/plan/plan.ts'

export const smokeIterationCount = 1000
export const iterationCount = 2_000_000

export interface BenchRow {
  readonly name: string
  readonly nsPerOp: number
}

export function bench(iterationCount: number): { hash: number; rows: BenchRow[] } {
  const rows: BenchRow[] = []
  let hash = 0
  for (const arrivals of ['even', 'poisson'] as const) {
    for (const to of [1000, 2000]) {
      const load: OpenLoad = {
        model: 'open',
        userCount: 1,
        iterationCount: null,
        thinkTimeNsMax: 0,
        durationNs: null,
        arrivals,
        stages: [{ durationNs: iterationCount * 1e6, from: 1000, to }],
      }
      const source = new Arrivals(load, 1, { index: 0, count: 1 })
      const startMs = performance.now()
      for (let count = 0; count < iterationCount; count++) {
        hash = (Math.imul(hash, 31) + source.nextDueNs) | 0
        source.advance()
      }
      const nsPerOp = ((performance.now() - startMs) * 1e6) / iterationCount
      rows.push({ name: `next arrival, ${arrivals}, ${to === 1000 ? 'steady' : 'ramp'}`, nsPerOp })
    }
  }
  return { hash, rows }
}
