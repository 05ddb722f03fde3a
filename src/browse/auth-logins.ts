/**
 * Which of the logins that a person wrote down fits a realm.
 *
 * In `user:password:realm` nothing says whether the last part is a realm or the end of a password
 * with a colon in it. It is a realm if a server has named that realm, or if it is `any` or `all`,
 * which stand for every realm; else it belongs to the password.
 */
import type { AuthCredentials } from './auth-text.ts'

/** Split at the first colon only; the plan's `WrittenLogin` is one. */
export interface AuthLogin {
  readonly user: string
  readonly passwordAndRealm: string
}

const EVERY_REALM = /^(.*):(?:any|all)$/is

/** The logins of one virtual user, with what it has learnt of their realms. */
export class AuthLogins {
  readonly #logins: readonly AuthLogin[]
  /** Those whose last part a server has named: their password must go to no other realm. */
  #bound: Set<AuthLogin> | null = null

  constructor(logins: readonly AuthLogin[]) {
    this.#logins = logins
  }

  /**
   * What to try, best first: logins for this very realm, those for every realm, and those that
   * may be for every realm. Null stands for a scheme without realms, and so does no name at all.
   */
  candidates(realm: string | null): readonly AuthCredentials[] {
    const exact: AuthCredentials[] = []
    const every: AuthCredentials[] = []
    const perhaps: AuthCredentials[] = []
    for (const login of this.#logins) {
      const { user, passwordAndRealm } = login
      const password = realm ? withoutRealm(passwordAndRealm, realm) : undefined
      const everyPassword = EVERY_REALM.exec(passwordAndRealm)?.[1]
      if (password !== undefined) {
        this.#bound ??= new Set()
        this.#bound.add(login)
        exact.push({ user, password })
      } else if (everyPassword !== undefined || !passwordAndRealm.includes(':')) {
        every.push({ user, password: everyPassword ?? passwordAndRealm })
      } else if (this.#bound === null || !this.#bound.has(login)) {
        perhaps.push({ user, password: passwordAndRealm })
      }
    }
    return [...exact, ...every, ...perhaps]
  }
}

/** The password in front of `:realm`, in whatever case; undefined if that is not how it ends. */
function withoutRealm(passwordAndRealm: string, realm: string): string | undefined {
  const colon = passwordAndRealm.length - realm.length - 1
  if (colon < 0 || passwordAndRealm[colon] !== ':') return undefined
  const isSame = passwordAndRealm.slice(colon + 1).toLowerCase() === realm.toLowerCase()
  return isSame ? passwordAndRealm.slice(0, colon) : undefined
}
