/**
 * Finds again the `http://host:port` that a line of bytes begins with, without making a string.
 *
 * It knows prefixes only by where they stand in the bytes of the list being read, and only those
 * that were understood once; what they mean is the caller's affair. Its size is bounded: a list of
 * more hosts is still read right, only slower.
 */

const PREFIX_COUNT_MAX = 4096
const COLON = 0x3a
const SLASH = 0x2f
const LINE_FEED = 0x0a

interface Entry {
  readonly start: number
  readonly end: number
  readonly originIndex: number
}

/** The prefix of no line: an empty one would be that of every line with a path alone. */
const NO_ENTRY: Entry = { start: 0, end: 0, originIndex: -1 }

export class PrefixTable {
  /** Where the path begins in the line that `find()` found the prefix of. */
  pathStart = 0
  readonly #bytes: Uint8Array
  readonly #entries: Map<number, Entry[]> = new Map()
  #last: Entry = NO_ENTRY
  #count = 0
  #hash = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /**
   * The origin index of the prefix of the line that starts at `start`, or -1 if it is not known.
   * HOT (bench/micro/url-list.bench.ts): once per line of a list of millions.
   */
  find(start: number): number {
    // Most neighbours have the same prefix: one comparison instead of hash and comparison.
    if (this.#begins(this.#last, start)) return this.#found(this.#last, start)
    const end = this.#scan(start)
    if (end === -1) return -1
    const entries = this.#entries.get(this.#hash)
    if (entries === undefined) return -1
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]!
      if (this.#begins(entry, start)) return this.#found(entry, start)
    }
    return -1
  }

  /** Makes the bytes from `start` to the first `/` of the path known, unless they are already. */
  add(start: number, originIndex: number): void {
    if (this.#count === PREFIX_COUNT_MAX || this.find(start) !== -1) return
    const end = this.#scan(start)
    if (end === -1) return
    const entries = this.#entries.get(this.#hash) ?? []
    entries.push({ start, end, originIndex })
    this.#entries.set(this.#hash, entries)
    this.#count++
  }

  /** Hashes up to the first `/` that is not part of `://` (FNV-1a); -1 if the line has none. */
  #scan(start: number): number {
    const bytes = this.#bytes
    const bytesEnd = bytes.length
    let hash = 0x811c9dc5
    let at = start
    let isFirstSlash = true
    while (at < bytesEnd) {
      const byte = bytes[at]!
      if (byte === LINE_FEED) return -1
      if (byte === SLASH) {
        const isScheme =
          isFirstSlash && at > start && bytes[at - 1] === COLON && bytes[at + 1] === SLASH
        if (!isScheme) {
          this.#hash = hash
          return at
        }
        isFirstSlash = false
        at++
      }
      hash = Math.imul(hash ^ byte, 0x01000193)
      at++
    }
    return -1
  }

  #found(entry: Entry, start: number): number {
    this.#last = entry
    this.pathStart = start + entry.end - entry.start
    return entry.originIndex
  }

  /** Whether the line at `start` begins with this prefix and a path follows. */
  #begins(entry: Entry, start: number): boolean {
    const bytes = this.#bytes
    const { end } = entry
    let known = entry.start
    let at = start
    while (known < end && bytes[known] === bytes[at]) {
      known++
      at++
    }
    return known === end && known > 0 && bytes[at] === SLASH
  }
}
