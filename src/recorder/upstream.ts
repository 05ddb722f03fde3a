/**
 * The way to the servers: where a connection may lead, and what to say when there is none.
 *
 * A request that leads back to the recorder itself is refused before it is sent, whatever name it
 * came under: otherwise it would go in circles until the machine runs out of sockets.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { authorityOf, type Site } from './recorded-request.ts'

export interface UpstreamSettings {
  /** Takes any certificate. */
  readonly isInsecure: boolean
  /** How long a server may keep silent. */
  readonly timeoutMs: number
}

export const LOOP_CODE = 'ELOOPBACK'
export const TIMEOUT_CODE = 'EUPSTREAMTIMEOUT'

export class CodedError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.name = 'CodedError'
    this.code = code
  }
}

/** Options that make a connection verify its server as asked. */
export function tlsOptions(site: Site, settings: UpstreamSettings): TlsOptions {
  return {
    rejectUnauthorized: !settings.isInsecure,
    // RFC 6066, section 3: never an address.
    ...(isIP(site.host) === 0 && { servername: site.host }),
    ALPNProtocols: ['http/1.1'],
  }
}

interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly servername?: string
  readonly ALPNProtocols: string[]
}

/** Tells our own address from others. */
export class OwnAddress {
  readonly #address: string
  readonly #port: number

  constructor(address: string, port: number) {
    this.#address = plain(address)
    this.#port = port
  }

  /** Whether a site is given by an address that is ours; names are found out by `lookup`. */
  isOwn(site: Site): boolean {
    return isIP(site.host) !== 0 && this.#isOwn(site.host, site.port)
  }

  /** Resolves names as the system does, and fails for those that mean ourselves. */
  lookupFor(site: Site): LookupFunction {
    return (name, options, done) => {
      const all = { ...options, all: true as const }
      dnsLookup(name, all, (error, addresses: LookupAddress[]) => {
        const first = addresses?.[0]
        if (error !== null || first === undefined) {
          done(error ?? new CodedError('ENOTFOUND'), '', 0)
        } else if (addresses.some(({ address }) => this.#isOwn(address, site.port))) {
          done(new CodedError(LOOP_CODE), '', 0)
        } else if (options.all === true) {
          done(null, addresses)
        } else {
          done(null, first.address, first.family)
        }
      })
    }
  }

  #isOwn(address: string, port: number): boolean {
    if (port !== this.#port) return false
    const other = plain(address)
    const isAnyAddress = isUnspecified(other)
    if (!isUnspecified(this.#address)) {
      return other === this.#address || (isAnyAddress && isLoopback(this.#address))
    }
    if (isAnyAddress || isLoopback(other)) return true
    return Object.values(networkInterfaces()).some((entries) =>
      entries?.some((entry) => entry.address === other),
    )
  }
}

/** IPv4 in IPv6's clothes is the same address. */
function plain(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

export interface Failure {
  readonly status: number
  /** A sentence for the person at the browser. */
  readonly sentence: string
}

/** What an error of a connection to `site` means. */
export function failureOf(error: unknown, site: Site): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const place = authorityOf(site)
  const bad = (sentence: string, status = 502) => ({ status, sentence })
  if (code === LOOP_CODE) {
    return bad(`${place} is the recorder itself: a request for it would go in circles.`, 508)
  }
  if (code === TIMEOUT_CODE || code === 'ETIMEDOUT') {
    return bad(`${place} did not answer in time.`, 504)
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return bad(`There is no address for the name ${site.host} (${code}).`)
  }
  if (code === 'ECONNREFUSED') return bad(`${place} refused the connection.`)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return bad(`${place} closed the connection before it answered.`)
  }
  if (code.startsWith('HPE_')) return bad(`${place} answered with what is not HTTP (${code}).`)
  if (/CERT|SIGNATURE|ISSUER|CHAIN/.test(code)) {
    return bad(
      `The certificate of ${place} could not be verified (${code}). ` +
        'With --insecure the recorder takes it all the same.',
    )
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return bad(`No TLS connection to ${place} came about (${code}).`)
  }
  const reason = error instanceof Error && error.message !== '' ? error.message : code
  return bad(`No connection to ${place} came about: ${reason}.`)
}
