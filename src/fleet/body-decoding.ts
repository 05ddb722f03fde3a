/** Undoes a content coding, by zlib, which is loaded when first needed; at once and within bounds. */
import type zlib from 'node:zlib'

type Inflate = (bytes: Uint8Array, options: zlib.ZlibOptions) => Buffer

function inflatesOf(coding: string): readonly Inflate[] {
  const { gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync } =
    process.getBuiltinModule('node:zlib')
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return [gunzipSync]
    case 'deflate':
      // Servers mean either form by it (RFC 9110 section 8.4.1.2).
      return [inflateSync, inflateRawSync]
    case 'br':
      return [(bytes, options) => brotliDecompressSync(bytes, options)]
    default:
      return []
  }
}

/** The decoded body; the bytes as they came if the coding is unknown or the body is broken. */
export function decodeBody(bytes: Uint8Array, encoding: string, bytesMax: number): Uint8Array {
  return inflated(bytes, encoding.trim().toLowerCase(), bytesMax) ?? bytes
}

/** Null when the coding is unknown, the body broken, or more than `bytesMax` would come out. */
export function inflated(bytes: Uint8Array, coding: string, bytesMax: number): Uint8Array | null {
  for (const inflate of inflatesOf(coding)) {
    try {
      return inflate(bytes, { maxOutputLength: bytesMax })
    } catch {
      // Broken, too large, or of the other form: what a server sends is no error of ours.
    }
  }
  return null
}
