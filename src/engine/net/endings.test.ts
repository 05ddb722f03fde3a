/** What is told of handshakes that failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tlsEnding } from './endings.ts'

test("tlsEnding() leaves out what Node says of its own options, and OpenSSL's own names", () => {
  const text = (message: string) => tlsEnding(new Error(message), '127.0.0.1:1').text
  assert.equal(text('self-signed certificate'), 'self-signed certificate: 127.0.0.1:1')
  assert.equal(
    text(
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    ),
    'self-signed certificate: 127.0.0.1:1',
  )
  assert.equal(
    text('1234:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:file:1:'),
    'wrong version number: 127.0.0.1:1',
  )
})
