/** Decoding in pieces: the platform's decoder over the whole is the judge of every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { PageDecoder } from './html-charset.ts'

const decoder = new PageDecoder()

function decoded(charset: string, pieces: readonly Uint8Array[]): string {
  decoder.begin(charset)
  return pieces.map((piece) => decoder.decode(piece)).join('') + decoder.finish()
}

/** Characters of every length, halves of them, marks and bytes that are in none. */
const bytesOf = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'é', '€', '😀', '\ufeff', '\0').map((text) => Buffer.from(text)),
      fc.constantFrom([0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xff]).map(Buffer.from),
      fc.uint8Array({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(Buffer.concat(parts)))

test('PageDecoder gives for every split what TextDecoder gives for the whole', () => {
  const charsets = ['', 'utf-8', 'utf8', 'latin1', 'utf-16le', 'shift_jis']
  fc.assert(
    fc.property(bytesOf, fc.constantFrom(...charsets), fc.nat(40), (bytes, charset, cut) => {
      // As a stream: Node 20 takes a whole text in latin1 for ISO 8859-1, which no browser does.
      const judge = new TextDecoder(charset === '' ? 'utf-8' : charset)
      const whole = judge.decode(bytes, { stream: true }) + judge.decode()
      assert.equal(decoded(charset, [bytes]), whole)
      assert.equal(decoded(charset, [bytes.subarray(0, cut), bytes.subarray(cut)]), whole)
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
      assert.equal(decoded(charset, single), whole)
    }),
    { numRuns: 5_000 },
  )
})

test('PageDecoder takes UTF-8 for a label that no encoding has', () => {
  assert.equal(decoded('nonsense', [Buffer.from('é')]), 'é')
})

test('PageDecoder forgets a page that was given up in the middle of a character', () => {
  for (const charset of ['utf-8', 'shift_jis']) {
    decoder.begin(charset)
    decoder.decode(Uint8Array.of(0xe2, 0x82))
    assert.equal(decoded(charset, [Buffer.from('a')]), 'a')
  }
})
