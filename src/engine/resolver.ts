/**
 * Names to addresses, once per name and run.
 *
 * The cache here belongs to one thread; the port behind it asks whoever may block or wait (the
 * main thread's system resolver), which keeps a cache of its own over all threads.
 */
import type { Endpoint } from './reactor.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** What a name resolved to: at least one address, or why there is none. */
export type Resolution =
  | { readonly addresses: readonly Address[] }
  | { readonly failureText: string }

/** Asks for a name's addresses; the answer comes later, never inside the call. */
export type ResolveName = (host: string, answer: (resolution: Resolution) => void) => void

/** What is known of one origin's addresses. */
export class OriginAddresses {
  endpoints: readonly Endpoint[] = []
  failureText = ''
  state: 'unknown' | 'asked' | 'known' | 'failed' = 'unknown'
  /** The endpoint that last accepted a connection is tried first. */
  preferredIndex = 0
  readonly host: string
  readonly port: number

  constructor(host: string, port: number) {
    this.host = host
    this.port = port
    const family = literalFamily(host)
    if (family === 0) return
    this.endpoints = [{ address: host, family, port }]
    this.state = 'known'
  }

  settle(resolution: Resolution): void {
    if ('failureText' in resolution) {
      this.state = 'failed'
      this.failureText = resolution.failureText
      return
    }
    this.state = 'known'
    this.endpoints = interleaveFamilies(resolution.addresses).map((address) => ({
      ...address,
      port: this.port,
    }))
  }
}

/** 4 or 6 for a numeric address (brackets already removed), 0 for a name. */
export function literalFamily(host: string): 0 | 4 | 6 {
  if (host.includes(':')) return 6
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? 4 : 0
}

/** RFC 8305 section 4: families in turn, starting with that of the system's first choice. */
export function interleaveFamilies(addresses: readonly Address[]): Address[] {
  const first = addresses[0]?.family
  const same = addresses.filter((address) => address.family === first)
  const other = addresses.filter((address) => address.family !== first)
  const mixed: Address[] = []
  for (let index = 0; index < Math.max(same.length, other.length); index++) {
    if (same[index] !== undefined) mixed.push(same[index]!)
    if (other[index] !== undefined) mixed.push(other[index]!)
  }
  return mixed
}
