/**
 * URLs by the WHATWG algorithm, for text that may be none.
 *
 * `URL.canParse` alone is not trusted: in Node 20 it says no to good URLs with characters beyond
 * ASCII once it has been compiled, after some thousand calls.
 */

const ASCII = /^[\0-\x7f]*$/

/** Null when `text`, relative to `base` if given, is no URL. */
export function parsedUrl(text: string, base?: string): URL | null {
  // Asking first, since a thrown error costs as much as ten answers and pages repeat mistakes.
  if (ASCII.test(text) && !URL.canParse(text, base)) return null
  try {
    return new URL(text, base)
  } catch {
    // The one thing that `new URL` throws for.
    return null
  }
}
