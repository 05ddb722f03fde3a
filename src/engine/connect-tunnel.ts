/**
 * A tunnel through an HTTP proxy: CONNECT (RFC 9110 section 9.3.6), with the proxy's login.
 *
 * Asked once per connection. A refusal is the proxy's, so it fails the exchange as a connection
 * that could not be made.
 */
import { FailureKind } from '../metrics/outcome.ts'
import { RequestKind, ResponseParser, type ResponseSink } from '../wire/h1-response.ts'
import { HeaderFilter } from '../wire/header-filter.ts'
import { moreStep, openStep, type Tunnel, type TunnelLogin, type TunnelStep } from './tunnel.ts'

const challengeFilter = new HeaderFilter(['proxy-authenticate'])

export class ConnectTunnel implements Tunnel, ResponseSink {
  readonly #authority: string
  readonly #login: TunnelLogin | null
  readonly #authorization: string | null
  readonly #parser: ResponseParser = new ResponseParser(this)
  #status = 0
  #isEnded = false
  #challenges: string[] = []

  /** `authority` is host and port, the port always; `authorization` is sent unasked. */
  constructor(authority: string, login: TunnelLogin | null, authorization?: string) {
    this.#authorization = authorization ?? null
    this.#authority = authority
    this.#login = login
  }

  begin(): Uint8Array {
    this.#parser.reset()
    this.#parser.begin(RequestKind.connect, challengeFilter)
    this.#status = 0
    this.#isEnded = false
    this.#challenges = []
    const login = this.#login?.field(this.#authority) ?? this.#authorization
    const loginLine = login === null ? '' : `Proxy-Authorization: ${login}\r\n`
    const authority = this.#authority
    const text = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${loginLine}\r\n`
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  }

  receive(bytes: Uint8Array, start: number, end: number): TunnelStep {
    const used = this.#parser.feed(bytes, start, end)
    if (this.#parser.isBroken) return this.#refused(this.#parser.failureText)
    if (!this.#isEnded) return moreStep
    return this.#answered(used === end)
  }

  finish(): TunnelStep {
    const verdict = this.#parser.finish()
    if (verdict === 'complete' && this.#status !== 0) return this.#answered(false)
    return this.#refused('it closed the connection')
  }

  header(_name: string, value: string): void {
    this.#challenges.push(value)
  }

  head(status: number): void {
    this.#status = status
  }

  body(): void {}

  end(): void {
    this.#isEnded = true
  }

  #answered(isClean: boolean): TunnelStep {
    const status = this.#status
    if (status >= 200 && status < 300) {
      this.#login?.accepted(status)
      return isClean ? openStep : this.#refused('it sent more than its answer')
    }
    if (status !== 407 || this.#login === null) return this.#refused(`it answered ${status}`)
    const isKept = this.#parser.keepsAlive && isClean
    const decision = this.#login.challenged(this.#challenges, isKept)
    if ('reason' in decision) return this.#refused(`it answered 407: ${decision.reason}`)
    if (decision.again === 'here' || isKept) return { kind: 'send', bytes: this.begin() }
    return { kind: 'reconnect' }
  }

  #refused(text: string): TunnelStep {
    return {
      kind: 'failed',
      failureKind: FailureKind.connect,
      text: `proxy, CONNECT ${this.#authority}: ${text}`,
    }
  }
}
