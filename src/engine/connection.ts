/**
 * One connection of one virtual user, from name to bytes: resolve, connect, tunnel, TLS, carry
 * exchanges.
 *
 * It knows the stages and their deadlines, not the protocol (`transport.ts`) and not the sockets
 * (`reactor.ts`). Objects are pooled by the connector; in the plain case (a numeric or
 * resolved single address) a new connection allocates nothing here.
 *
 *     idle -> resolving -> connecting [-> tunnelling] [-> securing] -> open -> idle
 */
import { ConnectionLogin } from '../browse/auth-turn.ts'
import type { Exchange } from '../metrics/exchange.ts'
import { FailureKind, type FailureKindNumber } from '../metrics/outcome.ts'
import type { Connector } from './connector.ts'
import { H1Transport } from './h1-transport.ts'
import type { Ending } from './reactor.ts'
import type { OriginAddresses } from './resolver.ts'
import type { Route } from './route.ts'
import type { ExchangeOwner, ExchangeUser, OutgoingRequest, ResponseReader } from './transport.ts'
import type { Tunnel, TunnelLogin, TunnelStep } from './tunnel.ts'

/** RFC 8305 section 8: the recommended delay before the next address is tried alongside. */
const ATTEMPT_DELAY_NS = 250e6

const PROXY_BYTES_AT_FIRST = 1024
const noBytes = new Uint8Array(0)
const noLogin = new ConnectionLogin()

type Stage = 'idle' | 'resolving' | 'connecting' | 'tunnelling' | 'securing' | 'open'

/** Who a connection belongs to. */
export interface ConnectionHolder {
  /** The login for a proxy's tunnel; null: there is none. */
  makeTunnelLogin(): TunnelLogin | null
  /** The connection is no longer there for another exchange. */
  connectionLost(connection: Connection): void
}

export class Connection implements ExchangeOwner {
  /** Moment at which the stage counts as timed out; Infinity while nothing is waited for. */
  deadlineNs: number = Number.POSITIVE_INFINITY
  /** Moment at which the next address is tried alongside; Infinity when there is none. */
  nextAttemptNs: number = Number.POSITIVE_INFINITY
  slot = -1
  /** What a login that belongs to its connection has come to. */
  login: ConnectionLogin = noLogin
  readonly #connector: Connector
  readonly #transport: H1Transport
  #stage: Stage = 'idle'
  #holder: ConnectionHolder | undefined
  #user: ExchangeUser | undefined
  #route: Route | undefined
  #request: OutgoingRequest | undefined
  #tunnel: Tunnel | undefined
  /** At least one exchange was carried: the peer may have closed it meanwhile. */
  #isReused = false
  /** Slots of attempts that run alongside; only ever filled for names with several addresses. */
  readonly #rivalSlots: number[] = []
  /** Room for what is said to a proxy; kept, since what `allocate` gave is never taken back. */
  #proxyBytes: Uint8Array = noBytes
  /** Where this connection began in the list of addresses; others may change what is preferred. */
  #firstEndpointIndex = 0
  #attemptCount = 0

  constructor(connector: Connector) {
    this.#connector = connector
    this.#transport = new H1Transport(connector.reactor, connector.wire)
  }

  get exchange(): Exchange {
    return this.#user!.exchange
  }

  get reader(): ResponseReader | undefined {
    return this.#user!.reader
  }

  get route(): Route | undefined {
    return this.#route
  }

  /** Open, and free for another exchange of its holder. */
  get isFree(): boolean {
    return this.#stage === 'open' && this.#transport.isIdle
  }

  /** Opens the connection and sends the request as soon as it is there. */
  open(
    holder: ConnectionHolder,
    route: Route,
    exchange: { readonly user: ExchangeUser; readonly request: OutgoingRequest },
    nowNs: number,
  ): void {
    this.#holder = holder
    this.#route = route
    this.#user = exchange.user
    this.#request = exchange.request
    this.#isReused = false
    this.#resolve(nowNs)
  }

  /** HOT (bench/macro/main.ts). Sends another request; only while `isFree`. */
  submit(user: ExchangeUser, request: OutgoingRequest, nowNs: number): void {
    this.#user = user
    this.#request = request
    this.#isReused = true
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    this.#transport.submit(this, request, nowNs)
  }

  #resolve(nowNs: number): void {
    this.#stage = 'resolving'
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    const { addresses } = this.#route!
    if (addresses.state === 'known') this.#connect(nowNs)
    else this.#connector.awaitAddresses(this, addresses)
  }

  /** The connector's answer to `awaitAddresses`; never inside that call. */
  addressesSettled(addresses: OriginAddresses, nowNs: number): void {
    if (this.#stage !== 'resolving' || this.#route!.addresses !== addresses) return
    if (addresses.state === 'failed') {
      this.#fail(FailureKind.dns, addresses.failureText, nowNs)
      return
    }
    this.exchange.resolvedNs = nowNs
    this.#connect(nowNs)
  }

  #connect(nowNs: number): void {
    this.#stage = 'connecting'
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    this.#firstEndpointIndex = this.#route!.addresses.preferredIndex
    this.#attemptCount = 0
    this.slot = this.#connector.takeSlot(this)
    this.#attempt(this.slot, nowNs)
  }

  /** Starts an attempt at the next address on `slot`. */
  #attempt(slot: number, nowNs: number): void {
    const { endpoints } = this.#route!.addresses
    const index = (this.#firstEndpointIndex + this.#attemptCount) % endpoints.length
    this.#attemptCount++
    if (this.#attemptCount < endpoints.length) {
      this.nextAttemptNs = nowNs + ATTEMPT_DELAY_NS
      this.#connector.requestSweep(this.nextAttemptNs)
    } else this.nextAttemptNs = Number.POSITIVE_INFINITY
    this.#connector.connectSlot(slot, endpoints[index]!, index)
  }

  /** The delay is over: tries the next address alongside the ones under way. */
  attemptAlongside(nowNs: number): void {
    const slot = this.#connector.takeSlot(this)
    this.#rivalSlots.push(slot)
    this.#attempt(slot, nowNs)
  }

  connected(slot: number, nowNs: number): void {
    if (slot !== this.slot || this.#rivalSlots.length > 0) this.#chooseWinner(slot)
    this.nextAttemptNs = Number.POSITIVE_INFINITY
    this.#route!.addresses.preferredIndex = this.#connector.endpointIndexOf(slot)
    this.exchange.connectedNs = nowNs
    this.#connector.recorder.connected()
    const makeTunnel = this.#route!.tunnel
    if (makeTunnel === undefined) {
      this.#secure(nowNs)
      return
    }
    this.#stage = 'tunnelling'
    this.#tunnel ??= makeTunnel(this.#holder!.makeTunnelLogin())
    this.#sendToProxy(this.#tunnel.begin(), nowNs)
  }

  #sendToProxy(bytes: Uint8Array, nowNs: number): void {
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    if (this.#proxyBytes.length < bytes.length) {
      const byteCount = Math.max(PROXY_BYTES_AT_FIRST, 2 * bytes.length)
      this.#proxyBytes = this.#connector.reactor.allocate(byteCount)
    }
    this.#proxyBytes.set(bytes)
    this.#connector.reactor.send(this.slot, this.#proxyBytes.subarray(0, bytes.length))
  }

  #tunnelStepped(step: TunnelStep, nowNs: number): void {
    switch (step.kind) {
      case 'more':
        break
      case 'send':
        this.#sendToProxy(step.bytes, nowNs)
        break
      case 'open':
        this.#secure(nowNs)
        break
      case 'reconnect':
        this.#connector.giveSlot(this.slot)
        this.slot = -1
        this.#connect(nowNs)
        break
      case 'failed':
        this.#fail(step.failureKind, step.text, nowNs)
    }
  }

  #secure(nowNs: number): void {
    const { tls } = this.#route!
    if (tls === undefined) {
      this.#carry(nowNs)
      return
    }
    this.#stage = 'securing'
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    this.#connector.reactor.startTls(this.slot, tls)
  }

  #chooseWinner(slot: number): void {
    for (const rival of [this.slot, ...this.#rivalSlots]) {
      if (rival !== slot) this.#connector.giveSlot(rival)
    }
    this.#rivalSlots.length = 0
    this.slot = slot
  }

  secured(nowNs: number): void {
    this.exchange.securedNs = nowNs
    this.#carry(nowNs)
  }

  #carry(nowNs: number): void {
    this.#stage = 'open'
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    this.#transport.slot = this.slot
    this.#transport.submit(this, this.#request!, nowNs)
  }

  /** HOT (bench/macro/main.ts). */
  receive(bytes: Uint8Array, start: number, end: number, nowNs: number): void {
    if (this.#stage === 'tunnelling') {
      this.#tunnelStepped(this.#tunnel!.receive(bytes, start, end), nowNs)
      return
    }
    if (this.#transport.isIdle) {
      // Bytes nobody asked for: what follows could not be told from an answer.
      this.#lose()
      return
    }
    this.deadlineNs = nowNs + this.#connector.timeoutNs
    this.#transport.receive(bytes, start, end, nowNs)
  }

  /** HOT (bench/macro/main.ts). Only a large request goes on in pieces; each piece taken is a sign of life. */
  sent(): void {
    if (this.#transport.sent()) {
      this.deadlineNs = this.#connector.reactor.nowNs() + this.#connector.timeoutNs
    }
  }

  ended(slot: number, ending: Ending, nowNs: number): void {
    if (this.#stage === 'connecting') this.#attemptEnded(slot, ending, nowNs)
    else if (this.#stage === 'tunnelling') {
      if (ending.how === 'fin') this.#tunnelStepped(this.#tunnel!.finish(), nowNs)
      else this.#fail(ending.kind, ending.text, nowNs)
    } else if (this.#stage === 'securing') {
      const text = ending.how === 'fin' ? 'the peer closed the connection' : ending.text
      const isOurs = ending.how === 'error' && ending.kind === FailureKind.ownLimit
      this.#fail(isOurs ? ending.kind : FailureKind.tls, text, nowNs)
    } else if (this.#transport.isIdle) this.#lose()
    else if (this.#canRetry()) this.#retry(nowNs)
    else if (ending.how === 'fin') this.#transport.finish(nowNs)
    else this.#transport.fail(ending.kind, ending.text, nowNs)
  }

  #attemptEnded(slot: number, ending: Ending, nowNs: number): void {
    const { endpoints } = this.#route!.addresses
    const isLast = this.#attemptCount >= endpoints.length || ending.kind === FailureKind.ownLimit
    if (!isLast) {
      this.#connector.reactor.close(slot)
      this.#attempt(slot, nowNs)
      return
    }
    if (this.#rivalSlots.length > 0) {
      this.#connector.giveSlot(slot)
      if (slot === this.slot) this.slot = this.#rivalSlots.pop()!
      else this.#rivalSlots.splice(this.#rivalSlots.indexOf(slot), 1)
      return
    }
    const kind = ending.how === 'fin' ? FailureKind.connect : ending.kind
    this.#fail(kind, ending.how === 'fin' ? 'the connection was closed' : ending.text, nowNs)
  }

  /** RFC 9112 section 9.3.1: a reused connection that died before the first byte of an answer. */
  #canRetry(): boolean {
    return this.#isReused && this.#transport.isAwaitingFirstByte && this.#request!.isIdempotent
  }

  #retry(nowNs: number): void {
    this.#transport.abandon()
    this.#connector.giveSlot(this.slot)
    this.slot = -1
    this.#isReused = false
    this.#tunnel = undefined
    // What was logged in was the old connection.
    this.login.reset()
    this.#connector.recorder.retried()
    this.#connect(nowNs)
  }

  timedOut(nowNs: number): void {
    const { peerText } = this.#route!
    const seconds = this.#connector.timeoutNs / 1e9
    const after = `within ${seconds} s`
    switch (this.#stage) {
      case 'resolving':
        this.#fail(FailureKind.dns, `no answer for ${peerText} ${after}`, nowNs)
        break
      case 'connecting':
        this.#fail(FailureKind.connectTimeout, `no connection to ${peerText} ${after}`, nowNs)
        break
      case 'tunnelling':
        this.#fail(FailureKind.connectTimeout, `no tunnel through ${peerText} ${after}`, nowNs)
        break
      case 'securing':
        this.#fail(FailureKind.tlsTimeout, `no TLS with ${peerText} ${after}`, nowNs)
        break
      case 'open':
        if (this.#transport.isAwaitingFirstByte) {
          this.#fail(FailureKind.firstByteTimeout, `no answer from ${peerText} ${after}`, nowNs)
        } else {
          this.#fail(
            FailureKind.idleTimeout,
            `no further byte from ${peerText} for ${seconds} s`,
            nowNs,
          )
        }
        break
      case 'idle':
        this.deadlineNs = Number.POSITIVE_INFINITY
    }
  }

  /** Ends the exchange under way as failed, in whatever stage, and the connection with it. */
  #fail(kind: FailureKindNumber, text: string, nowNs: number): void {
    if (!this.#transport.isIdle) {
      this.#transport.fail(kind, text, nowNs)
      return
    }
    this.exchange.endNs = nowNs
    this.exchangeFailed(kind, text)
  }

  /** HOT (bench/macro/main.ts). From the transport. */
  exchangeCompleted(isReusable: boolean): void {
    const user = this.#user!
    const { keepAlive, keepsUntold } = this.#connector
    const isWanted =
      user.needsKeepAlive || (keepAlive && (keepsUntold || this.#transport.saysKeepAlive))
    const isKept = isReusable && isWanted
    if (isKept) this.deadlineNs = Number.POSITIVE_INFINITY
    else this.#lose()
    user.exchangeCompleted(isKept)
  }

  exchangeFailed(kind: FailureKindNumber, text: string): void {
    const user = this.#user!
    this.#lose()
    user.exchangeFailed(kind, text)
  }

  /** Closes the connection and leaves its holder. */
  #lose(): void {
    const holder = this.#holder!
    this.close()
    holder.connectionLost(this)
    this.#connector.release(this)
  }

  /** Closes without telling anybody. */
  close(): void {
    if (this.slot >= 0) this.#connector.giveSlot(this.slot)
    if (this.#rivalSlots.length > 0) {
      for (const rival of this.#rivalSlots) this.#connector.giveSlot(rival)
      this.#rivalSlots.length = 0
    }
    this.slot = -1
    this.#stage = 'idle'
    this.#holder = undefined
    this.#user = undefined
    this.#request = undefined
    this.#tunnel = undefined
    this.deadlineNs = Number.POSITIVE_INFINITY
    this.nextAttemptNs = Number.POSITIVE_INFINITY
  }
}
