/**
 * The seam for a stage between connect and TLS: a proxy is asked to pass everything on.
 *
 * A tunnel is a small state machine over bytes, made for one connection; it neither connects nor
 * sends itself.
 */
import type { FailureKindNumber } from '../metrics/outcome.ts'

export type TunnelStep =
  /** More bytes of the proxy's answer are awaited. */
  | { readonly kind: 'more' }
  | { readonly kind: 'send'; readonly bytes: Uint8Array }
  /** From now on the connection is one to the origin. */
  | { readonly kind: 'open' }
  /** The proxy wants to be asked again on a new connection. */
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'failed'; readonly failureKind: FailureKindNumber; readonly text: string }

export interface Tunnel {
  /** What is sent once the proxy is connected; also after `reconnect`. */
  begin(): Uint8Array
  receive(bytes: Uint8Array, start: number, end: number): TunnelStep
  /** The proxy finished sending. */
  finish(): TunnelStep
}

/** Whoever knows the proxy's login. */
export interface TunnelLogin {
  /** What to send as Proxy-Authorization with CONNECT to `authority`, or null. */
  field(authority: string): string | null
  /** After a 407: whether to ask again, and where; or why not. */
  challenged(
    fieldValues: readonly string[],
    isConnectionKept: boolean,
  ): { readonly again: 'here' | 'anew' } | { readonly reason: string }
  accepted(status: number): void
}

/** Makes the tunnel of one connection; the login is that of the user it belongs to. */
export type TunnelFactory = (login: TunnelLogin | null) => Tunnel

export const moreStep: TunnelStep = { kind: 'more' }
export const openStep: TunnelStep = { kind: 'open' }
