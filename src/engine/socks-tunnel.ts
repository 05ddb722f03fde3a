/**
 * SOCKS as a tunnel: version 5 (RFC 1928, with RFC 1929 for user and password) and version 4a.
 *
 * Names are passed on unresolved: the proxy's view of the network is what is to be tested.
 */
import { invariant } from '../base/errors.ts'
import { FailureKind } from '../metrics/outcome.ts'
import type { Credentials } from '../plan/target-list.ts'
import { addressBytes } from './address-bytes.ts'
import { literalFamily } from './resolver.ts'
import { moreStep, openStep, type Tunnel, type TunnelStep } from './tunnel.ts'

const METHOD_NONE = 0
const METHOD_PASSWORD = 2
const METHOD_REFUSED = 0xff
const COMMAND_CONNECT = 1

const replyTexts: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
}

export interface SocksTarget {
  readonly host: string
  readonly port: number
  readonly credentials: Credentials | null
}

/** Collects an answer until it is whole; answers are at most 262 bytes. */
class Answer {
  readonly bytes: Uint8Array = new Uint8Array(512)
  byteCount = 0

  add(bytes: Uint8Array, start: number, end: number): void {
    const count = Math.min(end - start, this.bytes.length - this.byteCount)
    this.bytes.set(bytes.subarray(start, start + count), this.byteCount)
    this.byteCount += count
  }

  drop(count: number): void {
    this.bytes.copyWithin(0, count, this.byteCount)
    this.byteCount -= count
  }
}

function failed(text: string): TunnelStep {
  return { kind: 'failed', failureKind: FailureKind.connect, text: `SOCKS proxy: ${text}` }
}

export class Socks5Tunnel implements Tunnel {
  readonly #target: SocksTarget
  #answer = new Answer()
  #stage: 'method' | 'password' | 'reply' = 'method'

  constructor(target: SocksTarget) {
    this.#target = target
  }

  begin(): Uint8Array {
    this.#answer = new Answer()
    this.#stage = 'method'
    return this.#target.credentials === null
      ? Uint8Array.of(5, 1, METHOD_NONE)
      : Uint8Array.of(5, 2, METHOD_NONE, METHOD_PASSWORD)
  }

  receive(bytes: Uint8Array, start: number, end: number): TunnelStep {
    this.#answer.add(bytes, start, end)
    switch (this.#stage) {
      case 'method':
        return this.#methodChosen()
      case 'password':
        return this.#passwordChecked()
      case 'reply':
        return this.#replied()
    }
  }

  finish(): TunnelStep {
    return failed('it closed the connection')
  }

  #methodChosen(): TunnelStep {
    const { bytes, byteCount } = this.#answer
    if (byteCount > 0 && bytes[0] !== 5) return failed('it does not speak version 5')
    if (byteCount < 2) return moreStep
    const method = bytes[1]!
    this.#answer.drop(2)
    if (method === METHOD_NONE) return this.#request()
    if (method === METHOD_PASSWORD && this.#target.credentials !== null) {
      this.#stage = 'password'
      return { kind: 'send', bytes: passwordBytes(this.#target.credentials) }
    }
    return failed(
      method === METHOD_REFUSED || method === METHOD_PASSWORD
        ? 'it wants a user and a password'
        : `it wants method ${method}, which is not supported`,
    )
  }

  #passwordChecked(): TunnelStep {
    const { bytes, byteCount } = this.#answer
    if (byteCount < 2) return moreStep
    if (bytes[1] !== 0) return failed('it rejected user and password')
    this.#answer.drop(2)
    return this.#request()
  }

  #request(): TunnelStep {
    this.#stage = 'reply'
    const { host, port } = this.#target
    const address = typedAddress(host)
    const bytes = Uint8Array.of(5, COMMAND_CONNECT, 0, ...address, port >> 8, port & 0xff)
    return { kind: 'send', bytes }
  }

  #replied(): TunnelStep {
    const { bytes, byteCount } = this.#answer
    if (byteCount < 2) return moreStep
    if (bytes[0] !== 5) return failed('its answer is broken')
    // What follows a refusal is of no use, and some proxies do not send it.
    const code = bytes[1]!
    if (code !== 0) return failed(replyTexts[code] ?? `failure ${code}`)
    if (byteCount < 5) return moreStep
    const addressBytesCount = { 1: 4, 3: 1 + bytes[4]!, 4: 16 }[bytes[3]!]
    if (addressBytesCount === undefined) return failed('its answer is broken')
    const wholeBytes = 4 + addressBytesCount + 2
    if (byteCount < wholeBytes) return moreStep
    return byteCount === wholeBytes ? openStep : failed('it sent more than its answer')
  }
}

export class Socks4Tunnel implements Tunnel {
  readonly #target: SocksTarget
  #answer = new Answer()

  constructor(target: SocksTarget) {
    this.#target = target
  }

  /** SOCKS 4, or 4a (address 0.0.0.1 and the name behind the user) where there is no address. */
  begin(): Uint8Array {
    this.#answer = new Answer()
    const { host, port, credentials } = this.#target
    const isAddress = literalFamily(host) === 4
    const address = isAddress ? host.split('.').map(Number) : [0, 0, 0, 1]
    const user = new TextEncoder().encode(credentials?.user ?? '')
    const name = isAddress ? [] : [...new TextEncoder().encode(host), 0]
    return Uint8Array.of(
      4,
      COMMAND_CONNECT,
      port >> 8,
      port & 0xff,
      ...address,
      ...user,
      0,
      ...name,
    )
  }

  receive(bytes: Uint8Array, start: number, end: number): TunnelStep {
    this.#answer.add(bytes, start, end)
    const { byteCount } = this.#answer
    if (byteCount > 0 && this.#answer.bytes[0] !== 0) return failed('it does not speak version 4')
    if (byteCount < 8) return moreStep
    const code = this.#answer.bytes[1]!
    if (code !== 90) {
      return failed(code === 91 ? 'it refused or could not connect' : `it refused (code ${code})`)
    }
    return byteCount === 8 ? openStep : failed('it sent more than its answer')
  }

  finish(): TunnelStep {
    return failed('it closed the connection')
  }
}

/** RFC 1929 section 2. The plan has checked that both fit into 255 bytes. */
function passwordBytes({ user, password }: Credentials): Uint8Array {
  const userBytes = new TextEncoder().encode(user)
  const secretBytes = new TextEncoder().encode(password)
  invariant(userBytes.length < 256 && secretBytes.length < 256, 'SOCKS logins have 255 bytes')
  return Uint8Array.of(1, userBytes.length, ...userBytes, secretBytes.length, ...secretBytes)
}

/** RFC 1928 section 5: type and address. */
function typedAddress(host: string): number[] {
  const bytes = addressBytes(host)
  if (bytes.length > 0) return [bytes.length === 4 ? 1 : 4, ...bytes]
  const name = new TextEncoder().encode(host)
  return [3, name.length, ...name]
}
