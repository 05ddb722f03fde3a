/**
 * Which credentials a place has refused, so that they are not sent there again in vain.
 *
 * A refusal counts for the page it happened on: servers also answer 401 to users who may not see
 * that one page but all others of its realm. Who is refused on several pages and was never let in
 * is refused in the whole realm. What is remembered is bounded, the oldest goes first.
 */
import { type AuthCredentials, sameCredentials } from './auth-text.ts'

export const REFUSAL_COUNT_MAX = 64
/** Pages of a realm that refuse before all of it is taken to refuse. */
export const REFUSING_PAGE_COUNT = 8

interface Refusal {
  readonly realm: string | null
  readonly credentials: AuthCredentials
  readonly pages: string[]
  isEverywhere: boolean
}

export class AuthRefusals {
  readonly #refusals: Refusal[] = []

  /** `wereAccepted`: they have been let in elsewhere in the realm. */
  add(
    realm: string | null,
    credentials: AuthCredentials,
    { requestTarget, wereAccepted }: { requestTarget: string; wereAccepted: boolean },
  ): void {
    let refusal = this.#find(realm, credentials)
    if (refusal === undefined) {
      refusal = { realm, credentials, pages: [], isEverywhere: false }
      if (this.#refusals.length === REFUSAL_COUNT_MAX) this.#refusals.shift()
      this.#refusals.push(refusal)
    }
    const { pages } = refusal
    const page = pageOf(requestTarget)
    if (refusal.isEverywhere || pages.includes(page)) return
    if (pages.length === REFUSING_PAGE_COUNT) pages.shift()
    pages.push(page)
    if (pages.length === REFUSING_PAGE_COUNT && !wereAccepted) refusal.isEverywhere = true
  }

  has(realm: string | null, credentials: AuthCredentials, requestTarget: string): boolean {
    if (this.#refusals.length === 0) return false
    const refusal = this.#find(realm, credentials)
    if (refusal === undefined) return false
    return refusal.isEverywhere || refusal.pages.includes(pageOf(requestTarget))
  }

  #find(realm: string | null, credentials: AuthCredentials): Refusal | undefined {
    return this.#refusals.find(
      (refusal) => refusal.realm === realm && sameCredentials(refusal.credentials, credentials),
    )
  }
}

/** The target without its query. */
function pageOf(requestTarget: string): string {
  const query = requestTarget.indexOf('?')
  return query === -1 ? requestTarget : requestTarget.slice(0, query)
}
