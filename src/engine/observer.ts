/**
 * Whoever wants to see single exchanges, such as the printer of verbose lines, or the bytes of
 * heads, such as siege's debugging.
 */
import type { Exchange, UnlistedTarget } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { ResponseReader } from './transport.ts'

export interface ExchangeObserver {
  /**
   * False while the observer is behind. Users then wait before their next iteration until
   * `Runner.resume` is called: the run goes as fast as its lines are taken, as siege's does.
   */
  readonly isReady: boolean
  /**
   * Sees the heads of responses while it is there; asked for anew for each exchange of a plan that
   * does not browse.
   */
  readonly responseReader?: ResponseReader | undefined
  /** HOT (bench/macro/main.ts) when present. The exchange's object is used again after this returns. */
  completed(exchange: Exchange): void
  failed(exchange: Exchange, kind: FailureKindNumber, text: string): void
  /** A page's resource was left out since the user has it already. */
  cached(target: UnlistedTarget, userId: number, nowNs: number): void
}

/** Sees messages as they are on the wire; costs something, so it is absent unless asked for. */
export interface Wire {
  /** For one connection, whose messages come one after the other. */
  observer(): WireObserver
}

/** Sees those of one connection. */
export interface WireObserver {
  requestSent(bytes: Uint8Array): void
  /** The next piece of a response's head, interim heads included; valid during the call. */
  headReceived(bytes: Uint8Array, start: number, end: number): void
  /** Body bytes without chunk framing, still encoded; valid during the call. */
  bodyReceived(bytes: Uint8Array, start: number, end: number): void
  responseEnded(): void
}
