/**
 * Readers of pages with what Node has: zlib, a fast comparison, and htmlparser2 on demand.
 *
 * The library is loaded by `require`, at once and only when a page must be scanned: a run that
 * meets no page pays nothing, and a thread that blocks in its reactor could not await an import.
 */
import { createRequire } from 'node:module'
import type { ResourceSettings } from '../browse/resource-list.ts'
import { ResourceReaders } from '../browse/resource-reader.ts'
import type { PageReaderFactory } from '../engine/page-reader.ts'
import { inflated } from './body-decoding.ts'

const require = createRequire(import.meta.url)

/**
 * To be called before the run: a thread full of users would stand still for it, at the first page,
 * and its users would take that for the target's slowness.
 */
export function loadHtmlLibrary(): typeof import('./html-library.ts') {
  return require('./html-library.js')
}

/** The readers of one thread; what they remember of pages is shared by its users. */
export function nodePageReaders(settings: ResourceSettings): PageReaderFactory {
  return new ResourceReaders(settings, {
    loadHtmlLibrary,
    inflate: inflated,
    isSame: (stored, at, bytes, start, end) =>
      Buffer.compare(stored.subarray(at, at + end - start), bytes.subarray(start, end)) === 0,
  })
}
