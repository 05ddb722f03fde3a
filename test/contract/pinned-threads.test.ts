/** That threads are bound to the CPUs named by `--pin`, by what the system was asked for. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { projectRoot, tempFolder } from '../support/files.ts'
import { requirePart } from '../support/real-parts.ts'
import { runProgram } from '../support/run-cli.ts'

/** Undefined where the test is skipped. */
async function bindingsOf(
  t: TestContext,
  args: readonly string[],
): Promise<readonly string[] | undefined> {
  const strace = requirePart(t, 'strace')
  if (strace === undefined) return undefined
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const log = join(tempFolder(t), 'calls')
  const calls = ['-f', '-qq', '-e', 'trace=sched_setaffinity', '-o', log]
  const command = [process.execPath, ...args, url]
  const { status, stderr } = await runProgram(strace, [...calls, ...command])
  assert.equal(status, 0, stderr)
  return readFileSync(log, 'utf8').match(/sched_setaffinity\(.*/g) ?? []
}

const allowed = /^Cpus_allowed_list:\s*(\d+)/m
const skip = process.platform === 'linux' ? false : 'threads are bound to CPUs on Linux only'

for (const reactor of ['auto', 'node']) {
  for (const threads of [1, 2]) {
    test(`--pin binds ${threads} of the threads on reactor ${reactor}`, { skip }, async (t) => {
      const [, cpu] = allowed.exec(readFileSync('/proc/self/status', 'utf8'))!
      const program = join(projectRoot, 'bin', 'onager.js')
      const options = ['--users=2', '--count=200', `--reactor=${reactor}`, `--threads=${threads}`]
      const bindings = await bindingsOf(t, [program, 'run', `--pin=${cpu}`, ...options])
      if (bindings === undefined) return
      assert.equal(bindings.length, threads)
      for (const binding of bindings) assert.match(binding, new RegExp(`\\[${cpu}\\]\\) += 0`))
    })
  }
}
