/**
 * The peers that the reactor contract talks to, whatever plays them: real servers in a thread of
 * their own (`real-peers.ts`, so that a reactor may block its thread) or simulated ones.
 */
import type { Endpoint, Reactor } from '../../src/engine/reactor.ts'

export const peerKinds = [
  /** Sends back what it gets; ends when the client ends. */
  'echo',
  'echo6',
  /** Sends `SOURCE_BYTES` of the pattern, then ends its side. */
  'source',
  /** Reads slowly, checks the pattern, and answers `k` after `SLOW_BYTES`. */
  'slow',
  /** Resets the connection at the first byte. */
  'resetter',
  /** Accepts, reads and says nothing. */
  'holder',
  /** Answers each byte with `TOKEN_ANSWER_BYTES` of the same, in pieces. */
  'token',
  'refused',
  /** Never answers an attempt. */
  'blackHole',
  'tlsEcho',
  'tls12',
  'tls13',
  'tlsSource',
  /** Answers the first byte with the name of SNI, or `-`, as a line. */
  'tlsName',
  /** Answers the first byte with plain text: no TLS there. */
  'notTls',
  /** Ends the connection at the first byte of a handshake. */
  'tlsCloser',
] as const

export type PeerKind = (typeof peerKinds)[number]

export const SOURCE_BYTES = 3_000_000
export const SLOW_BYTES = 8_388_608
export const TOKEN_ANSWER_BYTES = 200_000
export const TOKEN_PIECE_BYTES = 10_000

/** What every byte stream of the contract looks like: its period is no power of two. */
export function patternByte(position: number): number {
  return position % 251
}

export function patternBytes(byteCount: number, first = 0): Uint8Array {
  const bytes = new Uint8Array(byteCount)
  for (let index = 0; index < byteCount; index++) bytes[index] = patternByte(first + index)
  return bytes
}

/** What a peer saw; may be read at any time, also inside a reactor's call. */
export interface PeerCounts {
  readonly openedCount: number
  readonly closedCount: number
  readonly receivedBytes: number
  /** Bytes that were not what the pattern wants. */
  readonly wrongBytes: number
}

export interface ReactorHarness {
  readonly name: string
  createReactor(): Reactor
  endpointOf(kind: PeerKind): Endpoint
  countsOf(kind: PeerKind): PeerCounts
  /** The authority that vouches for `localhost`, `127.0.0.1` and `::1` at the TLS peers; PEM. */
  readonly ca: string
  /** Gives late events the time to happen. */
  settle(): Promise<void>
  /** What of closed connections still holds resources in this process. */
  leftovers(): string[]
  /** A module that exports `createReactor`, for tests in a process of their own. */
  readonly reactorModule: URL | undefined
}
