/** The same answer for the same text, however often it is asked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedUrl } from './parsed-url.ts'

test('parsedUrl() knows a name beyond ASCII after any number of calls', () => {
  for (let call = 0; call < 20_000; call++) {
    assert.equal(parsedUrl('http://m\u00fcnchen.test/')?.hostname, 'xn--mnchen-3ya.test')
  }
})

test('parsedUrl() gives null for what is no URL', () => {
  assert.equal(parsedUrl('no url'), null)
  assert.equal(parsedUrl('http://[::g]/'), null)
  assert.equal(parsedUrl('http://\u00fc ber/'), null)
  assert.equal(parsedUrl('x', 'http://h/a/b')?.href, 'http://h/a/x')
})
