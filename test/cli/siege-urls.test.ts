/** URLs, methods and bodies from the command line and from files reach the wire as written. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import {
  answering,
  type RawRequest,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import { siege, siegeJson } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

interface Bench {
  readonly server: RawServer
  readonly url: string
  readonly folder: string
  /** What one user sends for these arguments. */
  sent(...args: string[]): Promise<readonly RawRequest[]>
  /** What one user sends for a list of these lines, once through. */
  sentForList(text: string | Uint8Array, ...args: string[]): Promise<readonly RawRequest[]>
}

async function startBench(t: TestContext): Promise<Bench> {
  const server = await startRawServer(t, answering(OK))
  const folder = tempFolder(t)
  async function sent(...args: string[]): Promise<readonly RawRequest[]> {
    const before = server.requests.length
    const { status, stderr } = await siege(['-q', '-c1', ...args], { cwd: folder })
    assert.equal(status, 0, `${args.join(' ')}\n${stderr}`)
    return server.requests.slice(before)
  }
  const bench: Bench = {
    server,
    url: server.url,
    folder,
    sent: (...args) => sent('-r1', ...args),
    sentForList(text, ...args) {
      const file = join(folder, 'list.txt')
      writeFileSync(file, text)
      return sent('-r', 'once', '-f', file, ...args)
    },
  }
  return bench
}

const targetsOf = (requests: readonly RawRequest[]) => requests.map((r) => r.requestTarget)

test('a body arrives byte for byte, the same from the command line and from a list', async (t) => {
  const { url, sent, sentForList } = await startBench(t)
  const bodies = [
    '{"f": "two words", "d": "<x>"}',
    '{"n":"Zoë ✓😀"}',
    '@./x.bin',
    '<?xml version="1.0"?><a/>',
    'a=1&b=%20&c=+',
    '{"POST": "PUT DELETE"}',
    'it\'s "quoted"',
  ]
  const lines = bodies.map((body) => `${url}/ POST ${body}`)
  const bytes = bodies.map((body) => Buffer.from(body).toString('latin1'))
  for (const requests of [await sent('-r7', ...lines), await sentForList(lines.join('\n'))]) {
    assert.deepEqual(
      requests.map((request) => request.body),
      bytes,
    )
    const lengths = requests.flatMap((request) => request.valuesOf('content-length'))
    assert.deepEqual(
      lengths,
      bytes.map((body) => String(body.length)),
    )
  }
})

test('dollars in bodies are dollars; only defined variables are replaced, and only in files', async (t) => {
  const { url, sent, sentForList } = await startBench(t)
  const lines = ['{"p": "costs $10 each"}', '{"p": "\\$10"}', 'a$', '$$', '$NAME', '$(ID)', '${ID}']
  const list = ['ID = 7', ...lines.map((body) => `${url}/ POST ${body}`)].join('\n')
  const bodies = (await sentForList(list)).map((request) => request.body)
  const expected = ['{"p": "costs $10 each"}', '{"p": "$10"}', 'a$', '$$', '$NAME', '7', '7']
  assert.deepEqual(bodies, expected)
  assert.equal((await sent(`${url}/ POST $(ID)`))[0]?.body, '$(ID)')
})

test('variables of a list are set with and without blanks; the environment serves too', async (t) => {
  const { server, sentForList } = await startBench(t)
  const list = `HOST=127.0.0.1:${server.port}\nID = 7 # seven\nhttp://$(HOST)/v1?id=\${ID}\n`
  assert.deepEqual(targetsOf(await sentForList(list)), ['/v1?id=7'])
})

test('BOM, CRLF, comments, blank lines, indentation and a missing last newline are no URLs', async (t) => {
  const { url, sentForList } = await startBench(t)
  const list = `\ufeff${url}/p1\r\n# c\r\n\r\n  ${url}/p2  \r\n${url}/p3 # note\n\t# c\n${url}/p4#frag`
  assert.deepEqual(targetsOf(await sentForList(list)), ['/p1', '/p2', '/p3', '/p4'])
})

test('all methods are sent, in any case; without a body no type and no length', async (t) => {
  const { url, sent } = await startBench(t)
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  const written = methods.flatMap((method) => [method, method.toLowerCase()])
  const requests = await sent('-r16', ...written.map((method) => `${url}/x ${method}`))
  for (const [index, method] of written.entries()) {
    const request = requests[index]
    assert.equal(request?.requestLine, `${method.toUpperCase()} /x HTTP/1.1`)
    const hasLength = ['POST', 'PUT', 'PATCH'].includes(method.toUpperCase())
    assert.deepEqual(request?.valuesOf('content-length'), hasLength ? ['0'] : [], method)
    assert.equal(request?.valuesOf('content-type').length, hasLength ? 1 : 0, method)
  }
  const [withBody] = await sent(`${url}/x DELETE {"a":1}`)
  assert.deepEqual([withBody?.method, withBody?.body], ['DELETE', '{"a":1}'])
})

test('body files are sent as they are; -T, then -H, then the extension give the type', async (t) => {
  const { url, folder, sent } = await startBench(t)
  const bytes = Buffer.from('a\r\nb\0c\xff\xfe \n', 'latin1')
  for (const name of ['d.txt', 'd.json', 'd.xml', 'd']) writeFileSync(join(folder, name), bytes)
  const types = async (name: string, ...args: string[]) => {
    const [request] = await sent(...args, `${url}/ POST < ${name}`)
    assert.equal(request?.body, bytes.toString('latin1'))
    assert.deepEqual(request?.valuesOf('content-length'), [String(bytes.length)])
    return request?.valuesOf('content-type')
  }
  assert.deepEqual(await types('d.json'), ['application/json'])
  assert.match((await types('d.xml'))![0]!, /xml/)
  assert.match((await types('./d.txt'))![0]!, /^text\/plain/)
  assert.deepEqual(await types('d'), ['application/x-www-form-urlencoded'])
  assert.deepEqual(await types('d.json', '-H', 'content-type: a/b'), ['a/b'])
  const multipart = 'multipart/form-data;boundary=B'
  assert.deepEqual(await types('d.txt', '-T', multipart, '-H', 'Content-Type: a/b'), [multipart])
})

test('a line may name its own type: POST -T type; body', async (t) => {
  const { url, sentForList } = await startBench(t)
  const list = `${url}/ POST -T application/json; {"a":1}\n${url}/ POST {"-T": "x"}\n`
  const [typed, plain] = await sentForList(list)
  assert.deepEqual(
    [typed?.valuesOf('content-type'), typed?.body],
    [['application/json'], '{"a":1}'],
  )
  assert.equal(plain?.body, '{"-T": "x"}')
})

test('long URLs, lines and bodies have no limit', async (t) => {
  const { url, sentForList } = await startBench(t)
  const path = `/${'p'.repeat(6000)}`
  const body = 'b'.repeat(1_000_000)
  const [long, large] = await sentForList(`${url}${path}\n${url}/ POST ${body}\n`)
  assert.equal(long?.requestTarget, path)
  assert.equal(large?.body.length, body.length)
})

test('URLs: no scheme, no path, query only, fragment, localhost with a port, escapes', async (t) => {
  const { server, url, sent } = await startBench(t)
  const { port } = server
  for (const [written, target] of [
    [`127.0.0.1:${port}`, '/'],
    [`127.0.0.1:${port}/a`, '/a'],
    [`localhost:${port}/x`, '/x'],
    [`HTTP://127.0.0.1:${port}`, '/'],
    [`${url}?x=1`, '/?x=1'],
    [`${url}/ok#frag`, '/ok'],
    [`${url}/a b/c`, '/a%20b/c'],
    [`${url}/é?q=✓`, '/%C3%A9?q=%E2%9C%93'],
    [`${url}/%41%2f%zz`, '/A%2f%25zz'],
    [`'${url}/quoted'`, '/quoted'],
  ] as const) {
    assert.deepEqual(targetsOf(await sent(written)), [target], written)
  }
})

test('credentials in a URL log in and are never shown', async (t) => {
  const challenge =
    'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="r"\r\nContent-Length: 1\r\n\r\nx'
  const server = await startRawServer(
    t,
    answering((request) => (request.valuesOf('authorization').length > 0 ? OK : challenge)),
  )
  const url = server.url.replace('http://', 'http://jdoe:s%3acret@')
  const { stdout, stderr, status } = await siege(['-c1', '-r1', url], { rc: 'fullurl = true\n' })
  assert.equal(status, 0)
  const given = server.requests.flatMap((request) => request.valuesOf('authorization'))
  assert.deepEqual(given, [`Basic ${Buffer.from('jdoe:s:cret').toString('base64')}`])
  assert.doesNotMatch(stdout + stderr, /cret|jdoe/)
})

test('a list of 100,000 URLs is read at once and walked from the right places', async (t) => {
  const { server, folder } = await startBench(t)
  const file = join(folder, 'large.txt')
  const lines = Array.from({ length: 100_000 }, (_, index) => `${server.url}/${index}`)
  writeFileSync(file, lines.join('\n'))
  const { report } = await siegeJson(['-c4', '-r2', '-f', file])
  assert.equal(report.transactions, 8)
  const targets = server.requests.map((request) => Number(request.requestTarget.slice(1)))
  const starts = [0, 25_000, 50_000, 75_000]
  assert.deepEqual(
    targets.sort((a, b) => a - b),
    starts.flatMap((start) => [start, start + 1]),
  )
})
