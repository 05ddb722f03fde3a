/** The readers as a thread gets them, with Node's own means. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { nodePageReaders } from './page-readers.ts'

const require = createRequire(import.meta.url)
const isLibraryLoaded = () => require.resolve('./html-library.js') in require.cache

const settings = {
  noFollowHosts: ['ads.test'],
  onlySameOrigin: false,
  srcset: false,
  preloadsAndIcons: false,
  css: false,
  // What belongs to the plan and not to pages is no hindrance.
  parallelCount: 6,
}

const url = 'http://s.test/'
const page = '<img src=a.png><img src=http://ads.test/x><meta http-equiv=refresh content="0;b">'
const contents = { resourceUrls: ['http://s.test/a.png'], refreshUrl: 'http://s.test/b' }

test('nodePageReaders() load the tokenizer with the first page, and read all codings', () => {
  const readers = nodePageReaders(settings)
  assert.equal(readers.readerFor({ url, contentType: 'image/png', contentEncoding: '' }), null)
  assert.equal(isLibraryLoaded(), false)
  for (const [contentEncoding, bytes] of [
    ['', Buffer.from(page)],
    ['gzip', zlib.gzipSync(page)],
    ['deflate', zlib.deflateSync(page)],
    ['deflate', zlib.deflateRawSync(page)],
    ['br', zlib.brotliCompressSync(page)],
  ] as const) {
    for (let visit = 0; visit < 2; visit++) {
      const reader = readers.readerFor({ url, contentType: 'text/html', contentEncoding })
      reader?.receive(bytes, 0, 10)
      reader?.receive(bytes, 10, bytes.length)
      assert.deepEqual(
        reader?.finish(() => assert.fail()),
        contents,
        contentEncoding,
      )
    }
  }
  assert.equal(isLibraryLoaded(), true)
})
