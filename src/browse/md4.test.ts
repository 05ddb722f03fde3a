/** MD4 by the test suite of RFC 1320, and NTLM's own vector. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexText, latin1Bytes } from './auth-text.ts'
import { md4 } from './md4.ts'
import { utf16Bytes } from './ntlm-message.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** RFC 1320, appendix A.5. */
const vectors: readonly (readonly [text: string, digest: string])[] = [
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['message digest', 'd9130a8164549fe818874806e1c7014b'],
  [LETTERS, 'd79e1c308aa5bbcdeea8ed63df412da9'],
  [`${LETTERS.toUpperCase()}${LETTERS}0123456789`, '043f8582f241db351ce627e153e7f0e4'],
  ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
]

for (const [text, digest] of vectors) {
  test(`md4() of ${text.length} bytes is what RFC 1320 says`, () => {
    assert.equal(hexText(md4(latin1Bytes(text))), digest)
  })
}

test('md4() makes the password hash of MS-NLMP 4.2.2.1.2', () => {
  assert.equal(hexText(md4(utf16Bytes('Password'))), 'a4f49c406510bdcab6824ee7c30fd852')
})

test('md4() takes every length around the end of a block', () => {
  const digests = new Set<string>()
  for (let byteCount = 50; byteCount < 140; byteCount++) {
    digests.add(hexText(md4(new Uint8Array(byteCount))))
  }
  assert.equal(digests.size, 90)
})
