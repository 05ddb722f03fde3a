/**
 * Whole sieges on io_uring under a storm of signals, which go to every thread by name, so that the
 * ones that wait in the kernel are interrupted again and again: same counts, an end in time.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { reportOf, siege } from '../cli/siege-run.ts'
import { tempFolder } from '../support/files.ts'
import type { RunOutcome } from '../support/run-cli.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { timedTest } from '../support/timing.ts'
import { startHashedBodies } from './hashed-bodies.ts'

const obstacle = obstacleOf('uring')
const options = obstacle === null ? {} : { skip: obstacle }

for (const connection of ['keep-alive', 'close'] as const) {
  test(
    `siege on io_uring under signals, ${connection}: counts what the server counts`,
    options,
    async (t) => {
      const server = await startHashedBodies(t, { delayMs: 3 })
      const outcome = await stormySiege(t, connection, ['-c20', '-r40', `${server.url}/bodies`])
      const report = reportOf(outcome)
      assert.equal(report.transactions, 800)
      assert.equal(report.failed_transactions, 0)
      assert.equal(server.answerCount, 800)
      assert.equal(report.onager.body_bytes, server.bodyBytes)
      assert.equal(report.onager.connections, connection === 'close' ? 800 : 20)
      assert.equal(report.onager.connections, server.connectionCount)
    },
  )
}

timedTest(
  'siege on io_uring under signals ends when its time is over',
  async (t) => {
    const server = await startHashedBodies(t, { delayMs: 3 })
    const outcome = await stormySiege(t, 'keep-alive', ['-c20', '-t2S', `${server.url}/bodies`])
    const report = reportOf(outcome)
    assert.ok(report.transactions > 0)
    assert.equal(report.failed_transactions, 0)
    assert.ok(report.elapsed_time >= 1.99 && report.elapsed_time < 2.5, `${report.elapsed_time} s`)
  },
  options,
)

/** On two threads. */
async function stormySiege(
  t: TestContext,
  connection: string,
  args: readonly string[],
): Promise<RunOutcome> {
  const stormFile = join(tempFolder(t), 'sent')
  const storm = new URL('./signal-storm.js', import.meta.url)
  const outcome = await siege(['--reactor=uring', '--threads=2', '-j', '-b', ...args], {
    rc: `connection = ${connection}\n`,
    env: { NODE_OPTIONS: `--import ${storm.href}`, STORM_FILE: stormFile },
  })
  assert.equal(outcome.status, 0, outcome.stderr)
  const sentCount = Number(readFileSync(stormFile, 'utf8'))
  t.diagnostic(`${sentCount} signals`)
  assert.ok(sentCount > 100, `${sentCount} signals`)
  return outcome
}
