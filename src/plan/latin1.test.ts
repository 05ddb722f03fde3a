/** That bytes survive the way into text and back, whatever they encode. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import {
  bytesFromLatin1,
  latin1FromBytes,
  latin1FromText,
  quotedLatin1,
  textFromLatin1,
  trimEndLatin1,
  trimStartLatin1,
} from './latin1.ts'

test('latin1FromBytes() and bytesFromLatin1() are each other’s reverse for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.deepEqual(bytesFromLatin1(latin1FromBytes(bytes)), bytes)
    }),
  )
  // Longer than one call of fromCharCode takes.
  const long = Uint8Array.from({ length: 1_000_003 }, (_, index) => index % 256)
  assert.deepEqual(bytesFromLatin1(latin1FromBytes(long)), long)
  assert.equal(latin1FromBytes(long, 97, 100), 'abc')
})

test('latin1FromText() and textFromLatin1() are each other’s reverse for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(textFromLatin1(latin1FromText(text)), text)
    }),
  )
  assert.equal(latin1FromText('é'), '\xc3\xa9')
})

test('trimStartLatin1() and trimEndLatin1() leave the byte 0xA0 alone: it may end an à', () => {
  const text = latin1FromText('à')
  assert.equal(trimEndLatin1(`${text} \t\r\n`), text)
  assert.equal(trimStartLatin1(` \t\xa0x`), '\xa0x')
  assert.equal(trimEndLatin1(' \t '), '')
  assert.equal(trimStartLatin1(' \t '), '')
})

test('quotedLatin1() is short, readable and on one line', () => {
  assert.equal(quotedLatin1(latin1FromText('Zoë\n\0')), '"Zoë\\x0a\\x00"')
  assert.equal(quotedLatin1('x'.repeat(1_000_000)), `"${'x'.repeat(57)}..."`)
})
