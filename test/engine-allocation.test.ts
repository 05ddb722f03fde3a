/**
 * How much heap the engine takes per request, all of it together: hot code that allocates shows
 * here and not in timings.
 *
 * The file runs itself once more in a process in which nothing else happens, with a young
 * generation so large that nothing is collected while it is measured, and with the compiler in the
 * foreground, so that what is inlined is not a matter of chance on a busy machine.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type EngineJob, engineRun } from '../bench/support/engine-run.ts'

/**
 * V8 boxes a double, in 16 bytes, when it hands it to a function that it did not inline. A new
 * connection has an object for what is sent first and a login.
 */
const bytesMax: Readonly<Record<EngineJob, number>> = { 'keep-alive': 64, cookies: 128, close: 480 }
const ROUND_COUNT = 9
const USER_COUNT = 50
const [SHORT, LONG] = [200, 1_200]

const quietHeap = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128']

if (process.argv[2] === 'measure') {
  console.log(await bytesPerRequest(process.argv[3] as EngineJob))
} else {
  for (const [job, limit] of Object.entries(bytesMax)) {
    test(`a request takes less than ${limit} bytes of heap: ${job}`, () => {
      const self = fileURLToPath(import.meta.url)
      const args = [...quietHeap, '--no-concurrent-recompilation', self, 'measure', job]
      const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
      assert.ok(bytes >= 0 && bytes < limit, `${bytes} bytes per request`)
    })
  }
}

/** The median of the later rounds; what a run takes by itself is in the short one as well. */
async function bytesPerRequest(job: EngineJob): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUND_COUNT; round++) {
    const bytes = (await bytesOfRun(job, LONG)) - (await bytesOfRun(job, SHORT))
    rounds.push(bytes / ((LONG - SHORT) * USER_COUNT))
  }
  const settled = rounds.slice(ROUND_COUNT >> 1).sort((a, b) => a - b)
  return settled[settled.length >> 1]!
}

async function bytesOfRun(job: EngineJob, requestsPerUser: number): Promise<number> {
  globalThis.gc?.()
  const run = engineRun(job, requestsPerUser)
  const before = usedBytes()
  await run.run()
  return usedBytes() - before
}

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
