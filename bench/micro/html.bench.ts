/**
 * What reading a page costs: 76 kB with 600 resources, in pieces as they come off a socket, seen
 * for the first time, seen again, and compressed. A page a millisecond is 76 MB/s.
 */
import { performance } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import type { ResourceSettings } from '../../src/browse/resource-list.ts'
import { UrlBase } from '../../src/browse/resource-url.ts'
import type { PageReaderFactory } from '../../src/engine/page-reader.ts'
import { nodePageReaders } from '../../src/fleet/page-readers.ts'

export const smokeIterationCount = 5
export const iterationCount = 1_000

const ROUND_COUNT = 5
const PIECE_BYTES = 16_384

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

const settings: ResourceSettings = {
  noFollowHosts: ['ad.doubleclick.net', 'pagead2.googlesyndication.com'],
  onlySameOrigin: false,
  srcset: false,
  preloadsAndIcons: false,
  css: false,
}

/** Like a shop's listing: 40 styles and scripts, 560 pictures with a caption each. */
function makePage(): Uint8Array {
  const parts = [
    '<!doctype html><html><head><meta charset="utf-8"><title>Items &amp; more</title>\n',
  ]
  for (let index = 0; index < 20; index++) {
    parts.push(`<link rel="stylesheet" href="/assets/css/part-${index}.css?v=3">\n`)
    parts.push(`<script src="https://cdn.example.test/lib/${index}.min.js" defer></script>\n`)
  }
  parts.push('</head><body class="listing">\n<!-- The items of the day. -->\n')
  for (let index = 0; index < 560; index++) {
    const where = index % 3 === 0 ? '/media/' : index % 3 === 1 ? 'thumbs/' : '../shared/'
    parts.push(`<li class="item" id="i${index}"><a href="/item/${index}">`)
    parts.push(`<img src="${where}item-${index}.jpg" width="90" alt="Nr. ${index}"></a>`)
    parts.push(` A caption for it.</li>\n`)
  }
  return new TextEncoder().encode(`${parts.join('')}</body></html>\n`)
}

function read(factory: PageReaderFactory, url: string, bytes: Uint8Array, coding = ''): number {
  const facts = { url, contentType: 'text/html; charset=utf-8', contentEncoding: coding }
  const reader = factory.readerFor(facts)!
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    reader.receive(bytes, at, Math.min(at + PIECE_BYTES, bytes.length))
  }
  return reader.finish(() => undefined)!.resourceUrls.length
}

export function bench(count: number): { hash: number; rows: Row[] } {
  const perRound = Math.ceil(count / ROUND_COUNT)
  const page = makePage()
  const zipped = gzipSync(page)
  const megabytes = (page.length / 1e6).toFixed(3)
  let hash = page.length

  /** The best of the rounds, in ns; `run` returns something that depends on its work. */
  function measure(name: string, perOp: number, run: (index: number) => number): Row {
    let nsPerOpMin = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const startMs = performance.now()
      for (let index = 0; index < perRound; index++) {
        hash = (hash * 31 + run(round * perRound + index)) | 0
      }
      nsPerOpMin = Math.min(nsPerOpMin, ((performance.now() - startMs) * 1e6) / perRound / perOp)
    }
    return { name, nsPerOp: Math.round(nsPerOpMin * 10) / 10 }
  }

  const base = UrlBase.of('http://shop.example.test/list/day?page=2')!
  const plain = ['/media/item-1.jpg', 'thumbs/item.jpg?v=1', 'https://cdn.example.test/a.js']
  const rows = [
    measure(`a new page of ${megabytes} MB`, 1, (index) => {
      // A factory of its own remembers nothing of the last page.
      return read(index % 2 === 0 ? first : second, `http://shop.example.test/new/${index}`, page)
    }),
    measure(`the same page again`, 1, () => read(first, 'http://shop.example.test/same', page)),
    measure(`a new page, by gzip`, 1, (index) => {
      return read(first, `http://shop.example.test/zip/${index}`, zipped, 'gzip')
    }),
    measure(`the same page again, by gzip`, 1, () => {
      return read(first, 'http://shop.example.test/zip', zipped, 'gzip')
    }),
    measure('a plain reference', plain.length, () => {
      let characters = 0
      for (const reference of plain) characters += base.resolve(reference)!.length
      return characters
    }),
    measure('a reference for the URL standard', 1, () => base.resolve('../a b.png')!.length),
  ]
  return { hash: hash >>> 0, rows }
}

const first: PageReaderFactory = nodePageReaders(settings)
const second: PageReaderFactory = nodePageReaders(settings)
