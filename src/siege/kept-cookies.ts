/** Cookies that users keep from one run to the next, in ~/.siege/cookies.txt if ~/.siege is there. */
import { problemText } from '../base/errors.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import {
  type CookiesByUser,
  cookiesPath,
  mergeCookies,
  readCookiesFile,
  writeCookiesFile,
} from './cookies-file.ts'
import type { SiegeSettings } from './settings.ts'

export class KeptCookies {
  /** What is wrong with the file, a line each. */
  readonly notices: readonly string[]
  /** By user, of at most as many as run. */
  readonly users: readonly (readonly PersistentCookie[])[]
  /** Null: nothing is written. */
  readonly #path: string | null
  readonly #stored: CookiesByUser

  constructor(
    settings: Pick<SiegeSettings, 'cookies' | 'userCount'>,
    homeDirectory: string | undefined,
  ) {
    const path = settings.cookies ? cookiesPath(homeDirectory) : null
    const file = path === null ? null : readCookiesFile(path)
    const isRead = file?.kind === 'read'
    this.#path = isRead ? path : null
    this.#stored = isRead ? file.users : new Map()
    this.notices = isRead
      ? file.warnings.map(problemText)
      : file?.kind === 'unreadable'
        ? [file.problem]
        : []
    this.users =
      this.#stored.size === 0
        ? []
        : Array.from({ length: settings.userCount }, (_, index) => this.#stored.get(index) ?? [])
  }

  /** Writes what users hold at the end. Returns what went wrong, or null. */
  save(held: CookiesByUser, nowMs: number): string | null {
    if (this.#path === null) return null
    return writeCookiesFile(this.#path, mergeCookies(this.#stored, held, nowMs))
  }
}
