/** siege's escaping by its table, and the laws it keeps for any bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { latin1FromText } from './latin1.ts'
import { escapeUrl, isUrlByteKept, unescapeUrl } from './url-escape.ts'

const anyBytes = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constant(0x25), fc.integer({ min: 48, max: 70 })),
  )
  .map((codes) => String.fromCharCode(...codes))

const rows: [reason: string, text: string, escaped: string][] = [
  ['reserved characters stay', '/a#b&c/d:e;f=g?h@i+j[k]', '/a#b&c/d:e;f=g?h@i+j[k]'],
  ['siege escapes what is unsafe', '/ "<>\\^`{|}~', '/%20%22%3C%3E%5C%5E%60%7B%7C%7D%7E'],
  ['control characters', '/\0\t\x1f\x7f', '/%00%09%1F%7F'],
  ['bytes of UTF-8', latin1FromText('/é✓'), '/%C3%A9%E2%9C%93'],
  ['a needless escape is undone', '/%41%7a%30%2D%2E%5F', '/Az0-._'],
  ['an escape with a meaning stays, in its case', '/%20%2F%2f%7E%25%3d', '/%20%2F%2f%7E%25%3d'],
  ['sub-delimiters may mean something else escaped', '/%21%24%2C', '/%21%24%2C'],
  ['a percent sign alone', '/100%', '/100%25'],
  ['a percent sign before no digits', '/%zz%4', '/%25zz%254'],
  ['a percent sign before an escape', '/%%41', '/%25A'],
  ['undoing makes no new escape', '/%4%31', '/%2541'],
  ['nothing', '', ''],
]

for (const [reason, text, escaped] of rows) {
  test(`escapeUrl() of ${JSON.stringify(text)}: ${reason}`, () => {
    assert.equal(escapeUrl(text), escaped)
  })
}

test('escapeUrl() is idempotent and leaves only bytes fit for a request line', () => {
  fc.assert(
    fc.property(anyBytes, (text) => {
      const once = escapeUrl(text)
      assert.equal(escapeUrl(once), once)
      assert.match(once, /^[!-~]*$/)
    }),
  )
})

test('escapeUrl() changes no byte of what the URL means', () => {
  fc.assert(
    fc.property(anyBytes, (text) => {
      assert.equal(unescapeUrl(escapeUrl(text)), unescapeUrl(text))
    }),
  )
})

test('isUrlByteKept() is true for a byte exactly if it stays alone, `#` aside', () => {
  for (let byte = 0; byte < 256; byte++) {
    const character = String.fromCharCode(byte)
    const stays = escapeUrl(character) === character && character !== '#'
    assert.equal(isUrlByteKept(byte), stays, `byte ${byte}`)
  }
})
