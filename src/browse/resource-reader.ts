/**
 * Reads pages as they arrive, still encoded, and answers with what they ask a browser to request.
 *
 * It owns which responses are pages, the bounds on what is kept of one, and the order of cheap
 * before dear: compare with the page known under this URL, then scan as the bytes stream, and only
 * for compressed pages collect first. Libraries come in as ports, and are asked for only when a
 * page must really be scanned.
 */
import { type ContentCoding, charsetOf, codingsToUndo, isCss, isHtml } from './content-coding.ts'
import { StylesheetScanner } from './css-scanner.ts'
import { PAGE_BYTES_MAX, ResourceScanner } from './html-resources.ts'
import type { HtmlLibrary } from './html-tokens.ts'
import type { PageContents, ResourceSettings } from './resource-list.ts'
import {
  PageMemo,
  REMEMBERED_BYTES_MAX,
  type RememberedPage,
  type SameBytes,
} from './resource-memo.ts'

export interface ReaderPorts {
  readonly loadHtmlLibrary: () => HtmlLibrary
  readonly isSame: SameBytes
  /** Null when the bytes are broken or more than `bytesMax` would come out. */
  readonly inflate: (
    bytes: Uint8Array,
    coding: ContentCoding,
    bytesMax: number,
  ) => Uint8Array | null
}

/** What the head of a response says about the page behind it. */
export interface ResponseFacts {
  readonly url: string
  readonly contentType: string
  readonly contentEncoding: string
}

/** A compressed page that is longer is not read. */
export const COMPRESSED_BYTES_MAX = 4_194_304

const KEPT_BYTES_START = 16_384
const KEPT_BYTES_POOLED = 131_072
const POOL_COUNT_MAX = 256

/** Stands for a charset where a stylesheet is read, whose charset does not matter. */
const CSS = 'text/css'

const nothing: PageContents = { resourceUrls: [], refreshUrl: null }

/** What finds the references of a page or stylesheet in its decoded bytes. */
interface Scanner {
  begin(url: string, charset: string): void
  receive(bytes: Uint8Array, start: number, end: number): void
  finish(): PageContents
}

/** The readers of one thread; they share a memo and take turns with the same objects. */
export class ResourceReaders {
  readonly #settings: ResourceSettings
  readonly #memo: PageMemo
  readonly #ports: ReaderPorts
  readonly #idleReaders: ResourceReader[] = []
  readonly #idleScanners: Scanner[] = []

  constructor(settings: ResourceSettings, ports: ReaderPorts, memo: PageMemo = new PageMemo()) {
    this.#settings = settings
    this.#ports = ports
    this.#memo = memo
  }

  /** A reader for this page until its `finish()`, or null when it is none that can be read. */
  readerFor(facts: ResponseFacts): ResourceReader | null {
    const isStylesheet = this.#settings.css && isCss(facts.contentType)
    if (!isStylesheet && !isHtml(facts.contentType)) return null
    const codings = codingsToUndo(facts.contentEncoding)
    if (codings === null) return null
    const reader = this.#idleReaders.pop() ?? new ResourceReader(this, this.#memo, this.#ports)
    reader.begin(facts.url, isStylesheet ? CSS : charsetOf(facts.contentType), codings)
    return reader
  }

  /** For readers: a scanner to give back. */
  takeScanner(charset: string): Scanner {
    if (charset === CSS) return new StylesheetScanner(this.#settings)
    const scanner = this.#idleScanners.pop()
    return scanner ?? new ResourceScanner(this.#settings, this.#ports.loadHtmlLibrary())
  }

  /** For readers: what they no longer need, a scanner and themselves. */
  giveBack(reader: ResourceReader, scanner: Scanner | null): void {
    if (this.#idleReaders.length < POOL_COUNT_MAX) this.#idleReaders.push(reader)
    if (scanner instanceof ResourceScanner && this.#idleScanners.length < POOL_COUNT_MAX) {
      this.#idleScanners.push(scanner)
    }
  }
}

/** Reads one page; a reader that is never finished is simply forgotten. */
export class ResourceReader {
  readonly #owner: ResourceReaders
  readonly #memo: PageMemo
  readonly #ports: ReaderPorts
  #url = ''
  #charset = ''
  #codings: readonly ContentCoding[] = []
  #key = ''
  /** The page that this one has been equal to so far; null once it has not. */
  #known: RememberedPage | null = null
  #knownBytes = 0
  #scanner: Scanner | null = null
  /** Received bytes, to be inflated or remembered. */
  #kept: Uint8Array = new Uint8Array(0)
  #keptBytes = 0
  #keptBytesMax = 0
  #isKeeping = false

  constructor(owner: ResourceReaders, memo: PageMemo, ports: ReaderPorts) {
    this.#owner = owner
    this.#memo = memo
    this.#ports = ports
  }

  begin(url: string, charset: string, codings: readonly ContentCoding[]): void {
    this.#url = url
    this.#charset = charset
    this.#codings = codings
    this.#key = `${codings.join()}\n${charset}\n${url}`
    this.#known = this.#memo.find(this.#key)
    this.#knownBytes = 0
    this.#keptBytes = 0
    if (this.#known === null) this.#beginAnew()
  }

  /** HOT (bench/micro/html.bench.ts). Body bytes as they come, still encoded; they are copied. */
  receive(bytes: Uint8Array, start: number, end: number): void {
    if (this.#known === null) {
      this.#take(bytes, start, end)
      return
    }
    const known = this.#known.bytes
    const nextBytes = this.#knownBytes + end - start
    if (
      nextBytes <= known.length &&
      this.#ports.isSame(known, this.#knownBytes, bytes, start, end)
    ) {
      this.#knownBytes = nextBytes
      return
    }
    this.#giveUpKnown()
    this.#take(bytes, start, end)
  }

  /** The page is complete; the reader is not to be used any more. */
  finish(): PageContents {
    if (this.#known !== null && this.#knownBytes === this.#known.bytes.length) {
      const { contents } = this.#known
      this.#memo.hit(this.#key)
      this.#giveBack()
      return contents
    }
    if (this.#known !== null) this.#giveUpKnown()
    const contents = this.#codings.length === 0 ? this.#scanner!.finish() : this.#scanCompressed()
    const isRemembered = this.#isKeeping && this.#keptBytes <= REMEMBERED_BYTES_MAX
    if (isRemembered && this.#memo.isWorthKeeping(this.#key)) {
      this.#memo.remember(this.#key, this.#kept.slice(0, this.#keptBytes), contents)
    }
    this.#giveBack()
    return contents
  }

  #beginAnew(): void {
    if (this.#codings.length > 0) {
      this.#isKeeping = true
      this.#keptBytesMax = COMPRESSED_BYTES_MAX
      return
    }
    this.#isKeeping = this.#memo.isWorthKeeping(this.#key)
    this.#keptBytesMax = REMEMBERED_BYTES_MAX
    this.#scanner = this.#owner.takeScanner(this.#charset)
    this.#scanner.begin(this.#url, this.#charset)
  }

  #take(bytes: Uint8Array, start: number, end: number): void {
    if (this.#codings.length === 0) this.#scanner!.receive(bytes, start, end)
    if (this.#isKeeping) this.#keep(bytes, start, end)
  }

  /** It was another page after all: goes on as if it had never been compared. */
  #giveUpKnown(): void {
    const known = this.#known!.bytes
    this.#known = null
    this.#memo.miss(this.#key)
    this.#beginAnew()
    this.#take(known, 0, this.#knownBytes)
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    const keptBytes = this.#keptBytes + end - start
    if (keptBytes > this.#keptBytesMax) {
      this.#isKeeping = false
      this.#kept = new Uint8Array(0)
      return
    }
    if (keptBytes > this.#kept.length) {
      const larger = new Uint8Array(Math.max(KEPT_BYTES_START, this.#kept.length * 2, keptBytes))
      larger.set(this.#kept.subarray(0, this.#keptBytes))
      this.#kept = larger
    }
    this.#kept.set(bytes.subarray(start, end), this.#keptBytes)
    this.#keptBytes = keptBytes
  }

  #scanCompressed(): PageContents {
    if (!this.#isKeeping) return nothing
    let bytes: Uint8Array | null = this.#kept.subarray(0, this.#keptBytes)
    for (const coding of this.#codings) {
      bytes = this.#ports.inflate(bytes, coding, PAGE_BYTES_MAX)
      if (bytes === null) return nothing
    }
    this.#scanner = this.#owner.takeScanner(this.#charset)
    this.#scanner.begin(this.#url, this.#charset)
    this.#scanner.receive(bytes, 0, bytes.length)
    return this.#scanner.finish()
  }

  #giveBack(): void {
    const scanner = this.#scanner
    this.#scanner = null
    this.#known = null
    if (this.#kept.length > KEPT_BYTES_POOLED) this.#kept = new Uint8Array(0)
    this.#owner.giveBack(this, scanner)
  }
}
