/**
 * Turns the bytes of a page into text, piece by piece.
 *
 * The encoding is that of the charset parameter of Content-Type, else UTF-8. A `<meta charset>` is
 * not looked at: references are ASCII in all but the rarest page, and ASCII is the same in all of
 * the encodings that it could name. Bytes that are no text become U+FFFD and never stop anything.
 */

type Decoder = InstanceType<typeof TextDecoder>

export class PageDecoder {
  readonly #utf8: Utf8Pieces = new Utf8Pieces()
  #other: Decoder | null = null

  /** `charset`: any label that browsers know; others and an empty one stand for UTF-8. */
  begin(charset: string): void {
    const decoder = charset === '' || charset === 'utf-8' ? null : decoderFor(charset)
    this.#other = decoder?.encoding === 'utf-8' ? null : decoder
    this.#utf8.begin()
  }

  /** The text of these bytes, up to the last whole character. */
  decode(bytes: Uint8Array): string {
    if (this.#other === null) return this.#utf8.decode(bytes)
    return this.#other.decode(bytes, { stream: true })
  }

  /** What was held back. */
  finish(): string {
    return this.#other === null ? this.#utf8.finish() : this.#other.decode()
  }
}

/**
 * UTF-8 in pieces. The platform's own way of doing that takes 7 times as long as decoding a whole
 * text, so each piece is decoded as a whole, but for a character that its end cuts in two.
 */
class Utf8Pieces {
  readonly #decoder: Decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #carry: Uint8Array = NO_BYTES
  #isFirst = true

  begin(): void {
    this.#carry = NO_BYTES
    this.#isFirst = true
  }

  decode(piece: Uint8Array): string {
    const bytes = this.#carry.length === 0 ? piece : joined(this.#carry, piece)
    const end = endOfWhole(bytes)
    this.#carry = end === bytes.length ? NO_BYTES : bytes.slice(end)
    return this.#text(bytes.subarray(0, end))
  }

  finish(): string {
    return this.#text(this.#carry)
  }

  #text(bytes: Uint8Array): string {
    if (bytes.length === 0) return ''
    const text = this.#decoder.decode(bytes)
    const isMarked = this.#isFirst && text.charCodeAt(0) === 0xfeff
    this.#isFirst = false
    return isMarked ? text.slice(1) : text
  }
}

const NO_BYTES: Uint8Array = new Uint8Array(0)

/** Where the last character begins if the bytes end before it does, else where they end. */
function endOfWhole(bytes: Uint8Array): number {
  for (let backBytes = 1; backBytes <= 3 && backBytes <= bytes.length; backBytes++) {
    const byte = bytes[bytes.length - backBytes]!
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const characterBytes = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return characterBytes > backBytes ? bytes.length - backBytes : bytes.length
  }
  return bytes.length
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function decoderFor(charset: string): Decoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    // A label that no encoding has.
    return null
  }
}
