/**
 * Of all challenges in a response, those that can be answered, the strongest first.
 *
 * Digest beats NTLM and NTLM beats Basic, whatever order the server names them in. Negotiate is
 * left out: it needs a Kerberos ticket or a wrapping that no load test should depend on.
 */
import { type Challenge, parseChallenges } from './challenge.ts'
import { type DigestChallenge, readDigestChallenge } from './digest-challenge.ts'

export type AuthOffer =
  | { readonly scheme: 'basic'; readonly realm: string }
  | { readonly scheme: 'digest'; readonly realm: string; readonly digest: DigestChallenge }
  /** Without a message, the server offers to begin. NTLM knows no realms: null. */
  | { readonly scheme: 'ntlm'; readonly realm: null; readonly message: string | null }

export type AuthScheme = AuthOffer['scheme']

export interface AuthOffers {
  /** Whether there was any challenge, usable or not. */
  readonly hasChallenge: boolean
  readonly offers: readonly AuthOffer[]
}

export function readOffers(fieldValues: readonly string[]): AuthOffers {
  const challenges = parseChallenges(fieldValues)
  const offers = challenges.map(offerOf).filter((offer) => offer !== undefined)
  // Sorting keeps the server's order among equals.
  offers.sort((a, b) => strengthOf(b) - strengthOf(a))
  return { hasChallenge: challenges.length > 0, offers }
}

function offerOf(challenge: Challenge): AuthOffer | undefined {
  const { scheme, token68, params } = challenge
  switch (scheme) {
    case 'basic':
      // A realm is required, but without one it is still clear what to send.
      return { scheme, realm: params.get('realm') ?? '' }
    case 'digest': {
      const digest = readDigestChallenge(challenge)
      return digest === undefined ? undefined : { scheme, realm: digest.realm, digest }
    }
    case 'ntlm':
      return { scheme, realm: null, message: token68 }
    default:
      return undefined
  }
}

function strengthOf(offer: AuthOffer): number {
  switch (offer.scheme) {
    case 'basic':
      return 0
    case 'ntlm':
      return 1
    case 'digest':
      return 1 + offer.digest.algorithm.strength
  }
}
