/**
 * What the engine itself costs per request, from an answer's bytes to the next request's: parser,
 * transport, connection, user, counters and histograms, but no system call. In CPU time, which a
 * busy machine stretches less than time on the clock.
 */
import { type EngineJob, engineRun } from '../support/engine-run.ts'

export const smokeIterationCount = 500
export const iterationCount = 1_000_000

const ROUND_COUNT = 3
const USER_COUNT = 50

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

export async function bench(count: number): Promise<{ hash: number; rows: Row[] }> {
  const requestsPerUser = Math.ceil(count / ROUND_COUNT / USER_COUNT)
  let hash = 1
  const rows: Row[] = []
  for (const job of ['keep-alive', 'close', 'cookies'] satisfies EngineJob[]) {
    let nsPerOpMin = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const run = engineRun(job, requestsPerUser)
      const before = process.cpuUsage()
      const { completedCount, hash: sent } = await run.run()
      const { user } = process.cpuUsage(before)
      nsPerOpMin = Math.min(nsPerOpMin, (user * 1e3) / completedCount)
      hash = (Math.imul(hash, 31) + sent + completedCount) | 0
    }
    rows.push({ name: `one request, ${job}`, nsPerOp: Math.round(nsPerOpMin) })
  }
  return { hash: hash >>> 0, rows }
}
