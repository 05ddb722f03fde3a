/** HdrHistogram's V2 encoding against hdr-histogram-js, in both directions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  JsHistogram,
} from 'hdr-histogram-js'
import { nodePacking } from '../../test/support/packing.ts'
import { fc } from '../../test/support/property.ts'
import { decodeHdr, encodeHdr, type HdrCounts, hdrPayload } from './hdr-v2.ts'
import { bucketCountOf, type HistogramDigits, highestValueUs, VALUE_US_MAX } from './histogram.ts'

const digitsKind = fc.constantFrom<HistogramDigits>(2, 3)

const entry = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  // Below 2^53 in all, so that total counts are exact.
  count: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 46 })),
})

/** Counts anywhere in the layout, neighbours and single gaps among them. */
const histogram = fc
  .record({
    digits: digitsKind,
    entries: fc.array(entry, { minLength: 1, maxLength: 100 }),
    isDense: fc.boolean(),
  })
  .map(({ digits, entries, isDense }): HdrCounts => {
    const indexCount = isDense ? 200 : indexCountOf(digits)
    const byIndex = new Map(
      entries.map(({ place, count }) => [Math.floor(place * indexCount), count]),
    )
    const sorted = [...byIndex].sort(([a], [b]) => a - b)
    return {
      digits,
      indexes: Uint32Array.from(sorted, ([index]) => index),
      counts: Float64Array.from(sorted, ([, count]) => count),
    }
  })

/** The last bucket that holds an hour or less is not the layout's last one. */
function indexCountOf(digits: HistogramDigits): number {
  const indexes = Array.from({ length: bucketCountOf(digits) }, (_, index) => index)
  return indexes.filter((index) => index === 0 || highestValueUs(digits, index - 1) < VALUE_US_MAX)
    .length
}

function theirs({ digits, indexes, counts }: HdrCounts): JsHistogram {
  const built = build({
    bitBucketSize: 64,
    highestTrackableValue: VALUE_US_MAX,
    numberOfSignificantValueDigits: digits,
  })
  assert.ok(built instanceof JsHistogram)
  for (const [i, index] of indexes.entries()) {
    built.recordValueWithCount(Math.min(highestValueUs(digits, index), VALUE_US_MAX), counts[i]!)
  }
  return built
}

function payloadOf(text: string): Buffer {
  const compressed = nodePacking.fromBase64(text)!
  return Buffer.from(nodePacking.inflate(compressed.subarray(8), 1e6)!)
}

test('decodeHdr() gives back what encodeHdr() was given', () => {
  fc.assert(
    fc.property(histogram, (original) => {
      assert.deepEqual(decodeHdr(encodeHdr(original, nodePacking), nodePacking), original)
    }),
    { numRuns: 500 },
  )
})

test('hdrPayload() is byte for byte what hdr-histogram-js makes of the same counts', () => {
  fc.assert(
    fc.property(histogram, (original) => {
      const built = theirs(original)
      const ourBytes = Buffer.from(hdrPayload(original))
      const theirBytes = payloadOf(encodeIntoCompressedBase64(built))
      assert.deepEqual(ourBytes.subarray(0, 8), theirBytes.subarray(0, 8))
      assert.deepEqual(ourBytes.subarray(12, 32), theirBytes.subarray(12, 32))
      assert.deepEqual(ourBytes.subarray(40), theirBytes.subarray(40))
    }),
  )
})

test('encodeHdr() is read by hdr-histogram-js, and decodeHdr() reads what that writes', () => {
  fc.assert(
    fc.property(histogram, (original) => {
      const built = theirs(original)
      const decoded = decodeFromCompressedBase64(encodeHdr(original, nodePacking), 64)
      assert.ok(decoded instanceof JsHistogram)
      assert.deepEqual(encodeIntoCompressedBase64(decoded), encodeIntoCompressedBase64(built))
      assert.equal(decoded.totalCount, built.totalCount)
      assert.deepEqual(decodeHdr(encodeIntoCompressedBase64(built), nodePacking), original)
    }),
  )
})

function textOf(change: (payload: DataView) => void): string {
  const original: HdrCounts = {
    digits: 3,
    indexes: Uint32Array.of(0, 7),
    counts: Float64Array.of(1, 2),
  }
  const payload = hdrPayload(original).slice()
  change(new DataView(payload.buffer))
  const packing = { ...nodePacking, deflate: () => nodePacking.deflate(payload) }
  return encodeHdr(original, packing)
}

const farIndex = Uint32Array.of(bucketCountOf(3))
const farText = encodeHdr({ digits: 3, indexes: farIndex, counts: Float64Array.of(1) }, nodePacking)

test('encodeHdr() and decodeHdr() keep no counts and the largest ones', () => {
  const largest = {
    digits: 2,
    indexes: Uint32Array.of(5, bucketCountOf(2) - 1),
    counts: Float64Array.of(Number.MAX_SAFE_INTEGER, 2 ** 50 + 1),
  } as const
  const none = { digits: 3, indexes: new Uint32Array(), counts: new Float64Array() } as const
  for (const original of [largest, none]) {
    assert.deepEqual(decodeHdr(encodeHdr(original, nodePacking), nodePacking), original)
  }
})

test('decodeHdr() says what is wrong with a text that is none', () => {
  const whole = textOf(() => {})
  const compressed = Buffer.from(whole, 'base64')
  compressed[20]! ^= 0xff
  for (const [text, isWrong] of [
    ['***', 'it is no base64'],
    ['', 'it is cut short'],
    [whole.slice(0, 20), 'it is cut short'],
    ['AAAAAAAAAAAAAAAA', 'it is not in the compressed V2 form of HdrHistogram'],
    [compressed.toString('base64'), 'it cannot be decompressed'],
    [textOf((payload) => payload.setInt32(0, 1)), 'it is not in the V2 form of HdrHistogram'],
    [textOf((payload) => payload.setInt32(4, 99)), 'it is cut short'],
    [textOf((payload) => payload.setInt32(12, 5)), 'it has 5 digits, not 2 or 3'],
    [textOf((payload) => payload.setInt32(20, 2)), 'its unit is not a microsecond'],
    [textOf((payload) => payload.setUint8(payload.byteLength - 1, 0x84)), 'it is cut short'],
    [farText, 'it has values above an hour'],
  ] as const) {
    assert.deepEqual(decodeHdr(text, nodePacking), { isWrong }, isWrong)
  }
})

test('decodeHdr() never throws and stays within the layout, whatever the payload says', () => {
  const payload = fc.uint8Array({ maxLength: 60 })
  fc.assert(
    fc.property(payload, (bytes) => {
      const header = payloadOf(textOf(() => {})).subarray(0, 40)
      header.writeInt32BE(bytes.length, 4)
      const deflate = () => nodePacking.deflate(Buffer.concat([header, bytes]))
      const empty = { digits: 3, indexes: new Uint32Array(), counts: new Float64Array() } as const
      const read = decodeHdr(encodeHdr(empty, { ...nodePacking, deflate }), nodePacking)
      if ('isWrong' in read) return
      assert.ok(read.indexes.every((index) => index < bucketCountOf(3)))
      assert.ok(read.counts.every((count) => Number.isSafeInteger(count) && count > 0))
    }),
  )
})

test('decodeHdr() does not inflate what is far larger than any histogram', () => {
  const deflate = () => nodePacking.deflate(new Uint8Array(50_000_000))
  const empty = { digits: 3, indexes: new Uint32Array(), counts: new Float64Array() } as const
  const text = encodeHdr(empty, { ...nodePacking, deflate })
  assert.deepEqual(decodeHdr(text, nodePacking), { isWrong: 'it cannot be decompressed' })
})
