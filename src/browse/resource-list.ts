/**
 * Collects the resources of one page or stylesheet: resolved, filtered, each URL once, in order.
 *
 * It owns what is worth requesting (http and https, not on a refused host) and every bound on how
 * much a hostile page can make us keep or work. It knows nothing of markup.
 */
import { UrlBase } from './resource-url.ts'

/** What a page asks a browser to request. The same object may be given out more than once. */
export interface PageContents {
  /** Absolute and normalised, http or https, without fragments, each once. */
  readonly resourceUrls: readonly string[]
  /** Where the page sends its visitor; null: nowhere, or to itself. */
  readonly refreshUrl: string | null
}

/** What siege fetches is always on; the rest is what browsers fetch beyond it. */
export interface ResourceSettings {
  /** Nothing from a host whose name contains one of these, in any case. */
  readonly noFollowHosts: readonly string[]
  /** Only resources of the page's own scheme, host and port. */
  readonly onlySameOrigin: boolean
  /** One candidate of `srcset` and `<picture>` instead of `src`. */
  readonly srcset: boolean
  /** `link` with preload, modulepreload, icon and apple-touch-icon. */
  readonly preloadsAndIcons: boolean
  /** `url()` and `@import` in style elements and attributes. */
  readonly css: boolean
}

/** Of one page. */
export const RESOURCE_COUNT_MAX = 10_000

/** Servers refuse longer ones with 414 (nginx, apache2: 8 KiB). */
export const URL_CHARACTERS_MAX = 8_192
/** References looked at for one page, repeated, refused and broken ones included. */
export const REFERENCE_COUNT_MAX = 100_000
/** How many good references a broken one counts for: as many as it costs, which is up to 20 µs. */
const BROKEN_REFERENCE_WEIGHT = 20
/** Of all URLs of one page together. */
const LIST_CHARACTERS_MAX = 8_388_608

export class ResourceList {
  readonly #noFollowHosts: readonly string[]
  readonly #onlySameOrigin: boolean
  #pageBase: UrlBase | null = null
  #base: UrlBase | null = null
  #origin = ''
  #urls: string[] = []
  #known: Set<string> = new Set()
  #hasRefresh = false
  #refreshUrl: string | null = null
  #referenceCount = 0
  #characterCount = 0
  #isCut = false
  /** Scheme and authority of the last URL judged, with the slash behind, and the verdict. */
  #lastRoot = ''
  #isLastWanted = false

  constructor(settings: ResourceSettings) {
    this.#noFollowHosts = settings.noFollowHosts
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== '')
    this.#onlySameOrigin = settings.onlySameOrigin
  }

  /** Starts a new list for the page of this absolute URL; what is no URL has no resources. */
  begin(pageUrl: string): void {
    this.#pageBase = UrlBase.of(pageUrl)
    this.#base = this.#pageBase
    this.#origin = this.#pageBase === null ? '' : originOf(this.#pageBase.href)
    this.#urls = []
    this.#known = new Set()
    this.#hasRefresh = false
    this.#refreshUrl = null
    this.#referenceCount = 0
    this.#characterCount = 0
    this.#isCut = this.#pageBase === null
    this.#lastRoot = ''
  }

  /** Whether a bound has been reached: nothing will be added any more. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** From here on references are relative to this (HTML LS 4.2.3), which may be relative itself. */
  setBase(reference: string): void {
    if (this.#pageBase === null || reference.length > URL_CHARACTERS_MAX) return
    const base = UrlBase.of(reference, this.#pageBase)
    if (base !== null && !/^(?:data|javascript):/.test(base.href)) this.#base = base
  }

  /** The first one counts, as in a browser; null loads the page again. */
  setRefresh(reference: string | null): void {
    if (this.#hasRefresh) return
    if (reference === null) {
      this.#hasRefresh = true
      return
    }
    const resolved = this.#resolve(trimBlanks(reference))
    if (resolved === null) return
    this.#hasRefresh = true
    const url = withoutFragment(resolved)
    const isElsewhere = url !== withoutFragment(this.#pageBase!.href)
    if (isElsewhere && isHttp(url) && this.#isAllowed(url)) this.#refreshUrl = url
  }

  /** Adds what a reference stands for, unless it is nothing to request or there already. */
  add(reference: string): void {
    if (this.#isCut) return
    if (++this.#referenceCount > REFERENCE_COUNT_MAX) {
      this.#isCut = true
      return
    }
    const trimmed = trimBlanks(reference)
    // An empty reference and a mere fragment mean the page itself, which is there already.
    if (trimmed === '' || trimmed.charCodeAt(0) === 0x23 || isInlineData(trimmed)) return
    const resolved = this.#resolve(trimmed)
    if (resolved === null) {
      this.#referenceCount += BROKEN_REFERENCE_WEIGHT - 1
      return
    }
    const url = withoutFragment(resolved)
    if (this.#known.has(url) || !this.#isWanted(url)) return
    this.#characterCount += url.length
    const isFull = this.#urls.length >= RESOURCE_COUNT_MAX
    if (isFull || this.#characterCount > LIST_CHARACTERS_MAX) {
      this.#isCut = true
      return
    }
    this.#known.add(url)
    this.#urls.push(url)
  }

  finish(): PageContents {
    const contents = { resourceUrls: this.#urls, refreshUrl: this.#refreshUrl }
    this.begin('')
    return contents
  }

  #resolve(reference: string): string | null {
    if (this.#base === null || reference.length > URL_CHARACTERS_MAX) return null
    const url = this.#base.resolve(reference)
    return url !== null && url.length > URL_CHARACTERS_MAX ? null : url
  }

  /** Most resources of a page are of the same origin as the one before, so it is asked once. */
  #isWanted(url: string): boolean {
    if (!url.startsWith(this.#lastRoot) || this.#lastRoot === '') {
      if (!isHttp(url)) return false
      this.#lastRoot = url.slice(0, url.indexOf('/', url.indexOf('//') + 2) + 1)
      this.#isLastWanted =
        this.#isAllowed(url) && (!this.#onlySameOrigin || originOf(url) === this.#origin)
    }
    return this.#isLastWanted
  }

  #isAllowed(url: string): boolean {
    if (this.#noFollowHosts.length === 0) return true
    const host = hostOf(url)
    return !this.#noFollowHosts.some((refused) => host.includes(refused))
  }
}

function isHttp(url: string): boolean {
  return url.startsWith('http://') || url.startsWith('https://')
}

/** `scheme://host:port` without credentials. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

/** The host name of a normalised http or https URL. */
function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const authority = url.slice(start, url.indexOf('/', start))
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d+$/, '')
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}

/** Pictures written into the page are the commonest thing that is no request; often long. */
function isInlineData(reference: string): boolean {
  const code = reference.charCodeAt(0)
  return (code === 0x64 || code === 0x44) && /^data:/i.test(reference.slice(0, 5))
}

/** Without ASCII white space at both ends. No pattern: those look at a run once per blank. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c || code === 0x0d
}
