/** A form's requests are those that the encoder makes, however they are filled in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { latin1Bytes, latin1Text } from './bytes.ts'
import { RequestEncoder, type RequestField, spliceDynamic } from './h1-request.ts'
import { RequestForm } from './request-form.ts'

const fields: readonly RequestField[] = [
  { kind: 'host', name: 'Host' },
  { kind: 'fixed', name: 'Accept', value: '*/*' },
  { kind: 'dynamic' },
  { kind: 'fixed', name: 'Connection', value: 'keep-alive' },
  { kind: 'content-type', name: 'Content-Type', fallback: 'text/plain' },
  { kind: 'content-length', name: 'Content-Length' },
]

test('RequestForm.write() writes what the encoder encodes and spliceDynamic() splices', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE'),
      fc.subarray([...fields], { minLength: 0 }),
      fc.array(
        fc.record({
          target: fc.stringMatching(/^\/[!-~\x80-\xff]{0,40}$/),
          lines: fc.constantFrom('', 'X-A: b\r\n', 'X-A: b\r\nAuthorization: Bearer x\r\n'),
          dynamic: fc.constantFrom('', 'Cookie: a=b\r\n'),
          body: fc.option(fc.uint8Array({ minLength: 0, maxLength: 200 })),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      (method, head, entries) => {
        const encoder = new RequestEncoder('1.1', head)
        const common = { method, authority: 'a.test:81', contentType: null }
        const form = new RequestForm(encoder, common)
        for (const { target, lines, dynamic, body } of entries) {
          const whole = encoder.encode({ ...common, requestTarget: target, body })
          const added = latin1Bytes(lines + dynamic)
          const expected = new Uint8Array(whole.bytes.length + added.length)
          spliceDynamic(whole, added, expected)
          const entry = { requestTarget: target, lines, body }
          const byteCount = form.byteCount(entry, latin1Bytes(dynamic))
          const written = new Uint8Array(byteCount + 1).fill(7)
          assert.equal(form.write(entry, latin1Bytes(dynamic), written), byteCount)
          assert.equal(latin1Text(written, 0, byteCount), latin1Text(expected, 0, expected.length))
          assert.equal(written[byteCount], 7)
          assert.equal(form.isHead, whole.isHead)
          assert.equal(form.isIdempotent, whole.isIdempotent)
        }
      },
    ),
  )
})

test('RequestForm keeps heads for a bounded number of lengths, and stays right', () => {
  const encoder = new RequestEncoder('1.1', fields)
  const common = { method: 'POST', authority: 'a.test', contentType: 'application/json' }
  const form = new RequestForm(encoder, common)
  const into = new Uint8Array(4096)
  for (let length = 0; length < 300; length++) {
    const body = new Uint8Array(length).fill(0x61)
    const count = form.write({ requestTarget: '/', lines: '', body }, new Uint8Array(0), into)
    const text = latin1Text(into, 0, count)
    assert.match(text, new RegExp(`\\r\\nContent-Length: ${length}\\r\\n\\r\\na{${length}}$`))
  }
})

for (const target of ['', '/a b', '/\n', '/\x7f', '/\u0100']) {
  test(`RequestForm.write() refuses the target ${JSON.stringify(target)}`, () => {
    const common = { method: 'GET', authority: 'a.test', contentType: null }
    const form = new RequestForm(new RequestEncoder('1.1', fields), common)
    const entry = { requestTarget: target, lines: '', body: null }
    const into = new Uint8Array(4096)
    assert.throws(() => form.write(entry, new Uint8Array(0), into), { code: 'E_BUG' })
  })
}
