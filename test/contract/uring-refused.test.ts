/** Rings that the machine refuses: to one thread of four, and to who has no descriptors left. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { reportOf, siege } from '../cli/siege-run.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { startHashedBodies } from './hashed-bodies.ts'
import type { ScarcityReport } from './uring-descriptors-main.ts'

const obstacle = obstacleOf('uring')
const options = obstacle === null ? {} : { skip: obstacle }
const preload = new URL('./uring-forbidden-thread.js', import.meta.url)
const forbidding = { NODE_OPTIONS: `--import ${preload.href}`, FORBIDDEN_THREAD: '2' }

test(
  'siege with a ring refused to one thread of four says so and counts all',
  options,
  async (t) => {
    const server = await startHashedBodies(t)
    const args = ['--threads=4', '-j', '-b', '-c20', '-r20', `${server.url}/bodies`]
    const outcome = await siege(args, { rc: 'connection = keep-alive\n', env: forbidding })
    assert.equal(outcome.status, 0, outcome.stderr)
    const report = reportOf(outcome)
    assert.equal(report.transactions, 400)
    assert.equal(report.failed_transactions, 0)
    assert.equal(server.answerCount, 400)
    const { onager } = JSON.parse(outcome.stdout) as {
      readonly onager: { readonly generator: Readonly<Record<string, unknown>> }
    }
    assert.equal(onager.generator.threads, 4)
    assert.match(`${onager.generator.reactor}`, /uring/)
    assert.match(`${onager.generator.reactor}`, /epoll/)
    assert.equal(
      onager.generator.reactor_reason,
      'io_uring is forbidden here, as in many containers (EPERM)',
    )
  },
)

test('siege --reactor uring does not run on with one thread less', options, async (t) => {
  const server = await startHashedBodies(t)
  const args = ['--reactor=uring', '--threads=4', '-b', '-c20', '-r20', `${server.url}/bodies`]
  const outcome = await siege(args, { env: forbidding })
  assert.notEqual(outcome.status, 0)
  assert.match(outcome.stderr, /io_uring is forbidden here/)
})

test(
  'uring reactor: without descriptors it is refused in order, and keeps nothing',
  options,
  () => {
    const main = fileURLToPath(new URL('./uring-descriptors-main.js', import.meta.url))
    const script = 'ulimit -n 60; exec "$@"'
    const output = execFileSync('sh', ['-c', script, 'sh', process.execPath, main], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    const report: ScarcityReport = JSON.parse(output)
    assert.ok(report.refusals.length > 1, 'with none left, and with one left')
    for (const refusal of report.refusals) {
      assert.equal(refusal.name, 'EnvironmentError', refusal.text)
      assert.equal(refusal.keptFdCount, 0)
      assert.match(refusal.text, /EMFILE/)
    }
  },
)
