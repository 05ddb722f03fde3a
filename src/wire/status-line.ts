/**
 * Reads the status line of an HTTP/1 response (RFC 9112 section 4), byte by byte where it must.
 *
 *     HTTP/1.m SP ddd [SP reason] LF        LF stands for CRLF or LF
 *
 * The first byte that cannot be part of it is refused at once: a server that speaks another
 * protocol and then waits is recognised without waiting for the end of a line. A missing reason,
 * or a missing blank before it, is fine. Any minor version is: 1.2 would be read as 1.1 (RFC 9110
 * section 2.5). Another major version, HTTP/2.0 say, is not, and neither is HTTP/0.9, which has no
 * status line: our requests never ask for it.
 */
import { CR, LF, latin1Bytes, SPACE } from './bytes.ts'
import type { HeadMemo } from './head-memo.ts'

const PREFIX_TEXT = 'HTTP/1.'
const PREFIX = latin1Bytes(PREFIX_TEXT)
/** `HTTP/1.1 200` and the byte after it. */
const FIXED_BYTES = 13
const ZERO = 0x30

export class StatusLine {
  status = 0
  minorVersion: 0 | 1 = 1
  /** One sentence, once a byte was refused. */
  failureText = ''
  isDone = false
  /** Bytes of the line read so far; those of the reason are not counted. */
  #position = 0

  reset(): void {
    this.status = 0
    this.minorVersion = 1
    this.failureText = ''
    this.isDone = false
    this.#position = 0
  }

  /** HOT (bench/micro/parser-response.bench.ts). As it was when the head was noted. */
  recall(memo: HeadMemo): void {
    this.status = memo.status
    this.minorVersion = memo.minorVersion
    this.isDone = true
  }

  /** Whether a byte of the line has come; empty lines before it do not count. */
  get isBegun(): boolean {
    return this.#position > 0
  }

  /**
   * HOT (bench/micro/parser-response.bench.ts). Reads until the line's end, the input's end, or a
   * byte that is refused. Returns the index of the first byte not consumed.
   */
  feed(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    if (this.#position === 0) at = this.#readAtOnce(bytes, start, end)
    while (at < end && this.#position < FIXED_BYTES) {
      const byte = bytes[at]!
      // RFC 9112 section 2.2: empty lines before a message are read over.
      const isEmptyLine = this.#position === 0 && (byte === CR || byte === LF)
      if (!isEmptyLine && !this.#take(byte)) return at
      at++
      if (byte === LF && !isEmptyLine) {
        this.isDone = true
        return at
      }
    }
    while (at < end) {
      if (bytes[at++] === LF) {
        this.isDone = true
        return at
      }
    }
    return at
  }

  /** The line's fixed part in one go, if all of it is there and as it should be. */
  #readAtOnce(bytes: Uint8Array, start: number, end: number): number {
    if (
      end - start < FIXED_BYTES ||
      bytes[start] !== 0x48 ||
      bytes[start + 1] !== 0x54 ||
      bytes[start + 2] !== 0x54 ||
      bytes[start + 3] !== 0x50 ||
      bytes[start + 4] !== 0x2f ||
      bytes[start + 5] !== 0x31 ||
      bytes[start + 6] !== 0x2e ||
      bytes[start + 8] !== SPACE ||
      bytes[start + 12] !== SPACE
    ) {
      return start
    }
    const minor = bytes[start + 7]! - ZERO
    const hundreds = bytes[start + 9]! - ZERO
    const tens = bytes[start + 10]! - ZERO
    const ones = bytes[start + 11]! - ZERO
    const areDigits = minor >= 0 && minor <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
    if (!areDigits || hundreds < 1 || hundreds > 9) return start
    this.minorVersion = minor === 0 ? 0 : 1
    this.status = hundreds * 100 + tens * 10 + ones
    this.#position = FIXED_BYTES
    return start + FIXED_BYTES
  }

  #take(byte: number): boolean {
    const position = this.#position
    if (position < PREFIX.length) {
      if (byte !== PREFIX[position]) return this.#refuse(notHttpText(position, byte))
    } else if (position === 7) {
      if (!isDigit(byte)) return this.#refuse('the version in the status line is not HTTP/1.x')
      this.minorVersion = byte === ZERO ? 0 : 1
    } else if (position === 8) {
      if (byte !== SPACE) return this.#refuse('no blank follows the version in the status line')
    } else if (position < 12) {
      if (!isDigit(byte) || (position === 9 && byte === ZERO)) return this.#refuseStatus()
      this.status = this.status * 10 + byte - ZERO
    } else if (byte !== SPACE && byte !== CR && byte !== LF) {
      return this.#refuseStatus()
    }
    this.#position++
    return true
  }

  #refuseStatus(): boolean {
    return this.#refuse('the status is not a number from 100 to 999')
  }

  #refuse(text: string): boolean {
    this.failureText = text
    return false
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39
}

function notHttpText(position: number, byte: number): string {
  const shown =
    byte > 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`
  return `not an HTTP/1 response: it starts with "${PREFIX_TEXT.slice(0, position)}${shown}"`
}
