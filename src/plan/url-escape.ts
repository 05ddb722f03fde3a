/**
 * Makes the path and query of a URL fit for a request line, as siege's `url-escaping` does.
 *
 * Text is bytes, one character each (`latin1.ts`). Escaping twice gives what escaping once gives,
 * so a URL that has been escaped already is safe here.
 */

/** Bytes that stay as they are wherever they stand. */
const KEPT = "!$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz"
/**
 * Bytes for which `%XX` and the byte itself mean the same (RFC 3986, section 2.3), so siege sends
 * the byte. `~` is unreserved too, but siege sends it as `%7E`, an equal request.
 */
const DECODED = /[-.0-9A-Z_a-z]/

const PERCENT = 0x25
const HASH = 0x23

const isKept: Uint8Array = new Uint8Array(256)
for (const character of KEPT) isKept[character.charCodeAt(0)] = 1

/** Whether a byte of a path or query is sent as it is, without a look at its neighbours. */
export function isUrlByteKept(byte: number): boolean {
  return isKept[byte] === 1
}

/** Two upper-case hexadecimal digits for each byte. */
const escapes: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

/**
 * `text` with unsafe bytes as `%XX`, a `%` that begins no escape as `%25`, and needless escapes of
 * letters, digits, `-`, `.` and `_` undone. `#` is kept: take a fragment off first.
 */
export function escapeUrl(text: string): string {
  let escaped = ''
  let taken = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at)
    if (isKept[byte] === 1 || byte === HASH) continue
    if (byte !== PERCENT) {
      escaped += text.slice(taken, at) + (escapes[byte] ?? '')
      taken = at + 1
      continue
    }
    const value = hexPairAt(text, at + 1)
    if (value === -1) {
      escaped += `${text.slice(taken, at)}%25`
      taken = at + 1
      continue
    }
    const character = String.fromCharCode(value)
    if (DECODED.test(character)) {
      escaped += text.slice(taken, at) + character
      taken = at + 3
    }
  }
  return taken === 0 ? text : escaped + text.slice(taken)
}

/** `text` with every valid `%xx` turned into its byte and everything else as it is. */
export function unescapeUrl(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => {
    return String.fromCharCode(Number.parseInt(digits, 16))
  })
}

/** The value of two hexadecimal digits, or -1 if these are none. */
function hexPairAt(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at))
  const low = hexDigit(text.charCodeAt(at + 1))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
