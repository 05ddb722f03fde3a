/** The site is asked over real sockets, as a load test would ask it. */
import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, inflateSync } from 'node:zlib'
import { timedTest } from '../../test/support/timing.ts'
import { EnvironmentError } from '../base/errors.ts'
import { blogPageCount, resourceCountPerPage } from './blog.ts'
import { chooseCoding } from './exercises.ts'
import { type PracticeSite, startPracticeSite } from './site.ts'

test('every page in the list at / answers as it promises', async (t) => {
  const site = await siteFor(t)
  const index = await ask(site, '/')
  const paths = [...index.body.toString().matchAll(/<a href="([^"]+)">/g)].map(([, path]) => path)
  assert.equal(paths.length, site.pages.length)
  for (const path of paths) {
    if (path === '/reset' || path === '/cut') continue
    const { status } = await ask(site, path ?? '')
    const expected: Record<string, number> = {
      '/account': 302,
      '/basic': 401,
      '/redirect/302': 302,
      '/status/404': 404,
    }
    assert.equal(status, expected[path ?? ''] ?? 200, path)
  }
})

test('a blog page has as many resources as it says, all of them there', async (t) => {
  const site = await siteFor(t)
  for (let number = 1; number <= blogPageCount; number++) {
    const { body } = await ask(site, `/blog/${number}`)
    const resources = [
      ...body.toString().matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"/g),
    ]
    assert.equal(new Set(resources.map(([, path]) => path)).size, resourceCountPerPage)
    for (const [, path] of resources) {
      const { status, bytes } = await ask(site, path ?? '')
      assert.equal(status, 200, path)
      assert.ok(bytes > 50, path)
    }
  }
})

test('pictures are PNG and say 304 to who has them', async (t) => {
  const site = await siteFor(t)
  const { body, headers } = await ask(site, '/assets/small-1.png')
  assert.equal(body.subarray(1, 4).toString('latin1'), 'PNG')
  const again = await ask(site, '/assets/small-1.png', {
    headers: { 'If-None-Match': headers.etag ?? '' },
  })
  assert.deepEqual([again.status, again.bytes], [304, 0])
})

test('articles can be created, replaced, changed and deleted', async (t) => {
  const site = await siteFor(t)
  const json = { 'Content-Type': 'application/json' }
  const made = await ask(site, '/api/articles', { method: 'POST', headers: json, body: '{"a":1}' })
  assert.equal(made.status, 201)
  assert.deepEqual(JSON.parse(made.body.toString()), { a: 1, id: 11 })
  const path = made.headers.location ?? ''
  await ask(site, path, { method: 'PATCH', headers: json, body: '{"b":2}' })
  assert.deepEqual(JSON.parse((await ask(site, path)).body.toString()), { a: 1, id: 11, b: 2 })
  await ask(site, path, { method: 'PUT', headers: json, body: '{"id":5,"c":3}' })
  assert.deepEqual(JSON.parse((await ask(site, path)).body.toString()), { id: 11, c: 3 })
  assert.equal((await ask(site, path, { method: 'DELETE' })).status, 204)
  assert.equal((await ask(site, path)).status, 404)
})

test('articles refuse what is no JSON object, and say so', async (t) => {
  const site = await siteFor(t)
  const post = (type: string, body: string) =>
    ask(site, '/api/articles', { method: 'POST', headers: { 'Content-Type': type }, body })
  assert.equal((await post('application/x-www-form-urlencoded', 'a=1')).status, 415)
  assert.equal((await post('application/json', '{')).status, 400)
  assert.equal((await post('application/json', '[1]')).status, 400)
  assert.equal((await post('application/json', `"${'x'.repeat(70_000)}"`)).status, 413)
  assert.equal((await post('application/problem+json; charset=utf-8', '{}')).status, 201)
})

test('the list of articles stays the same size under a thousand and more creations', async (t) => {
  const site = await siteFor(t)
  const { bytes } = await ask(site, '/api/articles')
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const headers = { 'Content-Type': 'application/json' }
  for (let count = 0; count < 1005; count++) {
    await ask(site, '/api/articles', { method: 'POST', headers, body: '{}', agent })
  }
  assert.equal((await ask(site, '/api/articles')).bytes, bytes)
  assert.equal((await ask(site, '/api/articles/11')).status, 404)
  assert.equal((await ask(site, '/api/articles/1015')).status, 200)
})

test('a login gives a cookie that opens the account; a forged one does not', async (t) => {
  const site = await siteFor(t)
  const before = await ask(site, '/account')
  assert.deepEqual([before.status, before.headers.location], [302, '/login'])
  const logIn = (body: string) => ask(site, '/login', { method: 'POST', body })
  assert.equal((await logIn('user=ada&password=wrong')).status, 403)
  const login = await logIn('user=ada&password=lovelace')
  assert.deepEqual([login.status, login.headers.location], [303, '/account'])
  const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const show = (value: string) => ask(site, '/account', { headers: { Cookie: value } })
  assert.equal((await show(`other=1; ${cookie}`)).status, 200)
  assert.equal((await show(cookie.replace('=1.', '=2.'))).status, 302)
})

test('/basic lets in who knows the password, however the scheme is written', async (t) => {
  const site = await siteFor(t)
  const token = Buffer.from('ada:lovelace').toString('base64')
  const ask1 = (value: string) => ask(site, '/basic', { headers: { Authorization: value } })
  assert.equal((await ask1(`Basic ${token}`)).status, 200)
  assert.equal((await ask1(`bAsIc ${token}`)).status, 200)
  assert.equal((await ask1('Basic nonsense')).status, 401)
})

test('redirects go where they say and no further than this site', async (t) => {
  const site = await siteFor(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await ask(site, `/redirect/${status}`, { method: 'POST', body: 'x' })
    assert.deepEqual([answer.status, answer.headers.location], [status, '/echo'])
  }
  assert.equal((await ask(site, '/redirect/302?to=/plain')).headers.location, '/plain')
  assert.equal((await ask(site, '/redirect/302?to=//evil.test')).status, 400)
  assert.equal((await ask(site, '/redirect/chain/2')).headers.location, '/redirect/chain/1')
  assert.equal((await ask(site, '/redirect/chain/0')).status, 200)
  assert.equal((await ask(site, '/redirect/loop')).headers.location, '/redirect/loop')
  assert.equal((await ask(site, '/redirect/300')).status, 404)
})

test('/gzip speaks what the client accepts', async (t) => {
  const site = await siteFor(t)
  const as = (value: string) => ask(site, '/gzip', { headers: { 'Accept-Encoding': value } })
  const plain = await as('identity')
  assert.equal(plain.headers['content-encoding'], undefined)
  const zipped = await as('gzip, deflate')
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(zipped.body), plain.body)
  assert.deepEqual(inflateSync((await as('deflate')).body), plain.body)
})

test('chooseCoding() weighs, and leaves out what is forbidden', () => {
  const known = ['gzip', 'deflate']
  assert.equal(chooseCoding('', known), undefined)
  assert.equal(chooseCoding('gzip;q=0, deflate', known), 'deflate')
  assert.equal(chooseCoding('gzip;q=0.2, deflate;q=0.5', known), 'deflate')
  assert.equal(chooseCoding('*', known), 'gzip')
  assert.equal(chooseCoding('br, *;q=0', known), undefined)
})

test('/bytes/N sends N bytes, /empty none, HEAD never any', async (t) => {
  const site = await siteFor(t)
  for (const bytes of [0, 1, 65_536, 65_537, 1_000_000]) {
    assert.equal((await ask(site, `/bytes/${bytes}`)).bytes, bytes)
  }
  assert.equal((await ask(site, '/empty')).bytes, 0)
  const head = await ask(site, '/bytes/5000', { method: 'HEAD' })
  assert.deepEqual([head.bytes, head.headers['content-length']], [0, '5000'])
  assert.equal((await ask(site, '/bytes/1000000000')).status, 400)
  assert.equal((await ask(site, '/bytes/-1')).status, 400)
})

timedTest('/slow and /stream are never earlier than asked, and hardly later', async (t) => {
  const site = await siteFor(t)
  for (const [path, dueMs] of [
    ['/slow?ms=80', 80],
    ['/stream?chunks=5&ms=20', 80],
  ] as const) {
    const startMs = performance.now()
    const { status } = await ask(site, path)
    const elapsedMs = performance.now() - startMs
    assert.equal(status, 200)
    assert.ok(elapsedMs >= dueMs && elapsedMs < dueMs + 1000, `${path}: ${elapsedMs} ms`)
  }
  assert.match((await ask(site, '/slow?ms=x')).body.toString(), /ms must be a whole number/)
})

test('/flaky fails every Nth time, no other', async (t) => {
  const site = await siteFor(t)
  const statuses = []
  for (let count = 0; count < 6; count++) statuses.push((await ask(site, '/flaky?every=3')).status)
  assert.deepEqual(statuses, [200, 200, 503, 200, 200, 503])
})

test('/reset and /cut break off, and the counts tell them apart', async (t) => {
  const site = await siteFor(t)
  await assert.rejects(ask(site, '/reset'), { code: 'ECONNRESET' })
  await assert.rejects(ask(site, '/cut'), { code: 'ECONNRESET', message: 'aborted' })
  // The site notices the end of a connection a moment later than we do.
  while (site.counts.requestCount < 2) await pause(1)
  assert.deepEqual(site.counts.byPath, { '/reset': { none: 1 }, '/cut': { '200': 1 } })
})

test('/echo returns the request as it arrived', async (t) => {
  const site = await siteFor(t)
  const headers = { 'X-Name': 'a', Connection: 'close' }
  const { body } = await ask(site, '/echo?q=1', { method: 'PUT', headers, body: 'grüße' })
  const echo = JSON.parse(body.toString())
  assert.deepEqual(
    [echo.method, echo.requestTarget, echo.bodyBytes, echo.body],
    ['PUT', '/echo?q=1', 7, 'grüße'],
  )
  assert.deepEqual(echo.headers[0], { name: 'X-Name', value: 'a' })
})

test('unknown pages, wrong methods and bad statuses get their own answers', async (t) => {
  const site = await siteFor(t)
  assert.equal((await ask(site, '/nothing')).status, 404)
  const post = await ask(site, '/plain', { method: 'POST', body: 'x' })
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  assert.equal((await ask(site, '/echo', { method: 'OPTIONS' })).status, 204)
  assert.equal((await ask(site, '/status/418')).status, 418)
  assert.equal((await ask(site, '/status/204')).bytes, 0)
  assert.equal((await ask(site, '/status/99')).status, 400)
  assert.equal((await ask(site, 'http://other.test/plain')).status, 200)
})

test('counts add up, leave themselves out and can be started anew', async (t) => {
  const site = await siteFor(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  for (const path of ['/plain', '/plain?x', '/nothing']) await ask(site, path, { agent })
  const expected = {
    connectionCount: 1,
    requestCount: 3,
    byStatus: { '200': 2, '404': 1 },
    byPath: { '/plain': { '200': 2 }, '/nothing': { '404': 1 } },
  }
  assert.deepEqual(site.counts, expected)
  assert.deepEqual(JSON.parse((await ask(site, '/counts', { agent })).body.toString()), expected)
  await ask(site, '/counts', { method: 'DELETE', agent })
  assert.equal(site.counts.requestCount, 0)
})

test('counts of very many paths take no more room than of some', async (t) => {
  const site = await siteFor(t)
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  for (let index = 0; index < 1010; index++) await ask(site, `/random/${index}`, { agent })
  assert.equal(Object.keys(site.counts.byPath).length, 1001)
  assert.deepEqual(site.counts.byPath['(other paths)'], { '404': 10 })
})

test('HTTP/1.0 clients are served, with and without keep-alive', async (t) => {
  const site = await siteFor(t)
  const once = await talk(site, 'GET /plain HTTP/1.0\r\n\r\n')
  assert.match(once, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(once, /\r\nConnection: close\r\n/)
  assert.match(once, /\r\n\r\nok\n$/)
  const request = 'GET /plain HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'
  const twice = await talk(site, `${request}GET /plain HTTP/1.0\r\n\r\n`)
  assert.equal(twice.match(/200 OK/g)?.length, 2)
  assert.match(await talk(site, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

test('startPracticeSite() says which port is taken and what to do', async (t) => {
  const site = await siteFor(t)
  await assert.rejects(startPracticeSite({ port: site.port }), (error) => {
    assert.ok(error instanceof EnvironmentError)
    assert.equal(error.message, `port ${site.port} of 127.0.0.1 is taken`)
    assert.match(error.hint ?? '', /--port 0/)
    return true
  })
})

test('close() ends waiting connections and frees the port', async (t) => {
  const site = await siteFor(t)
  const waiting = assert.rejects(ask(site, '/slow?ms=60000'), { code: 'ECONNRESET' })
  await ask(site, '/plain')
  await site.close()
  await waiting
  const next = await startPracticeSite({ port: site.port })
  await next.close()
})

async function siteFor(t: TestContext): Promise<PracticeSite> {
  const site = await startPracticeSite({ port: 0 })
  t.after(() => site.close())
  return site
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly bytes: number
}

interface AskOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Agent
}

function ask(
  site: PracticeSite,
  path: string,
  { method = 'GET', headers = {}, body = '', agent }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port: site.port, path, method, headers, agent: agent ?? false }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const all = Buffer.concat(chunks)
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: all, bytes: all.length })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends bytes as they are and reads until the server closes. */
function talk(site: PracticeSite, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(site.port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
  })
}
