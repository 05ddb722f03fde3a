/** A user's login for one tunnel through a proxy. */
import { type AuthSession, authFailureTexts } from '../browse/auth-session.ts'
import { AuthTurn, ConnectionLogin } from '../browse/auth-turn.ts'
import type { TunnelLogin } from './tunnel.ts'

export class ProxyLogin implements TunnelLogin {
  readonly #auth: AuthSession
  /** Milliseconds since 1970, now. */
  readonly #unixMs: () => number
  readonly #turn: AuthTurn = new AuthTurn()
  readonly #connection: ConnectionLogin = new ConnectionLogin()

  constructor(auth: AuthSession, unixMs: () => number) {
    this.#auth = auth
    this.#unixMs = unixMs
  }

  field(authority: string): string | null {
    const turn = this.#turn
    turn.originKey = `connect ${authority}`
    turn.method = 'CONNECT'
    turn.requestTarget = authority
    turn.sentTarget = authority
    return this.#auth.field(turn, 'proxy', this.#connection)
  }

  challenged(
    fieldValues: readonly string[],
    isConnectionKept: boolean,
  ): { readonly again: 'here' | 'anew' } | { readonly reason: string } {
    const decision = this.#auth.challenged(this.#turn, {
      status: 407,
      fieldValues,
      connection: this.#connection,
      isConnectionKept,
      unixMs: this.#unixMs(),
    })
    if (decision.kind === 'give-up') return { reason: authFailureTexts[decision.reason] }
    return { again: decision.needsSameConnection ? 'here' : 'anew' }
  }

  accepted(status: number): void {
    this.#auth.accepted(this.#turn, status, this.#connection)
  }
}
