/**
 * The response that the steps of a script look into: status, header fields, body.
 *
 * One per user, used again for each response. What costs is done when somebody asks and at most
 * once per response: decoding the text, parsing the JSON. The body is kept up to a bound; whoever
 * finds nothing in one that was cut is told so instead of "not there".
 */
import { textFromUtf8 } from '../browse/utf8.ts'

/** More of a body is counted, but not looked into. */
export const SCRIPT_BODY_BYTES_MAX: number = 8 * 1024 * 1024

/** A buffer that grew beyond this for one response is not kept for the next. */
const BUFFER_BYTES_KEPT = 65_536
const BUFFER_BYTES_AT_FIRST = 4096
const COPIED_BYTES_MAX = 256

export type JsonBody =
  | { readonly value: unknown }
  /** A clause: "the body is not JSON". */
  | { readonly problem: string }

export class ScriptResponse {
  status = 0
  /** More came than is kept. */
  isBodyCut = false
  readonly #names: string[] = []
  readonly #values: string[] = []
  #buffer: Uint8Array = new Uint8Array(BUFFER_BYTES_AT_FIRST)
  #bodyBytes = 0
  #text: string | null = null
  #json: JsonBody | null = null

  /** Forgets the last response. */
  begin(): void {
    this.status = 0
    // Setting a length costs as much as all the rest of this: for nothing, usually.
    if (this.#names.length > 0) this.#names.length = 0
    if (this.#values.length > 0) this.#values.length = 0
    if (this.#buffer.length > BUFFER_BYTES_KEPT) {
      this.#buffer = new Uint8Array(BUFFER_BYTES_AT_FIRST)
    }
    this.#clearBody()
  }

  /** `name` in lower case; `value` as latin1 text, one character for each byte. */
  addField(name: string, value: string): void {
    this.#names.push(name)
    this.#values.push(value)
  }

  /** Copies body bytes from `start` to `end` (exclusive). */
  addBody(bytes: Uint8Array, start: number, end: number): void {
    const room = SCRIPT_BODY_BYTES_MAX - this.#bodyBytes
    if (end - start > room) this.isBodyCut = true
    const stop = Math.min(end, start + room)
    this.#reserve(this.#bodyBytes + stop - start)
    const at = this.#bodyBytes
    // A view costs more than copying few bytes one by one.
    if (stop - start > COPIED_BYTES_MAX) this.#buffer.set(bytes.subarray(start, stop), at)
    else
      for (let index = start; index < stop; index++)
        this.#buffer[at + index - start] = bytes[index]!
    this.#bodyBytes += stop - start
  }

  /** The body without its content coding instead of the one that came. */
  replaceBody(bytes: Uint8Array): void {
    this.#clearBody()
    this.addBody(bytes, 0, bytes.length)
  }

  /** Valid until the next `begin` or `addBody`. */
  get body(): Uint8Array {
    return this.#buffer.subarray(0, this.#bodyBytes)
  }

  /** The first field of that name (in lower case), or null. */
  field(name: string): string | null {
    const index = this.#names.indexOf(name)
    return index < 0 ? null : textOfField(this.#values[index]!)
  }

  /** The last field of that name for which `pick` gives something. */
  lastField(name: string, pick: (value: string) => string | null): string | null {
    for (let index = this.#names.length - 1; index >= 0; index--) {
      if (this.#names[index] !== name) continue
      const picked = pick(this.#values[index]!)
      if (picked !== null) return textOfField(picked)
    }
    return null
  }

  /** The body in the encoding its type names, else in UTF-8; wrong bytes become U+FFFD. */
  text(): string {
    if (this.#text !== null) return this.#text
    const text = decoderFor(this.field('content-type')).decode(this.body)
    this.#text = text
    return text
  }

  json(): JsonBody {
    this.#json ??= this.#parsed()
    return this.#json
  }

  #parsed(): JsonBody {
    if (this.isBodyCut) return { problem: 'the body is too large to be read as JSON' }
    if (this.#bodyBytes === 0) return { problem: 'the body is empty' }
    try {
      return { value: JSON.parse(this.text()) }
    } catch (error) {
      // A RangeError is what text nested some thousand levels deep may end in.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
      return { problem: 'the body is not JSON' }
    }
  }

  #clearBody(): void {
    this.isBodyCut = false
    this.#bodyBytes = 0
    this.#text = null
    this.#json = null
  }

  #reserve(byteCount: number): void {
    if (byteCount <= this.#buffer.length) return
    const size = Math.min(Math.max(2 * this.#buffer.length, byteCount), SCRIPT_BODY_BYTES_MAX)
    const buffer = new Uint8Array(size)
    buffer.set(this.body)
    this.#buffer = buffer
  }
}

function textOfField(latin1: string): string {
  return textFromUtf8(latin1) ?? latin1
}

interface Decoder {
  decode(bytes: Uint8Array): string
}

const utf8: Decoder = new TextDecoder()
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i

let lastContentType: string | null = null
let lastDecoder: Decoder = utf8

/** A decoder holds nothing between two whole texts, so texts of one type share it. */
function decoderFor(contentType: string | null): Decoder {
  if (contentType !== lastContentType) {
    lastDecoder = newDecoder(contentType)
    lastContentType = contentType
  }
  return lastDecoder
}

function newDecoder(contentType: string | null): Decoder {
  const label = contentType === null ? undefined : CHARSET.exec(contentType)?.[1]
  if (label === undefined || /^utf-?8$/i.test(label)) return utf8
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return utf8
  }
}
