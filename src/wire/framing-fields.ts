/**
 * What the fields of a response's head say about where its body ends and whether the connection
 * may be used again.
 *
 * It collects and does not decide: a broken Content-Length, for one, does not matter in the
 * answer to a HEAD request (RFC 9112 section 6.3 gives the rules an order).
 */
import { COMMA, isBlank, latin1Bytes, spells } from './bytes.ts'
import type { HeadMemo } from './head-memo.ts'
import { valueIndex } from './header-filter.ts'

/** What `contentLength` is when it is not a length. */
export const LENGTH_ABSENT = -1
export const LENGTH_NOT_A_NUMBER = -2
export const LENGTH_TOO_LARGE = -3
export const LENGTHS_DIFFER = -4

const CONTENT_LENGTH = latin1Bytes('content-length')
const CONNECTION = latin1Bytes('connection')
const TRANSFER_ENCODING = latin1Bytes('transfer-encoding')
const KEEP_ALIVE = latin1Bytes('keep-alive')
const CHUNKED = latin1Bytes('chunked')
const CLOSE = latin1Bytes('close')
const MAX = latin1Bytes('max=')

const LETTER_C = 0x63
const LETTER_T = 0x74
const ZERO = 0x30

export class FramingFields {
  /** Bytes of the body, or one of the negative constants above. */
  contentLength: number = LENGTH_ABSENT
  hasTransferEncoding = false
  /** Whether the last transfer coding named is `chunked`. */
  endsInChunked = false
  saysClose = false
  saysKeepAlive = false

  reset(): void {
    this.contentLength = LENGTH_ABSENT
    this.hasTransferEncoding = false
    this.endsInChunked = false
    this.saysClose = false
    this.saysKeepAlive = false
  }

  /** HOT (bench/micro/parser-response.bench.ts). As they were when the head was noted. */
  recall(memo: HeadMemo): void {
    this.contentLength = memo.contentLength
    this.hasTransferEncoding = memo.hasTransferEncoding
    this.endsInChunked = memo.endsInChunked
    this.saysClose = memo.saysClose
    this.saysKeepAlive = memo.saysKeepAlive
  }

  /**
   * HOT (bench/micro/parser-response.bench.ts). Takes note of the field line `bytes[start..end)`,
   * without its line end, if it is one of ours. The line has at least one byte.
   */
  note(bytes: Uint8Array, start: number, end: number): void {
    const letter = bytes[start]! | 0x20
    if (letter === LETTER_C) {
      const lengthAt = valueIndex(bytes, start, end, CONTENT_LENGTH)
      if (lengthAt >= 0) this.#noteLength(bytes, lengthAt, end)
      const connectionAt = lengthAt >= 0 ? -1 : valueIndex(bytes, start, end, CONNECTION)
      if (connectionAt >= 0) this.#noteConnection(bytes, connectionAt, end)
    } else if (letter === LETTER_T) {
      const codingsAt = valueIndex(bytes, start, end, TRANSFER_ENCODING)
      if (codingsAt >= 0) this.#noteCodings(bytes, codingsAt, end)
    } else {
      const parametersAt = valueIndex(bytes, start, end, KEEP_ALIVE)
      if (parametersAt >= 0) this.#noteKeepAlive(bytes, parametersAt, end)
    }
  }

  /** Digits, or a list of the same number (RFC 9110 section 8.6); over several lines as well. */
  #noteLength(bytes: Uint8Array, start: number, end: number): void {
    let at = start
    for (;;) {
      while (at < end && isBlank(bytes[at]!)) at++
      const digitsAt = at
      let length = 0
      while (at < end) {
        const digit = bytes[at]! - ZERO
        if (digit < 0 || digit > 9) break
        length = length * 10 + digit
        at++
      }
      if (at === digitsAt) length = LENGTH_NOT_A_NUMBER
      else if (length > Number.MAX_SAFE_INTEGER) length = LENGTH_TOO_LARGE
      while (at < end && isBlank(bytes[at]!)) at++
      if (at < end && bytes[at] !== COMMA) length = LENGTH_NOT_A_NUMBER
      this.#addLength(length)
      if (at >= end || length === LENGTH_NOT_A_NUMBER) return
      at++
    }
  }

  #addLength(length: number): void {
    const known = this.contentLength
    if (known === LENGTH_ABSENT) this.contentLength = length
    // The first thing wrong is the one to tell of.
    else if (known >= 0 && known !== length) {
      this.contentLength = length < 0 ? length : LENGTHS_DIFFER
    }
  }

  #noteCodings(bytes: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end) {
      const itemAt = itemIndex(bytes, at, end)
      at = separatorIndex(bytes, itemAt, end)
      const itemEnd = trimmedEnd(bytes, itemAt, at)
      if (itemEnd > itemAt) {
        this.hasTransferEncoding = true
        this.endsInChunked = isWord(bytes, itemAt, itemEnd, CHUNKED)
      }
      at++
    }
  }

  #noteConnection(bytes: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end) {
      const itemAt = itemIndex(bytes, at, end)
      at = separatorIndex(bytes, itemAt, end)
      const itemEnd = trimmedEnd(bytes, itemAt, at)
      if (isWord(bytes, itemAt, itemEnd, CLOSE)) this.saysClose = true
      else if (isWord(bytes, itemAt, itemEnd, KEEP_ALIVE)) this.saysKeepAlive = true
      at++
    }
  }

  /** `max=1` and `max=0` ask for the end of the connection, as siege understands them. */
  #noteKeepAlive(bytes: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end) {
      const itemAt = itemIndex(bytes, at, end)
      at = separatorIndex(bytes, itemAt, end)
      const itemEnd = trimmedEnd(bytes, itemAt, at)
      if (itemEnd - itemAt === MAX.length + 1 && spells(bytes, itemAt, MAX)) {
        const count = bytes[itemEnd - 1]! - ZERO
        if (count === 0 || count === 1) this.saysClose = true
      }
      at++
    }
  }
}

/** The first byte of the list item that begins at `at` or after blanks. */
function itemIndex(bytes: Uint8Array, at: number, end: number): number {
  let index = at
  while (index < end && isBlank(bytes[index]!)) index++
  return index
}

function separatorIndex(bytes: Uint8Array, at: number, end: number): number {
  let index = at
  while (index < end && bytes[index] !== COMMA) index++
  return index
}

/** `end` without the blanks before it. */
export function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let index = end
  while (index > start && isBlank(bytes[index - 1]!)) index--
  return index
}

function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  return end - start === word.length && spells(bytes, start, word)
}
