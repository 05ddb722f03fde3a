/** The hashing port as the programs fill it, with chance that a test can foresee if it wants. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { HashPort } from '../../src/browse/auth-text.ts'

export const nodeHashes: HashPort = {
  hash: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
  hmacMd5: (key, bytes) => createHmac('md5', key).update(bytes).digest(),
  randomBytes: (byteCount) => randomBytes(byteCount),
}

/** With the same bytes instead of random ones, repeated as often as needed. */
export function hashesWith(bytes: Uint8Array): HashPort {
  return {
    ...nodeHashes,
    randomBytes: (byteCount) =>
      Uint8Array.from({ length: byteCount }, (_, index) => bytes[index % bytes.length]!),
  }
}
