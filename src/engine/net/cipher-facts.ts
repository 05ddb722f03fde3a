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
