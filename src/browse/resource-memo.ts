/**
 * Remembers pages with what was found in them, so that the next user's same page is not scanned.
 *
 * A page is the same when every byte received is the same, which is compared as it streams in: no
 * hash that could lie, nothing kept per reader while the page agrees, and at the first difference
 * the part that agreed is there to be scanned after all. It knows nothing of what contents are
 * beyond that they are handed out again. Bounded by bytes; the page longest unused goes first.
 */
import type { PageContents } from './resource-list.ts'

/** Whether `stored`, from `at` on, holds the bytes `start..end` of `bytes`; it is long enough. */
export type SameBytes = (
  stored: Uint8Array,
  at: number,
  bytes: Uint8Array,
  start: number,
  end: number,
) => boolean

export interface RememberedPage {
  readonly bytes: Uint8Array
  readonly contents: PageContents
}

/** Larger pages are scanned each time. */
export const REMEMBERED_BYTES_MAX = 1_048_576
const MEMO_BYTES_MAX = 33_554_432
/** What an entry costs beside its bytes; with the bound above it limits small pages as well. */
const ENTRY_BYTES = 1_024
/** A page that was different so often in a row is made anew each time: no more copies of it. */
const MISS_COUNT_MAX = 8

interface Entry {
  page: RememberedPage | null
  bytes: number
  missCount: number
}

export class PageMemo {
  readonly #bytesMax: number
  /** In the order of use. */
  readonly #entries: Map<string, Entry> = new Map()
  #bytes = 0

  constructor(bytesMax: number = MEMO_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** Of the entries together. */
  get bytes(): number {
    return this.#bytes
  }

  /** The page last remembered under this key. */
  find(key: string): RememberedPage | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.page
  }

  /** Whether it is worth keeping the bytes of a page of this key for `remember()`. */
  isWorthKeeping(key: string): boolean {
    return (this.#entries.get(key)?.missCount ?? 0) < MISS_COUNT_MAX
  }

  /** The page that `find()` gave was the same again. */
  hit(key: string): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) entry.missCount = 0
  }

  /** The page that `find()` gave was another one. */
  miss(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined || ++entry.missCount < MISS_COUNT_MAX) return
    this.#bytes -= entry.bytes
    entry.page = null
    entry.bytes = ENTRY_BYTES + key.length
    this.#bytes += entry.bytes
  }

  /** Takes the bytes over. */
  remember(key: string, bytes: Uint8Array, contents: PageContents): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#forget(key, before)
    const entry = {
      page: { bytes, contents },
      bytes: ENTRY_BYTES + key.length + bytes.length + weightOf(contents),
      missCount: before?.missCount ?? 0,
    }
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const [oldKey, old] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      this.#forget(oldKey, old)
    }
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

/** About the bytes that a list of URLs occupies. */
function weightOf(contents: PageContents): number {
  let bytes = contents.refreshUrl?.length ?? 0
  for (const url of contents.resourceUrls) bytes += url.length + 32
  return bytes
}
