/**
 * Histograms in result files: HdrHistogram's V2 form and, beside it, what that has no room for.
 * Null stands for one that counted nothing.
 */
import { decodeHdr, encodeHdr, type Packing } from '../metrics/hdr-v2.ts'
import {
  emptyHistogramSnapshot,
  type HistogramDigits,
  type HistogramSnapshot,
} from '../metrics/histogram.ts'
import { type JsonNode, WrongJson } from './json-node.ts'

export interface HistogramJson {
  readonly hdr: string
  readonly minNs: number
  readonly maxNs: number
  readonly sumNs: number
  readonly squareSumNs2: number
  /** Values above an hour; absent: none. */
  readonly clampedCount?: number
}

/**
 * Buckets in one file, of all histograms together, that are not yet a sign of ill will: a few bytes
 * can stand for thousands of them.
 */
const BUCKET_COUNT_MAX = 40_000_000

export function histogramJson(snapshot: HistogramSnapshot, packing: Packing): HistogramJson | null {
  if (snapshot.totalCount === 0) return null
  const { minNs, maxNs, sumNs, squareSumNs2, clampedCount } = snapshot
  return {
    hdr: encodeHdr(snapshot, packing),
    minNs,
    maxNs,
    sumNs,
    squareSumNs2,
    ...(clampedCount === 0 ? {} : { clampedCount }),
  }
}

/** Reads the histograms of one file. */
export class HistogramReader {
  readonly #packing: Packing
  #bucketCount = 0

  constructor(packing: Packing) {
    this.#packing = packing
  }

  /** @throws {WrongJson} */
  read(node: JsonNode, digits: HistogramDigits): HistogramSnapshot {
    return node.orNull((filled) => this.#filled(filled, digits)) ?? emptyHistogramSnapshot(digits)
  }

  #filled(node: JsonNode, digits: HistogramDigits): HistogramSnapshot {
    const read = decodeHdr(node.field('hdr').text(), this.#packing)
    const fail = (text: string): never => {
      throw new WrongJson(node.place, text)
    }
    if ('isWrong' in read) return fail(`is no histogram: ${read.isWrong}`)
    if (read.digits !== digits) return fail(`has ${read.digits} digits, not ${digits}`)
    const { indexes, counts } = read
    this.#bucketCount += indexes.length
    if (this.#bucketCount > BUCKET_COUNT_MAX) return fail('is one histogram too many')
    const totalCount = counts.reduce((sum, count) => sum + count, 0)
    if (totalCount === 0) return fail('is a histogram of nothing, for which null stands')
    if (!Number.isSafeInteger(totalCount)) return fail('holds more values than can be counted')
    const minNs = node.field('minNs').amount()
    const maxNs = node.field('maxNs').amount()
    const sumNs = node.field('sumNs').amount()
    if (minNs > maxNs || maxNs > sumNs) return fail('has a minimum, maximum and sum that disagree')
    return {
      digits,
      totalCount,
      clampedCount: node.optional('clampedCount')?.count() ?? 0,
      minNs,
      maxNs,
      sumNs,
      squareSumNs2: node.field('squareSumNs2').amount(),
      indexes,
      counts,
    }
  }
}
