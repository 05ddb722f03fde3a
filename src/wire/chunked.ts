/**
 * The framing of a chunked body (RFC 9112 section 7.1): sizes, extensions, trailers.
 *
 * It never touches the data between: whoever feeds it hands it the bytes of the framing, passes
 * `dataBytesLeft` bytes on by itself, and comes back. Extensions and trailers are read over.
 *
 *     size [;extension] LF  data LF  ...  0 LF  *(trailer LF)  LF       LF stands for CRLF or LF
 */
import { CR, LF, SPACE, TAB } from './bytes.ts'

/** Bound of a line with a chunk's size and extensions. */
export const CHUNK_LINE_BYTES_MAX = 16_384
/** Bound of all trailers of one message. */
export const TRAILER_BYTES_MAX = 65_536

const SEMICOLON = 0x3b

const State = {
  firstDigit: 0,
  digits: 1,
  afterDigits: 2,
  extension: 3,
  lineFeedOfSize: 4,
  endOfData: 5,
  lineFeedOfData: 6,
  trailerStart: 7,
  lineFeedOfTrailers: 8,
  trailer: 9,
  done: 10,
  broken: 11,
} as const
type StateNumber = (typeof State)[keyof typeof State]

export class ChunkFraming {
  /** Data of the current chunk still to come; the owner counts it down. */
  dataBytesLeft = 0
  /** One sentence, once `isBroken`. */
  failureText = ''
  #state: StateNumber = State.firstDigit
  #sizeBytes = 0
  /** Bytes of the current size line, or of all trailers. */
  #lineBytes = 0

  reset(): void {
    this.dataBytesLeft = 0
    this.failureText = ''
    this.#state = State.firstDigit
    this.#sizeBytes = 0
    this.#lineBytes = 0
  }

  get isDone(): boolean {
    return this.#state === State.done
  }

  get isBroken(): boolean {
    return this.#state === State.broken
  }

  /**
   * HOT (bench/micro/parser-response.bench.ts). Reads framing until data begins
   * (`dataBytesLeft` > 0), the message is done, the framing is broken or the input ends. Returns
   * the index of the first byte not consumed; a byte that breaks the framing is not.
   */
  feed(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      const state = this.#state
      if (state <= State.digits) this.#readDigit(byte)
      else if (state <= State.lineFeedOfSize) this.#readSizeLine(byte)
      else if (state <= State.lineFeedOfData) this.#readEndOfData(byte)
      else this.#readTrailer(byte)
      if (this.#state >= State.done) return this.#state === State.done ? at + 1 : at
      if (this.dataBytesLeft > 0) return at + 1
    }
    return end
  }

  #readDigit(byte: number): void {
    const digit = hexDigit(byte)
    if (digit < 0) {
      if (this.#state === State.firstDigit) this.#break('a chunk size is not a hexadecimal number')
      else this.#readSizeLine(byte)
      return
    }
    this.#state = State.digits
    this.#sizeBytes = this.#sizeBytes * 16 + digit
    this.#countLineByte()
    if (this.#sizeBytes > Number.MAX_SAFE_INTEGER) this.#break('a chunk size is too large')
  }

  /** Everything of a size line after its digits. */
  #readSizeLine(byte: number): void {
    this.#countLineByte()
    if (this.#state === State.broken) return
    if (byte === LF) this.#endSizeLine()
    else if (this.#state === State.lineFeedOfSize) this.#break('a chunk size line holds a bare CR')
    else if (this.#state === State.extension) return
    else if (byte === CR) this.#state = State.lineFeedOfSize
    else if (byte === SEMICOLON) this.#state = State.extension
    else if (byte === SPACE || byte === TAB) this.#state = State.afterDigits
    else this.#break('a chunk size is not a hexadecimal number')
  }

  #endSizeLine(): void {
    this.#lineBytes = 0
    this.dataBytesLeft = this.#sizeBytes
    this.#state = this.#sizeBytes === 0 ? State.trailerStart : State.endOfData
    this.#sizeBytes = 0
  }

  #readEndOfData(byte: number): void {
    if (byte === LF) this.#state = State.firstDigit
    else if (byte === CR && this.#state === State.endOfData) this.#state = State.lineFeedOfData
    else this.#break('a chunk does not end where its size says')
  }

  #readTrailer(byte: number): void {
    if (++this.#lineBytes > TRAILER_BYTES_MAX) {
      this.#break(`the trailers are larger than ${TRAILER_BYTES_MAX} bytes`)
    } else if (byte === LF) {
      this.#state = this.#state === State.trailer ? State.trailerStart : State.done
    } else if (byte === CR && this.#state === State.trailerStart) {
      this.#state = State.lineFeedOfTrailers
    } else {
      this.#state = State.trailer
    }
  }

  #countLineByte(): void {
    if (++this.#lineBytes > CHUNK_LINE_BYTES_MAX) {
      this.#break(`a chunk size line is longer than ${CHUNK_LINE_BYTES_MAX} bytes`)
    }
  }

  #break(text: string): void {
    this.failureText = text
    this.#state = State.broken
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
