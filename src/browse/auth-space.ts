/**
 * What one virtual user knows about logging in at one place, an origin or a proxy: which
 * credentials serve which realm there, where on the site, and which were refused.
 *
 * A *space* is a realm together with the scheme and the credentials that are used for it. Nothing
 * here is ever shared between places, so credentials cannot get to another origin. Everything is
 * bounded, since a server can invent as many realms as it likes.
 */
import { basicValue } from './auth-basic.ts'
import { DigestAnswers } from './auth-digest.ts'
import type { AuthOffer, AuthScheme } from './auth-offers.ts'
import { AuthRefusals } from './auth-refusals.ts'
import { type AuthCredentials, type HashPort, sameCredentials } from './auth-text.ts'

export const SPACE_COUNT_MAX = 32
const FOLDER_COUNT_MAX = 16

export class AuthSpace {
  readonly scheme: AuthScheme
  readonly realm: string | null
  readonly credentials: AuthCredentials
  /** Null unless the scheme is Basic. */
  readonly basicValue: string | null
  /** Null unless the scheme is Digest. */
  readonly digest: DigestAnswers | null
  /** The server has let a request with it pass. Only then is it sent unasked. */
  isAccepted = false
  /** Folders of the site that are known to belong to it, each with a `/` at its end. */
  readonly folders: string[] = []

  constructor(offer: AuthOffer, credentials: AuthCredentials, hashes: HashPort) {
    this.scheme = offer.scheme
    this.realm = offer.realm
    this.credentials = credentials
    this.basicValue = offer.scheme === 'basic' ? basicValue(credentials) : null
    this.digest =
      offer.scheme === 'digest' ? new DigestAnswers(credentials, offer.digest, hashes) : null
  }
}

export class AuthPlace {
  /** The last one is the one used last. */
  readonly #spaces: AuthSpace[] = []
  readonly refusals: AuthRefusals = new AuthRefusals()
  /** The server offers NTLM but does not go on with it. */
  isNtlmBroken = false

  /**
   * HOT (bench/micro/auth.bench.ts). What to send unasked with a request for `requestTarget`, or
   * null: the accepted space of the deepest known folder around it, else the one used last. None
   * that this page refused; and a request with `own` credentials does not use those of others,
   * unless its own were refused.
   */
  spaceFor(requestTarget: string, own: AuthCredentials | null): AuthSpace | null {
    let found: AuthSpace | null = null
    let foundDepth = -1
    for (let index = this.#spaces.length - 1; index >= 0; index--) {
      const space = this.#spaces[index]!
      if (!space.isAccepted || !this.#mayUse(space, requestTarget, own)) continue
      if (this.#spaces.length === 1) return space
      const depth = folderDepth(space.folders, requestTarget)
      if (depth > foundDepth) {
        found = space
        foundDepth = depth
      }
    }
    return found
  }

  #mayUse(space: AuthSpace, requestTarget: string, own: AuthCredentials | null): boolean {
    const { realm, credentials } = space
    if (this.refusals.has(realm, credentials, requestTarget)) return false
    if (own === null || sameCredentials(credentials, own)) return true
    return this.refusals.has(realm, own, requestTarget)
  }

  /** The space for these credentials, made or brought up to date with what the server says now. */
  open(offer: AuthOffer, credentials: AuthCredentials, hashes: HashPort): AuthSpace {
    const known = this.#spaces.find(
      (space) =>
        space.scheme === offer.scheme &&
        space.realm === offer.realm &&
        sameCredentials(space.credentials, credentials),
    )
    if (known !== undefined) {
      if (offer.scheme === 'digest') known.digest?.renew(offer.digest)
      return known
    }
    if (this.#spaces.length === SPACE_COUNT_MAX) this.#spaces.shift()
    const space = new AuthSpace(offer, credentials, hashes)
    this.#spaces.push(space)
    return space
  }

  /** HOT (bench/micro/auth.bench.ts). A request to `requestTarget` that carried it was let in. */
  accept(space: AuthSpace, requestTarget: string): void {
    space.isAccepted = true
    const last = this.#spaces.length - 1
    if (this.#spaces[last] !== space) {
      const index = this.#spaces.indexOf(space)
      // It may have been closed meanwhile, by another request of the same user.
      if (index === -1) return
      this.#spaces.splice(index, 1)
      this.#spaces.push(space)
    }
    if (folderDepth(space.folders, requestTarget) >= 0) return
    if (space.folders.length < FOLDER_COUNT_MAX) space.folders.push(folderOf(requestTarget))
  }

  close(space: AuthSpace): void {
    const index = this.#spaces.indexOf(space)
    if (index !== -1) this.#spaces.splice(index, 1)
  }
}

/** RFC 7617, section 2.2: what lies in the same folder or deeper has the same realm. */
function folderOf(requestTarget: string): string {
  const query = requestTarget.indexOf('?')
  const path = query === -1 ? requestTarget : requestTarget.slice(0, query)
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The length of the longest folder that holds the target; -1 if none does. */
function folderDepth(folders: readonly string[], requestTarget: string): number {
  let depth = -1
  for (const folder of folders) {
    if (folder.length > depth && requestTarget.startsWith(folder)) depth = folder.length
  }
  return depth
}
