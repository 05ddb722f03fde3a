/**
 * Whole logins as the engine sees them: a scripted server answers each request, and what was sent
 * and decided is compared.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHashes } from '../../test/support/hashes.ts'
import { fc } from '../../test/support/property.ts'
import { ntlmNegotiateValue } from './auth-ntlm.ts'
import { AuthSession, type AuthSettings, authFailureTexts } from './auth-session.ts'
import type { AuthCredentials } from './auth-text.ts'
import { AuthTurn, ConnectionLogin } from './auth-turn.ts'

const JOE = { user: 'joe', passwordAndRealm: 'secret' }
const JOE_VALUE = `Basic ${btoa('joe:secret')}`
const ANN = { user: 'ann', passwordAndRealm: 'apple' }
const ANN_VALUE = `Basic ${btoa('ann:apple')}`
const BASIC_R = 'Basic realm="r"'

function sessionOf(settings: Partial<AuthSettings> = {}): AuthSession {
  return new AuthSession({
    hashes: nodeHashes,
    logins: [JOE],
    proxyLogins: [],
    proxyCredentials: null,
    attemptCountMax: 5,
    ...settings,
  })
}

interface Request {
  readonly path: string
  readonly server: string | null
  readonly proxy: string | null
}

/** A status above 0 and, for 401 and 407, the challenges. */
type Response = readonly [status: number, ...challenges: string[]]

interface Visit {
  readonly origin?: string
  readonly credentials?: AuthCredentials | null
  readonly method?: string
  readonly connection?: ConnectionLogin
  readonly isConnectionKept?: boolean
}

interface Seen {
  /** The values sent to the server, in order. */
  readonly sent: readonly (string | null)[]
  readonly proxySent: readonly (string | null)[]
  /** The last status, or why it was given up. */
  readonly end: string
  readonly sameConnection: readonly boolean[]
}

/** One request with its repeats, against a server that is a function. */
function visit(
  session: AuthSession,
  path: string,
  server: (request: Request) => Response,
  options: Visit = {},
): Seen {
  const turn = new AuthTurn()
  turn.reset()
  turn.originKey = options.origin ?? 'http://a:80'
  turn.method = options.method ?? 'GET'
  turn.requestTarget = path
  turn.sentTarget = `${turn.originKey}${path}`
  turn.credentials = options.credentials ?? null
  const connection = options.connection ?? new ConnectionLogin()
  const sent: (string | null)[] = []
  const proxySent: (string | null)[] = []
  const sameConnection: boolean[] = []
  for (;;) {
    sent.push(session.field(turn, 'server', connection))
    proxySent.push(session.field(turn, 'proxy', connection))
    assert.ok(sent.length <= 20, 'a turn ends')
    const answer = server({ path, server: sent.at(-1) ?? null, proxy: proxySent.at(-1) ?? null })
    const [status, ...fieldValues] = answer
    if (status !== 401 && status !== 407) {
      session.accepted(turn, status, connection)
      return { sent, proxySent, end: String(status), sameConnection }
    }
    const isConnectionKept = options.isConnectionKept ?? true
    const decision = session.challenged(turn, {
      status,
      fieldValues,
      connection,
      isConnectionKept,
      unixMs: 0,
    })
    assert.equal(decision.side, status === 407 ? 'proxy' : 'server')
    if (decision.kind === 'give-up') {
      return { sent, proxySent, end: decision.reason, sameConnection }
    }
    sameConnection.push(decision.needsSameConnection)
  }
}

/** A server with one realm in Basic. */
function basicServer(accepted: string, challenge = BASIC_R) {
  return ({ server }: Request): Response => (server === accepted ? [200] : [401, challenge])
}

/** A server in Digest that checks the name only; the nonce counts up with each challenge. */
function digestServer(options: { isStale?: boolean; lifetime?: number } = {}) {
  let nonceNumber = 0
  let useCount = 0
  return ({ server }: Request): Response => {
    const isKnown = server?.includes('username="joe"') && server.includes(`nonce="${nonceNumber}"`)
    if (isKnown && useCount < (options.lifetime ?? Number.POSITIVE_INFINITY)) {
      useCount++
      return [200]
    }
    const isStale = options.isStale === true && server !== null
    useCount = 0
    nonceNumber++
    return [
      401,
      `Digest realm="r", nonce="${nonceNumber}", qop="auth"${isStale ? ', stale=true' : ''}`,
    ]
  }
}

test('AuthSession answers a Basic challenge and sends the same unasked from then on', () => {
  const session = sessionOf()
  const server = basicServer(JOE_VALUE)
  const first = visit(session, '/', server)
  assert.deepEqual([first.sent, first.end], [[null, JOE_VALUE], '200'])
  const second = visit(session, '/x/y?z', server, { method: 'POST' })
  assert.deepEqual([second.sent, second.end], [[JOE_VALUE], '200'])
  // The very same text: nothing is made for a request.
  assert.ok(Object.is(second.sent[0], first.sent[1]))
})

test('AuthSession sends nothing to another origin, until that asks, too', () => {
  const session = sessionOf()
  visit(session, '/', basicServer(JOE_VALUE))
  for (const origin of ['http://a:81', 'https://a:80', 'http://b:80']) {
    assert.deepEqual(visit(session, '/', () => [200], { origin }).sent, [null])
  }
  const other = visit(session, '/', basicServer(JOE_VALUE), { origin: 'http://b:80' })
  assert.deepEqual(other.sent, [null, JOE_VALUE])
})

test('AuthSession fails once without credentials, and without a challenge it can answer', () => {
  const none = sessionOf({ logins: [] })
  assert.deepEqual(
    visit(none, '/', () => [401, BASIC_R]),
    {
      sent: [null],
      proxySent: [null],
      end: 'no-credentials',
      sameConnection: [],
    },
  )
  const cases: readonly (readonly [end: string, ...challenges: string[]])[] = [
    ['no-challenge'],
    ['no-challenge', '"'],
    ['no-usable-scheme', 'Negotiate'],
    ['no-usable-scheme', 'Negotiate, Bearer realm="r"'],
    ['no-usable-scheme', 'Digest realm="r", nonce="n", qop="auth-int"'],
    ['no-usable-scheme', 'Digest realm="r", nonce="n", algorithm=SHA-1'],
  ]
  for (const [end, ...challenges] of cases) {
    const seen = visit(sessionOf(), '/', () => [401, ...challenges])
    assert.deepEqual([seen.end, seen.sent.length], [end, 1], challenges.join())
  }
})

test('AuthSession does not send what was refused again', () => {
  const session = sessionOf()
  const server = basicServer('Basic other')
  const first = visit(session, '/', server)
  assert.deepEqual([first.sent, first.end], [[null, JOE_VALUE], 'rejected'])
  const second = visit(session, '/', server)
  assert.deepEqual([second.sent, second.end], [[null], 'rejected'])
})

test('AuthSession gives up a realm when many of its pages have refused', () => {
  const session = sessionOf()
  const server = basicServer('Basic other')
  const counts: number[] = []
  for (let index = 0; index < 12; index++) {
    counts.push(visit(session, `/page${index}?x=${index}`, server).sent.length)
  }
  assert.deepEqual(counts, [2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1])
})

test('AuthSession still logs in elsewhere when one page is not for that user', () => {
  const session = sessionOf()
  const server = ({ path, server: value }: Request): Response =>
    path !== '/admin' && value === JOE_VALUE ? [200] : [401, BASIC_R]
  assert.equal(visit(session, '/admin', server).end, 'rejected')
  assert.deepEqual(visit(session, '/', server).sent, [null, JOE_VALUE])
  assert.deepEqual(visit(session, '/admin?again', server).sent, [null])
  assert.deepEqual(visit(session, '/', server).sent, [JOE_VALUE])
})

test('AuthSession goes on after a moment in which the server refused what it had accepted', () => {
  const session = sessionOf()
  let isWell = true
  const server = ({ server: value }: Request): Response =>
    isWell && value === JOE_VALUE ? [200] : [401, BASIC_R]
  visit(session, '/', server)
  isWell = false
  const ill = visit(session, '/', server)
  assert.deepEqual([ill.sent, ill.end], [[JOE_VALUE], 'rejected'])
  isWell = true
  const well = visit(session, '/', server)
  assert.deepEqual([well.sent, well.end], [[JOE_VALUE], '200'])
})

test('AuthSession tries the next login when one is refused, and remembers which served', () => {
  const session = sessionOf({ logins: [JOE, ANN] })
  const server = basicServer(ANN_VALUE)
  assert.deepEqual(visit(session, '/', server).sent, [null, JOE_VALUE, ANN_VALUE])
  assert.deepEqual(visit(session, '/', server).sent, [ANN_VALUE])
})

test('AuthSession finds another login for a page that the first one may not see', () => {
  const session = sessionOf({ logins: [JOE, ANN] })
  const server = ({ path, server: value }: Request): Response =>
    value === ANN_VALUE || (path !== '/admin/x' && value === JOE_VALUE) ? [200] : [401, BASIC_R]
  assert.deepEqual(visit(session, '/y', server).sent, [null, JOE_VALUE])
  assert.deepEqual(visit(session, '/admin/x', server).sent, [JOE_VALUE, ANN_VALUE])
  assert.deepEqual(visit(session, '/admin/x', server).sent, [ANN_VALUE])
})

test('AuthSession does not take a realm for closed because of pages for others', () => {
  const session = sessionOf({ logins: [JOE, ANN] })
  const server = ({ path, server: value }: Request): Response =>
    value === (path.startsWith('/admin') ? ANN_VALUE : JOE_VALUE) ? [200] : [401, BASIC_R]
  for (let index = 0; index < 12; index++) {
    assert.equal(visit(session, `/page${index}`, server).end, '200')
    assert.equal(visit(session, `/admin${index}`, server).end, '200')
  }
})

test('AuthSession prefers credentials of the URL, for that request and its neighbours', () => {
  const session = sessionOf({ logins: [ANN] })
  const either = ({ server: value }: Request): Response =>
    value === JOE_VALUE || value === ANN_VALUE ? [200] : [401, BASIC_R]
  const credentials = { user: 'joe', password: 'secret' }
  assert.deepEqual(visit(session, '/', either, { credentials }).sent, [null, JOE_VALUE])
  // A picture of that page has no credentials in its URL.
  assert.deepEqual(visit(session, '/a.png', either).sent, [JOE_VALUE])
  const others = { user: 'ann', password: 'apple' }
  assert.deepEqual(visit(session, '/', either, { credentials: others }).sent, [null, ANN_VALUE])
  assert.deepEqual(visit(session, '/', either, { credentials }).sent, [JOE_VALUE])
  assert.deepEqual(visit(session, '/', either, { credentials: others }).sent, [ANN_VALUE])
})

test('AuthSession falls back to logins when the credentials of the URL are refused', () => {
  const session = sessionOf({ logins: [ANN] })
  const credentials = { user: 'joe', password: 'wrong' }
  const wrong = `Basic ${btoa('joe:wrong')}`
  const server = basicServer(ANN_VALUE)
  assert.deepEqual(visit(session, '/', server, { credentials }).sent, [null, wrong, ANN_VALUE])
  assert.deepEqual(visit(session, '/', server, { credentials }).sent, [ANN_VALUE])
})

test('AuthSession keeps realms of one origin apart by their folders', () => {
  const logins = [
    { user: 'joe', passwordAndRealm: 'secret:A' },
    { user: 'ann', passwordAndRealm: 'apple:B' },
  ]
  const session = sessionOf({ logins })
  const server = ({ path, server: value }: Request): Response => {
    const [wanted, realm] = path.startsWith('/b/') ? [ANN_VALUE, 'b'] : [JOE_VALUE, 'a']
    return value === wanted ? [200] : [401, `Basic realm="${realm}"`]
  }
  assert.deepEqual(visit(session, '/x', server).sent, [null, JOE_VALUE])
  // The header of the other realm is a guess, and no login was refused by it.
  assert.deepEqual(visit(session, '/b/x', server).sent, [JOE_VALUE, ANN_VALUE])
  for (const [path, value] of [
    ['/y', JOE_VALUE],
    ['/b/y/z', ANN_VALUE],
    ['/a/b/c', JOE_VALUE],
    ['/b/', ANN_VALUE],
    ['/b/again', ANN_VALUE],
  ] as const) {
    assert.deepEqual(visit(session, path, server).sent, [value], path)
  }
})

test('AuthSession chooses the strongest scheme, whatever the order', () => {
  const digest = (algorithm: string) => `Digest realm="r", nonce="n", algorithm=${algorithm}`
  const schemes = [digest('SHA-256'), digest('MD5'), 'NTLM', BASIC_R]
  const starts = [/algorithm=SHA-256/, /algorithm=MD5/, /^NTLM /, /^Basic /]
  for (let weakest = 0; weakest < schemes.length; weakest++) {
    const offered = schemes.slice(weakest)
    for (const values of [offered, offered.toReversed(), [offered.join(', ')]]) {
      const seen = visit(sessionOf(), '/', ({ server }) => (server ? [200] : [401, ...values]))
      assert.match(seen.sent[1] ?? '', starts[weakest]!)
    }
  }
  const unusable = 'Digest realm="r", nonce="n", algorithm=X'
  const seen = visit(sessionOf(), '/', ({ server }) => (server ? [200] : [401, unusable, BASIC_R]))
  assert.equal(seen.sent[1], JOE_VALUE)
})

test('AuthSession takes the weaker scheme where the login fits its realm only', () => {
  const session = sessionOf({ logins: [{ user: 'joe', passwordAndRealm: 'secret:weak' }] })
  const challenges = ['Digest realm="strong", nonce="n"', 'Basic realm="weak"']
  visit(session, '/bind', () => [401, 'Basic realm="weak"'])
  const seen = visit(session, '/', ({ server }) => (server ? [200] : [401, ...challenges]))
  assert.equal(seen.sent[1], JOE_VALUE)
})

test('AuthSession counts the requests of a nonce', () => {
  const session = sessionOf()
  const server = digestServer()
  const first = visit(session, '/', server)
  assert.equal(first.end, '200')
  assert.match(first.sent[1] ?? '', /uri="\/", qop=auth, nc=00000001/)
  const second = visit(session, '/x', server, { method: 'POST' })
  assert.match(second.sent[0] ?? '', /uri="\/x", qop=auth, nc=00000002/)
  assert.equal(second.end, '200')
})

test('AuthSession takes a stale nonce for no refusal, whether the server says so or not', () => {
  for (const isStale of [true, false]) {
    const session = sessionOf()
    const server = digestServer({ isStale, lifetime: 2 })
    const counts = [1, 2, 3, 4, 5, 6].map(() => visit(session, '/', server))
    assert.deepEqual(
      counts.map(({ sent, end }) => [sent.length, end]),
      [2, 1, 2, 1, 2, 1].map((count) => [count, '200']),
    )
  }
})

test('AuthSession stops after so many requests when the nonce is stale for ever', () => {
  for (const attemptCountMax of [1, 2, 5]) {
    const seen = visit(sessionOf({ attemptCountMax }), '/', () => [
      401,
      'Digest realm="r", nonce="n", qop="auth", stale=true',
    ])
    assert.deepEqual([seen.sent.length, seen.end], [attemptCountMax, 'too-many-attempts'])
  }
})

test('AuthSession fails once with a wrong password in Digest, too', () => {
  const session = sessionOf()
  let nonceNumber = 0
  const server = (): Response => [401, `Digest realm="r", nonce="${nonceNumber++}", qop="auth"`]
  const first = visit(session, '/', server)
  assert.deepEqual([first.sent.length, first.end], [2, 'rejected'])
  assert.deepEqual(visit(session, '/', server).sent, [null])
})

test('AuthSession does not try a refused password again by a weaker scheme', () => {
  const challenges = ['Digest realm="d", nonce="n"', BASIC_R, 'NTLM']
  const session = sessionOf()
  const seen = visit(session, '/', () => [401, ...challenges])
  assert.deepEqual([seen.sent.length, seen.end], [2, 'rejected'])
  assert.deepEqual(visit(session, '/', () => [401, ...challenges]).sent, [null])
})

/** A second message of NTLM without pairs. */
const NTLM_MESSAGE = `NTLM ${Buffer.concat([
  Buffer.from('NTLMSSP\0\x02\0\0\0', 'latin1'),
  Buffer.from('0000000030000000010000000123456789abcdef0000000000000000', 'hex'),
]).toString('base64')}`

/** Logs a connection in, as real servers do; `isRight` decides about the last message. */
function ntlmServer(isRight = true) {
  let isBegun = false
  let isLoggedIn = false
  return ({ server }: Request): Response => {
    if (isLoggedIn && server === null) return [200]
    if (server === ntlmNegotiateValue) {
      isBegun = true
      return [401, NTLM_MESSAGE]
    }
    isLoggedIn = server !== null && isBegun && isRight
    isBegun = false
    return isLoggedIn ? [200] : [401, 'NTLM']
  }
}

test('AuthSession logs a connection in by NTLM, in two requests on that connection', () => {
  const session = sessionOf()
  const connection = new ConnectionLogin()
  const server = ntlmServer()
  const first = visit(session, '/', server, { connection })
  assert.deepEqual([first.sent.length, first.end], [3, '200'])
  assert.deepEqual(first.sent.slice(0, 2), [null, ntlmNegotiateValue])
  assert.match(first.sent[2] ?? '', /^NTLM TlRMTVNTUAADAAAA/)
  assert.deepEqual(first.sameConnection, [false, true])
  assert.deepEqual(visit(session, '/x', server, { connection }).sent, [null])
  // The next connection begins unasked.
  connection.reset()
  const next = visit(session, '/', ntlmServer(), { connection })
  assert.deepEqual([next.sent[0], next.sent.length, next.end], [ntlmNegotiateValue, 2, '200'])
  assert.deepEqual(next.sameConnection, [true])
})

test('AuthSession begins anew when a server has forgotten that a connection is logged in', () => {
  const session = sessionOf()
  const connection = new ConnectionLogin()
  visit(session, '/', ntlmServer(), { connection })
  const seen = visit(session, '/', ntlmServer(), { connection })
  assert.deepEqual([seen.sent.slice(0, 2), seen.end], [[null, ntlmNegotiateValue], '200'])
})

test('AuthSession does not take one login on a connection for that of another user', () => {
  const session = sessionOf()
  const connection = new ConnectionLogin()
  visit(session, '/', ntlmServer(), { connection })
  const credentials = { user: 'ann', password: 'apple' }
  visit(session, '/', ntlmServer(), { connection: new ConnectionLogin(), credentials })
  const seen = visit(session, '/', ntlmServer(), { connection, credentials })
  assert.equal(seen.sent[0], ntlmNegotiateValue)
})

test('AuthSession fails once with a wrong password in NTLM', () => {
  const session = sessionOf()
  const first = visit(session, '/', ntlmServer(false))
  assert.deepEqual([first.sent.length, first.end], [3, 'rejected'])
  const second = visit(session, '/', ntlmServer(false))
  assert.deepEqual([second.sent, second.end], [[null], 'rejected'])
})

test('AuthSession falls back when NTLM does not go on, and gives up without a connection', () => {
  for (const message of ['NTLM', 'NTLM AAAA', 'NTLM ?']) {
    const session = sessionOf()
    const server = ({ server: value }: Request): Response =>
      value === JOE_VALUE ? [200] : [401, value === null ? 'NTLM' : message, BASIC_R]
    const seen = visit(session, '/', server)
    assert.deepEqual([seen.sent, seen.end], [[null, ntlmNegotiateValue, JOE_VALUE], '200'])
    assert.deepEqual(visit(session, '/', server).sent, [JOE_VALUE])
  }
  const seen = visit(sessionOf(), '/', ntlmServer(), { isConnectionKept: false })
  assert.deepEqual([seen.sent.length, seen.end], [2, 'connection-closed'])
})

test('AuthTurn asks for a kept connection during NTLM only', () => {
  for (const [challenge, isKept] of [
    ['NTLM', true],
    [BASIC_R, false],
  ] as const) {
    const session = sessionOf()
    const turn = new AuthTurn()
    const connection = new ConnectionLogin()
    session.field(turn, 'server', connection)
    assert.equal(turn.needsKeepAlive, false)
    const fieldValues = [challenge]
    session.challenged(turn, {
      status: 401,
      fieldValues,
      connection,
      isConnectionKept: true,
      unixMs: 0,
    })
    session.field(turn, 'server', connection)
    assert.equal(turn.needsKeepAlive, isKept)
  }
})

test('AuthSession logs in at a proxy and at the server behind it, each with its own', () => {
  const session = sessionOf({ proxyLogins: [ANN] })
  const server = ({ server: value, proxy }: Request): Response => {
    if (proxy !== ANN_VALUE) return [407, 'Basic realm="p"']
    return value === JOE_VALUE ? [200] : [401, BASIC_R]
  }
  const first = visit(session, '/', server)
  assert.deepEqual(first.sent, [null, null, JOE_VALUE])
  assert.deepEqual(first.proxySent, [null, ANN_VALUE, ANN_VALUE])
  const other = visit(session, '/', server, { origin: 'http://b:80' })
  assert.deepEqual(
    [other.sent, other.proxySent],
    [
      [null, JOE_VALUE],
      [ANN_VALUE, ANN_VALUE],
    ],
  )
})

test('AuthSession knows that the proxy has let a request through that the server refused', () => {
  const session = sessionOf({ proxyLogins: [ANN], logins: [] })
  const server = ({ proxy }: Request): Response =>
    proxy === ANN_VALUE ? [401, BASIC_R] : [407, 'Basic realm="p"']
  assert.equal(visit(session, '/', server).end, 'no-credentials')
  assert.deepEqual(visit(session, '/', server).proxySent, [ANN_VALUE])
})

test('AuthSession never gives logins of servers to a proxy', () => {
  const seen = visit(sessionOf(), '/', () => [407, 'Basic realm="p"'], {
    credentials: { user: 'u', password: 'p' },
  })
  assert.deepEqual([seen.end, seen.sent], ['no-credentials', [null]])
})

test('AuthSession hashes the line that the proxy sees and the target that the server sees', () => {
  const proxyCredentials = { user: 'joe', password: 'secret' }
  const session = sessionOf({ proxyCredentials })
  const digest = (nonce: string) => `Digest realm="r", nonce="${nonce}", qop="auth"`
  const seen = visit(session, '/x', ({ server, proxy }) => {
    if (proxy === null) return [407, digest('p')]
    return server === null ? [401, digest('s')] : [200]
  })
  assert.match(seen.proxySent.at(-1) ?? '', /nonce="p", uri="http:\/\/a:80\/x", .*nc=00000002/)
  assert.match(seen.sent.at(-1) ?? '', /nonce="s", uri="\/x", .*nc=00000001/)
})

test('AuthSession does not take an answer in trouble for a login that served', () => {
  const session = sessionOf()
  const seen = visit(session, '/', ({ server }) => (server ? [503] : [401, BASIC_R]))
  assert.equal(seen.end, '503')
  assert.deepEqual(visit(session, '/', () => [200]).sent, [null])
})

test('AuthSession answers with the nonce of the last challenge', () => {
  const session = sessionOf()
  const digest = (nonce: string) => `Digest realm="r", nonce="${nonce}"`
  visit(session, '/', ({ server }) => (server ? [503] : [401, digest('one')]))
  const seen = visit(session, '/', ({ server }) => (server ? [200] : [401, digest('two')]))
  assert.match(seen.sent[1] ?? '', /nonce="two"/)
})

test('AuthSession compares realms by their letters, in UTF-8', () => {
  const session = sessionOf({ logins: [{ user: 'joe', passwordAndRealm: 'secret:Caf\u00e9' }] })
  const seen = visit(session, '/', basicServer(JOE_VALUE, 'Basic realm="Caf\u00c3\u00a9"'))
  assert.deepEqual(seen.sent, [null, JOE_VALUE])
})

test('AuthSession ends every turn within its attempts, whatever a server answers', () => {
  const challenge = fc.oneof(
    fc.constantFrom(BASIC_R, 'NTLM', NTLM_MESSAGE, 'Negotiate', 'Digest realm=r, nonce=n'),
    fc.constantFrom('Digest realm=r, nonce=m, stale=true', 'Digest realm=s, nonce=m, qop=auth'),
    fc.nat(99).map((number) => `Basic realm="${number}"`),
    fc.string({ unit: 'binary' }),
  )
  const response = fc.tuple(fc.constantFrom(200, 401, 401, 407, 407, 503), fc.array(challenge))
  fc.assert(
    fc.property(
      fc.array(response, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      (all, isKept) => {
        const session = sessionOf({ proxyLogins: [ANN], logins: [JOE, ANN] })
        const connection = new ConnectionLogin()
        let at = 0
        const server = (): Response => {
          const [status, challenges] = all[at++ % all.length]!
          return [status, ...challenges]
        }
        for (const path of ['/', '/a/b', '/a/c']) {
          const seen = visit(session, path, server, { connection, isConnectionKept: isKept })
          assert.ok(seen.sent.length <= 5)
          for (const value of [...seen.sent, ...seen.proxySent]) {
            assert.doesNotMatch(value ?? '', /[\x00-\x08\x0a-\x1f\x7f]|secret|apple/)
          }
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('authFailureTexts say nothing that could be a password', () => {
  for (const text of Object.values(authFailureTexts)) assert.match(text, /^the server [a-zA-Z ]+$/)
})
