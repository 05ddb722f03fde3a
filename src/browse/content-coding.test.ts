/** What Content-Type and Content-Encoding say, in the forms that servers write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charsetOf, codingsToUndo, isHtml } from './content-coding.ts'

test('codingsToUndo() undoes the last coding first and leaves identity out', () => {
  assert.deepEqual(codingsToUndo(''), [])
  assert.deepEqual(codingsToUndo('identity'), [])
  assert.deepEqual(codingsToUndo('gzip'), ['gzip'])
  assert.deepEqual(codingsToUndo(' X-GZip '), ['gzip'])
  assert.deepEqual(codingsToUndo('deflate, br'), ['br', 'deflate'])
  assert.deepEqual(codingsToUndo('gzip,identity,,br'), ['br', 'gzip'])
})

test('codingsToUndo() gives up on codings nobody here can undo, and on too many', () => {
  for (const value of ['zstd', 'compress', 'gzip, dcb', 'gzip;q=1', '"gzip"', 'constructor']) {
    assert.equal(codingsToUndo(value), null, value)
  }
  assert.equal(codingsToUndo('gzip, gzip, gzip, gzip, gzip'), null)
})

test('isHtml() takes text/html in any case with parameters, and nothing that only looks like it', () => {
  for (const value of ['text/html', 'Text/HTML', 'text/html;charset=utf-8', ' text/html ; a=b']) {
    assert.equal(isHtml(value), true, value)
  }
  for (const value of ['', 'text/htmlx', 'text/plain', 'application/xhtml+xml', 'a;text/html']) {
    assert.equal(isHtml(value), false, value)
  }
})

test('charsetOf() reads the parameter with and without quotes, and only that one', () => {
  assert.equal(charsetOf('text/html; charset=UTF-8'), 'utf-8')
  assert.equal(charsetOf('text/html;charset="ISO-8859-1"'), 'iso-8859-1')
  assert.equal(charsetOf("text/html; a=b; Charset = 'koi8-r'; c=d"), 'koi8-r')
  assert.equal(charsetOf('text/html; xcharset=a'), '')
  assert.equal(charsetOf('text/html'), '')
})
