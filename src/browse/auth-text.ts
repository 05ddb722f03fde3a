/**
 * What all ways to log in share: the hashing port, and text as the bytes that travel.
 *
 * Field values are *latin1 text* here as on the wire: one character per byte. Names and passwords
 * are people's text and become UTF-8 first. MD4 is the one hash that does not come through the
 * port: the OpenSSL of today has none (`md4.ts`).
 */

export type HashAlgorithm = 'md5' | 'sha256' | 'sha512-256'

/** Hashing and chance, handed in by whoever has a library for them. */
export interface HashPort {
  hash(algorithm: HashAlgorithm, bytes: Uint8Array): Uint8Array
  hmacMd5(key: Uint8Array, bytes: Uint8Array): Uint8Array
  /** Bytes that nobody can foretell, for client nonces. */
  randomBytes(byteCount: number): Uint8Array
}

/** A name and its password, as people's text. */
export interface AuthCredentials {
  readonly user: string
  readonly password: string
}

export function sameCredentials(a: AuthCredentials, b: AuthCredentials): boolean {
  return a === b || (a.user === b.user && a.password === b.password)
}

/** The UTF-8 bytes of `text`, one character each. */
export function utf8Latin1(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : latin1Text(new TextEncoder().encode(text))
}

/** The reverse, for comparing with people's text. What is no UTF-8 stays as it is. */
export function textFromLatin1(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(latin1Bytes(latin1))
  } catch {
    // A fatal decoder throws on bytes that are no UTF-8, and on nothing else.
    return latin1
  }
}

/** Bytes per call of `String.fromCharCode`: arguments live on the stack. */
const CHUNK_BYTES = 4096

export function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return text
}

/** One byte for each character; a character above 255 loses its high bits. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Two lower-case digits for each byte. */
export function hexText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += HEX[bytes[at]!]!
  return text
}

export function base64Text(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes))
}

/** The bytes behind `text`, or undefined if it is not base64. Padding may be missing. */
export function base64Bytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined
  return latin1Bytes(atob(digits))
}

/** `text` as a quoted-string (RFC 9110, section 5.6.4). It must hold no control characters. */
export function quotedString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
