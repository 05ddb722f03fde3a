/**
 * Turns the bytes of one connection into HTTP/1 responses (RFC 9112), however they are split.
 *
 * It owns the framing: where a head ends, how long a body is, whether the connection may be used
 * again. It knows no sockets and no clock, keeps no body, and makes strings only of fields that
 * somebody asked for.
 *
 *     idle -begin-> status line -> field lines -> body (length | chunked | until close) -> idle
 *                        ^______1xx______|                  anything broken -> broken, for good
 *
 * A head is read line by line and in place. Only a line that the input cuts in two is put
 * together in `#carry`, so no byte is looked at again because the input came in small pieces. A
 * field line is complete when the byte after its line end is known: a blank there continues the
 * line (obs-fold, RFC 9112 section 5.2).
 *
 * A head that comes whole and equals the last one is not read again, see `head-memo.ts`.
 *
 * What is overlooked, because it does not touch the framing: lines without a colon, white space
 * before a colon, control characters in values, lines with leading white space right after the
 * status line.
 */
import { invariant } from '../base/errors.ts'
import { COLON, CR, isBlank, latin1Text, SPACE, TAB } from './bytes.ts'
import { ChunkFraming } from './chunked.ts'
import {
  FramingFields,
  LENGTH_ABSENT,
  LENGTH_NOT_A_NUMBER,
  LENGTH_TOO_LARGE,
  trimmedEnd,
} from './framing-fields.ts'
import type { HeadMemo } from './head-memo.ts'
import { FRAMING_INTEREST, HeaderFilter, READER_INTEREST } from './header-filter.ts'
import { lineFeedIndex, WordView } from './line-scan.ts'
import { StatusLine } from './status-line.ts'

/** Bound of everything before a body: the heads of a response and of its interim responses. */
export const HEAD_BYTES_MAX = 262_144

const CARRY_BYTES_AT_FIRST = 256

/** What the request was, as far as the response's framing depends on it. */
export const RequestKind = {
  plain: 0,
  /** The answer to HEAD has no body, whatever its fields say. */
  head: 1,
  /** A 2xx answer to CONNECT has no body: what follows it belongs to the tunnel. */
  connect: 2,
} as const
export type RequestKindNumber = (typeof RequestKind)[keyof typeof RequestKind]

/**
 * Told what comes, in this order: any `header`, `head`, any `body`, `end`. None of the calls may
 * call the parser, except that `end` may `begin` the next response.
 */
export interface ResponseSink {
  /**
   * A field of the final head that the filter asked for, in order, before `head`. `name` in lower
   * case, `value` as latin1 text without white space around it, folded lines joined by a blank.
   * If the head turns out to be broken later, no `head` follows.
   */
  header(name: string, value: string): void
  /** The final head is complete. Interim responses (1xx) are not told. */
  head(status: number, minorVersion: 0 | 1): void
  /** HOT. Body bytes without chunk framing, at least one; valid during the call. */
  body(bytes: Uint8Array, start: number, end: number): void
  /** The message is complete. */
  end(): void
}

/**
 * What the end of the peer's bytes means:
 * - `idle`: no response was awaited.
 * - `complete`: the end is how this body ends; `end` was told.
 * - `empty`: not one byte of a response came.
 * - `truncated`: the message should have gone on.
 * - `broken`: the message was broken before.
 */
export type Finish = 'idle' | 'complete' | 'empty' | 'truncated' | 'broken'

const State = {
  idle: 0,
  statusLine: 1,
  fieldLines: 2,
  /** The head's empty line was read; what it means is not yet decided. */
  headDone: 3,
  lengthBody: 4,
  chunkedBody: 5,
  closeBody: 6,
  /** The message is complete and its end not yet told. */
  done: 7,
  broken: 8,
} as const
type StateNumber = (typeof State)[keyof typeof State]

/** One per connection, used again for each of its responses. */
export class ResponseParser {
  /** Bytes of all heads of this response, interim ones included. */
  headBytes = 0
  /** Body bytes, without chunk framing. */
  bodyBytes = 0
  /** Bytes of chunk sizes, extensions, trailers and their line ends. */
  framingBytes = 0
  /**
   * After `end`: whether the connection may carry another request (RFC 9112 section 9.3). After a
   * 2xx to CONNECT: whether the tunnel is open. Only as far as the response tells: the caller knows
   * what it asked for itself, and that a connection with surplus bytes is not to be used again.
   */
  keepsAlive = false
  /** The server said that it keeps the connection, as it should to a client of HTTP/1.0. */
  saysKeepAlive = false
  /** After `broken` or `truncated`: what is wrong, in one sentence without its final stop. */
  failureText = ''

  readonly #sink: ResponseSink
  readonly #statusLine = new StatusLine()
  readonly #fields = new FramingFields()
  readonly #chunks = new ChunkFraming()
  readonly #wordView = new WordView()
  #state: StateNumber = State.idle
  #requestKind: RequestKindNumber = RequestKind.plain
  #filter: HeaderFilter = HeaderFilter.none
  #sawInterim = false
  /** Body bytes to come, in `lengthBody`. */
  #bytesLeft = 0
  /** The begin of a field line whose end has not come; room is doubled when it is full. */
  #carry = new Uint8Array(CARRY_BYTES_AT_FIRST)
  #carryBytes = 0
  /** The carried line has its line end; the next byte decides whether it goes on. */
  #carryIsLine = false
  /** The carried line goes on after a fold whose white space is being read over. */
  #carrySkipsBlanks = false
  /** The head that is read is to be noted, and these names and values were told of it. */
  #isNoting = false
  #told: string[] = []

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /** No response is awaited or under way. */
  get isIdle(): boolean {
    return this.#state === State.idle
  }

  get isBroken(): boolean {
    return this.#state === State.broken
  }

  /** A request was submitted: its response is what comes next. */
  begin(requestKind: RequestKindNumber, filter: HeaderFilter): void {
    invariant(this.#state === State.idle, 'a response is awaited only after the last one ended')
    this.#state = State.statusLine
    this.#requestKind = requestKind
    this.#filter = filter
    this.headBytes = 0
    this.bodyBytes = 0
    this.framingBytes = 0
    this.keepsAlive = false
    this.failureText = ''
    this.#sawInterim = false
    this.#statusLine.reset()
  }

  /** Forgets everything: the parser is as new, for a new connection. */
  reset(): void {
    this.#state = State.idle
    this.#carryBytes = 0
    this.#carryIsLine = false
    this.#carrySkipsBlanks = false
    this.keepsAlive = false
    this.failureText = ''
  }

  /**
   * HOT (bench/micro/parser-response.bench.ts). Reads `bytes[start..end)` and returns the index
   * after the last byte consumed. It is below `end` when the message ended earlier, so that the
   * rest is surplus (or the next response, after pipelined requests), and when the message is
   * broken.
   */
  feed(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    while (at < end) {
      const state = this.#state
      if (state === State.statusLine || state === State.fieldLines) {
        at = this.#feedHead(bytes, at, end)
      } else if (state === State.lengthBody) {
        at = this.#feedLengthBody(bytes, at, end)
      } else if (state === State.chunkedBody) {
        at = this.#feedChunkedBody(bytes, at, end)
      } else if (state === State.closeBody) {
        this.bodyBytes += end - at
        this.#sink.body(bytes, at, end)
        return end
      } else {
        return at
      }
      if (this.#state === State.done) {
        this.#state = State.idle
        this.#sink.end()
        return at
      }
    }
    return at
  }

  /** The peer has finished sending. `end` is told before this returns `complete`. */
  finish(): Finish {
    const state = this.#state
    if (state === State.idle) return 'idle'
    if (state === State.broken) return 'broken'
    if (state === State.closeBody) {
      // The connection has ended with the message.
      this.#state = State.idle
      this.#sink.end()
      return 'complete'
    }
    this.#state = State.broken
    // Empty lines are no response yet; an interim response is the begin of one.
    if (state === State.statusLine && !this.#statusLine.isBegun && !this.#sawInterim) {
      this.failureText = 'the connection was closed before a response'
      return 'empty'
    }
    if (state === State.lengthBody) {
      const awaitedBytes = this.bodyBytes + this.#bytesLeft
      this.failureText = `the body ended after ${this.bodyBytes} of ${awaitedBytes} bytes`
    } else if (state === State.chunkedBody) {
      this.failureText = `the chunked body ended early, after ${this.bodyBytes} bytes`
    } else {
      this.failureText = 'the response ended before its head was complete'
    }
    return 'truncated'
  }

  /** Head bytes up to the head's end, the input's end, or the bound. */
  #feedHead(bytes: Uint8Array, start: number, end: number): number {
    const limit = Math.min(end, start + HEAD_BYTES_MAX - this.headBytes)
    if (limit === start) {
      this.#break(`the head is larger than ${HEAD_BYTES_MAX} bytes`)
      return start
    }
    const view = this.#wordView.of(bytes)
    const isFirst = this.headBytes === 0
    if (isFirst) {
      const { memo } = this.#filter
      if (view !== null && memo.matches(view, start, limit)) {
        this.#recallHead(memo)
        return start + memo.byteCount
      }
      this.#isNoting = memo.isWanting
      if (this.#told.length > 0) this.#told = []
    }
    let at = start
    while (at < limit) {
      if (this.#state === State.statusLine) at = this.#feedStatusLine(bytes, at, limit)
      else if (this.#carryBytes > 0) at = this.#feedCarry(bytes, at, limit)
      else at = this.#feedFieldLines(bytes, view, at, limit)
      if (this.#state > State.fieldLines) break
    }
    this.headBytes += at - start
    if (this.#state === State.headDone) {
      if (isFirst && this.#isNoting) this.#noteHead(bytes, start, at)
      this.#endHead()
    }
    return at
  }

  /** HOT (bench/micro/parser-response.bench.ts). What comes of the head that is known. */
  #recallHead(memo: HeadMemo): void {
    const { told } = memo
    this.headBytes = memo.byteCount
    this.#statusLine.recall(memo)
    this.#fields.recall(memo)
    for (let index = 0; index < told.length; index += 2) {
      this.#sink.header(told[index]!, told[index + 1]!)
    }
    this.#endHead()
  }

  /** A head that came whole, in one piece. */
  #noteHead(bytes: Uint8Array, start: number, end: number): void {
    const { status, minorVersion } = this.#statusLine
    if (!isFinal(status)) return
    const told = this.#told
    this.#filter.memo.note(bytes, start, end, { status, minorVersion, fields: this.#fields, told })
    this.#told = []
  }

  #feedStatusLine(bytes: Uint8Array, start: number, limit: number): number {
    const line = this.#statusLine
    const at = line.feed(bytes, start, limit)
    if (line.isDone) {
      this.#fields.reset()
      this.#state = State.fieldLines
    } else if (at < limit) {
      this.#break(line.failureText)
    }
    return at
  }

  /** Whole lines in place; the rest goes to the carry. Nothing is carried before. */
  #feedFieldLines(bytes: Uint8Array, view: DataView | null, start: number, limit: number): number {
    const interest = this.#filter.interest
    let lineAt = start
    while (lineAt < limit) {
      const first = bytes[lineAt]!
      const at = lineFeedIndex(bytes, view, lineAt, limit)
      const isWhole = at < limit
      if (isWhole && (at === lineAt || (at === lineAt + 1 && first === CR))) {
        this.#state = State.headDone
        return at + 1
      }
      const nextAt = at + 1
      if (nextAt >= limit || bytes[nextAt] === SPACE || bytes[nextAt] === TAB) {
        const stop = isWhole ? nextAt : limit
        this.#addToCarry(bytes, lineAt, stop)
        this.#carryIsLine = isWhole
        return stop
      }
      const readers = interest[first]!
      if (readers !== 0) this.#readField(bytes, lineAt, at, readers)
      lineAt = nextAt
    }
    return lineAt
  }

  /** Goes on with the carried line; when it turns out complete it is read and the carry empty. */
  #feedCarry(bytes: Uint8Array, start: number, limit: number): number {
    let at = start
    if (this.#carryIsLine) {
      this.#carryIsLine = false
      if (bytes[at] !== SPACE && bytes[at] !== TAB) {
        const readers = this.#filter.interest[this.#carry[0]!]!
        if (readers !== 0) this.#readField(this.#carry, 0, this.#carryBytes - 1, readers)
        this.#carryBytes = 0
        return at
      }
      this.#carryBytes = trimmedEnd(this.#carry, 0, this.#carryBytes - 1)
      this.#carry[this.#carryBytes++] = SPACE
      this.#carrySkipsBlanks = true
    }
    if (this.#carrySkipsBlanks) {
      while (at < limit && (bytes[at] === SPACE || bytes[at] === TAB)) at++
      if (at === limit) return at
      this.#carrySkipsBlanks = false
    }
    const partAt = at
    at = lineFeedIndex(bytes, null, at, limit)
    const isWhole = at < limit
    if (isWhole) at++
    this.#addToCarry(bytes, partAt, at)
    if (!isWhole) return at
    // A line cut inside an empty line: the carry held its CR.
    if (this.#carryBytes === 2 && this.#carry[0] === CR) {
      this.#carryBytes = 0
      this.#state = State.headDone
    } else {
      this.#carryIsLine = true
    }
    return at
  }

  #addToCarry(bytes: Uint8Array, start: number, end: number): void {
    const neededBytes = this.#carryBytes + end - start
    if (neededBytes > this.#carry.length) {
      let roomBytes = this.#carry.length
      while (roomBytes < neededBytes) roomBytes *= 2
      const larger = new Uint8Array(roomBytes)
      larger.set(this.#carry)
      this.#carry = larger
    }
    for (let at = start; at < end; at++) this.#carry[this.#carryBytes++] = bytes[at]!
  }

  /** Reads the field line `bytes[start..lineFeedAt)`, which has at least one byte. */
  #readField(bytes: Uint8Array, start: number, lineFeedAt: number, readers: number): void {
    const end = bytes[lineFeedAt - 1] === CR ? lineFeedAt - 1 : lineFeedAt
    if ((readers & FRAMING_INTEREST) !== 0) this.#fields.note(bytes, start, end)
    if ((readers & READER_INTEREST) !== 0 && isFinal(this.#statusLine.status)) {
      this.#tellField(bytes, start, end)
    }
  }

  #tellField(bytes: Uint8Array, start: number, end: number): void {
    const name = this.#filter.wantedName(bytes, start, end)
    if (name === undefined) return
    let valueAt = start
    while (bytes[valueAt] !== COLON) valueAt++
    valueAt++
    while (valueAt < end && isBlank(bytes[valueAt]!)) valueAt++
    const value = latin1Text(bytes, valueAt, trimmedEnd(bytes, valueAt, end))
    // A bare CR is to be read as a blank (RFC 9112 section 2.2).
    const clean = value.includes('\r') ? value.replaceAll('\r', ' ') : value
    if (this.#isNoting) this.#told.push(name, clean)
    this.#sink.header(name, clean)
  }

  /** Decides on the body by the rules of RFC 9112 section 6.3, in their order. */
  #endHead(): void {
    const { status, minorVersion } = this.#statusLine
    const fields = this.#fields
    if (!isFinal(status)) {
      this.#sawInterim = true
      this.#statusLine.reset()
      this.#state = State.statusLine
      return
    }
    const opensTunnel = this.#requestKind === RequestKind.connect && status >= 200 && status <= 299
    let state: StateNumber = State.closeBody
    if (opensTunnel || this.#requestKind === RequestKind.head || isBodiless(status)) {
      state = State.done
    } else if (fields.hasTransferEncoding) {
      if (fields.endsInChunked) state = State.chunkedBody
    } else if (fields.contentLength >= 0) {
      this.#bytesLeft = fields.contentLength
      state = fields.contentLength === 0 ? State.done : State.lengthBody
    } else if (fields.contentLength !== LENGTH_ABSENT) {
      this.#break(lengthText(fields.contentLength))
      return
    }
    if (state === State.chunkedBody) this.#chunks.reset()
    this.keepsAlive =
      opensTunnel || (state !== State.closeBody && status !== 101 && persists(fields, minorVersion))
    this.saysKeepAlive = fields.saysKeepAlive
    this.#state = state
    this.#sink.head(status, minorVersion)
  }

  #feedLengthBody(bytes: Uint8Array, start: number, end: number): number {
    const stop = end - start < this.#bytesLeft ? end : start + this.#bytesLeft
    this.#bytesLeft -= stop - start
    this.bodyBytes += stop - start
    if (this.#bytesLeft === 0) this.#state = State.done
    this.#sink.body(bytes, start, stop)
    return stop
  }

  #feedChunkedBody(bytes: Uint8Array, start: number, end: number): number {
    const chunks = this.#chunks
    let at = start
    while (at < end) {
      if (chunks.dataBytesLeft > 0) {
        const stop = end - at < chunks.dataBytesLeft ? end : at + chunks.dataBytesLeft
        chunks.dataBytesLeft -= stop - at
        this.bodyBytes += stop - at
        this.#sink.body(bytes, at, stop)
        at = stop
        continue
      }
      const next = chunks.feed(bytes, at, end)
      this.framingBytes += next - at
      at = next
      if (chunks.isDone) this.#state = State.done
      else if (chunks.isBroken) this.#break(chunks.failureText)
      else continue
      return at
    }
    return at
  }

  #break(text: string): void {
    this.failureText = text
    this.keepsAlive = false
    this.#state = State.broken
  }
}

/**
 * 101 counts as final: after it the connection speaks another protocol (RFC 9110 section 15.2.2),
 * which only a user's own Upgrade field can have asked for.
 */
function isFinal(status: number): boolean {
  return status >= 200 || status === 101
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || status === 101
}

/** RFC 9112 section 9.3; framing that others may read differently ends the connection (6.1). */
function persists(fields: FramingFields, minorVersion: 0 | 1): boolean {
  if (fields.saysClose) return false
  if (minorVersion === 0 && !fields.saysKeepAlive) return false
  if (fields.contentLength < LENGTH_ABSENT) return false
  return !fields.hasTransferEncoding || (minorVersion === 1 && fields.contentLength < 0)
}

function lengthText(contentLength: number): string {
  if (contentLength === LENGTH_NOT_A_NUMBER) return 'Content-Length is not a number'
  if (contentLength === LENGTH_TOO_LARGE) return 'Content-Length is too large'
  return 'Content-Length is given twice with different values'
}
