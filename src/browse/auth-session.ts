/**
 * Logging in, for one virtual user: what to send with a request, and what to do about a 401 or 407.
 *
 * For each request (a turn) the engine asks `field()` for both sides, each time it sends, and tells
 * the session how it was answered: `challenged()` for 401 and 407, `accepted()` for all others.
 * Values are made when they are sent and not earlier, since Digest counts them and NTLM belongs to
 * a connection.
 *
 * Credentials are tried from the nearest to the most general: those in the URL, logins for the
 * realm, logins for every realm. Refused ones are not tried again there. Where they have served
 * before, a refusal may be a moment's weakness of the server: that request fails, and the next one
 * carries them again. Passwords are in no decision, message or error.
 *
 * HOT marks: bench/micro/auth.bench.ts.
 */

import { fitsBasic } from './auth-basic.ts'
import { type AuthLogin, AuthLogins } from './auth-logins.ts'
import { ntlmAuthenticateValue, ntlmNegotiateValue } from './auth-ntlm.ts'
import { type AuthOffer, readOffers } from './auth-offers.ts'
import { AuthPlace, type AuthSpace } from './auth-space.ts'
import {
  type AuthCredentials,
  type HashPort,
  sameCredentials,
  textFromLatin1,
} from './auth-text.ts'
import type { AuthSide, AuthTurn, ConnectionLogin, NtlmLogin } from './auth-turn.ts'

/** The field that carries a value of `field()`, by side. */
export const authFieldNames: Readonly<Record<AuthSide, string>> = {
  server: 'Authorization',
  proxy: 'Proxy-Authorization',
}

/** The response field with the challenges, by side. */
export const challengeFieldNames: Readonly<Record<AuthSide, string>> = {
  server: 'WWW-Authenticate',
  proxy: 'Proxy-Authenticate',
}

export interface AuthSettings {
  readonly hashes: HashPort
  readonly logins: readonly AuthLogin[]
  readonly proxyLogins: readonly AuthLogin[]
  /** From the proxy's URL. */
  readonly proxyCredentials: AuthCredentials | null
  /** Requests of one turn, repeats included, that may be answered by 401 or 407; 1 or more. */
  readonly attemptCountMax: number
}

export interface AuthAnswer {
  readonly status: 401 | 407
  /** The values of all fields named in `challengeFieldNames`, as latin1 text. */
  readonly fieldValues: readonly string[]
  /** The connection that the response came on. */
  readonly connection: ConnectionLogin
  /** False when it closes after this response. */
  readonly isConnectionKept: boolean
  /** Milliseconds since 1970, for NTLM. */
  readonly unixMs: number
}

export type AuthDecision =
  /** Send the request again; `field()` has what to send. */
  | { readonly kind: 'retry'; readonly side: AuthSide; readonly needsSameConnection: boolean }
  | { readonly kind: 'give-up'; readonly side: AuthSide; readonly reason: AuthFailure }

export type AuthFailure =
  | 'no-challenge'
  | 'no-usable-scheme'
  | 'no-credentials'
  | 'rejected'
  | 'too-many-attempts'
  /** NTLM cannot go on, since the server closes the connection in the middle. */
  | 'connection-closed'

/** What to tell a person about each failure. */
export const authFailureTexts: Readonly<Record<AuthFailure, string>> = {
  'no-challenge': 'the server wants a login but does not say how',
  'no-usable-scheme': 'the server wants a kind of login that onager does not know',
  'no-credentials': 'the server wants a login and none is given for it',
  rejected: 'the server does not accept the login',
  'too-many-attempts': 'the server asks for a login again and again',
  'connection-closed': 'the server closes the connection in the middle of an NTLM login',
}

/** What became of the credentials that a challenged request carried. */
type Verdict = 'retry' | 'retry-here' | 'other-realm' | 'refused' | 'closed'

export class AuthSession {
  readonly #hashes: HashPort
  readonly #attemptCountMax: number
  readonly #logins: AuthLogins
  readonly #proxyLogins: AuthLogins
  readonly #proxyCredentials: AuthCredentials | null
  readonly #proxyPlace: AuthPlace = new AuthPlace()
  /** By origin, and only those that ever asked for a login. */
  readonly #places: Map<string, AuthPlace> = new Map()

  constructor(settings: AuthSettings) {
    this.#hashes = settings.hashes
    this.#attemptCountMax = settings.attemptCountMax
    this.#logins = new AuthLogins(settings.logins)
    this.#proxyLogins = new AuthLogins(settings.proxyLogins)
    this.#proxyCredentials = settings.proxyCredentials
  }

  /**
   * HOT. The value to send to this side with the turn's next request over `connection`, or null.
   * To be asked just before each sending, once for each side there is.
   */
  field(turn: AuthTurn, side: AuthSide, connection: ConnectionLogin): string | null {
    const turnSide = turn[side]
    const space = turnSide.chosen ?? this.#unaskedSpace(turn, side)
    turnSide.sent = space
    if (space === null) return null
    if (space.basicValue !== null) return space.basicValue
    if (space.digest !== null) {
      turnSide.sentNonce = space.digest.nonce
      return space.digest.value(
        turn.method,
        side === 'proxy' ? turn.sentTarget : turn.requestTarget,
      )
    }
    return ntlmValue(space, connection[side])
  }

  #unaskedSpace(turn: AuthTurn, side: AuthSide): AuthSpace | null {
    if (side === 'proxy') return this.#proxyPlace.spaceFor('', this.#proxyCredentials)
    if (this.#places.size === 0) return null
    const place = this.#places.get(turn.originKey)
    return place === undefined ? null : place.spaceFor(turn.requestTarget, turn.credentials)
  }

  /** HOT. The turn's request was answered by something else than 401 and 407. */
  accepted(turn: AuthTurn, status: number, connection: ConnectionLogin): void {
    if (turn.server.sent !== null) this.#accept(turn, 'server', status, connection)
    if (turn.proxy.sent !== null) this.#accept(turn, 'proxy', status, connection)
  }

  #accept(turn: AuthTurn, side: AuthSide, status: number, connection: ConnectionLogin): void {
    const space = turn[side].sent
    if (space === null) return
    if (space.scheme === 'ntlm') endNtlm(space, connection[side])
    // A server that is in trouble may not have looked at the login at all.
    if (status >= 500) return
    const place = side === 'proxy' ? this.#proxyPlace : this.#placeOf(turn.originKey)
    place.accept(space, pageTarget(turn, side))
  }

  /** What to do about a 401 or 407. */
  challenged(turn: AuthTurn, answer: AuthAnswer): AuthDecision {
    const side = answer.status === 407 ? 'proxy' : 'server'
    // The proxy let the request through to the server that now asks.
    if (side === 'server') this.#accept(turn, 'proxy', answer.status, answer.connection)
    turn.challengeCount++
    const place = side === 'proxy' ? this.#proxyPlace : this.#placeOf(turn.originKey)
    const { hasChallenge, offers } = readOffers(answer.fieldValues)
    const { sent } = turn[side]
    const verdict =
      sent === null ? 'other-realm' : this.#judge({ turn, side, sent, place, offers, answer })
    if (verdict === 'closed') return { kind: 'give-up', side, reason: 'connection-closed' }
    if (verdict === 'refused' || verdict === 'other-realm') {
      if (!hasChallenge && sent === null) return { kind: 'give-up', side, reason: 'no-challenge' }
      const refused = verdict === 'refused' ? sent : null
      const choice = this.#choose({ turn, side, place, offers, refused })
      if (refused !== null) noteRefusal({ turn, side, place, offers, refused }, choice)
      if (typeof choice === 'string') return { kind: 'give-up', side, reason: choice }
      turn[side].chosen = choice
    }
    if (turn.challengeCount >= this.#attemptCountMax) {
      return { kind: 'give-up', side, reason: 'too-many-attempts' }
    }
    return { kind: 'retry', side, needsSameConnection: verdict === 'retry-here' }
  }

  #judge({ turn, side, sent, place, offers, answer }: Judged): Verdict {
    if (offers.length === 0 && sent.scheme !== 'ntlm') return 'refused'
    switch (sent.scheme) {
      case 'basic':
        return offers.some(({ scheme, realm }) => scheme === 'basic' && realm === sent.realm)
          ? 'refused'
          : 'other-realm'
      case 'digest': {
        const offer = offers.find((one) => one.scheme === 'digest' && one.realm === sent.realm)
        if (offer?.scheme !== 'digest' || sent.digest === null) return 'other-realm'
        // Not all servers say that a nonce went stale, but a fresh one is worth an answer.
        const { chosen, sentNonce } = turn[side]
        const isWorthAnswer = chosen === null && offer.digest.nonce !== sentNonce
        if (!offer.digest.isStale && !isWorthAnswer) return 'refused'
        sent.digest.renew(offer.digest)
        turn[side].chosen = sent
        return 'retry'
      }
      case 'ntlm':
        return this.#judgeNtlm({ turn, side, sent, place, offers, answer })
    }
  }

  #judgeNtlm({ turn, side, sent, place, offers, answer }: Judged): Verdict {
    const login = answer.connection[side]
    const offer = offers.find(({ scheme }) => scheme === 'ntlm')
    const message = offer?.scheme === 'ntlm' ? offer.message : null
    const { phase } = login
    login.reset()
    if (phase === 'answering' || offers.length === 0) return 'refused'
    turn[side].chosen = sent
    // The connection's login was forgotten: begin again.
    if (phase !== 'begun') return offer === undefined ? 'other-realm' : 'retry'
    const value =
      message === null
        ? undefined
        : ntlmAuthenticateValue(message, sent.credentials, {
            hashes: this.#hashes,
            unixMs: answer.unixMs,
          })
    if (value === undefined) {
      place.isNtlmBroken = true
      place.close(sent)
      return 'other-realm'
    }
    if (!answer.isConnectionKept) return 'closed'
    login.phase = 'answering'
    login.space = sent
    login.answer = value
    return 'retry-here'
  }

  #choose({ turn, side, place, offers, refused }: Choice): AuthSpace | AuthFailure {
    const requestTarget = pageTarget(turn, side)
    let reason: AuthFailure = refused === null ? 'no-usable-scheme' : 'rejected'
    for (const offer of offers) {
      if (offer.scheme === 'ntlm' && place.isNtlmBroken) continue
      if (reason === 'no-usable-scheme') reason = 'no-credentials'
      for (const credentials of this.#candidates(turn, side, offer.realm)) {
        if (offer.scheme === 'basic' && !fitsBasic(credentials)) continue
        const isRefused =
          (refused !== null && sameCredentials(refused.credentials, credentials)) ||
          place.refusals.has(offer.realm, credentials, requestTarget)
        if (!isRefused) return place.open(offer, credentials, this.#hashes)
        reason = 'rejected'
      }
    }
    return reason
  }

  #candidates(turn: AuthTurn, side: AuthSide, realm: string | null): readonly AuthCredentials[] {
    const own = side === 'proxy' ? this.#proxyCredentials : turn.credentials
    const logins = side === 'proxy' ? this.#proxyLogins : this.#logins
    const others = logins.candidates(realm === null ? null : textFromLatin1(realm))
    return own === null ? others : [own, ...others]
  }

  #placeOf(originKey: string): AuthPlace {
    let place = this.#places.get(originKey)
    if (place === undefined) {
      place = new AuthPlace()
      this.#places.set(originKey, place)
    }
    return place
  }
}

interface Judged {
  readonly turn: AuthTurn
  readonly side: AuthSide
  readonly sent: AuthSpace
  readonly place: AuthPlace
  readonly offers: readonly AuthOffer[]
  readonly answer: AuthAnswer
}

interface Choice {
  readonly turn: AuthTurn
  readonly side: AuthSide
  readonly place: AuthPlace
  readonly offers: readonly AuthOffer[]
  /** What this response has just refused. */
  readonly refused: AuthSpace | null
}

/**
 * Remembers a refusal, unless the credentials have served before and there are no others: then
 * nothing better can be done than to send them again with the next request.
 */
function noteRefusal(
  { turn, side, place, offers, refused }: Choice & { readonly refused: AuthSpace },
  choice: AuthSpace | AuthFailure,
): void {
  const { realm, credentials, isAccepted } = refused
  if (isAccepted && typeof choice === 'string') return
  const refusal = { requestTarget: pageTarget(turn, side), wereAccepted: isAccepted }
  place.refusals.add(realm, credentials, refusal)
  // The other schemes of the same response most likely ask the same book of passwords.
  for (const offer of offers) place.refusals.add(offer.realm, credentials, refusal)
}

/** A proxy is one place for all that is asked of it. */
function pageTarget(turn: AuthTurn, side: AuthSide): string {
  return side === 'proxy' ? '' : turn.requestTarget
}

/** The next message on this connection; null once it is logged in. */
function ntlmValue(space: AuthSpace, login: NtlmLogin): string | null {
  if (login.space === space) {
    if (login.phase === 'done') return null
    if (login.phase === 'answering') return login.answer
  }
  login.phase = 'begun'
  login.space = space
  login.answer = null
  return ntlmNegotiateValue
}

/** The server stopped asking: the connection is logged in, or no login was wanted. */
function endNtlm(space: AuthSpace, login: NtlmLogin): void {
  if (login.space !== space) return
  login.answer = null
  if (login.phase === 'answering') login.phase = 'done'
  else if (login.phase === 'begun') login.phase = 'none'
}
