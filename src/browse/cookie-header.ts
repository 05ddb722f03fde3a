/**
 * One Cookie field out of the values a person gave and those of the jar.
 *
 * RFC 6265 section 5.4: a request has at most one Cookie field. A given cookie keeps its place in
 * front and beats cookies of the jar with its name: the person asked for exactly that value.
 */

/** Puts given cookies and a jar's together; one per user. */
export class GivenCookies {
  readonly #given: string
  #lastJarHeader: string
  #lastMerged: string

  /** Values of all Cookie fields that were given, such as `a=1; b=2`. */
  constructor(given: readonly string[]) {
    this.#given = joined(given)
    this.#lastJarHeader = ''
    this.#lastMerged = this.#given
  }

  /** HOT (bench/micro/cookies.bench.ts): the jar gives the same text until something changes. */
  merge(jarHeader: string): string {
    if (jarHeader !== this.#lastJarHeader) {
      this.#lastMerged = mergeCookieHeaders(this.#given, jarHeader)
      this.#lastJarHeader = jarHeader
    }
    return this.#lastMerged
  }
}

/** The value of the one Cookie field; empty when both are. */
export function mergeCookieHeaders(given: string, jarHeader: string): string {
  const givenText = joined([given])
  if (givenText === '' || jarHeader === '') return givenText === '' ? jarHeader : givenText
  const givenNames = new Set(givenText.split(';').map(nameOf))
  const others = jarHeader.split('; ').filter((pair) => !givenNames.has(nameOf(pair)))
  return [givenText, ...others].join('; ')
}

/** Without stray blanks and semicolons at both ends of each. */
function joined(given: readonly string[]): string {
  return given
    .map((text) => text.replace(/^[; \t]+/, '').replace(/[; \t]+$/, ''))
    .filter((text) => text !== '')
    .join('; ')
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=')
  return (equals < 0 ? pair : pair.slice(0, equals)).trim()
}
