/**
 * The head of the last response, and what reading it came to.
 *
 * A server under load sends the same head again and again, until the second in its Date field
 * changes. Reading the same bytes comes to the same result, so a head that equals the last one is
 * compared, four bytes at a time, and not read: a third of the time, and the strings of fields
 * that somebody asked for are there already.
 *
 * One memo belongs to one filter, because the filter decides which fields are told.
 */
import type { FramingFields } from './framing-fields.ts'

/** Longer heads are always read. */
const HEAD_BYTES_MAX = 2048
/** So many heads in a row have to differ before another one is worth being noted. */
const MISS_COUNT_MAX = 16

export class HeadMemo {
  /** Of the head that is known; 0: none is. */
  byteCount = 0
  status = 0
  minorVersion: 0 | 1 = 1
  /** Names and values of the fields that were told, in turn. */
  told: readonly string[] = []
  contentLength = 0
  hasTransferEncoding = false
  endsInChunked = false
  saysClose = false
  saysKeepAlive = false
  readonly #bytes: Uint8Array = new Uint8Array(HEAD_BYTES_MAX)
  readonly #words: Int32Array = new Int32Array(this.#bytes.buffer)
  #missCount = 0

  /**
   * HOT (bench/micro/parser-response.bench.ts). Whether the bytes from `start` on begin with the
   * head that is known. `view` is over the buffer that they are in.
   */
  matches(view: DataView, start: number, end: number): boolean {
    const { byteCount } = this
    if (byteCount === 0 || end - start < byteCount) return this.#miss()
    const words = this.#words
    const wholeBytes = byteCount & ~3
    for (let at = 0; at < wholeBytes; at += 4) {
      if (view.getInt32(start + at, true) !== words[at >> 2]) return this.#miss()
    }
    for (let at = wholeBytes; at < byteCount; at++) {
      if (view.getUint8(start + at) !== this.#bytes[at]) return this.#miss()
    }
    this.#missCount = 0
    return true
  }

  #miss(): false {
    this.#missCount++
    return false
  }

  /** Whether the head that is read next is to be noted. */
  get isWanting(): boolean {
    return this.byteCount === 0 || this.#missCount > MISS_COUNT_MAX
  }

  /** Takes the head `bytes[start..end)` for the one that is known from now on. */
  note(
    bytes: Uint8Array,
    start: number,
    end: number,
    read: {
      readonly status: number
      readonly minorVersion: 0 | 1
      readonly fields: FramingFields
      readonly told: readonly string[]
    },
  ): void {
    this.#missCount = 0
    if (end - start > HEAD_BYTES_MAX) return
    this.#bytes.set(bytes.subarray(start, end))
    this.byteCount = end - start
    this.status = read.status
    this.minorVersion = read.minorVersion
    this.told = read.told
    this.contentLength = read.fields.contentLength
    this.hasTransferEncoding = read.fields.hasTransferEncoding
    this.endsInChunked = read.fields.endsInChunked
    this.saysClose = read.fields.saysClose
    this.saysKeepAlive = read.fields.saysKeepAlive
  }
}
