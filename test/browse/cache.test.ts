/** The cache of each user of the built siege: conditional requests, and what is not asked again. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { answering, type RawRequest, startRawServer } from '../support/raw-server.ts'
import { siege } from '../support/siege-run.ts'

const CACHE = ['cache = true']
const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\n\r\n'
const CHANGED_AT = 'Wed, 21 Oct 2015 07:28:00 GMT'

function page(fields: string, body = 'ok', type = 'text/plain'): string {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${fields}`
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Answers 304 to whatever is conditional. */
function startSite(t: TestContext, fields: string) {
  const answer = (request: RawRequest) =>
    conditions(request) === '-' ? page(fields) : NOT_MODIFIED
  return startRawServer(t, answering(answer))
}

function conditions(request: RawRequest): string {
  const named = ['If-Modified-Since', 'If-None-Match'].map((name) => {
    const [value, ...more] = request.valuesOf(name)
    assert.deepEqual(more, [], 'each condition once')
    return value
  })
  return named.filter((value) => value !== undefined).join(' + ') || '-'
}

test('a page is asked for again with what is known of it, and 304 is a hit', async (t) => {
  for (const [fields, condition] of [
    [`Last-Modified: ${CHANGED_AT}\r\n`, CHANGED_AT],
    ['ETag: "v1"\r\n', '"v1"'],
    ['ETag: W/"v1"\r\n', 'W/"v1"'],
    [`ETag: "v1"\r\nLast-Modified: ${CHANGED_AT}\r\n`, `${CHANGED_AT} + "v1"`],
    // The older forms of a date come back in the one that is written today.
    ['Last-Modified: Wednesday, 21-Oct-15 07:28:00 GMT\r\n', CHANGED_AT],
    ['Last-Modified: Wed Oct 21 07:28:00 2015\r\n', CHANGED_AT],
    // Fresh or not: a page itself is always asked for.
    ['Cache-Control: max-age=600\r\nETag: "v1"\r\n', '"v1"'],
    ['Cache-Control: no-cache\r\nETag: "v1"\r\n', '"v1"'],
    ['Cache-Control: max-age=600\r\n', '-'],
    ['Cache-Control: no-store\r\nETag: "v1"\r\n', '-'],
    ['Last-Modified: yesterday\r\n', '-'],
    ['', '-'],
  ] as const) {
    const site = await startSite(t, fields)
    const run = await siege(['-r3', site.url], { rc: CACHE })
    assert.deepEqual(site.requests.map(conditions), ['-', condition, condition], fields)
    assert.deepEqual([run.transactions, run.successful, run.failed], [3, 3, 0])
    const status = condition === '-' ? '200' : '304'
    assert.deepEqual(run.lines, ['200 GET /', `${status} GET /`, `${status} GET /`])
  }
})

test('nothing is conditional without cache = true', async (t) => {
  const site = await startSite(t, 'ETag: "v1"\r\nCache-Control: max-age=600\r\n')
  await siege(['-r3', site.url])
  assert.deepEqual(site.requests.map(conditions), ['-', '-', '-'])
})

test('a cache belongs to a user and to a URL with its query and its origin', async (t) => {
  const first = await startSite(t, 'ETag: "v1"\r\n')
  const second = await startSite(t, 'ETag: "v2"\r\n')
  const list = [`${first.url}/a`, `${first.url}/a?x`, `${second.url}/a`, `${first.url}/a`]
  await siege(['-r4'], { list, rc: CACHE })
  assert.deepEqual(first.requests.map(conditions), ['-', '-', '"v1"'])
  assert.deepEqual(second.requests.map(conditions), ['-'])
  const before = first.requests.length
  await siege(['-c2', '-r2', first.url], { rc: CACHE })
  const sent = first.requests.slice(before).map(conditions)
  assert.deepEqual(sent.sort(), ['"v1"', '"v1"', '-', '-'])
})

test('other methods are never conditional, and those that change a page forget it', async (t) => {
  const site = await startSite(t, 'ETag: "v1"\r\n')
  const list = ['/a', '/a HEAD', '/a POST x=1', '/a'].map((rest) => `${site.url}${rest}`)
  await siege(['-r4'], { list, rc: CACHE })
  assert.deepEqual(
    site.requests.map((request) => `${request.method} ${conditions(request)}`),
    ['GET -', 'HEAD -', 'POST -', 'GET -'],
  )
})

test('conditions stand where siege has them, beside a login and cookies', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) =>
      request.valuesOf('authorization').length === 0
        ? 'HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm="r"\r\nContent-Length: 0\r\n\r\n'
        : page(`ETag: "v1"\r\nLast-Modified: ${CHANGED_AT}\r\nSet-Cookie: a=1\r\n`),
    ),
  )
  await siege(['-r2', site.url], { rc: [...CACHE, 'login = joe:secret'] })
  assert.deepEqual(
    site.requests
      .at(-1)
      ?.fields.map(([name]) => name)
      .slice(0, 6),
    ['Host', 'Authorization', 'Cookie', 'If-Modified-Since', 'If-None-Match', 'Accept'],
  )
})

test('a resource that is fresh is not asked for: a (C) line, and no transaction', async (t) => {
  const body = '<img src=/fresh.png><img src=/tagged.png><img src=/over.png><img src=/none.png>'
  const inHour = new Date(Date.now() + 3_600_000).toUTCString()
  const fields: Record<string, string> = {
    '/fresh.png': `Expires: ${inHour}\r\n`,
    '/tagged.png': 'Cache-Control: max-age=600\r\nETag: "v1"\r\n',
    '/over.png': `Expires: ${CHANGED_AT}\r\nLast-Modified: ${CHANGED_AT}\r\n`,
    '/none.png': '',
  }
  const site = await startRawServer(
    t,
    answering((request) => {
      if (request.requestTarget === '/') return page('', body, 'text/html')
      if (conditions(request) !== '-') return NOT_MODIFIED
      return page(fields[request.requestTarget] ?? '', 'x', 'image/png')
    }),
  )
  const run = await siege(['-r2', site.url], { rc: CACHE })
  assert.deepEqual(run.lines, [
    '200 GET /',
    ...Object.keys(fields).map((path) => `200 GET ${path}`),
    '200 GET /',
    '200(C) GET /fresh.png',
    '200(C) GET /tagged.png',
    '304 GET /over.png',
    '200 GET /none.png',
  ])
  assert.deepEqual([run.transactions, run.successful, run.failed], [8, 8, 0])
  assert.equal(site.requests.length, 8)
  const [cached] = run.stdout.split('\n').filter((line) => line.includes('(C)'))
  assert.equal(cached, 'HTTP/1.1 200(C)  0.00 secs:       0 bytes ==> GET  /fresh.png')
})
