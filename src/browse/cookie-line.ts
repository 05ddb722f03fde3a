/**
 * Reads one Set-Cookie value into the parts that RFC 6265 section 5.2 knows.
 *
 * It knows no request, no jar and no time: whether the cookie is accepted is the jar's affair.
 * Attributes it does not know (SameSite, Partitioned, Priority ...) are ignored. Text is latin1
 * text, one character for each byte.
 */
import { readCookieDate } from './cookie-date.ts'

export interface SetCookie {
  readonly name: string
  readonly value: string
  /** As written, without a leading dot; null when not given. */
  readonly domain: string | null
  /** null when not given, or not a path: the default path then. */
  readonly path: string | null
  /** May be negative, and infinite when it has very many digits; null when not given. */
  readonly maxAgeS: number | null
  readonly expiresAtMs: number | null
  readonly isSecureOnly: boolean
  readonly isHttpOnly: boolean
}

/** As browsers have it: name and value. RFC 6265 section 6.1 asks for at least this. */
export const COOKIE_BYTES_MAX = 4096
/** The whole line, since a cookie may keep it in memory. */
export const LINE_BYTES_MAX = 8192

/** Also DEL. A tab is white space. */
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

/**
 * null for what is no cookie: without `=`, without a name, with control characters, too long.
 * Of an attribute that comes twice the last usable one counts.
 */
export function readSetCookie(line: string): SetCookie | null {
  if (line.length > LINE_BYTES_MAX || CONTROL.test(line)) return null
  const pairEnd = partEnd(line, 0)
  const equals = line.indexOf('=')
  if (equals < 0 || equals > pairEnd) return null
  const name = trimmed(line, 0, equals)
  const value = trimmed(line, equals + 1, pairEnd)
  if (name === '' || name.length + value.length > COOKIE_BYTES_MAX) return null

  let domain: string | null = null
  let path: string | null = null
  let maxAgeS: number | null = null
  let expiresAtMs: number | null = null
  let isSecureOnly = false
  let isHttpOnly = false
  for (let start = pairEnd + 1; start < line.length; ) {
    const end = partEnd(line, start)
    const found = line.indexOf('=', start)
    const nameEnd = found < 0 || found > end ? end : found
    const text = nameEnd === end ? '' : trimmed(line, nameEnd + 1, end)
    switch (trimmed(line, start, nameEnd).toLowerCase()) {
      case 'domain':
        domain = domainOf(text) ?? domain
        break
      case 'path':
        path = text.startsWith('/') ? text : null
        break
      case 'max-age':
        maxAgeS = /^-?\d+$/.test(text) ? Number(text) : maxAgeS
        break
      case 'expires':
        expiresAtMs = readCookieDate(text) ?? expiresAtMs
        break
      case 'secure':
        isSecureOnly = true
        break
      case 'httponly':
        isHttpOnly = true
        break
    }
    start = end + 1
  }
  return { name, value, domain, path, maxAgeS, expiresAtMs, isSecureOnly, isHttpOnly }
}

/** Where the part that begins at `start` ends: at the next `;`, or with the line. */
function partEnd(line: string, start: number): number {
  const end = line.indexOf(';', start)
  return end < 0 ? line.length : end
}

/** Without blanks and tabs around it; `trim()` would take 0xA0 off, which may be half a letter. */
function trimmed(line: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isBlank(line.charCodeAt(from))) from++
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--
  return line.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Section 5.2.3: one leading dot is ignored, an empty value too. */
function domainOf(text: string): string | null {
  const domain = text.startsWith('.') ? text.slice(1) : text
  return domain === '' ? null : domain
}
