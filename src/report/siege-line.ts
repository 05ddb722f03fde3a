/**
 * siege's verbose lines, one per response, written straight into bytes.
 *
 * Lines are collected in chunks; a full chunk is handed over for good and a new one begun. What
 * depends on the target alone (`bytes ==> GET  /path`) is kept ready for the targets seen last,
 * what depends on the second alone (stamps) is made once a second. It knows nothing of files,
 * terminals or threads.
 */
import { invariant } from '../base/errors.ts'
import { MS_PER_S, NS_PER_MS } from '../base/units.ts'
import { Exchange, type UnlistedTarget } from '../metrics/exchange.ts'
import { bytesFromLatin1 } from '../plan/latin1.ts'
import type { TargetList } from '../plan/target-list.ts'
import { localDayTimeText, localTimeText, type ZoneOffset } from './local-time.ts'

export interface LineOptions {
  readonly csv: boolean
  /** Absolute URLs for GET too; other methods always have them. */
  readonly fullUrl: boolean
  readonly displayId: boolean
  readonly timestamp: boolean
  /** First field of a CSV line. */
  readonly mark: string | null
  readonly colour: boolean
  /** Wall clock at the run's start. */
  readonly startedAtMs: number
  readonly zone: ZoneOffset
}

/** What a line needs to know of the targets. */
export type LineTargets = Pick<
  TargetList,
  'methodOf' | 'requestTargetOf' | 'originIndexOf' | 'origins'
>

/** Takes over `bytes`, which holds `lineCount` whole lines. */
export type ChunkSink = (bytes: Uint8Array, lineCount: number) => void

export const CHUNK_BYTES = 65_536
/** Targets whose texts are kept ready; a power of two. */
const TAIL_COUNT = 1024
/** Colour, stamps, status and numbers of up to 16 digits, without mark and tail. */
const FIXED_BYTES_MAX = 192
const NS_PER_CENTISECOND = 1e7

const utf8 = new TextEncoder()
const SPACE = 32
const QUOTE = 34
const CLOSING_PARENTHESIS = 41
const COMMA = 44
const DOT = 46
const SLASH = 47
const DIGIT_0 = 48

const beforeSize = bytesFromLatin1(' secs: ')
const beforeDate = bytesFromLatin1(',')
const lineEnd = bytesFromLatin1('\n')
const colouredLineEnd = bytesFromLatin1('\x1b[0m\n')
const afterStatus = bytesFromLatin1('    ')
const ftpProtocol = bytesFromLatin1('FTP')
const afterCachedStatus = bytesFromLatin1('(C) ')
/** Green, as an index of `colours`. */
const CACHED_COLOUR = 1
const protocols = [bytesFromLatin1('HTTP/1.0'), bytesFromLatin1('HTTP/1.1')] as const
const colours = [1, 2, 3, 4, 5, 6].map((n) => bytesFromLatin1(`\x1b[0;3${n}m`))

export class LineWriter {
  readonly #options: LineOptions
  readonly #targets: LineTargets
  readonly #sink: ChunkSink
  readonly #hasFtp: boolean
  readonly #mark: Uint8Array
  readonly #lineEnd: Uint8Array
  readonly #tailIndexes = new Int32Array(TAIL_COUNT).fill(-1)
  readonly #tails: Uint8Array[] = new Array(TAIL_COUNT).fill(lineEnd)
  /** Targets live as long as the engine keeps them for another request. */
  readonly #unlistedTails = new WeakMap<UnlistedTarget, Uint8Array>()
  readonly #cachedExchange = new Exchange()
  #chunk = new Uint8Array(CHUNK_BYTES)
  #usedBytes = 0
  #lineCount = 0
  /** The second since 1970 that the two stamps stand for. */
  #stampSecond = -1
  #stamp: Uint8Array = lineEnd
  #date: Uint8Array = lineEnd

  constructor(options: LineOptions, targets: LineTargets, sink: ChunkSink) {
    this.#options = options
    this.#targets = targets
    this.#sink = sink
    this.#hasFtp = targets.origins.some(isFtp)
    this.#mark = utf8.encode(options.mark === null ? '' : markField(options))
    // A row of CSV is read by programs, so it is never coloured.
    this.#lineEnd = options.colour && !options.csv ? colouredLineEnd : lineEnd
  }

  /** HOT (bench/micro/siege-line.bench.ts): adds the line of a completed exchange. */
  write(exchange: Exchange): void {
    const tail =
      exchange.targetIndex < 0 ? this.#unlistedTail(exchange) : this.#tailOf(exchange.targetIndex)
    this.#writeLine(exchange, tail, afterStatus)
  }

  /** Adds the line of a page's resource that was not asked for since the user has it already. */
  writeCached(target: UnlistedTarget, userId: number, nowNs: number): void {
    const exchange = this.#cachedExchange
    exchange.userId = userId
    exchange.reset(-1, nowNs)
    exchange.endNs = nowNs
    exchange.status = 200
    exchange.unlisted = target
    this.#writeLine(exchange, this.#unlistedTail(exchange), afterCachedStatus)
  }

  #writeLine(exchange: Exchange, tail: Uint8Array, statusEnd: Uint8Array): void {
    const bytesMax = FIXED_BYTES_MAX + this.#mark.length + tail.length
    if (this.#usedBytes + bytesMax > this.#chunk.length) {
      this.flush()
      if (bytesMax > this.#chunk.length) this.#chunk = new Uint8Array(bytesMax)
    }
    const options = this.#options
    if (options.timestamp || options.csv) this.#stampFor(exchange.endNs)
    this.#usedBytes = options.csv
      ? this.#writeCsv(exchange, tail)
      : this.#writeText(exchange, tail, statusEnd)
    this.#lineCount++
  }

  /** Hands over what there is, if anything. */
  flush(): void {
    if (this.#lineCount === 0) return
    const bytes = this.#chunk.subarray(0, this.#usedBytes)
    const lineCount = this.#lineCount
    this.#chunk = new Uint8Array(CHUNK_BYTES)
    this.#usedBytes = 0
    this.#lineCount = 0
    this.#sink(bytes, lineCount)
  }

  #writeText(exchange: Exchange, tail: Uint8Array, statusEnd: Uint8Array): number {
    const options = this.#options
    const chunk = this.#chunk
    let at = this.#usedBytes
    if (options.colour) {
      const isCached = statusEnd === afterCachedStatus
      at = put(chunk, at, isCached ? colours[CACHED_COLOUR]! : colourOf(exchange.status))
    }
    if (options.displayId) {
      at = putWhole(chunk, at, exchange.userId, 4)
      chunk[at++] = CLOSING_PARENTHESIS
      chunk[at++] = SPACE
    } else if (options.timestamp) {
      at = put(chunk, at, this.#stamp)
    }
    const isByFtp = this.#isByFtp(exchange)
    at = put(chunk, at, isByFtp ? ftpProtocol : protocols[exchange.minorVersion === 0 ? 0 : 1])
    chunk[at++] = isByFtp ? SLASH : SPACE
    at = putWhole(chunk, at, exchange.status, 3)
    if (options.displayId || isByFtp) {
      chunk[at++] = SPACE
      at = putSeconds(chunk, at, exchange.endNs - exchange.dueNs, 6)
    } else {
      at = put(chunk, at, statusEnd)
      at = putSeconds(chunk, at, exchange.endNs - exchange.dueNs, 5)
    }
    at = put(chunk, at, beforeSize)
    at = putWhole(chunk, at, exchange.bodyBytes, 7)
    at = put(chunk, at, tail)
    return put(chunk, at, this.#lineEnd)
  }

  #writeCsv(exchange: Exchange, tail: Uint8Array): number {
    const options = this.#options
    const chunk = this.#chunk
    let at = this.#usedBytes
    // The stamp has a comma in it and is joined to the field after it: the two are quoted as one.
    const quotesFirst = options.timestamp
    if (options.timestamp) {
      chunk[at++] = QUOTE
      at = put(chunk, at, this.#stamp)
    }
    let isFirst = true
    if (options.mark !== null) {
      at = put(chunk, at, this.#mark)
      at = endField(chunk, at, quotesFirst)
      isFirst = false
    }
    if (options.displayId) {
      at = putWhole(chunk, at, exchange.userId, 4)
      at = endField(chunk, at, quotesFirst && isFirst)
      isFirst = false
    }
    const protocol = protocols[exchange.minorVersion === 0 ? 0 : 1]
    at = put(chunk, at, this.#isByFtp(exchange) ? ftpProtocol : protocol)
    at = endField(chunk, at, quotesFirst && isFirst)
    at = putWhole(chunk, at, exchange.status, 3)
    chunk[at++] = COMMA
    at = putSeconds(chunk, at, exchange.endNs - exchange.dueNs, 6)
    chunk[at++] = COMMA
    at = putWhole(chunk, at, exchange.bodyBytes, 7)
    at = put(chunk, at, tail)
    // siege counts what is in no list as the first of it.
    at = putWhole(chunk, at, Math.max(exchange.targetIndex, 0), 1)
    at = put(chunk, at, beforeDate)
    at = put(chunk, at, this.#date)
    return put(chunk, at, this.#lineEnd)
  }

  /** HOT (bench/micro/siege-line.bench.ts). */
  #isByFtp({ unlisted, targetIndex }: Exchange): boolean {
    if (targetIndex < 0) return unlisted !== null && isFtp(unlisted.origin)
    if (!this.#hasFtp) return false
    return isFtp(this.#targets.origins[this.#targets.originIndexOf(targetIndex)]!)
  }

  #stampFor(endNs: number): void {
    const atMs = this.#options.startedAtMs + endNs / NS_PER_MS
    const second = Math.floor(atMs / MS_PER_S)
    if (second === this.#stampSecond) return
    this.#stampSecond = second
    this.#stamp = bytesFromLatin1(`[${localDayTimeText(second * MS_PER_S, this.#options.zone)}] `)
    this.#date = bytesFromLatin1(localTimeText(second * MS_PER_S, this.#options.zone))
  }

  #tailOf(targetIndex: number): Uint8Array {
    const slot = targetIndex & (TAIL_COUNT - 1)
    if (this.#tailIndexes[slot] === targetIndex) return this.#tails[slot]!
    const tail = bytesFromLatin1(this.#tailText(targetIndex))
    this.#tailIndexes[slot] = targetIndex
    this.#tails[slot] = tail
    return tail
  }

  #tailText(targetIndex: number): string {
    const targets = this.#targets
    return this.#textOf({
      method: targets.methodOf(targetIndex),
      requestTarget: targets.requestTargetOf(targetIndex),
      origin: targets.origins[targets.originIndexOf(targetIndex)]!,
    })
  }

  /** The last such text is kept by its target: the same resources come again and again. */
  #unlistedTail({ unlisted }: Exchange): Uint8Array {
    invariant(unlisted !== null, 'an exchange is of the list or says what it is of')
    const known = this.#unlistedTails.get(unlisted)
    if (known !== undefined) return known
    const tail = bytesFromLatin1(this.#textOf(unlisted))
    this.#unlistedTails.set(unlisted, tail)
    return tail
  }

  #textOf({ method, requestTarget, origin }: UnlistedTarget): string {
    const isFull = this.#options.fullUrl || (method !== 'GET' && method !== 'HEAD')
    const place = isFull ? `${origin.scheme}://${origin.authority}` : ''
    const url = withoutControls(place + requestTarget)
    if (this.#options.csv) return `,${csvField(url)},`
    return ` bytes ==> ${method.padEnd(isFtp(origin) ? 6 : 4)} ${url}`
  }
}

function isFtp({ scheme }: UnlistedTarget['origin']): boolean {
  return scheme === 'ftp'
}

/**
 * siege's choice: blue for success, cyan for redirects, magenta for the client's errors, red for
 * everything it does not know.
 */
function colourOf(status: number): Uint8Array {
  if ((status >= 200 && status <= 206) || status === 226 || status === 150) return colours[3]!
  if (status >= 300 && status <= 307) return colours[5]!
  if (status >= 400 && status <= 417) return colours[4]!
  return colours[0]!
}

function markField(options: LineOptions): string {
  const mark = options.mark!
  // Inside the quotes of the stamp only the doubling of quotes is left to do.
  return options.timestamp ? mark.replaceAll('"', '""') : csvField(mark)
}

/** RFC 4180 section 2: a field with a comma, quote or line break stands in quotes. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A control byte would break the line, or the terminal. */
function withoutControls(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, (control) => {
    return `%${control.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}

/** HOT: copies a short text; a loop beats `set` below some 40 bytes. */
function put(chunk: Uint8Array, at: number, text: Uint8Array): number {
  const length = text.length
  for (let i = 0; i < length; i++) chunk[at + i] = text[i]!
  return at + length
}

/** HOT: a whole number, right-aligned. Division keeps it right above 2^31. */
function putWhole(chunk: Uint8Array, at: number, value: number, width: number): number {
  let digitCount = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digitCount++
  for (let pad = digitCount; pad < width; pad++) chunk[at++] = SPACE
  let rest = value
  for (let i = at + digitCount - 1; i >= at; i--) {
    const higher = Math.floor(rest / 10)
    chunk[i] = DIGIT_0 + (rest - higher * 10)
    rest = higher
  }
  return at + digitCount
}

/** HOT: seconds with two decimals, `width` bytes in all unless that is too little. */
function putSeconds(chunk: Uint8Array, at: number, ns: number, width: number): number {
  const centiseconds = Math.round(ns / NS_PER_CENTISECOND)
  const seconds = Math.floor(centiseconds / 100)
  const rest = centiseconds - seconds * 100
  at = putWhole(chunk, at, seconds, width - 3)
  chunk[at] = DOT
  chunk[at + 1] = DIGIT_0 + Math.floor(rest / 10)
  chunk[at + 2] = DIGIT_0 + (rest % 10)
  return at + 3
}

function endField(chunk: Uint8Array, at: number, closesQuote: boolean): number {
  if (closesQuote) chunk[at++] = QUOTE
  chunk[at] = COMMA
  return at + 1
}
