/**
 * The characters that latin1 text, one character for each byte, stands for as UTF-8.
 *
 * Fields and pages arrive as bytes of unknown encoding; only where they become names or URLs does
 * it matter what the bytes mean.
 */

/** null when the bytes are no UTF-8. Characters above 255 are no bytes and are not either. */
export function textFromUtf8(latin1: string): string | null {
  if (/^[\0-\x7f]*$/.test(latin1)) return latin1
  if (/[^\0-\xff]/.test(latin1)) return null
  const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}
