/**
 * The directives of Cache-Control that a private cache without bodies acts on (RFC 9111, 5.2.2).
 *
 * must-revalidate and immutable change nothing here: nothing stale is ever used, and what is fresh
 * is never asked for. private allows what this cache does; s-maxage is for shared caches.
 */

export interface CacheControl {
  readonly isStorable: boolean
  /** May be used without asking while it is fresh. */
  readonly isReusable: boolean
  /** null when not given; an unusable value is 0. */
  readonly maxAgeS: number | null
}

/** A name, and a value if there is one, which may be a quoted string with commas in it. */
const DIRECTIVE = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g

/** Of directives given twice the first counts, as RFC 9111 section 4.2.1 allows. */
export function readCacheControl(text: string): CacheControl {
  let isStorable = true
  let isReusable = true
  let maxAgeS: number | null = null
  for (const [, name, quoted, plain] of text.matchAll(DIRECTIVE)) {
    switch (name!.toLowerCase()) {
      case 'no-store':
        isStorable = false
        break
      case 'no-cache':
        // With field names only those would need asking; asking for all is safe.
        isReusable = false
        break
      case 'max-age':
        maxAgeS ??= secondsOf(quoted ?? plain ?? '')
        break
    }
  }
  return { isStorable, isReusable, maxAgeS }
}

/** RFC 9111 section 1.2.2: more than 31 bits is for ever. */
export function secondsOf(text: string): number {
  return /^\d+$/.test(text) ? Math.min(Number(text), 2 ** 31) : 0
}
