/**
 * Prints messages as they are on the wire, for `-D`, `-g` and `-p`: requests without their bodies,
 * heads of responses as they come, and bodies, decoded, if asked for. Logins are masked.
 */
import type { WireObserver } from '../engine/observer.ts'
import { decodeBody } from './body-decoding.ts'

/** A body larger than this is printed up to here. */
const BODY_BYTES_MAX = 64 * 1024 * 1024
const LOGIN_FIELD = /^((?:proxy-)?authorization:[ \t]*\S+)[ \t].*$/gim
const LOGIN_IN_URL = /(\/\/[^\s/?#@:]*):[^\s/?#@]*@/g
const CONTENT_ENCODING = /^content-encoding:[ \t]*(.*?)[ \t]*\r?$/im

export type TakeText = (bytes: Uint8Array, lineCount: number) => void

export class WirePrinter implements WireObserver {
  readonly #take: TakeText
  readonly #showsBodies: boolean
  #head = ''
  #body: Uint8Array[] = []
  #bodyBytes = 0

  constructor(take: TakeText, showsBodies: boolean) {
    this.#take = take
    this.#showsBodies = showsBodies
  }

  requestSent(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    this.#printHead(headEnd < 0 ? text : text.slice(0, headEnd + 4))
    this.#head = ''
    this.#body = []
    this.#bodyBytes = 0
  }

  headReceived(bytes: Uint8Array, start: number, end: number): void {
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1')
    this.#head += text
    this.#printHead(text)
  }

  bodyReceived(bytes: Uint8Array, start: number, end: number): void {
    if (!this.#showsBodies || this.#bodyBytes >= BODY_BYTES_MAX) return
    this.#body.push(bytes.slice(start, end))
    this.#bodyBytes += end - start
  }

  responseEnded(): void {
    if (!this.#showsBodies || this.#bodyBytes === 0) return
    const encoding = CONTENT_ENCODING.exec(this.#head)?.[1] ?? ''
    const body = decodeBody(Buffer.concat(this.#body), encoding, BODY_BYTES_MAX)
    const endsLine = body.at(-1) === 0x0a
    this.#take(endsLine ? body : Buffer.concat([body, Buffer.from('\n')]), 1)
  }

  #printHead(text: string): void {
    const masked = text
      .replace(LOGIN_FIELD, '$1 *****')
      .replace(LOGIN_IN_URL, '$1:*****@')
      .replaceAll('\r\n', '\n')
    this.#take(Buffer.from(masked, 'latin1'), masked.split('\n').length - 1)
  }
}
