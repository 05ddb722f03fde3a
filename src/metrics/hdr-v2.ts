/**
 * Histograms in HdrHistogram's own V2 encoding, so that its plotters and libraries read ours.
 *
 * The payload is a header of 40 bytes and the counts as ZigZag LEB128 numbers, a negative one
 * standing for that many empty buckets. Around it: zlib, a header of 8 bytes, base64. Our buckets
 * are HdrHistogram's for 1 µs to 1 h, so nothing is converted. What the format has no room for
 * (exact minimum, maximum and sums) is kept beside it by `result/result-file.ts`.
 */
import { invariant } from '../base/errors.ts'
import { bucketCountOf, type HistogramDigits, VALUE_US_MAX } from './histogram.ts'

/** Handed in by whoever has a library for them. */
export interface Packing {
  /** A zlib stream (RFC 1950). */
  deflate(bytes: Uint8Array): Uint8Array
  /** Null: it is no zlib stream, or holds more than `byteCountMax`. */
  inflate(bytes: Uint8Array, byteCountMax: number): Uint8Array | null
  toBase64(bytes: Uint8Array): string
  /** Null: it is no base64. */
  fromBase64(text: string): Uint8Array | null
}

/** The counts of a histogram: ascending HdrHistogram indexes and, beside them, their counts. */
export interface HdrCounts {
  readonly digits: HistogramDigits
  readonly indexes: Uint32Array
  readonly counts: Float64Array
}

export type HdrReading = HdrCounts | { readonly isWrong: string }

/** V2, with the bit that says that counts are ZigZag LEB128. */
const COOKIE = 0x1c849313
const COMPRESSED_COOKIE = 0x1c849314
const HEADER_BYTES = 40
const COMPRESSED_HEADER_BYTES = 8
/** A count, and the run of empty buckets before it. */
const ENTRY_BYTES_MAX = 8 + 3
/** As many single counts as there can be, at the nine bytes that the longest number takes. */
const PAYLOAD_BYTES_MAX = HEADER_BYTES + 9 * bucketCountOf(3)

/** The text form that `decodeFromCompressedBase64` and its siblings of other languages read. */
export function encodeHdr(histogram: HdrCounts, packing: Packing): string {
  const deflated = packing.deflate(hdrPayload(histogram))
  const bytes = new Uint8Array(COMPRESSED_HEADER_BYTES + deflated.length)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, COMPRESSED_COOKIE)
  view.setInt32(4, deflated.length)
  bytes.set(deflated, COMPRESSED_HEADER_BYTES)
  return packing.toBase64(bytes)
}

/** Whatever the text: counts of our layout, or what is wrong with it. */
export function decodeHdr(text: string, packing: Packing): HdrReading {
  const bytes = packing.fromBase64(text)
  if (bytes === null) return { isWrong: 'it is no base64' }
  if (bytes.length < COMPRESSED_HEADER_BYTES) return { isWrong: 'it is cut short' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getInt32(0) !== COMPRESSED_COOKIE) {
    return { isWrong: 'it is not in the compressed V2 form of HdrHistogram' }
  }
  const end = COMPRESSED_HEADER_BYTES + view.getInt32(4)
  if (end !== bytes.length) return { isWrong: 'it is cut short' }
  const payload = packing.inflate(bytes.subarray(COMPRESSED_HEADER_BYTES), PAYLOAD_BYTES_MAX)
  if (payload === null) return { isWrong: 'it cannot be decompressed' }
  return readPayload(payload)
}

/** The V2 encoding before compression. */
export function hdrPayload({ digits, indexes, counts }: HdrCounts): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + indexes.length * ENTRY_BYTES_MAX)
  let at = HEADER_BYTES
  let next = 0
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i]!
    const emptyCount = index - next
    if (emptyCount === 1) at = putNumber(bytes, at, 0)
    else if (emptyCount > 1) at = putNumber(bytes, at, emptyCount * 2 - 1)
    const count = counts[i]!
    invariant(count > 0 && Number.isSafeInteger(count), 'a count is a whole number above 0')
    at = putNumber(bytes, at, count * 2)
    next = index + 1
  }
  const view = new DataView(bytes.buffer)
  view.setInt32(0, COOKIE)
  view.setInt32(4, at - HEADER_BYTES)
  view.setInt32(8, 0)
  view.setInt32(12, digits)
  setInt64(view, 16, 1)
  setInt64(view, 24, VALUE_US_MAX)
  view.setFloat64(32, 1)
  return bytes.subarray(0, at)
}

function readPayload(bytes: Uint8Array): HdrReading {
  if (bytes.length < HEADER_BYTES) return { isWrong: 'it is cut short' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getInt32(0) !== COOKIE) return { isWrong: 'it is not in the V2 form of HdrHistogram' }
  if (view.getInt32(4) !== bytes.length - HEADER_BYTES) return { isWrong: 'it is cut short' }
  const digits = view.getInt32(12)
  if (digits !== 2 && digits !== 3) return { isWrong: `it has ${digits} digits, not 2 or 3` }
  // Index offset and conversion ratio are left alone: libraries differ in what they write there.
  if (view.getBigInt64(16) !== 1n) return { isWrong: 'its unit is not a microsecond' }
  return readCounts(bytes, digits)
}

function readCounts(bytes: Uint8Array, digits: HistogramDigits): HdrReading {
  const indexes: number[] = []
  const counts: number[] = []
  const bucketCount = bucketCountOf(digits)
  let at = HEADER_BYTES
  let index = 0
  while (at < bytes.length) {
    let zigZag = 0
    let scale = 1
    for (let isLast = false; !isLast; ) {
      const byte = bytes[at++]
      if (byte === undefined) return { isWrong: 'it is cut short' }
      // The ninth byte, unlike those before it, holds eight bits.
      isLast = byte < 128 || scale === 2 ** 56
      zigZag += (scale === 2 ** 56 ? byte : byte % 128) * scale
      scale *= 128
    }
    if (zigZag % 2 === 1) {
      index += (zigZag + 1) / 2
    } else {
      const count = zigZag / 2
      if (count > Number.MAX_SAFE_INTEGER) return { isWrong: 'one of its counts is too large' }
      if (index >= bucketCount) return { isWrong: 'it has values above an hour' }
      if (count > 0) {
        indexes.push(index)
        counts.push(count)
      }
      index++
    }
  }
  return { digits, indexes: Uint32Array.from(indexes), counts: Float64Array.from(counts) }
}

/** LEB128 of a number below 2^56, whose bit operations doubles do not have. Gives the next place. */
function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let rest = number
  let end = at
  while (rest >= 128) {
    bytes[end++] = (rest % 128) + 128
    rest = Math.floor(rest / 128)
  }
  bytes[end++] = rest
  return end
}

function setInt64(view: DataView, at: number, value: number): void {
  view.setUint32(at, Math.floor(value / 2 ** 32))
  view.setUint32(at + 4, value % 2 ** 32)
}
