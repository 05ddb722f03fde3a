/** Redirects as the built siege follows them: which requests go where, and how they are counted. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { answering, type RawRequest, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { siege } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const KEEP_ALIVE = ['connection = keep-alive']

function redirect(status: number, location: string, fields = ''): string {
  return `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\n${fields}Content-Length: 3\r\n\r\nbye`
}

/** A site that redirects `/from` and is content with all else. */
function startSite(t: TestContext, status: number, location: string) {
  return startRawServer(
    t,
    answering((request) => (request.requestTarget === '/from' ? redirect(status, location) : OK)),
  )
}

function asked(requests: readonly RawRequest[]): string[] {
  return requests.map(({ method, requestTarget, body }) => `${method} ${requestTarget} ${body}`)
}

test('each redirect status has its effect on each method and its body', async (t) => {
  const kept: Record<number, boolean> = { 301: false, 302: false, 303: false, 307: true, 308: true }
  for (const status of [301, 302, 303, 307, 308]) {
    const site = await startSite(t, status, '/to')
    const list = ['GET', 'HEAD', 'POST a=1', 'PUT {"b":2}', 'PATCH x', 'DELETE'].map(
      (rest) => `${site.url}/from ${rest}`,
    )
    const run = await siege(['-r6'], { list, rc: KEEP_ALIVE })
    const next = kept[status]
      ? ['GET /to ', 'HEAD /to ', 'POST /to a=1', 'PUT /to {"b":2}', 'PATCH /to x', 'DELETE /to ']
      : ['GET', 'HEAD', 'GET', 'GET', 'GET', 'GET'].map((method) => `${method} /to `)
    const hops = site.requests.filter(({ requestTarget }) => requestTarget === '/to')
    assert.deepEqual(asked(hops), next, String(status))
    assert.deepEqual([run.transactions, run.successful, run.failed], [12, 12, 0])
    for (const { method, fields } of hops) {
      const names = fields.map(([name]) => name.toLowerCase())
      assert.equal(names.includes('content-type'), /P/.test(method), `${status} ${method}`)
    }
  }
})

test('201 with a Location is followed with GET, without one it is an end', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      if (request.requestTarget === '/new') return redirect(201, 'made/1')
      if (request.requestTarget === '/quiet') {
        return 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'
      }
      return OK
    }),
  )
  const run = await siege(['-r2'], {
    list: [`${site.url}/new POST a=1`, `${site.url}/quiet POST b`],
  })
  assert.deepEqual(asked(site.requests), ['POST /new a=1', 'GET /made/1 ', 'POST /quiet b'])
  assert.deepEqual([run.transactions, run.successful, run.failed], [3, 3, 0])
})

test('300, 304, 305 and 306 are ends, and so is every redirect with -F', async (t) => {
  for (const status of [300, 304, 305, 306]) {
    const site = await startSite(t, status, '/to')
    const run = await siege([`${site.url}/from`])
    assert.deepEqual(asked(site.requests), ['GET /from '])
    assert.deepEqual([run.transactions, run.successful, run.failed, run.status], [1, 1, 0, 0])
  }
  const site = await startSite(t, 302, '/to')
  for (const options of [{ args: ['-F'] }, { rc: ['follow-location = false'] }]) {
    const { args = [], ...rest } = { rc: [], ...options }
    const run = await siege([...args, `${site.url}/from`], rest)
    assert.deepEqual(run.lines, ['302 GET /from'])
  }
  assert.deepEqual(asked(site.requests), ['GET /from ', 'GET /from '])
})

test('relative Locations are resolved as browsers do, and fragments stay at home', async (t) => {
  for (const [location, target] of [
    ['next', '/a/b/next'],
    ['./next', '/a/b/next'],
    ['../next?x=/../1', '/a/next?x=/../1'],
    ['../../../next', '/next'],
    ['?q=1', '/a/b/from?q=1'],
    ['/root#top', '/root'],
    ['/sp ace', '/sp%20ace'],
    ['/%zz', '/%zz'],
    ['/\u00c3\u00a4', '/%C3%A4'],
    ['//HOST/other', '/other'],
    ['http://HOST/ok?x=1', '/ok?x=1'],
    ['HTTP://HOST', '/'],
  ] as const) {
    const site = await startRawServer(
      t,
      answering((request) =>
        request.requestTarget === '/a/b/from?first=1'
          ? redirect(302, location.replace('HOST', request.valuesOf('host')[0] ?? ''))
          : OK,
      ),
    )
    const run = await siege([`${site.url}/a/b/from?first=1`])
    assert.deepEqual(
      site.requests.map(({ requestTarget }) => requestTarget),
      ['/a/b/from?first=1', target],
      location,
    )
    assert.equal(site.requests[1]?.valuesOf('host')[0], `127.0.0.1:${site.port}`)
    assert.deepEqual(run.lines, ['302 GET /a/b/from?first=1', `200 GET ${target}`])
  }
})

test('a Location that leads nowhere ends the chain as an ordinary response', async (t) => {
  const broken = ['', '   ', 'http://', 'http://a:b:c/', 'ftp://127.0.0.1/x', 'javascript:alert(1)']
  for (const location of broken) {
    const site = await startSite(t, 302, location)
    const run = await siege([`${site.url}/from`])
    assert.deepEqual([asked(site.requests), run.failed], [['GET /from '], 0], location)
  }
  const site = await startRawServer(t, answering('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'))
  const run = await siege([`${site.url}/from`])
  assert.deepEqual([run.transactions, run.failed], [1, 0])
})

test('a loop ends after 20 hops as one failed transaction, and the run goes on', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      const back: Record<string, string> = { '/loop': '/loop', '/a': '/b', '/b': '/a' }
      const location = back[request.requestTarget]
      return location === undefined ? OK : redirect(301, location)
    }),
  )
  const list = ['/loop', '/a', '/fine'].map((path) => `${site.url}${path}`)
  for (const rc of [[], KEEP_ALIVE]) {
    const before = site.requests.length
    const run = await siege(['-r3'], { list, rc })
    assert.equal(site.requests.length - before, 21 + 21 + 1)
    assert.deepEqual([run.transactions, run.failed, run.status], [41, 2, 0])
    assert.equal(run.lines.at(-1), '200 GET /fine')
    assert.match(run.stderr, /too many redirects/)
  }
})

test('a chain that goes on to ever new pages ends, too', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => redirect(302, `${request.requestTarget}x`)),
  )
  const run = await siege([`${site.url}/`])
  assert.deepEqual([site.requests.length, run.failed], [21, 1])
})

test('a finite chain counts every hop, 20 at most', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      const left = Number(request.requestTarget.slice(1))
      return left > 0 ? redirect(302, `/${left - 1}`) : OK
    }),
  )
  const exact = await siege([`${site.url}/20`])
  assert.deepEqual([exact.transactions, exact.successful, exact.failed], [21, 21, 0])
  assert.equal(exact.lines.length, 21)
  const above = await siege([`${site.url}/30`])
  assert.deepEqual([above.transactions, above.failed], [20, 1])
})

test('given logins and cookies stay with the first origin, also on the way back', async (t) => {
  const second = await startRawServer(
    t,
    answering((request) => redirect(302, request.requestTarget.slice('/to?'.length))),
  )
  const first = await startRawServer(
    t,
    answering((request) =>
      request.requestTarget === '/from' ? redirect(302, `${second.url}/to?${first.url}/back`) : OK,
    ),
  )
  const run = await siege([
    ...['-H', 'Authorization: Bearer secret', '-H', 'Cookie: mine=1', '-H', 'X-Mine: 2'],
    `${first.url}/from`,
  ])
  assert.equal(run.transactions, 3)
  const sent = ({ fields }: RawRequest) =>
    fields.map(([name]) => name.toLowerCase()).filter((name) => /^(auth|cookie|x-mine)/.test(name))
  assert.deepEqual(sent(first.requests[0]!), ['cookie', 'authorization', 'x-mine'])
  assert.deepEqual(sent(second.requests[0]!), ['x-mine'])
  // Whoever sent us back may have chosen the page: the chain has lost them for good.
  assert.deepEqual(sent(first.requests[1]!), ['x-mine'])
  const without = await siege(['-H', 'Cookie: mine=1', `${first.url}/from`], {
    rc: ['cookies = false'],
  })
  assert.equal(without.transactions, 3)
  assert.deepEqual(sent(first.requests[2]!), ['cookie'])
  assert.deepEqual(sent(second.requests[1]!), [])
})

test('credentials in the URL stay with their origin, those of a Location go to its own', async (t) => {
  const challenge = 'WWW-Authenticate: Basic realm="r"\r\n'
  const asking = (request: RawRequest) =>
    request.valuesOf('authorization').length === 0
      ? `HTTP/1.1 401 No\r\n${challenge}Content-Length: 0\r\n\r\n`
      : null
  const second = await startRawServer(
    t,
    answering((request) => asking(request) ?? OK),
  )
  const first = await startRawServer(
    t,
    answering((request) => {
      const location = request.requestTarget === '/plain' ? second.url : ownLogin
      return asking(request) ?? redirect(302, `${location}/to`)
    }),
  )
  const ownLogin = second.url.replace('//', '//bob:other%21@')
  const plain = await siege([`${first.url.replace('//', '//ann:secret@')}/plain`])
  assert.deepEqual(plain.lines, ['401 GET /plain', '302 GET /plain', '401 GET /to'])
  assert.equal(plain.failed, 1)
  assert.deepEqual(
    second.requests.flatMap((request) => request.valuesOf('authorization')),
    [],
  )
  const own = await siege([`${first.url.replace('//', '//ann:secret@')}/own`])
  assert.equal(own.failed, 0)
  assert.deepEqual(
    second.requests.flatMap((request) => request.valuesOf('authorization')),
    [`Basic ${btoa('bob:other!')}`],
  )
  const debugged = await siege(['-D', `${first.url.replace('//', '//ann:secret@')}/own`])
  assert.match(debugged.stdout, /^Location: http:\/\/bob:\*\*\*\*\*@/m)
  assert.doesNotMatch(debugged.stdout, /secret|other/)
  for (const { stdout, stderr } of [plain, own]) {
    assert.doesNotMatch(stdout + stderr, /secret|other|ann|bob/)
  }
})

test('a hop to another scheme and back is followed', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const plain = await startRawServer(t, answering(OK))
  const secure = await startRawServer(t, answering(redirect(302, `${plain.url}/plain`)), {
    tls: makeCertificate(t, openssl),
  })
  const first = await startRawServer(t, answering(redirect(301, `${secure.url}/secure`)))
  const run = await siege(['-H', 'Authorization: mine', first.url])
  assert.deepEqual(run.lines, ['301 GET /', '302 GET /secure', '200 GET /plain'])
  assert.deepEqual(secure.requests[0]?.valuesOf('authorization'), [])
})

test('kept connections are kept for each origin, others closed after each hop', async (t) => {
  for (const [rc, connectionCount] of [
    [KEEP_ALIVE, 1],
    [[], 6],
  ] as const) {
    const second = await startRawServer(t, answering(OK))
    const first = await startRawServer(
      t,
      answering((request) =>
        redirect(302, request.requestTarget === '/from' ? '/mid' : `${second.url}/to`),
      ),
    )
    const run = await siege(['-r3', `${first.url}/from`], { rc })
    assert.deepEqual([run.transactions, run.failed], [9, 0])
    assert.equal(first.connectionCount, connectionCount)
    assert.equal(second.connectionCount, Math.ceil(connectionCount / 2))
  }
})

test('a hop that cannot be reached fails, and the hop before it is counted', async (t) => {
  const gone = await startRawServer(t, answering(OK))
  await gone.close()
  const site = await startSite(t, 302, `${gone.url}/to`)
  const run = await siege([`${site.url}/from`])
  assert.deepEqual([run.transactions, run.successful, run.failed], [1, 1, 1])
  assert.match(run.stderr, /connection refused/)
})

test('a hop shows as what it is, and as the first URL of the list in CSV', async (t) => {
  const site = await startSite(t, 307, '/to')
  const list = [`${site.url}/other`, `${site.url}/from POST a=1`]
  const run = await siege(['-r2'], { list })
  assert.deepEqual(run.lines, [
    '200 GET /other',
    `307 POST ${site.url}/from`,
    `200 POST ${site.url}/to`,
  ])
  const csv = await siege(['-r2'], { list, rc: ['csv = true'] })
  const rows = csv.stdout
    .trim()
    .split('\n')
    .map((row) => row.split(','))
  assert.deepEqual(
    rows.map((fields) => [fields[1], fields[4], fields[5]]),
    [
      ['200', '/other', '0'],
      ['307', `${site.url}/from`, '1'],
      ['200', `${site.url}/to`, '0'],
    ],
  )
})

test('a hop is followed by -g and -p, whatever it is asked for', async (t) => {
  const site = await startSite(t, 302, '/to')
  const got = await siege(['-g', `${site.url}/from`])
  assert.deepEqual(asked(site.requests), ['HEAD /from ', 'HEAD /to '])
  assert.equal(got.status, 0)
  const printed = await siege(['-p', `${site.url}/from`])
  assert.deepEqual(asked(site.requests).slice(2), ['GET /from ', 'GET /to '])
  assert.match(printed.stdout, /\n\nok\n$/)
})
