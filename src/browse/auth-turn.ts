/**
 * State of logging in that is not the user's: of one request with its repeats, and of one
 * connection. `auth-session.ts` reads and writes both; the engine only keeps and resets them.
 */
import type { AuthSpace } from './auth-space.ts'
import type { AuthCredentials } from './auth-text.ts'

/** Who asks: the origin server with 401, or the proxy in front of it with 407. */
export type AuthSide = 'server' | 'proxy'

/** What is known about one side of a turn. */
export class AuthTurnSide {
  /** Chosen in answer to a challenge of this turn; null: what goes unasked. */
  chosen: AuthSpace | null = null
  /** What the last request of this turn carried, or relied on. */
  sent: AuthSpace | null = null
  /** The nonce it carried: other requests of the user may have brought a newer one since. */
  sentNonce = ''

  reset(): void {
    this.chosen = null
    this.sent = null
    this.sentNonce = ''
  }
}

/**
 * One request and its repeats because of 401 and 407. Each exchange that a user may have in flight
 * owns one, and resets it for each new request; a followed redirect is a new request.
 */
export class AuthTurn {
  /** Scheme, host and port in one text. Only equal texts are the same origin. */
  originKey = ''
  method = ''
  /** Path and query, as the origin server sees them, or `*`. */
  requestTarget = ''
  /** As it stands in the request line: differs from the above when a proxy is asked. */
  sentTarget = ''
  /** From the URL itself. They come before all others. */
  credentials: AuthCredentials | null = null
  /** Requests of this turn that were answered by 401 or 407. */
  challengeCount = 0
  readonly server: AuthTurnSide = new AuthTurnSide()
  readonly proxy: AuthTurnSide = new AuthTurnSide()

  /** HOT (bench/micro/auth.bench.ts). Forgets the last request, not what is asked of whom. */
  reset(): void {
    this.credentials = null
    this.challengeCount = 0
    this.server.reset()
    this.proxy.reset()
  }

  /**
   * Whether the connection must outlive the response to what was just made: NTLM logs in a
   * connection, in two requests.
   */
  get needsKeepAlive(): boolean {
    return this.server.sent?.scheme === 'ntlm' || this.proxy.sent?.scheme === 'ntlm'
  }
}

/**
 * How far NTLM has come: nothing said, first message sent, second one answered (the value waits
 * to be sent, or was sent), logged in.
 */
export type NtlmPhase = 'none' | 'begun' | 'answering' | 'done'

export class NtlmLogin {
  phase: NtlmPhase = 'none'
  /** Whose login it is. Another space begins anew on the same connection. */
  space: AuthSpace | null = null
  /** The last message, once the server's is there. */
  answer: string | null = null

  reset(): void {
    this.phase = 'none'
    this.space = null
    this.answer = null
  }
}

/** What a connection knows by itself. To be reset whenever it is connected anew. */
export class ConnectionLogin {
  readonly server: NtlmLogin = new NtlmLogin()
  readonly proxy: NtlmLogin = new NtlmLogin()

  reset(): void {
    this.server.reset()
    this.proxy.reset()
  }
}
