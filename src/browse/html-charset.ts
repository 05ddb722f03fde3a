/**
 * Turns the bytes of a page into text, piece by piece.
 *
 * The encoding is that of the charset parameter of Content-Type, else UTF-8. A `<meta charset>` is
 * not looked at: references are ASCII in all but the rarest page, and ASCII is the same in all of
 * the encodings that it could name. Bytes that are no text become U+FFFD and never stop anything.
 */

type Decoder = InstanceType<typeof TextDecoder>

/** Labels come from the network: not all of them are worth keeping. */
const DECODER_COUNT_MAX = 8

export class PageDecoder {
  readonly #decoders: Map<string, Decoder> = new Map()
  #decoder: Decoder = new TextDecoder()

  constructor() {
    this.#decoders.set('', this.#decoder)
  }

  /** `charset`: any label that browsers know; others and an empty one stand for UTF-8. */
  begin(charset: string): void {
    // A decoder left in the middle of a character by a page given up would spoil the next one.
    this.#decoder.decode()
    this.#decoder = this.#decoders.get(charset) ?? this.#newDecoder(charset)
  }

  /** The text of these bytes, up to the last whole character. */
  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes, { stream: true })
  }

  /** What was held back. */
  finish(): string {
    return this.#decoder.decode()
  }

  #newDecoder(charset: string): Decoder {
    const decoder = decoderFor(charset)
    if (this.#decoders.size < DECODER_COUNT_MAX) this.#decoders.set(charset, decoder)
    return decoder
  }
}

function decoderFor(charset: string): Decoder {
  try {
    return new TextDecoder(charset)
  } catch {
    // A label that no encoding has.
    return new TextDecoder()
  }
}
