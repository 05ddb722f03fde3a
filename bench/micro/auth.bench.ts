/** What a login costs a request: none asked for, Basic, Digest, and a site with two realms. */
import { performance } from 'node:perf_hooks'
import { AuthSession } from '../../src/browse/auth-session.ts'
import { AuthTurn, ConnectionLogin } from '../../src/browse/auth-turn.ts'
import { hashesWith } from '../../test/support/hashes.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 1_000_000

const ROUND_COUNT = 5

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

export function bench(count: number): { hash: number; rows: Row[] } {
  let hash = 17
  const perRound = Math.ceil(count / ROUND_COUNT)

  /** The best of the rounds, in ns for each request; a challenge for each path comes first. */
  function measure(name: string, asked: Readonly<Record<string, string>>): Row {
    const session = new AuthSession({
      hashes: hashesWith(Uint8Array.of(1, 2, 3)),
      logins: [{ user: 'joe', passwordAndRealm: 'secret' }],
      proxyLogins: [],
      proxyCredentials: null,
      attemptCountMax: 5,
    })
    const turn = new AuthTurn()
    const connection = new ConnectionLogin()
    const paths = ['/index.html', '/shop/article?id=1']
    turn.originKey = 'http://www.example.test:80'
    turn.method = 'GET'
    for (const [path, challenge] of Object.entries(asked)) {
      turn.reset()
      turn.requestTarget = path
      const answer = { status: 401, connection, isConnectionKept: true, unixMs: 0 } as const
      session.challenged(turn, { ...answer, fieldValues: [challenge] })
      session.field(turn, 'server', connection)
      session.accepted(turn, 200, connection)
    }
    let nsPerOp = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const startMs = performance.now()
      for (let index = 0; index < perRound; index++) {
        turn.reset()
        turn.requestTarget = paths[index & 1]!
        const value = session.field(turn, 'server', connection)
        hash = (hash * 31 + (value === null ? 1 : value.charCodeAt(value.length >> 1))) | 0
        session.field(turn, 'proxy', connection)
        session.accepted(turn, 200, connection)
      }
      nsPerOp = Math.min(nsPerOp, ((performance.now() - startMs) * 1e6) / perRound)
    }
    return { name, nsPerOp: Math.round(nsPerOp) }
  }

  const digest = 'Digest realm="r", nonce="0123456789abcdef", qop="auth", algorithm='
  const rows = [
    measure('nobody asked', {}),
    measure('Basic', { '/': 'Basic realm="r"' }),
    measure('Basic, two realms', { '/': 'Basic realm="r"', '/shop/': 'Basic realm="s"' }),
    measure('Digest MD5, two targets in turn', { '/': `${digest}MD5` }),
    measure('Digest SHA-256, two targets in turn', { '/': `${digest}SHA-256` }),
  ]
  return { hash: hash >>> 0, rows }
}
