/** Undoes a content coding, by zlib, at once and within bounds. */
import zlib from 'node:zlib'

type Inflate = (bytes: Uint8Array, options: zlib.ZlibOptions) => Buffer

const inflates: Readonly<Record<string, readonly Inflate[]>> = {
  gzip: [zlib.gunzipSync],
  'x-gzip': [zlib.gunzipSync],
  // Servers mean either form by it (RFC 9110 section 8.4.1.2).
  deflate: [zlib.inflateSync, zlib.inflateRawSync],
  br: [(bytes, options) => zlib.brotliDecompressSync(bytes, options)],
}

/** The decoded body; the bytes as they came if the coding is unknown or the body is broken. */
export function decodeBody(bytes: Uint8Array, encoding: string, bytesMax: number): Uint8Array {
  return inflated(bytes, encoding.trim().toLowerCase(), bytesMax) ?? bytes
}

/** Null when the coding is unknown, the body broken, or more than `bytesMax` would come out. */
export function inflated(bytes: Uint8Array, coding: string, bytesMax: number): Uint8Array | null {
  for (const inflate of inflates[coding] ?? []) {
    try {
      return inflate(bytes, { maxOutputLength: bytesMax })
    } catch {
      // Broken, too large, or of the other form: what a server sends is no error of ours.
    }
  }
  return null
}
