/** Starts the engine in a process of its own, see `engine-main.ts`, whose memory is never at rest. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../support/run-cli.ts'
import type { EngineReport, EngineTask } from './engine-main.ts'

/** What V8 has to test itself with: collections and moves at almost every turn. */
const restless = [
  '--expose-gc',
  '--stress-compaction',
  '--gc-interval=2000',
  '--stress-scavenge=30',
]
/** Nothing a browser does: only then is every body seen. */
export const plainSiegerc: readonly string[] = [
  'cookies = false',
  'follow-location = false',
  'parser = false',
]

export async function runEngine(t: TestContext, task: EngineTask): Promise<EngineReport> {
  const main = fileURLToPath(new URL('./engine-main.js', import.meta.url))
  const args = [...restless, main, JSON.stringify(task)]
  const outcome = await runProgram(process.execPath, args, { timeoutMs: 60_000 })
  assert.equal(outcome.status, 0, outcome.stderr)
  const report: EngineReport = JSON.parse(outcome.stdout)
  t.diagnostic(`${report.collectionCount} collections were asked for`)
  return report
}
