/**
 * Which fields of a response somebody wants to see.
 *
 * Made once before the run. The parser asks it one question per field line, by the first byte of
 * the name; most lines are answered with 0 and cost nothing more. Fields that decide the framing
 * are in every filter, for the parser itself.
 */
import { COLON, isBlank, latin1Bytes, latin1Text, spells } from './bytes.ts'
import { HeadMemo } from './head-memo.ts'

/** Bits of `HeaderFilter.interest`. */
export const FRAMING_INTEREST = 1
export const READER_INTEREST = 2

const FRAMING_FIRST_LETTERS = 'ckt'

interface WantedName {
  readonly text: string
  readonly bytes: Uint8Array
}

export class HeaderFilter {
  /** Nobody wants to see anything. */
  static readonly none: HeaderFilter = new HeaderFilter([])
  /** Every field is told, at the price of two strings each. */
  static readonly all: HeaderFilter = new HeaderFilter(null)

  /** By the first byte of a line: who may be interested in it, as a sum of the bits above. */
  readonly interest: Uint8Array = new Uint8Array(256)
  /** The last head that was read with this filter. */
  readonly memo: HeadMemo = new HeadMemo()
  readonly #names: readonly WantedName[] | null

  /** `names` in any case; null: all fields. */
  constructor(names: readonly string[] | null) {
    for (const letter of FRAMING_FIRST_LETTERS) this.#mark(letter, FRAMING_INTEREST)
    if (names === null) {
      for (let byte = 0; byte < 256; byte++) this.interest[byte]! |= READER_INTEREST
      this.#names = null
      return
    }
    this.#names = names.map((name) => {
      const text = name.toLowerCase()
      return { text, bytes: latin1Bytes(text) }
    })
    for (const { text } of this.#names) this.#mark(text.charAt(0), READER_INTEREST)
  }

  /**
   * The name of the field line `bytes[start..end)` in lower case, if it is wanted; else undefined.
   * A name from the list is the same string each time.
   */
  wantedName(bytes: Uint8Array, start: number, end: number): string | undefined {
    const names = this.#names
    if (names === null) {
      const nameEnd = nameEndIndex(bytes, start, end)
      return nameEnd === start ? undefined : latin1Text(bytes, start, nameEnd).toLowerCase()
    }
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!
      if (valueIndex(bytes, start, end, name.bytes) >= 0) return name.text
    }
    return undefined
  }

  #mark(letter: string, bit: number): void {
    this.interest[letter.charCodeAt(0)]! |= bit
    this.interest[letter.toUpperCase().charCodeAt(0)]! |= bit
  }
}

/**
 * HOT (bench/micro/parser-response.bench.ts). If the field line `bytes[start..end)` is named
 * `name` (lower case), the index after its colon, else -1. White space before the colon is
 * overlooked, as RFC 9112 section 5.1 wants it for responses.
 */
export function valueIndex(
  bytes: Uint8Array,
  start: number,
  end: number,
  name: Uint8Array,
): number {
  let at = start + name.length
  if (at >= end || !spells(bytes, start, name)) return -1
  while (at < end && isBlank(bytes[at]!)) at++
  return at < end && bytes[at] === COLON ? at + 1 : -1
}

/** The index after the name of a field line; `start` when it has no colon or no name. */
function nameEndIndex(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== COLON) at++
  if (at === end || isBlank(bytes[start]!)) return start
  while (at > start && isBlank(bytes[at - 1]!)) at--
  return at
}
