/**
 * Reads what a server demands: the values of WWW-Authenticate and Proxy-Authenticate fields
 * (RFC 9110, section 11.6.1) as a list of challenges.
 *
 * The grammar is awkward since a comma parts challenges as well as their parameters: a word
 * followed by `=` is a parameter, any other word begins a challenge. It judges no scheme. Broken
 * parts are left out rather than guessed, up to the next comma, and what a server can make us keep
 * is bounded. Values come out without control characters, so that they are safe to send back.
 */

/** What one scheme asks for. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** What stands behind the scheme instead of parameters, as NTLM's message does; else null. */
  readonly token68: string | null
  /** By name in lower case, unquoted. Of a repeated name, the first value. */
  readonly params: ReadonlyMap<string, string>
}

/** Bytes of one field value that are read: NTLM and Kerberos may send 48 KiB in base64. */
export const CHALLENGE_BYTES_MAX = 65_536
export const CHALLENGE_COUNT_MAX = 32
export const PARAM_COUNT_MAX = 32

const BLANKS_AND_COMMAS = /[\t ,]*/y
const BLANKS = /[\t ]*/y
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
/** Behind a scheme only, and only if nothing but a comma or the end follows. */
const TOKEN68 = /[\t ]+([A-Za-z0-9\-._~+/]+=*)[\t ]*(?=,|$)/y
const QUOTED = /"(?:[^"\\]|\\.)*"/sy
/** A value without quotes; wider than a token, since servers forget to quote. */
const BARE = /[^\t ,"]+/y
/** What has no place in a field's value, and must not get into ours. */
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

interface OpenChallenge {
  readonly scheme: string
  token68: string | null
  readonly params: Map<string, string>
}

/** The challenges of all fields in order. Each value is latin1 text, as it was received. */
export function parseChallenges(fieldValues: readonly string[]): readonly Challenge[] {
  const challenges: OpenChallenge[] = []
  for (const value of fieldValues.slice(0, CHALLENGE_COUNT_MAX)) {
    new FieldReader(value.slice(0, CHALLENGE_BYTES_MAX)).readInto(challenges)
  }
  return challenges
}

class FieldReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readInto(challenges: OpenChallenge[]): void {
    let current: OpenChallenge | null = null
    for (;;) {
      this.#take(BLANKS_AND_COMMAS)
      if (this.#at >= this.#text.length) return
      const word = this.#take(TOKEN)
      if (word === undefined) {
        this.#skipElement()
      } else if (this.#takeEquals()) {
        this.#readParam(current, word.toLowerCase())
      } else {
        if (challenges.length >= CHALLENGE_COUNT_MAX) return
        current = { scheme: word.toLowerCase(), token68: null, params: new Map() }
        challenges.push(current)
        current.token68 = this.#takeToken68()
      }
    }
  }

  #readParam(challenge: OpenChallenge | null, name: string): void {
    const value = this.#takeValue()
    this.#take(BLANKS)
    const isWhole = this.#at >= this.#text.length || this.#text[this.#at] === ','
    if (!isWhole) this.#skipElement()
    if (!isWhole || value === undefined || challenge === null || CONTROL.test(value)) return
    const { params } = challenge
    if (params.size < PARAM_COUNT_MAX && !params.has(name)) params.set(name, value)
  }

  /** An empty value may stand without quotes, too: `opaque=,`. */
  #takeValue(): string | undefined {
    if (this.#text[this.#at] !== '"') return this.#take(BARE) ?? ''
    // Without an end it is not known what it was: the rest of the field will go with it.
    return this.#take(QUOTED)?.slice(1, -1).replace(/\\(.)/gs, '$1')
  }

  #takeEquals(): boolean {
    const start = this.#at
    this.#take(BLANKS)
    if (this.#text[this.#at] === '=') {
      this.#at++
      this.#take(BLANKS)
      return true
    }
    this.#at = start
    return false
  }

  #takeToken68(): string | null {
    TOKEN68.lastIndex = this.#at
    const found = TOKEN68.exec(this.#text)
    if (found === null) return null
    this.#at = TOKEN68.lastIndex
    return found[1]!
  }

  /** To the next comma that stands outside quotes. */
  #skipElement(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== ',') {
      if (this.#text[this.#at] !== '"') this.#at++
      else if (this.#take(QUOTED) === undefined) this.#at = this.#text.length
    }
  }

  /** What matches here, if that is more than nothing. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null || found[0] === '') return undefined
    this.#at = pattern.lastIndex
    return found[0]
  }
}
