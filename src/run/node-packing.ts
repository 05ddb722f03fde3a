/** zlib and base64 of Node, for histograms in result files. */
import type { Packing } from '../metrics/hdr-v2.ts'

export const nodePacking: Packing = {
  deflate: (bytes) => process.getBuiltinModule('node:zlib').deflateSync(bytes, { level: 9 }),
  inflate(bytes, byteCountMax) {
    const { inflateSync } = process.getBuiltinModule('node:zlib')
    try {
      return inflateSync(bytes, { maxOutputLength: byteCountMax })
    } catch {
      // Whatever is wrong with the stream, the caller says which histogram it was.
      return null
    }
  },
  toBase64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
  fromBase64(text) {
    // Node leaves out what is no base64 instead of refusing it.
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
    return Buffer.from(text, 'base64')
  },
}
