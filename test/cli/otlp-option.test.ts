/** Where `--otlp` pushes to, and with whose login. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { runCli } from '../support/run-cli.ts'

test('--otlp pushes to the path for metrics, and sends a login as a field alone', async (t) => {
  const pushes: string[] = []
  const server = createServer((request, response) => {
    if (request.method === 'POST') pushes.push(`${request.url} ${request.headers.authorization}`)
    request.resume()
    request.once('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const login of ['', 'ann:secret@', '%zz@']) {
    const otlp = `--otlp=http://${login}${host}`
    const args = ['run', `http://${host}/`, '--count=3', '--users=1', '--quiet', otlp]
    const { status, stderr } = await runCli('onager', args)
    assert.deepEqual([status, stderr], [0, ''], login)
    const [user] = login.split('@')
    const text = user!.includes(':') ? user! : `${user}:`
    const field = login === '' ? undefined : `Basic ${Buffer.from(text).toString('base64')}`
    assert.equal(pushes.at(-1), `/v1/metrics ${field}`)
  }
})
