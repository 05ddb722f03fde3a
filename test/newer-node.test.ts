/**
 * What we ask of Node's insides, its OpenSSL first of all, on a newer Node than the oldest one that
 * is supported: the contracts of all reactors that use sockets.
 *
 * ONAGER_NEWER_NODE names its program; `.ci/run` installs one from npm.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = process.env.ONAGER_NEWER_NODE
const contracts = ['node', 'epoll', 'uring'].map((name) =>
  fileURLToPath(new URL(`contract/${name}-reactor.test.js`, import.meta.url)),
)

function skip(): string | false {
  if (program === undefined) return 'ONAGER_NEWER_NODE names no other Node to try'
  return false
}

test('all reactors keep their contracts on a newer Node', { skip: skip() }, async () => {
  const run = promisify(execFile)
  const { stdout: version } = await run(program!, ['--version'])
  const major = (text: string) => Number(/^v?(\d+)/.exec(text)![1])
  assert.ok(major(version) > major(process.version), `${version} is newer`)
  // The runner would take this test's own context for its own.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const arguments_ = ['--test', '--test-reporter=tap', ...contracts]
  const { stdout } = await run(program!, arguments_, { env, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  )
  assert.doesNotMatch(stdout, /^\s*not ok/m, stdout)
  assert.match(stdout, /^# pass [1-9]/m)
})
