/**
 * The seam between users and protocols: how one connection carries exchanges.
 *
 * A transport turns a request into bytes for the reactor and received bytes into the facts of an
 * `Exchange`, and tells its owner once how the exchange ended. It never opens or closes a
 * connection: that is `connection.ts`.
 */
import type { Exchange } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { PreparedRequest } from './request-book.ts'

/** Who an exchange is carried for: told exactly once how it ended. */
export interface ExchangeOwner {
  readonly exchange: Exchange
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
  submit(owner: ExchangeOwner, request: PreparedRequest, nowNs: number): void
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
