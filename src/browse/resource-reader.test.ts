/**
 * Pages as they come off the wire: encoded, in pieces, again and again, equal or not quite.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import * as htmlparser2 from 'htmlparser2'
import { fc } from '../../test/support/property.ts'
import type { PageContents, ResourceSettings } from './resource-list.ts'
import { COMPRESSED_BYTES_MAX, type ReaderPorts, ResourceReaders } from './resource-reader.ts'

const settings: ResourceSettings = {
  noFollowHosts: [],
  onlySameOrigin: false,
  srcset: false,
  preloadsAndIcons: false,
  css: false,
}

const inflates = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: (bytes: Uint8Array, options: zlib.ZlibOptions) => zlib.brotliDecompressSync(bytes, options),
}

/** Counts what is asked of the ports. */
class Ports implements ReaderPorts {
  loadCount = 0
  inflateCount = 0
  comparedBytes = 0

  readonly loadHtmlLibrary: ReaderPorts['loadHtmlLibrary'] = () => {
    this.loadCount++
    return htmlparser2
  }

  readonly isSame: ReaderPorts['isSame'] = (stored, at, bytes, start, end) => {
    this.comparedBytes += end - start
    return Buffer.compare(stored.subarray(at, at + end - start), bytes.subarray(start, end)) === 0
  }

  readonly inflate: ReaderPorts['inflate'] = (bytes, coding, maxOutputLength) => {
    this.inflateCount++
    try {
      return inflates[coding](bytes, { maxOutputLength })
    } catch {
      // Broken or too large, which is what the port answers null for.
      return null
    }
  }
}

function setUp(): { ports: Ports; readers: ResourceReaders } {
  const ports = new Ports()
  return { ports, readers: new ResourceReaders(settings, ports) }
}

interface Page {
  readonly bytes: Uint8Array | string
  readonly url?: string
  readonly contentType?: string
  readonly contentEncoding?: string
  readonly pieceBytes?: number
}

/** Null: not a page that can be read. */
function read(readers: ResourceReaders, page: Page): PageContents | null {
  const { bytes, url = 'http://s.test/p', contentType = 'text/html', contentEncoding = '' } = page
  const all = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const reader = readers.readerFor({ url, contentType, contentEncoding })
  if (reader === null) return null
  const pieceBytes = page.pieceBytes ?? Math.max(1, all.length)
  for (let at = 0; at < all.length; at += pieceBytes) {
    // As from a socket: the same buffer is filled again.
    const buffer = new Uint8Array(pieceBytes + 7).fill(0x3c)
    const piece = all.subarray(at, at + pieceBytes)
    buffer.set(piece, 3)
    reader.receive(buffer, 3, 3 + piece.length)
    buffer.fill(0)
  }
  return reader.finish()
}

const found = (...paths: string[]): PageContents => ({
  resourceUrls: paths.map((path) => `http://s.test${path}`),
  refreshUrl: null,
})

test('ResourceReaders decode a page before they scan it (case 43)', () => {
  const { readers } = setUp()
  const page = '<img src=/inner.png>'
  for (const [contentEncoding, bytes] of [
    ['gzip', zlib.gzipSync(page)],
    ['X-Gzip', zlib.gzipSync(page)],
    ['deflate', zlib.deflateSync(page)],
    ['br', zlib.brotliCompressSync(page)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(page))],
    ['identity', new TextEncoder().encode(page)],
  ] as const) {
    for (const pieceBytes of [1, 7, 1_000]) {
      const got = read(readers, {
        bytes,
        contentEncoding,
        pieceBytes,
        url: `http://s.test/${pieceBytes}`,
      })
      assert.deepEqual(got, found('/inner.png'), contentEncoding)
    }
  }
})

test('ResourceReaders find nothing in a broken, cut or wrongly labelled page (case 43)', () => {
  const { readers } = setUp()
  const whole = zlib.gzipSync('<img src=/a.png>'.repeat(100))
  const broken = Uint8Array.from(whole)
  broken[12]! ^= 0xff
  broken[whole.length - 6]! ^= 0xff
  for (const bytes of [broken, whole.subarray(0, -9), new Uint8Array(0), '<img src=/a.png>']) {
    assert.deepEqual(read(readers, { bytes, contentEncoding: 'gzip' }), found())
  }
})

test('ResourceReaders have no reader for what is no page or cannot be decoded', () => {
  const { readers, ports } = setUp()
  for (const contentType of ['text/css', 'image/png', 'application/xhtml+xml', '']) {
    assert.equal(read(readers, { bytes: '<img src=/a>', contentType }), null)
  }
  assert.equal(read(readers, { bytes: '<img src=/a>', contentEncoding: 'zstd' }), null)
  assert.equal(ports.loadCount, 0)
})

test('ResourceReaders end at a compressed bomb, and remember that it was one', () => {
  const { readers, ports } = setUp()
  const bomb = zlib.gzipSync(Buffer.alloc(100_000_000, '<img src=/a>'), { level: 1 })
  assert.deepEqual(read(readers, { bytes: bomb, contentEncoding: 'gzip' }), found())
  assert.deepEqual(read(readers, { bytes: bomb, contentEncoding: 'gzip' }), found())
  assert.equal(ports.inflateCount, 1)
})

test('ResourceReaders give up on a compressed page of more than 4 MiB without inflating it', () => {
  const { readers, ports } = setUp()
  const bytes = new Uint8Array(COMPRESSED_BYTES_MAX + 1)
  const got = read(readers, { bytes, contentEncoding: 'br', pieceBytes: 100_000 })
  assert.deepEqual(got, found())
  assert.equal(ports.inflateCount, 0)
})

test('ResourceReaders scan an equal page once', () => {
  const { readers, ports } = setUp()
  const page = `<img src=/a.png>${' '.repeat(5_000)}<img src=/b.png>`
  const first = read(readers, { bytes: page, pieceBytes: 100 })
  assert.deepEqual(first, found('/a.png', '/b.png'))
  assert.equal(ports.comparedBytes, 0)
  assert.equal(read(readers, { bytes: page, pieceBytes: 333 }), first)
  assert.equal(ports.comparedBytes, page.length)
  const zipped = zlib.gzipSync(page)
  const byGzip = read(readers, { bytes: zipped, contentEncoding: 'gzip' })
  assert.deepEqual(byGzip, first)
  assert.equal(read(readers, { bytes: zipped, contentEncoding: 'gzip' }), byGzip)
  assert.equal(ports.inflateCount, 1)
  // One scanner serves them all, one after the other.
  assert.equal(ports.loadCount, 1)
})

test('ResourceReaders tell equal bytes apart by URL and charset', () => {
  const { readers } = setUp()
  const bytes = Uint8Array.from('<img src=\xe9.png>', (character) => character.charCodeAt(0))
  assert.deepEqual(read(readers, { bytes }), found('/%EF%BF%BD.png'))
  const contentType = 'text/html; charset=iso-8859-1'
  assert.deepEqual(read(readers, { bytes, contentType }), found('/%C3%A9.png'))
  const url = 'http://s.test/dir/'
  assert.deepEqual(read(readers, { bytes, contentType, url }), found('/dir/%C3%A9.png'))
})

test('ResourceReaders answer the same with what they remember as without', () => {
  const part = fc.constantFrom(
    '<img src=/a>',
    '<img src=/b>',
    '<base href=/d/>',
    'x',
    '<script>',
    '<',
  )
  const page = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const visits = fc.array(
    fc.record({ bytes: page, pieceBytes: fc.integer({ min: 1, max: 30 }), zipped: fc.boolean() }),
    { minLength: 2, maxLength: 12 },
  )
  fc.assert(
    fc.property(visits, (list) => {
      const { readers } = setUp()
      for (const { bytes, pieceBytes, zipped } of list) {
        const contentEncoding = zipped ? 'deflate' : ''
        const sent = zipped ? zlib.deflateSync(bytes) : bytes
        const got = read(readers, { bytes: sent, pieceBytes, contentEncoding })
        assert.deepEqual(got, read(setUp().readers, { bytes }))
      }
    }),
    { numRuns: 500 },
  )
})

test('ResourceReaders stop keeping a page that is another one each time', () => {
  const { readers, ports } = setUp()
  for (let index = 0; index < 30; index++) {
    assert.deepEqual(read(readers, { bytes: `<img src=/${index}>` }), found(`/${index}`))
  }
  const { comparedBytes } = ports
  assert.deepEqual(read(readers, { bytes: '<img src=/29>' }), found('/29'))
  assert.equal(ports.comparedBytes, comparedBytes)
})

test('ResourceReaders read pages at the same time, and lose one that breaks off', () => {
  const { readers } = setUp()
  const facts = { url: 'http://s.test/p', contentType: 'text/html', contentEncoding: '' }
  const texts = ['<img src=/a><img src=/b>', '<img src=/c><img src=/d>', '<img src=/e>']
  const pages = texts.map((text) => new TextEncoder().encode(text))
  const open = pages.map(() => readers.readerFor(facts)!)
  for (let at = 0; at < 24; at++) {
    for (const [index, page] of pages.entries()) {
      if (at < page.length) open[index]!.receive(page, at, at + 1)
    }
  }
  assert.deepEqual(open[1]!.finish(), found('/c', '/d'))
  assert.deepEqual(open[0]!.finish(), found('/a', '/b'))
  assert.deepEqual(read(readers, { bytes: texts[2]! }), found('/e'))
})
