/**
 * The seam between users and protocols: how one connection carries exchanges.
 *
 * A transport turns a request into bytes for the reactor and received bytes into the facts of an
 * `Exchange`, and tells its owner once how the exchange ended. It never opens or closes a
 * connection: that is `connection.ts`.
 */
import type { Exchange } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { HeaderFilter } from '../wire/header-filter.ts'

/** A request ready to be sent. */
export interface OutgoingRequest {
  /** From the reactor's `allocate`; must not change until the exchange has ended. */
  readonly bytes: Uint8Array
  readonly isHead: boolean
  /** May be sent once more when a pooled connection turns out to be dead (RFC 9110 9.2.2). */
  readonly isIdempotent: boolean
}

/** Whoever wants to see more of a response than its status and sizes. */
export interface ResponseReader {
  readonly filter: HeaderFilter
  /** A field of the final head that the filter asked for; name in lower case, latin1 text. */
  header(name: string, value: string): void
  /** The final head is complete, after its fields. True: body bytes are wanted. */
  head(status: number): boolean
  /** HOT (bench/macro/main.ts). Bytes without chunk framing, valid during the call. */
  body(bytes: Uint8Array, start: number, end: number): void
}

/** Whose exchange it is. */
export interface ExchangeUser {
  readonly exchange: Exchange
  /** Undefined: nobody looks, which is fastest. */
  readonly reader: ResponseReader | undefined
  /** The connection is kept for this exchange's sake, whatever the plan says. */
  readonly needsKeepAlive: boolean
  exchangeCompleted(isConnectionKept: boolean): void
  exchangeFailed(kind: FailureKindNumber, text: string): void
}

/** Who an exchange is carried for: told exactly once how it ended. */
export interface ExchangeOwner {
  readonly exchange: Exchange
  readonly reader: ResponseReader | undefined
  /**
   * A whole response arrived; status, bytes and times are in `exchange`. `isReusable` says whether
   * the protocol lets the connection carry another exchange.
   */
  exchangeCompleted(isReusable: boolean): void
  exchangeFailed(kind: FailureKindNumber, text: string): void
}

export interface Transport {
  /** Nothing is under way: a new exchange may be submitted. */
  readonly isIdle: boolean
  /** No byte of the response has arrived yet. */
  readonly isAwaitingFirstByte: boolean
  submit(owner: ExchangeOwner, request: OutgoingRequest, nowNs: number): void
  /** HOT (bench/macro/main.ts). The reactor's `data`. */
  receive(bytes: Uint8Array, start: number, end: number, nowNs: number): void
  /** The reactor's `sent`. True when more of the request was sent on. */
  sent(): boolean
  /** The peer finished sending in good order. */
  finish(nowNs: number): void
  /** The connection is gone: ends the exchange under way, if there is one. */
  fail(kind: FailureKindNumber, text: string, nowNs: number): void
  /** Forgets the exchange under way without telling its owner, who will submit it elsewhere. */
  abandon(): void
}
