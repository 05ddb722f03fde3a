/** URLs and names of servers as ab's command line takes them and its report shows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answering, type RawScript, startRawServer } from '../support/raw-server.ts'
import { runCli } from '../support/run-cli.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const hello: RawScript = answering(`${OK}Content-Length: 5\r\n\r\nhello`)

test('letters beyond ASCII in the path and the name of the server are shown as they are', async (t) => {
  const answer = `${OK}Server: Gr\xc3\xbcn/1 x\r\nContent-Length: 2\r\n\r\nok`
  const server = await startRawServer(t, answering(answer))
  const url = `${server.url}/\u00e4?\u00f6`
  const { stdout } = await runCli('ab', [url])
  assert.match(stdout, /^Document Path: {10}\/\u00e4\?\u00f6$/m)
  assert.match(stdout, /^Server Software: {8}Gr\u00fcn\/1$/m)
  const json = await runCli('ab', ['--json', url])
  assert.equal(JSON.parse(json.stdout).document_path, '/\u00e4?\u00f6')
  assert.ok(json.stdout.includes(`"title": "${url}"`))
})

test('URLs that ab takes for names of hosts are refused before anything is sent', async (t) => {
  const server = await startRawServer(t, hello)
  const { port } = new URL(server.url)
  const wrong = ['http://', 'http:/127.0.0.1/', 'ftp://127.0.0.1/', 'http://127.0.0.1:web/']
  for (const url of [...wrong, `http://127.0.0.1:+${port}/`]) {
    const { status, stdout, stderr } = await runCli('ab', [url])
    assert.deepEqual([status, stdout, stderr.split('\n')[0]], [22, '', 'ab: invalid URL'], url)
  }
  assert.equal(server.requests.length, 0)
  const { stdout } = await runCli('ab', ['-X', `127.0.0.1:${port}`, 'http://a.test:/p'])
  assert.match(stdout, /^Server Port: +80$/m)
  const zoned = await runCli('ab', ['-X', `127.0.0.1:${port}`, 'http://[fe80::1%25lo]/p'])
  assert.equal(zoned.status, 0)
})

test('a name beyond ASCII is asked for and shown as IDNA has it', async (t) => {
  const server = await startRawServer(t, hello)
  const proxy = server.url.replace('http://', '')
  const { stdout } = await runCli('ab', ['-X', proxy, 'http://h\u00f6rst.test/p'])
  assert.match(stdout, /^Server Hostname: {8}xn--hrst-5qa\.test$/m)
  assert.deepEqual(server.requests[0]!.valuesOf('host'), ['xn--hrst-5qa.test'])
})
