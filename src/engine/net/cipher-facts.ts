/** What is known of ciphers and keys by their OpenSSL names, as ab prints it. */

/** Bits of a cipher's secret key. */
export function cipherBitsOf(cipher: string): number {
  if (/AES_?128|CAMELLIA_?128|ARIA_?128|SEED|RC4/i.test(cipher)) return 128
  return /DES/i.test(cipher) && !/AES|ARIA/i.test(cipher) ? 112 : 256
}

/** `X25519 253 bits`, `ECDH prime256v1 256 bits`, `DH 2048 bits`. */
export function temporaryKeyText(name: string, bits: number): string {
  const isPlain = name === 'DH' || name === 'X25519' || name === 'X448' || name === 'RSA'
  return `${isPlain ? name : `ECDH ${name}`} ${bits} bits`
}

const groupBits: Readonly<Record<string, number>> = {
  X25519: 253,
  X448: 448,
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
}

/** The same by the group's name; null when that is not known. */
export function groupText(group: string): string | null {
  const bits = groupBits[group]
  return bits === undefined ? null : temporaryKeyText(group, bits)
}
