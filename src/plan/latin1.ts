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

/**
 * `text` without blanks and line ends in front. Not `trimStart()`, which takes 0xA0 for a blank:
 * in these bytes it is the tail of a UTF-8 letter such as `à`.
 */
export function trimStartLatin1(text: string): string {
  let start = 0
  while (isBlank(text.charCodeAt(start))) start++
  return start === 0 ? text : text.slice(start)
}

/** `text` without blanks and line ends behind. */
export function trimEndLatin1(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}

/** Tab, line feed, vertical tab, form feed, carriage return, space. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Characters of a person's text that a message repeats. */
const QUOTED_CHARACTERS_MAX = 60

/** Latin-1 text in quotes for a message: on one line, cut when long, control characters shown. */
export function quotedLatin1(latin1: string): string {
  const isLong = latin1.length > QUOTED_CHARACTERS_MAX
  const text = textFromLatin1(isLong ? latin1.slice(0, QUOTED_CHARACTERS_MAX - 3) : latin1)
  const visible = text.replace(/[\0-\x1f\x7f-\x9f]/g, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `"${visible}${isLong ? '...' : ''}"`
}

function chunkText(bytes: Uint8Array, start: number, end: number): string {
  // An array goes through apply() twice as fast as a view on the bytes does.
  const codes = new Array<number>(end - start)
  for (let at = start; at < end; at++) codes[at - start] = bytes[at]!
  return String.fromCharCode.apply(null, codes)
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}
