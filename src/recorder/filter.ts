/**
 * Which requests are worth a line: by method, host, URL and kind. Bodies are none of its business.
 */
import { authorityOf, type Site, urlOf } from './recorded-request.ts'

export interface FilterSettings {
  /** Upper case; empty: all. */
  readonly methods: readonly string[]
  /** `host`, `host:port` or `*.domain`; empty: all. */
  readonly hosts: readonly string[]
  /** Parts of URLs in which `*` stands for anything; empty: all. */
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  /** Leaves out images, style sheets, scripts, fonts and media. */
  readonly isWithoutResources: boolean
}

export interface Candidate {
  readonly site: Site
  readonly method: string
  readonly requestTarget: string
  /** The field `Sec-Fetch-Dest`, which says what a browser wants the answer for. */
  readonly destination: string | undefined
}

export class RequestFilter {
  readonly #settings: FilterSettings
  readonly #hosts: readonly RegExp[]
  readonly #includes: readonly RegExp[]
  readonly #excludes: readonly RegExp[]

  constructor(settings: FilterSettings) {
    this.#settings = settings
    this.#hosts = settings.hosts.map((host) => new RegExp(`^${source(host)}$`, 'i'))
    this.#includes = settings.includes.map((pattern) => new RegExp(source(pattern)))
    this.#excludes = settings.excludes.map((pattern) => new RegExp(source(pattern)))
  }

  /** Whether anything of this site can be wanted. */
  takesSite(site: Site): boolean {
    if (this.#hosts.length === 0) return true
    const names = [site.host, authorityOf(site), `${site.host}:${site.port}`]
    return this.#hosts.some((host) => names.some((name) => host.test(name)))
  }

  takes(candidate: Candidate): boolean {
    const { methods, isWithoutResources } = this.#settings
    if (methods.length > 0 && !methods.includes(candidate.method)) return false
    if (!this.takesSite(candidate.site)) return false
    if (isWithoutResources && isResource(candidate)) return false
    const url = urlOf(candidate)
    if (this.#excludes.some((pattern) => pattern.test(url))) return false
    return this.#includes.length === 0 || this.#includes.some((pattern) => pattern.test(url))
  }
}

function source(pattern: string): string {
  return pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
}

/** https://fetch.spec.whatwg.org/#concept-request-destination, those that are parts of a page. */
const RESOURCE_DESTINATIONS = new Set([
  'audio',
  'audioworklet',
  'font',
  'image',
  'manifest',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'track',
  'video',
  'worker',
  'xslt',
])
const RESOURCE_EXTENSION =
  /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|js|m4a|m4v|map|mjs|mov|mp3|mp4|og[agv]|otf|png|svg|tiff?|ttf|wasm|wav|webm|webp|woff2?)$/i

/** What the browser says it is for; where it says nothing, what the name looks like. */
function isResource({ destination, requestTarget }: Candidate): boolean {
  if (destination !== undefined) return RESOURCE_DESTINATIONS.has(destination)
  return RESOURCE_EXTENSION.test(requestTarget.replace(/\?.*$/s, ''))
}
