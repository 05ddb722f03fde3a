/**
 * Pages made to hurt: they end without error, keep little, and cost no more than their length.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as htmlparser2 from 'htmlparser2'
import { collectGarbage, usedBytes } from '../../test/support/heap.ts'
import { cpuMsOf } from '../../test/support/timing.ts'
import { ResourceScanner } from './html-resources.ts'
import { RESOURCE_COUNT_MAX, type ResourceSettings, URL_CHARACTERS_MAX } from './resource-list.ts'

const everything: ResourceSettings = {
  noFollowHosts: ['ads'],
  onlySameOrigin: false,
  srcset: true,
  preloadsAndIcons: true,
  css: true,
}

const scanner = new ResourceScanner(everything, htmlparser2)
const PIECE_BYTES = 16_384

function urlsOf(bytes: Uint8Array): readonly string[] {
  scanner.begin('http://s.test/', '')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    scanner.receive(bytes, at, Math.min(at + PIECE_BYTES, bytes.length))
  }
  return scanner.finish().resourceUrls
}

const encoded = (text: string) => new TextEncoder().encode(text)

/** In ms, the best of three. */
function timeOf(bytes: Uint8Array): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++)
    best = Math.min(
      best,
      cpuMsOf(() => urlsOf(bytes)),
    )
  return best
}

/** Each is repeated to make a page of any size, between a head and a tail. */
const hostilePages: Readonly<Record<string, readonly [head: string, part: string, tail?: string]>> =
  {
    'nothing but <': ['', '<'],
    'nothing but NUL': ['', '\0'],
    'NUL in a tag': ['<img src=', '\0'],
    'tags without end': ['', '<img src="a'],
    'one tag without end': ['<img src="', 'a'],
    'one tag of attributes': ['<img ', 'a=b '],
    'one tag of the same attribute': ['<img ', 'src=b '],
    'a tag name without end': ['<', 'a'],
    'an attribute name without end': ['<img ', 'a'],
    'deep elements': ['', '<div>'],
    'deep SVG': ['', '<svg><desc>'],
    'deep templates': ['', '<template>'],
    'a comment of dashes': ['<!--', '-'],
    'comments half open': ['', '<!--'],
    'a script without end': ['<script>', '</scrip'],
    'a script of escapes': ['<script>', '<!--<script '],
    'many scripts': ['', '<script></script>'],
    'many noscripts': ['', '<noscript>a</noscript>'],
    'a style without end': ['<style>', 'a{b:url('],
    'a style of backslashes': ['<style>', '\\'],
    'a style of quotes': ['<style>', '"\n'],
    'a style of comments': ['<style>', '/*'],
    'a style of fonts': ['<style>', '@font-face{src:url(a)'],
    'styles of one URL': ['', '<p style="a:url(b)">'],
    'entities without end': ['<img src="', '&#'],
    'good entities': ['<img src="', '&amp;'],
    'a srcset of commas': ['<img srcset="', ','],
    'a srcset of brackets': ['<img srcset="', 'a (,'],
    'many srcsets': ['', '<img srcset="a 1x, b 2x">'],
    'many bases': ['', '<base href=/a/>'],
    'many refreshes': ['', '<meta http-equiv=refresh content="9;x">'],
    'a refresh of digits': ['<meta http-equiv=refresh content="', '1', '">'],
    'a refresh of blanks': ['<meta http-equiv=refresh content="1', ' ', '">'],
    'a rel of words': ['<link rel="', 'a ', '" href=x>'],
    'a URL of dots': ['<img src="', '../'],
    'many URLs of dots': ['', '<img src=../../../a>'],
    'many bad URLs': ['', '<img src=http://[>'],
    'many URLs, one by one': ['', '<img src=http://a.test/x>'],
    'bytes that are no text': ['', '\u{10ffff}'],
  }

test('ResourceScanner takes linear time for every hostile page', () => {
  for (const [name, [head, part, tail = '']] of Object.entries(hostilePages)) {
    const pageOf = (bytes: number) =>
      encoded(head + part.repeat(Math.ceil(bytes / part.length)) + tail)
    const [small, large] = [pageOf(100_000), pageOf(800_000)]
    urlsOf(small)
    // Quadratic would be 64; compiling and collecting may take a few times what reading does.
    let ratio = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 4 && ratio > 24; attempt++) {
      ratio = timeOf(large) / Math.max(timeOf(small), 1)
    }
    assert.ok(ratio <= 24, `${name}: eight times the page takes ${ratio.toFixed(1)} times as long`)
  }
})

test('ResourceScanner reads 10 MB of < and a million tags in no time to speak of', () => {
  const cpuMs = cpuMsOf(() => {
    assert.deepEqual(urlsOf(encoded('<'.repeat(10_000_000))), [])
    assert.deepEqual(urlsOf(encoded('<b>'.repeat(1_000_000))), [])
    assert.deepEqual(urlsOf(encoded('<img src=a>'.repeat(1_000_000))), ['http://s.test/a'])
  })
  assert.ok(cpuMs < 10_000, `${cpuMs} ms`)
})

test('ResourceScanner ends at its bounds: resources, references, length of a URL, bytes', () => {
  let page = ''
  for (let index = 0; index < RESOURCE_COUNT_MAX + 10; index++) page += `<img src=${index}>`
  const urls = urlsOf(encoded(page))
  assert.equal(urls.length, RESOURCE_COUNT_MAX)
  assert.equal(urls.at(-1), `http://s.test/${RESOURCE_COUNT_MAX - 1}`)

  const long = 'a'.repeat(URL_CHARACTERS_MAX)
  assert.deepEqual(urlsOf(encoded(`<img src=${long}><img src=b>`)), ['http://s.test/b'])

  const blanks = new Uint8Array(33_554_432 + 20).fill(0x20)
  blanks.set(encoded('<img src=a>'), 1_000)
  blanks.set(encoded('<img src=b>'), 33_554_432)
  assert.deepEqual(urlsOf(blanks), ['http://s.test/a'])
})

test('ResourceScanner keeps no page: its heap stays small over a long one', () => {
  const head = encoded('<img src="')
  const piece = encoded('x'.repeat(PIECE_BYTES))
  scanner.begin('http://s.test/', '')
  scanner.receive(head, 0, head.length)
  const heapBytes: number[] = []
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    heapBytes.push(usedBytes())
    for (let index = 0; index < 300; index++) scanner.receive(piece, 0, piece.length)
  }
  assert.deepEqual(scanner.finish().resourceUrls, [])
  // 20 MB went through between the first and the last look, of which nothing may be left.
  const grownBytes = heapBytes.at(-1)! - heapBytes[0]!
  assert.ok(grownBytes < 2_000_000, `${grownBytes} bytes`)
})
