/** HTTP proxies as the built siege uses them: in absolute form, or by CONNECT for https. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ByteConnection, type ByteServer, startByteServer } from '../support/byte-server.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/ports.ts'
import { answering, type RawServer, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { onEachReactor, siege } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'
const LOGIN = `Basic ${btoa('joe:pr:oxy')}`

function refusal(fields = '', body = 'who?'): string {
  return `HTTP/1.1 407 Proxy\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`
}
const ASKING = 'Proxy-Authenticate: Basic realm="p"\r\n'

function through(port: number): string[] {
  return ['proxy-host = 127.0.0.1', `proxy-port = ${port}`]
}

/** A TLS site, whose name only the proxy knows. */
async function secureSite(t: TestContext): Promise<RawServer | undefined> {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return undefined
  return await startRawServer(t, answering(OK), { tls: makeCertificate(t, openssl) })
}

interface ConnectProxy extends ByteServer {
  /** Heads of the requests, by order of their coming. */
  readonly heads: readonly string[]
}

/** Answers each CONNECT by `answer`; after 200 it passes everything on to `port`. */
async function connectProxy(
  t: TestContext,
  port: number,
  answer: (head: string, connection: ByteConnection) => string = () => ESTABLISHED,
): Promise<ConnectProxy> {
  const heads: string[] = []
  const server = await startByteServer(t, async (connection) => {
    for (;;) {
      const head = await connection.readUntil('\r\n\r\n')
      if (head === '') return
      heads.push(head)
      const text = answer(head, connection)
      await connection.write(text)
      if (text.startsWith('HTTP/1.1 200')) return connection.passOn(port)
      if (/^Connection: close/im.test(text)) return connection.end()
    }
  })
  return Object.assign(server, { heads })
}

onEachReactor('http goes to the proxy in absolute form, names unresolved', async (t, run) => {
  const proxy = await startRawServer(t, answering(OK))
  const list = [
    'http://site.test/x?y=1',
    'http://other.test:81/z POST a=1',
    'http://[::1]:82/v6',
    'http://site.test:80/',
  ]
  const kept = await run(['-r4'], {
    list,
    rc: [...through(proxy.port), 'connection = keep-alive'],
  })
  assert.deepEqual([kept.transactions, kept.failed], [4, 0], kept.stderr)
  assert.deepEqual(
    proxy.requests.map((request) => [request.requestLine, request.valuesOf('host').join()]),
    [
      ['GET http://site.test/x?y=1 HTTP/1.1', 'site.test'],
      ['POST http://other.test:81/z HTTP/1.1', 'other.test:81'],
      ['GET http://[::1]:82/v6 HTTP/1.1', '[::1]:82'],
      ['GET http://site.test/ HTTP/1.1', 'site.test'],
    ],
  )
  assert.equal(proxy.connectionCount, 1)
  assert.deepEqual(kept.lines.slice(0, 2), ['200 GET /x?y=1', '200 POST http://other.test:81/z'])
  const closed = await run(['-r4', '--proxy', `http://127.0.0.1:${proxy.port}`], { list })
  assert.deepEqual([closed.failed, proxy.connectionCount], [0, 5])
})

onEachReactor('https asks for a tunnel once a connection, origin-form inside', async (t, run) => {
  const site = await secureSite(t)
  if (site === undefined) return
  const proxy = await connectProxy(t, site.port)
  const url = 'https://site.test:8443/x?y'
  const kept = await run(['-r3', url], {
    rc: [...through(proxy.port), 'connection = keep-alive'],
  })
  assert.deepEqual([kept.transactions, kept.failed], [3, 0], kept.stderr)
  assert.deepEqual(proxy.heads, ['CONNECT site.test:8443 HTTP/1.1\r\nHost: site.test:8443\r\n\r\n'])
  assert.deepEqual(
    site.requests.map((request) => [request.requestLine, request.valuesOf('host').join()]),
    new Array(3).fill(['GET /x?y HTTP/1.1', 'site.test:8443']),
  )
  const closed = await run(['-c2', '-r2', url], { rc: through(proxy.port) })
  assert.deepEqual([closed.failed, proxy.heads.length], [0, 5])
  await run(['https://[::1]/'], { rc: through(proxy.port) })
  assert.match(proxy.heads.at(-1) ?? '', /^CONNECT \[::1\]:443 HTTP\/1\.1\r\nHost: \[::1\]:443\r\n/)
})

onEachReactor('a tunnel opens however its answer is cut and dressed', async (t, run) => {
  const site = await secureSite(t)
  if (site === undefined) return
  for (const answer of [
    'HTTP/1.0 200 OK\r\nProxy-Agent: x\r\nContent-Length: 10\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 Fine\r\n\r\n',
    'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    const proxy = await startByteServer(t, async (connection) => {
      await connection.readUntil('\r\n\r\n')
      for (const byte of answer) await connection.write(byte)
      connection.passOn(site.port)
    })
    const tunnelled = await run(['https://site.test/'], { rc: through(proxy.port) })
    assert.deepEqual([tunnelled.transactions, tunnelled.failed], [1, 0], answer + tunnelled.stderr)
  }
})

onEachReactor('a proxy that refuses a tunnel fails the request, and says why', async (t, run) => {
  for (const [answer, reason] of [
    ['HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno', 'it answered 403'],
    ['HTTP/1.1 502 Bad\r\n\r\n', 'it answered 502'],
    ['HTTP/1.1 301 Go\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n', 'it answered 301'],
    ['SSH-2.0-x\r\n', ''],
    ['\0\x01\x02garbage', ''],
    ['', 'it closed the connection'],
    ['HTTP/1.1 200 OK\r\n', 'it closed the connection'],
    [`${ESTABLISHED}surplus`, 'it sent more than its answer'],
    [refusal(), 'it answered 407'],
    [refusal(ASKING), 'it answered 407'],
  ] as const) {
    const proxy = await startByteServer(t, async (connection) => {
      await connection.readUntil('\r\n\r\n')
      await connection.write(answer)
      connection.end()
    })
    const refused = await run(['-r2', 'https://site.test/'], { rc: through(proxy.port) })
    assert.deepEqual([refused.transactions, refused.failed, refused.status], [0, 2, 1], answer)
    assert.match(refused.stderr, /\[error\] proxy, CONNECT site\.test:443: \S/)
    assert.ok(refused.stderr.includes(reason), `${reason} in ${refused.stderr}`)
    assert.equal(proxy.connectionCount, 2)
  }
})

onEachReactor('a silent or absent proxy fails as a connection does', async (t, run) => {
  const silent = await startByteServer(t, () => {})
  for (const url of ['https://site.test/', 'http://site.test/']) {
    const rc = [...through(silent.port), 'timeout = 0.3']
    const waited = await run([url], { rc })
    assert.deepEqual([waited.failed, waited.status], [1, 1])
    assert.match(
      waited.stderr,
      /no (tunnel through|answer from) proxy 127\.0\.0\.1:\d+ within 0\.3 s/,
    )
    const refused = await run([url], { rc: through(await freePort()) })
    assert.match(refused.stderr, /\[error\] connection refused: 127\.0\.0\.1:\d+/)
    const unknown = await run([url], { rc: ['proxy-host = proxy.invalid'] })
    assert.match(unknown.stderr, /\[error\] .*: proxy\.invalid/)
    assert.deepEqual([refused.failed, unknown.failed], [1, 1])
  }
})

onEachReactor(
  'a proxy login is answered once, then sent unasked, and to nobody else',
  async (t, run) => {
    const proxy = await startRawServer(
      t,
      answering((request) =>
        request.valuesOf('proxy-authorization')[0] === LOGIN ? OK : refusal(ASKING),
      ),
    )
    for (const rc of [
      [...through(proxy.port), 'proxy-login = joe:pr:oxy'],
      [...through(proxy.port), 'proxy-login = joe:pr:oxy:p', 'connection = keep-alive'],
      [`proxy = http://joe:pr%3Aoxy@127.0.0.1:${proxy.port}`],
    ]) {
      const before = proxy.requests.length
      const list = ['http://one.test/', 'http://two.test/']
      const asked = await run(['-r3'], { list, rc })
      const sent = proxy.requests.slice(before)
      assert.equal(sent.length, 4, rc.join())
      assert.deepEqual([asked.transactions, asked.failed], [4, 0])
      assert.deepEqual(
        sent.flatMap((request) => request.valuesOf('authorization')),
        [],
      )
      assert.doesNotMatch(asked.stdout + asked.stderr, /pr:oxy|pr%3Aoxy/)
    }
    const wrong = await run(['-r2', 'http://one.test/'], {
      rc: [...through(proxy.port), 'proxy-login = joe:wrong'],
    })
    assert.equal(wrong.failed, 2)
  },
)

onEachReactor('a tunnel logs in, on the same connection or a new one', async (t, run) => {
  const site = await secureSite(t)
  if (site === undefined) return
  for (const fields of [ASKING, `Connection: close\r\n${ASKING}`]) {
    const proxy = await connectProxy(t, site.port, (head) =>
      head.includes(`Proxy-Authorization: ${LOGIN}\r\n`) ? ESTABLISHED : refusal(fields),
    )
    const tunnelled = await run(['-r3', 'https://site.test/'], {
      rc: [...through(proxy.port), 'proxy-login = joe:pr:oxy'],
    })
    assert.deepEqual([tunnelled.transactions, tunnelled.failed], [3, 0], tunnelled.stderr)
    // Each of the three connections is closed after its request; the first is asked to log in.
    assert.equal(proxy.heads.length, 4)
    assert.equal(proxy.connectionCount, fields === ASKING ? 3 : 4)
    assert.deepEqual(
      site.requests.flatMap((request) => request.valuesOf('proxy-authorization')),
      [],
    )
    const wrong = await run(['-r2', 'https://site.test/'], {
      rc: [...through(proxy.port), 'proxy-login = joe:wrong'],
    })
    assert.deepEqual([wrong.transactions, wrong.failed], [0, 2])
    assert.match(wrong.stderr, /it answered 407: the server does not accept the login/)
    assert.doesNotMatch(wrong.stdout + wrong.stderr, /wrong|pr:oxy/)
  }
})

onEachReactor('a tunnel that died while idle is asked for again', async (t, run) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const site = await startRawServer(
    t,
    async (connection) => {
      for (let count = 0; count < 2; count++) {
        if ((await connection.request()) === null) return
        await connection.send(OK)
      }
      await connection.pause(5)
      connection.end()
    },
    { tls: makeCertificate(t, openssl) },
  )
  // Each connection is asked once more, which is no refusal however often it happens.
  const asked = new Set<number>()
  const proxy = await connectProxy(t, site.port, (_head, { index }) => {
    if (asked.has(index)) return ESTABLISHED
    asked.add(index)
    const nonce = `nonce="${index}", stale=true`
    return refusal(`Proxy-Authenticate: Digest realm="p", qop="auth", ${nonce}\r\n`)
  })
  const tunnelled = await run(['-r16', 'https://site.test/'], {
    rc: [...through(proxy.port), 'proxy-login = joe:pr:oxy', 'connection = keep-alive'],
  })
  assert.deepEqual([tunnelled.transactions, tunnelled.failed], [16, 0], tunnelled.stderr)
})

test('a redirect from http to https goes from absolute form into a tunnel', async (t) => {
  const site = await secureSite(t)
  if (site === undefined) return
  const moved = 'HTTP/1.1 301 Go\r\nLocation: https://site.test/in\r\nContent-Length: 0\r\n\r\n'
  const lines: string[] = []
  const proxy = await startByteServer(t, async (connection) => {
    const head = await connection.readUntil('\r\n\r\n')
    lines.push(head.slice(0, head.indexOf('\r\n')))
    if (!head.startsWith('CONNECT')) return await connection.write(moved)
    await connection.write(ESTABLISHED)
    connection.passOn(site.port)
  })
  const run = await siege(['http://site.test/from'], { rc: through(proxy.port) })
  assert.deepEqual(run.lines, ['301 GET /from', '200 GET /in'])
  assert.deepEqual(lines, ['GET http://site.test/from HTTP/1.1', 'CONNECT site.test:443 HTTP/1.1'])
})

test('origin and proxy each get their own login, Digest with the target they see', async (t) => {
  const proxy = await startRawServer(
    t,
    answering((request) => {
      if (request.valuesOf('proxy-authorization').length === 0) return refusal(ASKING)
      const own = request.valuesOf('authorization')[0]
      if (own?.includes('uri="/page"')) return OK
      const challenge = 'WWW-Authenticate: Digest realm="o", nonce="n", qop="auth"\r\n'
      return `HTTP/1.1 401 Who\r\n${challenge}Content-Length: 0\r\n\r\n`
    }),
  )
  const run = await siege(['-r2', 'http://site.test/page'], {
    rc: [...through(proxy.port), 'login = ann:secret', 'proxy-login = joe:pr:oxy'],
  })
  assert.deepEqual(
    run.lines.map((line) => line.slice(0, 3)),
    ['407', '401', '200', '200'],
  )
  assert.equal(run.failed, 0)
})

test('the environment counts only with --proxy-from-env, and no_proxy in it', async (t) => {
  const proxy = await startRawServer(t, answering(OK))
  const site = await startRawServer(t, answering(OK))
  const address = `http://127.0.0.1:${proxy.port}`
  const env = { http_proxy: address, HTTPS_PROXY: 'http://127.0.0.1:1', no_proxy: '127.0.0.1' }
  const list = ['http://site.test/', `${site.url}/straight`]
  const asked = await siege(['-r2', '--proxy-from-env'], { list, env })
  assert.deepEqual([asked.failed, proxy.requests.length, site.requests.length], [0, 1, 1])
  const unasked = await siege([`${site.url}/`], { env: { ...env, no_proxy: undefined } })
  assert.deepEqual([unasked.failed, proxy.requests.length, site.requests.length], [0, 1, 2])
  const wrong = await siege(['--proxy-from-env', site.url], { env: { http_proxy: 'ftp://a:pw@x' } })
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /variable http_proxy of the environment must be .*ftp is no proxy/)
  assert.doesNotMatch(wrong.stderr, /pw/)
  const bad = await siege(['--proxy', 'gopher://x', site.url])
  assert.deepEqual([bad.status, site.requests.length], [2, 2])
  assert.match(bad.stderr, /--proxy must be a URL/)
})
