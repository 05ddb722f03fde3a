/**
 * Lets an observer see a response in order: its head, its body, its end.
 *
 * The parser tells of a head without its bytes. They are the front of what was fed to it, as many
 * as its count of head bytes has grown.
 */
import type { WireObserver } from './observer.ts'

/** What the tap asks of the parser. */
interface HeadCount {
  readonly headBytes: number
}

const noBytes = new Uint8Array(0)

export class WireTap {
  readonly #observer: WireObserver
  readonly #parser: HeadCount
  #bytes: Uint8Array = noBytes
  #start = 0
  #seenHeadBytes = 0

  constructor(observer: WireObserver, parser: HeadCount) {
    this.#observer = observer
    this.#parser = parser
  }

  submitted(bytes: Uint8Array): void {
    this.#seenHeadBytes = 0
    this.#observer.requestSent(bytes)
  }

  /** Before the parser is fed. */
  feeding(bytes: Uint8Array, start: number): void {
    this.#bytes = bytes
    this.#start = start
  }

  /** When the head is complete, and after each feed. */
  headGrew(): void {
    const count = this.#parser.headBytes - this.#seenHeadBytes
    if (count <= 0) return
    this.#seenHeadBytes += count
    this.#observer.headReceived(this.#bytes, this.#start, this.#start + count)
    this.#start += count
  }

  body(bytes: Uint8Array, start: number, end: number): void {
    this.#observer.bodyReceived(bytes, start, end)
  }

  ended(): void {
    this.#observer.responseEnded()
  }
}
