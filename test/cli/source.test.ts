/** Connections from several addresses of this machine, on every reactor. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { runCli } from '../support/run-cli.ts'
import type { Scope } from '../support/scope.ts'
import { obstacleOf } from '../support/siege-run.ts'

async function startCounter(scope: Scope) {
  const requestCounts = new Map<string, number>()
  const server = createServer((request, response) => {
    const from = request.socket.remoteAddress ?? ''
    requestCounts.set(from, (requestCounts.get(from) ?? 0) + 1)
    response.end('ok')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  scope.after(() => server.close())
  return { requestCounts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

for (const reactor of ['node', 'epoll', 'uring'] as const) {
  test(`siege connects from the addresses of --source in turn (${reactor})`, async (t) => {
    const obstacle = obstacleOf(reactor)
    if (obstacle !== null) return t.skip(obstacle)
    const { requestCounts, url } = await startCounter(t)
    const options = ['-q', '-c1', '-r6', `--reactor=${reactor}`]
    const source = '--source=127.0.0.2,127.0.0.3,127.0.0.4'
    const { status, stderr } = await runCli('siege', [...options, source, url])
    assert.equal(status, 0, stderr)
    assert.deepEqual(
      [...requestCounts].sort(),
      ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => [address, 2]),
    )
  })
}

test('onager run connects from the addresses of --source', async (t) => {
  const { requestCounts, url } = await startCounter(t)
  const load = ['--users=1', '--count=4', '--no-keep-alive', '--quiet']
  const { status, stderr } = await runCli('onager', ['run', ...load, '--source=127.0.0.9', url])
  assert.equal(status, 0, stderr)
  assert.deepEqual([...requestCounts], [['127.0.0.9', 4]])
})

test('an address that is not of this machine is refused before anything is sent', async () => {
  for (const [program, ...args] of [['siege'], ['onager', 'run']] as const) {
    const command = [...args, '--source=192.0.2.77', 'http://127.0.0.1:9/']
    const { status, stderr } = await runCli(program, command)
    assert.equal(status, 2)
    assert.match(stderr, /--source.*192\.0\.2\.77/)
  }
})
