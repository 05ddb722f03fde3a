/**
 * The seam to whoever finds out what a page consists of.
 *
 * The tokenizer behind it is a library that is loaded only when a page is met, so readers are made
 * by a factory that may have to load it first.
 */

/** What the head of a response says about the page behind it. */
export interface PageFacts {
  readonly url: string
  readonly contentType: string
  readonly contentEncoding: string
}

export interface PageContents {
  /** Absolute URLs without fragments, in document order, each once. */
  readonly resourceUrls: readonly string[]
  /** Where the page sends its visitor; null: it does not. */
  readonly refreshUrl: string | null
}

export const emptyPage: PageContents = { resourceUrls: [], refreshUrl: null }

/** Reads one page; pooled by the factory. */
export interface PageReader {
  /** HOT (bench/micro/html.bench.ts). Body bytes as they come, still encoded. */
  receive(bytes: Uint8Array, start: number, end: number): void
  /**
   * The page is complete. Answers at once where it can; where the tokenizer has yet to be loaded,
   * `later` is called with the answer afterwards and null is returned.
   */
  finish(later: (contents: PageContents) => void): PageContents | null
}

export interface PageReaderFactory {
  /** A reader for this page, or null when it is none that can be read. */
  readerFor(facts: PageFacts): PageReader | null
}
