/**
 * Single bytes of HTTP/1, and text made from and into them.
 *
 * Text that goes over the wire is *latin1 text* everywhere in this layer: one character per byte,
 * U+0000 to U+00FF. Whoever has Unicode text turns it into UTF-8 bytes first. (The platform's
 * decoder called `latin1` is windows-1252, so it cannot be used here.)
 */
import { invariant } from '../base/errors.ts'

export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const SPACE = 0x20
export const COMMA = 0x2c
export const COLON = 0x3a

/** White space around a value: OWS of RFC 9110 section 5.6.3, and a stray CR (RFC 9112, 2.2). */
export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR
}

/**
 * The bytes of `bytes[start..end)` as latin1 text.
 *
 * Eight characters a call: a third of the time of one a call, and of `apply` on a view.
 */
export function latin1Text(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let at = start
  for (; at + 8 <= end; at += 8) {
    text += String.fromCharCode(
      bytes[at]!,
      bytes[at + 1]!,
      bytes[at + 2]!,
      bytes[at + 3]!,
      bytes[at + 4]!,
      bytes[at + 5]!,
      bytes[at + 6]!,
      bytes[at + 7]!,
    )
  }
  for (; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** Writes latin1 text at `at` and returns the index after it. The caller has made the room. */
export function writeLatin1(into: Uint8Array, at: number, text: string): number {
  let allBits = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    allBits |= code
    into[at + index] = code
  }
  invariant(allBits <= 0xff, 'text for the wire holds one byte per character')
  return at + text.length
}

/** The bytes of latin1 text. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  writeLatin1(bytes, 0, text)
  return bytes
}

/**
 * HOT (bench/micro/parser-response.bench.ts). Whether `bytes[start..)` spells `name`, which is in
 * lower case, in whatever case. The caller knows that `name.length` bytes are there.
 */
export function spells(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let index = 0; index < name.length; index++) {
    const wanted = name[index]!
    // Upper and lower case of a letter differ in bit 5; for other bytes that bit counts.
    const mask = wanted >= 0x61 && wanted <= 0x7a ? 0xdf : 0xff
    if (((bytes[start + index]! ^ wanted) & mask) !== 0) return false
  }
  return true
}
