/**
 * Bytes as text in which every character is one byte (0..255), and back.
 *
 * URL lists are bytes of unknown encoding whose bodies must travel untouched. Latin-1 text is the
 * lossless way to treat their cold parts as strings. It owns no meaning: what the bytes encode is
 * the caller's affair. (`TextDecoder('latin1')` is windows-1252 and therefore not this.)
 */

/** Characters per call of `String.fromCharCode`: arguments live on the stack. */
const CHUNK_BYTES = 4096

/** The bytes from `start` to `end` (exclusive), one character each. */
export function latin1FromBytes(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  if (end - start <= CHUNK_BYTES) return chunkText(bytes, start, end)
  const parts: string[] = []
  for (let at = start; at < end; at += CHUNK_BYTES) {
    parts.push(chunkText(bytes, at, Math.min(at + CHUNK_BYTES, end)))
  }
  return parts.join('')
}

/** One byte for each character; a character above 255 loses its high bits. */
export function bytesFromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Ordinary text as its UTF-8 bytes, one character each: `é` becomes `Ã©`. */
export function latin1FromText(text: string): string {
  return isAscii(text) ? text : latin1FromBytes(new TextEncoder().encode(text))
}

/** The reverse of `latin1FromText`; bytes that are no UTF-8 become U+FFFD. For display. */
export function textFromLatin1(latin1: string): string {
  return isAscii(latin1) ? latin1 : new TextDecoder().decode(bytesFromLatin1(latin1))
}

function chunkText(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[])
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}
