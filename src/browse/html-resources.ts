/**
 * Collects what a browser requests for a page while the page streams in.
 *
 * Without options that is what siege's parser fetches: `img[src]`, `script[src]`,
 * `link[rel~=stylesheet]`, `body[background]` and META refresh; but found by a tokenizer and resolved
 * as browsers do. It owns which attribute of which element counts; tags come from
 * `html-tokens.ts`, bounds and filters are those of `resource-list.ts`.
 *
 * Beyond siege it takes `<image>`, which HTML reads as `<img>`. As siege it fetches scripts of any
 * type, and images of `loading=lazy`.
 */
import { cssReferences } from './css-urls.ts'
import { PageDecoder } from './html-charset.ts'
import { readRefresh } from './html-refresh.ts'
import { type HtmlLibrary, HtmlTokens, type Tag, type TagSink } from './html-tokens.ts'
import {
  type PageContents,
  ResourceList,
  type ResourceSettings,
  trimBlanks,
} from './resource-list.ts'
import { pickCandidate, readSrcset } from './srcset.ts'

const PLAIN_NAMES = ['img', 'image', 'script', 'link', 'body', 'meta', 'base']
const SRCSET_NAMES = ['picture', 'source']

/** Of a page as it was before it was compressed; what comes behind is not looked at. */
export const PAGE_BYTES_MAX = 33_554_432
/** Pages come whole when they were compressed; text is made of so much at a time. */
const PIECE_BYTES = 65_536

/** Scans one page after another: `begin()`, any number of `receive()`, `finish()`. */
export class ResourceScanner implements TagSink {
  readonly #settings: ResourceSettings
  readonly #list: ResourceList
  readonly #tokens: HtmlTokens
  readonly #decoder: PageDecoder = new PageDecoder()
  #pageBytes = 0
  #hasBase = false
  #hasBackground = false
  /** What the sources of the open picture gave; null when none has spoken. */
  #pictureChoice: string | null = null
  #isInPicture = false

  constructor(settings: ResourceSettings, library: HtmlLibrary) {
    this.#settings = settings
    this.#list = new ResourceList(settings)
    const names = settings.srcset ? [...PLAIN_NAMES, ...SRCSET_NAMES] : PLAIN_NAMES
    const ends = settings.srcset ? ['picture'] : []
    const wishes = { names, ends, hasStyleAttributes: settings.css, hasStyleText: settings.css }
    this.#tokens = new HtmlTokens(library, wishes, this)
  }

  /** Starts a page; a page that was not finished is forgotten. `charset` as in Content-Type. */
  begin(pageUrl: string, charset: string): void {
    this.#list.begin(pageUrl)
    this.#tokens.begin()
    this.#decoder.begin(charset)
    this.#pageBytes = 0
    this.#hasBase = false
    this.#hasBackground = false
    this.#pictureChoice = null
    this.#isInPicture = false
  }

  /** HOT (bench/micro/html.bench.ts). Takes the next bytes of the page; they are not kept. */
  receive(bytes: Uint8Array, start: number, end: number): void {
    const allowedEnd = Math.min(end, start + PAGE_BYTES_MAX - this.#pageBytes)
    this.#pageBytes += allowedEnd - start
    for (let at = start; at < allowedEnd && !this.#list.isCut; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, Math.min(at + PIECE_BYTES, allowedEnd))
      this.#tokens.feed(this.#decoder.decode(piece))
    }
  }

  /** What was found; the page ends here. */
  finish(): PageContents {
    if (!this.#list.isCut) this.#tokens.feed(this.#decoder.finish())
    this.#tokens.finish()
    return this.#list.finish()
  }

  startTag(tag: Tag): void {
    if (this.#settings.css) this.#addStyles(tag.get('style'))
    if (tag.isForeign) return
    switch (tag.name) {
      case 'img':
      case 'image':
        this.#image(tag)
        break
      case 'script':
        this.#add(tag.get('src'))
        break
      case 'link':
        this.#link(tag)
        break
      case 'body':
        if (!this.#hasBackground) this.#add(tag.get('background'))
        this.#hasBackground ||= tag.get('background') !== null
        break
      case 'meta':
        this.#meta(tag)
        break
      case 'base':
        this.#base(tag)
        break
      case 'picture':
        this.#isInPicture = true
        this.#pictureChoice = null
        break
      case 'source':
        this.#source(tag)
    }
  }

  endTag(name: string): void {
    if (name === 'picture') this.#isInPicture = false
  }

  styleText(text: string): void {
    this.#addStyles(text)
  }

  #add(reference: string | null): void {
    if (reference === null) return
    this.#list.add(reference)
    if (this.#list.isCut) this.#tokens.stop()
  }

  #addStyles(css: string | null): void {
    if (css === null) return
    for (const reference of cssReferences(css)) this.#add(reference)
  }

  #image(tag: Tag): void {
    const src = tag.get('src')
    if (!this.#settings.srcset) {
      this.#add(src)
      return
    }
    const choice = this.#isInPicture ? this.#pictureChoice : null
    this.#pictureChoice = null
    this.#add(choice ?? pickCandidate(readSrcset(tag.get('srcset') ?? ''), src))
  }

  #link(tag: Tag): void {
    const rel = tag.get('rel')
    if (rel === null) return
    // By far the commonest, hence not taken apart.
    if (rel === 'stylesheet') {
      this.#add(tag.get('href'))
      return
    }
    const words = rel.toLowerCase().split(/[\t\n\f\r ]+/)
    if (words.includes('stylesheet')) {
      // Alternate ones are fetched when a person chooses them.
      if (!words.includes('alternate')) this.#add(tag.get('href'))
      return
    }
    if (!this.#settings.preloadsAndIcons) return
    if (words.includes('preload')) {
      this.#add(pickCandidate(readSrcset(tag.get('imagesrcset') ?? ''), tag.get('href')))
    } else if (words.some(isFetchedWord)) {
      this.#add(tag.get('href'))
    }
  }

  #meta(tag: Tag): void {
    const content = tag.get('content')
    if (content === null || tag.get('http-equiv')?.toLowerCase() !== 'refresh') return
    const refresh = readRefresh(content)
    if (refresh !== null) this.#list.setRefresh(refresh.reference)
  }

  #base(tag: Tag): void {
    const href = tag.get('href')
    if (href === null || this.#hasBase) return
    this.#hasBase = true
    this.#list.setBase(trimBlanks(href))
  }

  #source(tag: Tag): void {
    if (!this.#isInPicture || this.#pictureChoice !== null) return
    // For other screens than ours, as far as one can tell without reading the query.
    if (tag.get('media') !== null) return
    this.#pictureChoice = pickCandidate(readSrcset(tag.get('srcset') ?? ''), null)
  }
}

function isFetchedWord(word: string): boolean {
  return word === 'icon' || word === 'modulepreload' || word.startsWith('apple-touch-icon')
}

/** What a fetched stylesheet asks for, relative to its own URL; the same settings and bounds. */
export function stylesheetResources(
  url: string,
  text: string,
  settings: ResourceSettings,
): PageContents {
  const list = new ResourceList(settings)
  list.begin(url)
  for (const reference of cssReferences(text.slice(0, PAGE_BYTES_MAX))) list.add(reference)
  return list.finish()
}
