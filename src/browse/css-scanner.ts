/**
 * Reads a fetched stylesheet as it streams and answers with what it names by `url()` and `@import`.
 *
 * Stylesheets are small and tokens of CSS may be anywhere, so the text is collected, up to a bound.
 */
import { PAGE_BYTES_MAX, stylesheetResources } from './html-resources.ts'
import type { PageContents, ResourceSettings } from './resource-list.ts'

type Decoder = InstanceType<typeof TextDecoder>

export class StylesheetScanner {
  readonly #settings: ResourceSettings
  #url = ''
  #text = ''
  #decoder: Decoder = new TextDecoder()

  constructor(settings: ResourceSettings) {
    this.#settings = settings
  }

  /** CSS is ASCII where it matters here, so its charset does not. */
  begin(url: string): void {
    this.#url = url
    this.#text = ''
    this.#decoder = new TextDecoder()
  }

  receive(bytes: Uint8Array, start: number, end: number): void {
    if (this.#text.length >= PAGE_BYTES_MAX) return
    this.#text += this.#decoder.decode(bytes.subarray(start, end), { stream: true })
  }

  finish(): PageContents {
    return stylesheetResources(this.#url, this.#text, this.#settings)
  }
}
