/**
 * HTTP/1.x on one connection: one exchange at a time, no pipelining.
 *
 * Large requests are handed over in pieces, so that progress of an upload is seen (each piece that
 * was taken moves the deadline) and no reactor has to queue a whole body.
 */
import type { Exchange } from '../metrics/exchange.ts'
import { FailureKind, type FailureKindNumber } from '../metrics/outcome.ts'
import { RequestKind, ResponseParser, type ResponseSink } from '../wire/h1-response.ts'
import { HeaderFilter } from '../wire/header-filter.ts'
import type { Wire } from './observer.ts'
import type { Reactor } from './reactor.ts'
import type { ExchangeOwner, OutgoingRequest, ResponseReader, Transport } from './transport.ts'
import { WireTap } from './wire-tap.ts'

const SEND_PIECE_BYTES = 262_144

export class H1Transport implements Transport, ResponseSink {
  /** The reactor's slot; set before the first exchange on a new connection. */
  slot = -1
  readonly #reactor: Reactor
  readonly #parser: ResponseParser
  readonly #tap: WireTap | undefined
  #owner: ExchangeOwner | undefined
  #exchange: Exchange | undefined
  #reader: ResponseReader | undefined
  #wantsBody = false
  #bytes: Uint8Array | undefined
  #sentBytes = 0
  #isSending = false
  #isEnded = false

  constructor(reactor: Reactor, wire: Wire | undefined) {
    this.#reactor = reactor
    this.#parser = new ResponseParser(this)
    this.#tap = wire === undefined ? undefined : new WireTap(wire.observer(), this.#parser)
  }

  get isIdle(): boolean {
    return this.#owner === undefined
  }

  /** The last response said that its connection stays open. */
  get saysKeepAlive(): boolean {
    return this.#parser.saysKeepAlive
  }

  get isAwaitingFirstByte(): boolean {
    return this.#exchange !== undefined && this.#exchange.firstByteNs < 0
  }

  submit(owner: ExchangeOwner, request: OutgoingRequest, nowNs: number): void {
    const { exchange } = owner
    this.#owner = owner
    this.#exchange = exchange
    this.#isEnded = false
    this.#reader = owner.reader
    this.#wantsBody = false
    const filter = owner.reader === undefined ? HeaderFilter.none : owner.reader.filter
    this.#parser.begin(request.isHead ? RequestKind.head : RequestKind.plain, filter)
    this.#tap?.submitted(request.bytes)
    exchange.sentNs = nowNs
    this.#isSending = true
    if (request.bytes.length <= SEND_PIECE_BYTES) {
      this.#bytes = undefined
      exchange.requestBytes += request.bytes.length
      this.#reactor.send(this.slot, request.bytes)
    } else {
      this.#bytes = request.bytes
      this.#sentBytes = 0
      this.#sendPiece()
    }
  }

  sent(): boolean {
    if (this.#bytes !== undefined && this.#sentBytes < this.#bytes.length) {
      this.#sendPiece()
      return true
    }
    this.#bytes = undefined
    this.#isSending = false
    return false
  }

  #sendPiece(): void {
    const bytes = this.#bytes!
    const end = Math.min(this.#sentBytes + SEND_PIECE_BYTES, bytes.length)
    const piece = bytes.subarray(this.#sentBytes, end)
    this.#sentBytes = end
    this.#exchange!.requestBytes += piece.length
    this.#reactor.send(this.slot, piece)
  }

  /** HOT (bench/macro/main.ts). */
  receive(bytes: Uint8Array, start: number, end: number, nowNs: number): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    if (exchange.firstByteNs < 0) exchange.firstByteNs = nowNs
    const parser = this.#parser
    this.#tap?.feeding(bytes, start)
    const used = parser.feed(bytes, start, end)
    this.#tap?.headGrew()
    if (this.#isEnded) {
      this.#complete(nowNs, parser.keepsAlive && used === end && !this.#isSending)
    } else if (parser.isBroken) {
      this.fail(FailureKind.protocol, parser.failureText, nowNs)
    }
  }

  finish(nowNs: number): void {
    if (this.#exchange === undefined) return
    switch (this.#parser.finish()) {
      case 'complete':
        this.#complete(nowNs, false)
        break
      case 'empty':
        this.fail(FailureKind.closed, this.#parser.failureText, nowNs)
        break
      case 'broken':
        this.fail(FailureKind.protocol, this.#parser.failureText, nowNs)
        break
      default:
        this.fail(FailureKind.truncated, this.#parser.failureText, nowNs)
    }
  }

  fail(kind: FailureKindNumber, text: string, nowNs: number): void {
    const owner = this.#owner
    if (owner === undefined) return
    this.#leave(nowNs)
    this.#parser.reset()
    owner.exchangeFailed(kind, text)
  }

  abandon(): void {
    this.#parser.reset()
    this.#owner = undefined
    this.#exchange = undefined
    this.#bytes = undefined
  }

  header(name: string, value: string): void {
    this.#reader!.header(name, value)
  }

  head(status: number, minorVersion: 0 | 1): void {
    const exchange = this.#exchange!
    exchange.status = status
    exchange.minorVersion = minorVersion
    this.#tap?.headGrew()
    if (this.#reader !== undefined) this.#wantsBody = this.#reader.head(status)
  }

  /** HOT (bench/macro/main.ts). */
  body(bytes: Uint8Array, start: number, end: number): void {
    if (this.#wantsBody) this.#reader!.body(bytes, start, end)
    this.#tap?.body(bytes, start, end)
  }

  end(): void {
    this.#isEnded = true
  }

  #complete(nowNs: number, isReusable: boolean): void {
    const owner = this.#owner!
    this.#tap?.ended()
    this.#leave(nowNs)
    owner.exchangeCompleted(isReusable)
  }

  /** Notes the last facts and lets go, before the owner is told: it may submit at once. */
  #leave(nowNs: number): void {
    const exchange = this.#exchange!
    exchange.endNs = nowNs
    exchange.headBytes += this.#parser.headBytes
    exchange.bodyBytes += this.#parser.bodyBytes
    this.#owner = undefined
    this.#exchange = undefined
  }
}
