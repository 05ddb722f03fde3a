/**
 * Digest login (RFC 7616): the answer to a challenge, and the ones that go ahead of the next
 * requests with the same nonce.
 *
 * All that does not change with the request is hashed once a nonce, and what stands around the
 * changing parts is text made once. A request costs one hash, and one more when its method or
 * target differs from the last one's. All text is latin1 text.
 *
 * HOT marks: bench/micro/auth.bench.ts.
 */
import {
  type AuthCredentials,
  type HashPort,
  hexText,
  latin1Bytes,
  quotedString,
  utf8Latin1,
} from './auth-text.ts'
import type { DigestChallenge } from './digest-challenge.ts'

const CNONCE_BYTES = 16

/** The answers of one user to one protection space. */
export class DigestAnswers {
  readonly #hashes: HashPort
  readonly #credentials: AuthCredentials
  #challenge: DigestChallenge
  #nonceCount = 0
  #cnonce = ''
  /** H(A1), a colon and the nonce with its colon: what the response's hash begins with. */
  #hashStart = ''
  #hashEnd = ''
  /** The value up to the target, and after the response. */
  #beforeUri = ''
  #afterResponse = ''
  #method = ''
  #requestTarget = ''
  #a2 = ''
  #quotedTarget = ''

  constructor(credentials: AuthCredentials, challenge: DigestChallenge, hashes: HashPort) {
    this.#credentials = credentials
    this.#challenge = challenge
    this.#hashes = hashes
    this.renew(challenge)
  }

  get nonce(): string {
    return this.#challenge.nonce
  }

  /** Goes on with what a later challenge says. The counter starts again with each new nonce. */
  renew(challenge: DigestChallenge): void {
    this.#challenge = challenge
    this.#nonceCount = 0
    this.#cnonce = hexText(this.#hashes.randomBytes(CNONCE_BYTES))
    // Another algorithm makes another hash of them.
    this.#method = ''
    this.#prepare()
  }

  /**
   * HOT. The field's value for a request, counted as sent. `requestTarget` is the target as it
   * stands in the request line that the asking side judges.
   */
  value(method: string, requestTarget: string): string {
    if (method !== this.#method || requestTarget !== this.#requestTarget) {
      this.#method = method
      this.#requestTarget = requestTarget
      this.#a2 = this.#hex(`${method}:${requestTarget}`)
      this.#quotedTarget = quotedString(requestTarget)
    }
    const start = this.#beforeUri + this.#quotedTarget
    if (!this.#challenge.hasQop) {
      return this.#ended(start, this.#hex(this.#hashStart + this.#a2))
    }
    const count = (++this.#nonceCount).toString(16).padStart(8, '0')
    const response = this.#hex(this.#hashStart + count + this.#hashEnd + this.#a2)
    return this.#ended(`${start}, qop=auth, nc=${count}`, response)
  }

  #ended(start: string, response: string): string {
    return `${start}, response="${response}"${this.#afterResponse}`
  }

  #prepare(): void {
    const { realm, nonce, opaque, algorithm, isAlgorithmNamed, hasQop } = this.#challenge
    const user = utf8Latin1(this.#credentials.user)
    let a1 = this.#hex(`${user}:${realm}:${utf8Latin1(this.#credentials.password)}`)
    if (algorithm.isSession) a1 = this.#hex(`${a1}:${nonce}:${this.#cnonce}`)
    this.#hashStart = `${a1}:${nonce}:`
    this.#hashEnd = `:${this.#cnonce}:auth:`
    this.#beforeUri =
      `Digest ${this.#userParam(user)}, realm=${quotedString(realm)}, ` +
      `nonce=${quotedString(nonce)}, uri=`
    // The session's key needs the client nonce even where the counter is not used.
    const needsCnonce = hasQop || algorithm.isSession
    this.#afterResponse =
      (needsCnonce ? `, cnonce="${this.#cnonce}"` : '') +
      (isAlgorithmNamed ? `, algorithm=${algorithm.name}` : '') +
      (opaque === null ? '' : `, opaque=${quotedString(opaque)}`) +
      (this.#challenge.isUserHashed ? ', userhash=true' : '')
  }

  /**
   * Section 3.4: hashed if the server wants that, else quoted. What a quoted string cannot hold,
   * and other letters than ASCII where the server has said that it speaks UTF-8, goes as RFC 8187
   * has it.
   */
  #userParam(user: string): string {
    const { isUserHashed, isUtf8, realm } = this.#challenge
    if (isUserHashed) return `username="${this.#hex(`${user}:${realm}`)}"`
    const hasControl = /[\x00-\x1f\x7f]/.test(user)
    const isAscii = !/[\x80-\xff]/.test(user)
    if (!hasControl && (isAscii || !isUtf8)) return `username=${quotedString(user)}`
    return `username*=UTF-8''${extendedText(user)}`
  }

  #hex(latin1: string): string {
    return hexText(this.#hashes.hash(this.#challenge.algorithm.hash, latin1Bytes(latin1)))
  }
}

/** RFC 8187, section 3.2.1: `attr-char`s stay, other bytes become `%XX`. */
function extendedText(latin1: string): string {
  return latin1.replace(/[^A-Za-z0-9!#$&+\-.^_`|~]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}
