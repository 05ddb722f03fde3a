/** Logging in as the built siege does it: how often is asked, with what, and how it is counted. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startPracticeSite } from '../../src/practice/site.ts'
import { APACHE_PASSWORD, apacheFolders, startApache } from '../support/apache.ts'
import { tempFolder } from '../support/files.ts'
import {
  answering,
  type RawRequest,
  type RawScript,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { type SiegeOutcome, siege } from '../support/siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const SECRET = 'pa:s#s'

function unauthorized(...challenges: readonly string[]): string {
  const fields = challenges.map((value) => `WWW-Authenticate: ${value}\r\n`).join('')
  return `HTTP/1.1 401 Who\r\n${fields}Content-Length: 0\r\n\r\n`
}

/** Lets in who sends this Basic login. */
function basicSite(t: TestContext, user: string, password: string, realm = 'r') {
  const wanted = `Basic ${btoa(`${user}:${password}`)}`
  return startRawServer(
    t,
    answering((request) =>
      request.valuesOf('authorization')[0] === wanted ? OK : unauthorized(`Basic realm="${realm}"`),
    ),
  )
}

function schemes({ requests }: RawServer): string {
  return requests
    .map((request) => request.valuesOf('authorization')[0]?.split(' ')[0] ?? '-')
    .join(' ')
}

function counts({ transactions, successful, failed }: SiegeOutcome): number[] {
  return [transactions, successful, failed]
}

test('Basic is answered once, then sent unasked, colons and # in the password', async (t) => {
  for (const login of [`user:${SECRET}`, `user:${SECRET}:r`, `user:${SECRET}:all`]) {
    const site = await basicSite(t, 'user', SECRET)
    const run = await siege(['-r3', site.url], { rc: [`login = ${login}`] })
    assert.equal(schemes(site), '- Basic Basic Basic')
    assert.deepEqual(counts(run), [4, 4, 0], login)
    assert.deepEqual(run.lines, ['401 GET /', '200 GET /', '200 GET /', '200 GET /'])
  }
})

test('a login is for its realm, and each user logs in for itself', async (t) => {
  const site = await basicSite(t, 'ann', 'right', 'members')
  const rc = ['login = bob:wrong:admins', 'login = ann:right:members']
  const run = await siege(['-c2', '-r2', site.url], { rc })
  assert.deepEqual(counts(run), [6, 6, 0])
  // Behind a colon there may be more of the password, so this one is tried.
  const other = await siege([site.url], { rc: ['login = bob:wrong:admins'] })
  assert.deepEqual([other.failed, schemes(site).endsWith('- Basic')], [1, true])
})

test('without a login, or with a wrong one, a page fails once and is not asked again', async (t) => {
  const site = await basicSite(t, 'user', 'right')
  const none = await siege(['-r2', site.url])
  assert.equal(schemes(site), '- -')
  assert.deepEqual([none.failed, none.status], [2, 1])
  assert.match(none.stderr, /credentials missing or rejected/)
  for (const rc of [[], ['attempts = 1'], ['connection = keep-alive']]) {
    const strict = await basicSite(t, 'user', 'right')
    const run = await siege(['-r3', strict.url], { rc: ['login = user:wrong', ...rc] })
    // The refused login is not sent again, and each page fails exactly once.
    const isTried = rc[0] !== 'attempts = 1'
    assert.equal(schemes(strict), isTried ? '- Basic - -' : '- - -')
    assert.equal(run.failed, 3)
  }
})

test('attempts bounds what a server can ask for, and no server is asked for ever', async (t) => {
  let count = 0
  const site = await startRawServer(
    t,
    answering(() =>
      unauthorized(`Digest realm="r", nonce="${count++}", qop="auth", stale=true, algorithm=MD5`),
    ),
  )
  for (const [attempts, requestCount] of [
    ['2', 2],
    ['7', 7],
  ] as const) {
    const before = site.requests.length
    const run = await siege([site.url], { rc: ['login = a:b', `attempts = ${attempts}`] })
    assert.equal(site.requests.length - before, requestCount)
    assert.equal(run.failed, 1)
  }
})

test('credentials of a URL are a login for its origin, and are never shown', async (t) => {
  const site = await basicSite(t, 'us er', SECRET)
  const address = `127.0.0.1:${site.port}`
  const url = `http://us%20er:${encodeURIComponent(SECRET)}@${address}/a`
  const log = join(tempFolder(t), 'siege.log')
  const runs = await Promise.all([
    siege(['-r2', url], { rc: ['fullurl = true'] }),
    siege(['-D', url]),
    siege(['-g', url]),
    siege(['-p', url]),
    siege(['-j', url]),
    siege([`-l${log}`, '-m', 'a mark', url], { rc: ['csv = true', 'display-id = true'] }),
    siege([url.replace('%2', '%zz'), 'htp://u:pa%3As%23s@x/']),
    siege(['--proxy', `http://u:${SECRET}@x:99999`, url], { rc: [`proxy-login = :${SECRET}`] }),
    siege(['-C', url], { rc: [`login = u:${SECRET}`, `proxy-login = u:${SECRET}`] }),
    siege([url], { rc: ['failures = 1', 'proxy-host = 127.0.0.1', 'proxy-port = 1'] }),
  ])
  assert.deepEqual(counts(runs[0]!), [3, 3, 0])
  assert.deepEqual(
    runs.slice(0, 6).map(({ status }) => status),
    [0, 0, 0, 0, 0, 0],
  )
  const secrets = [SECRET, encodeURIComponent(SECRET), btoa(`us er:${SECRET}`)]
  const texts = runs.map(({ stdout, stderr }) => stdout + stderr)
  for (const text of [...texts, readFileSync(log, 'utf8')]) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in:\n${text}`)
  }
  assert.match(runs[1]!.stdout, /^Authorization: Basic \*\*\*\*\*$/m)
})

test('a login goes to its own origin only, and to others when they ask', async (t) => {
  const asking = await basicSite(t, 'user', 'right')
  const open = await startRawServer(t, answering(OK))
  const list = [asking.url, open.url, asking.url]
  const run = await siege(['-r3'], { list, rc: ['login = user:right'] })
  assert.deepEqual(counts(run), [4, 4, 0])
  assert.equal(schemes(open), '-')
  const urls = [asking.url.replace('//', '//user:right@'), open.url]
  await siege(['-r2'], { list: urls })
  assert.equal(schemes(open), '- -')
})

interface DigestSite extends RawServer {
  readonly faults: readonly string[]
}

/** Checks every answer by RFC 7616, MD5 with qop=auth, and that nc counts on. */
async function digestSite(t: TestContext, challenges: readonly string[]): Promise<DigestSite> {
  const faults: string[] = []
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const nonceCounts = new Map<string, number>()
  const judge = (request: RawRequest) => {
    const given = request.valuesOf('authorization')[0]
    if (given === undefined) return unauthorized(...challenges)
    const part = (name: string) =>
      new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^, ]*))`).exec(given)?.slice(1).find(Boolean) ?? ''
    const key = md5(`joe:r:${SECRET}`)
    const page = md5(`${request.method}:${request.requestTarget}`)
    const count = part('nc')
    const counted = count === '' ? '' : `${count}:${part('cnonce')}:${part('qop')}:`
    if (part('uri') !== request.requestTarget) faults.push(`uri: ${given}`)
    if (part('response') !== md5(`${key}:abc:${counted}${page}`)) faults.push(`response: ${given}`)
    const cnonce = part('cnonce')
    const expected = (nonceCounts.get(cnonce) ?? 0) + 1
    nonceCounts.set(cnonce, expected)
    if (count !== '' && Number.parseInt(count, 16) < 1) faults.push(`nc: ${given}`)
    return OK
  }
  return Object.assign(await startRawServer(t, answering(judge)), { faults })
}

test('Digest answers any method and body, with qop, without, and without an algorithm', async (t) => {
  for (const challenges of [
    ['Digest realm="r", nonce="abc", qop="auth", algorithm=MD5, opaque="o"'],
    ['Digest realm="r", nonce="abc", qop="auth-int, auth"'],
    ['Digest realm="r", nonce="abc"'],
    ['Basic realm="r"', 'Digest realm="r", nonce="abc", qop="auth"'],
    ['Negotiate', 'Digest realm="r", nonce="abc", qop="auth", algorithm=MD5'],
    [
      'Digest realm="r", nonce="no", qop="auth", algorithm=SHA-3',
      'Digest realm="r", nonce="abc", qop="auth", algorithm=MD5',
    ],
  ]) {
    const site = await digestSite(t, challenges)
    const list = ['/a?b=1,2', '/b POST x=1', '/c PUT {"d":1}', '/d'].map((x) => `${site.url}${x}`)
    for (const rc of [[], ['connection = keep-alive']]) {
      const run = await siege(['-r4'], { list, rc: [`login = joe:${SECRET}`, ...rc] })
      assert.deepEqual(counts(run), [5, 5, 0], challenges.join())
    }
    assert.equal(schemes(site), '- Digest Digest Digest Digest - Digest Digest Digest Digest')
    assert.deepEqual(site.faults, [])
    // The body is sent again with the login.
    assert.deepEqual(
      site.requests.map(({ body }) => body).filter((body) => body !== ''),
      ['x=1', '{"d":1}', 'x=1', '{"d":1}'],
    )
  }
})

test('a challenged POST is sent once more with its body', async (t) => {
  const site = await digestSite(t, ['Digest realm="r", nonce="abc", qop="auth"'])
  const run = await siege([`${site.url}/x POST a=1`], { rc: [`login = joe:${SECRET}`] })
  assert.deepEqual(
    site.requests.map(({ method, body }) => `${method} ${body}`),
    ['POST a=1', 'POST a=1'],
  )
  assert.deepEqual([counts(run), site.faults], [[2, 2, 0], []])
})

test('schemes that onager does not know fail the page once', async (t) => {
  for (const challenge of [
    'Negotiate',
    'Bearer realm="r"',
    'Digest realm="r", nonce="a", algorithm=X',
    '',
  ]) {
    const site = await startRawServer(t, answering(unauthorized(...(challenge ? [challenge] : []))))
    const run = await siege(['-r2', site.url], { rc: ['login = a:b'] })
    assert.equal(schemes(site), '- -', challenge)
    assert.equal(run.failed, 2)
  }
})

test('the practice site lets Basic in', async (t) => {
  const { url, close } = await startPracticeSite({ port: 0 })
  t.after(close)
  const run = await siege(['-r2', `${url}/basic`], { rc: ['login = ada:lovelace:practice'] })
  assert.deepEqual(run.lines, ['401 GET /basic', '200 GET /basic', '200 GET /basic'])
  const probe = await siege(['-g', `${url.replace('//', '//ada:lovelace@')}/basic`])
  assert.equal(probe.status, 0)
})

test('login-url: each user logs in once before all else, in turn, and that is counted', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) =>
      request.requestTarget.startsWith('/login')
        ? `HTTP/1.1 200 OK\r\nSet-Cookie: in=${request.body}\r\nContent-Length: 2\r\n\r\nok`
        : OK,
    ),
  )
  const rc = [
    `login-url = ${site.url}/login POST one#1`,
    `login-url = ${site.url}/login?2 POST two`,
  ]
  const run = await siege(['-c3', '-r2', `${site.url}/page`], { rc })
  assert.deepEqual(counts(run), [9, 9, 0])
  const logins = site.requests.filter(({ method }) => method === 'POST')
  assert.deepEqual(logins.map(({ body }) => body).sort(), ['one#1', 'one#1', 'two'])
  const pages = site.requests.filter(({ method }) => method === 'GET')
  assert.deepEqual(pages.map((request) => request.valuesOf('cookie')[0]).sort(), [
    'in=one#1',
    'in=one#1',
    'in=one#1',
    'in=one#1',
    'in=two',
    'in=two',
  ])
  assert.match(run.stderr, /^Pages:\s+6$/m)
  assert.doesNotMatch(run.stdout + run.stderr, /one#1/)
})

test('login-url may redirect and ask for a login; users go on when it fails', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      if (request.requestTarget === '/login') {
        return 'HTTP/1.1 303 Go\r\nLocation: /in\r\nContent-Length: 0\r\n\r\n'
      }
      if (request.requestTarget === '/broken') {
        return 'HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n'
      }
      return OK
    }),
  )
  const page = `${site.url}/page`
  const run = await siege(['-r2', page], { rc: [`login-url = ${site.url}/login POST a=1`] })
  assert.deepEqual(
    run.lines.map((line) => line.slice(0, 8)),
    ['303 POST', '200 GET ', '200 GET ', '200 GET '],
  )
  const broken = await siege([page], { rc: [`login-url = ${site.url}/broken`] })
  assert.deepEqual(broken.lines, ['500 GET /broken', '200 GET /page'])
})

test('auth-url: a 403 leads there, by the redirects it gives, and then back', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) => {
      const isIn = request.valuesOf('cookie')[0] === 'in=1'
      switch (request.requestTarget) {
        case '/login':
          return 'HTTP/1.1 303 Go\r\nLocation: /welcome\r\nContent-Length: 0\r\n\r\n'
        case '/welcome':
          return 'HTTP/1.1 200 OK\r\nSet-Cookie: in=1\r\nContent-Length: 0\r\n\r\n'
        case '/wrong':
          return 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'
        case '/moved':
          return isIn
            ? 'HTTP/1.1 302 Go\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n'
            : 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'
        default:
          return isIn ? OK : 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'
      }
    }),
  )
  const rc = [
    'auth-url = http://elsewhere.test/login',
    `auth-url = ${site.url}/wrong`,
    `auth-url = ${site.url}/login POST a=1`,
  ]
  const run = await siege(['-r2', `${site.url}/page`], { rc })
  assert.deepEqual(
    site.requests.map(({ method, requestTarget }) => `${method} ${requestTarget}`),
    ['GET /page', 'GET /wrong', 'POST /login', 'GET /welcome', 'GET /page', 'GET /page'],
  )
  assert.equal(run.lines.at(-1), '200 GET /page')
  const before = site.requests.length
  await siege([`${site.url}/moved`], { rc: [`auth-url = ${site.url}/login POST a=1`] })
  assert.deepEqual(
    site.requests.slice(before).map(({ requestTarget }) => requestTarget),
    ['/moved', '/login', '/welcome', '/moved', '/end'],
  )
})

test('auth-url that does not help is asked once, and the 403 stays', async (t) => {
  const site = await startRawServer(
    t,
    answering((request) =>
      request.requestTarget === '/login' ? OK : 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n',
    ),
  )
  const run = await siege([`${site.url}/page`], { rc: [`auth-url = ${site.url}/login`] })
  assert.deepEqual(run.lines, ['403 GET /page', '200 GET /login', '403 GET /page'])
  const plain = await siege([`${site.url}/page`])
  assert.deepEqual(plain.lines, ['403 GET /page'])
})

/** Speaks NTLM: a connection is logged in by two requests over it. */
function ntlm(limit = Number.POSITIVE_INFINITY): RawScript {
  return async (connection) => {
    let phase = 0
    for (let count = 0; count < limit; count++) {
      const request = await connection.request()
      if (request === null) break
      const token = request.valuesOf('authorization')[0]?.replace(/^NTLM /, '')
      const type = token === undefined ? 0 : Buffer.from(token, 'base64').readUInt32LE(8)
      if (phase === 2 && token === undefined) await connection.send(OK)
      else if (type === 1) {
        phase = 1
        await connection.send(unauthorized(`NTLM ${ntlmChallenge}`))
      } else if (type === 3 && phase === 1) {
        phase = 2
        await connection.send(OK)
      } else {
        phase = 0
        await connection.send(unauthorized('NTLM'))
      }
    }
    connection.end()
  }
}

/** MS-NLMP 2.2.1.2, with an empty target and no further information. */
const ntlmChallenge = Buffer.concat([
  Buffer.from('NTLMSSP\0'),
  Buffer.from([2, 0, 0, 0]),
  Buffer.from([0, 0, 0, 0, 48, 0, 0, 0]),
  Buffer.from([0x01, 0x82, 0x08, 0x00]),
  Buffer.from('0123456789abcdef', 'hex'),
  Buffer.alloc(8),
  Buffer.from([0, 0, 0, 0, 48, 0, 0, 0]),
]).toString('base64')

test('NTLM logs each connection in, over the connection it began on', async (t) => {
  const site = await startRawServer(t, ntlm())
  const rc = ['login = DOM\\joe:secret', 'connection = keep-alive']
  const run = await siege(['-c2', '-r3', site.url], { rc })
  assert.deepEqual(counts(run), [10, 10, 0])
  assert.equal(site.connectionCount, 2)
  assert.doesNotMatch(run.stdout + run.stderr, /secret/)
  const closing = await startRawServer(t, ntlm())
  const closed = await siege(['-r2', closing.url], { rc: rc.slice(0, 1) })
  assert.equal(closed.failed, 0)
  assert.equal(closed.lines.filter((line) => line.startsWith('200')).length, 2)
})

test('NTLM begins again when the server lets its connection go', async (t) => {
  const site = await startRawServer(t, ntlm(4))
  const rc = ['login = joe:secret', 'connection = keep-alive']
  const run = await siege(['-r6', site.url], { rc })
  assert.equal(run.failed, 0)
  assert.equal(run.lines.filter((line) => line.startsWith('200')).length, 6)
})

test('apache2 lets Basic and Digest in, by realm and by URL, with bodies, kept or not', async (t) => {
  const path = requirePart(t, 'apache2')
  if (path === undefined) return
  const address = `127.0.0.1:${await startApache(t, path)}`
  const withUrl = `joe:${encodeURIComponent(APACHE_PASSWORD)}@${address}`
  for (const folder of apacheFolders) {
    for (const rc of [[], ['connection = keep-alive']]) {
      const list = ['', 'index.html?a=1,2', 'page.html POST x=1'].map((rest) => `${folder}/${rest}`)
      for (const [place, login] of [
        [address, [`login = joe:${APACHE_PASSWORD}`]],
        [withUrl, []],
      ] as const) {
        const run = await siege(['-c2', '-r3'], {
          list: list.map((rest) => `http://${place}/${rest}`),
          rc: [...login, ...rc],
        })
        // One challenge for each of the users, and nothing else goes wrong.
        assert.deepEqual([run.transactions, run.failed], [8, 0], folder + run.stderr)
        assert.equal(run.lines.filter((line) => line.startsWith('401')).length, 2)
      }
      const url = `http://${address}/${folder}/`
      const wrong = await siege(['-r2', url], { rc: ['login = joe:wrong', ...rc] })
      assert.deepEqual(
        wrong.lines,
        ['401', '401', '401'].map((status) => `${status} GET /${folder}/`),
      )
      assert.equal(wrong.failed, 2)
    }
  }
})
