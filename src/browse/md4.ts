/**
 * MD4 (RFC 1320), for NTLM passwords only: OpenSSL 3 has put it away, and nothing else may use it.
 *
 * Run once for each password, so plain is better than fast.
 */

const BLOCK_BYTES = 64
const LENGTH_BYTES = 8

/** RFC 1320, section 3.4: the order of words and the shifts of each round. */
const ROUNDS = [
  {
    words: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
    constant: 0,
    mix: (x: number, y: number, z: number) => (x & y) | (~x & z),
  },
  {
    words: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
    constant: 0x5a827999,
    mix: (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
  },
  {
    words: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
    constant: 0x6ed9eba1,
    mix: (x: number, y: number, z: number) => x ^ y ^ z,
  },
] as const

/** The 16 bytes of the digest. */
export function md4(bytes: Uint8Array): Uint8Array {
  const view = padded(bytes)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < view.byteLength; at += BLOCK_BYTES) addBlock(state, view, at)
  const digest = new DataView(new ArrayBuffer(16))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word, true)
  return new Uint8Array(digest.buffer)
}

/** A one bit, zeros, and the length in bits, so that whole blocks come out (section 3.1, 3.2). */
function padded(bytes: Uint8Array): DataView {
  const blockCount = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES)
  const all = new Uint8Array(blockCount * BLOCK_BYTES)
  all.set(bytes)
  all[bytes.length] = 0x80
  const view = new DataView(all.buffer)
  view.setBigUint64(all.length - LENGTH_BYTES, BigInt(bytes.length) * 8n, true)
  return view
}

function addBlock(state: number[], view: DataView, offset: number): void {
  let [a, b, c, d] = state as [number, number, number, number] // Four words, made so above.
  for (const { words, shifts, constant, mix } of ROUNDS) {
    for (const [step, word] of words.entries()) {
      const sum = a + mix(b, c, d) + view.getUint32(offset + word * 4, true) + constant
      const shift = shifts[step % 4]!
      const turned = (sum << shift) | ((sum | 0) >>> (32 - shift))
      a = d
      d = c
      c = b
      b = turned
    }
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index]! + word) | 0
}
