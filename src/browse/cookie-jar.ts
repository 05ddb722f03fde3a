/**
 * The cookies of one virtual user, by RFC 6265: what responses set, what requests send.
 *
 * It knows neither sockets nor clock; the time is handed in, in milliseconds since 1970. Beyond
 * the RFC it keeps what all browsers keep of RFC 6265bis: `__Secure-` and `__Host-`, and that only
 * https sets Secure cookies. SameSite means nothing to it, since a user of ours never comes from a
 * foreign page. Whatever a server sends, a jar stays within the
 * limits below, and the oldest cookies give way to new ones.
 *
 * HOT marks: bench/micro/cookies.bench.ts. Two tricks. What is sent to a host is text made once
 * (`cookie-view.ts`) that holds until the jar's version changes or a cookie in it expires. And
 * servers send the same Set-Cookie with every response: the last few lines are remembered with the
 * cookie they made, so that hearing one again at most moves the expiry.
 */
import { LINE_BYTES_MAX, readSetCookie, type SetCookie } from './cookie-line.ts'
import {
  canonicalDomain,
  defaultPath,
  domainMatches,
  isAddress,
  isDefaultPath,
} from './cookie-match.ts'
import { type CookieParts, CookieView, StoredCookie } from './cookie-view.ts'

/** RFC 6265 section 6.1. */
export const DOMAIN_COOKIE_COUNT_MAX = 50
export const JAR_COOKIE_COUNT_MAX = 3000
/** Text that cookies keep in memory: 3000 of full size for each user would be far too much. */
export const JAR_BYTES_MAX = 1_048_576

/** Different hosts whose Cookie values are kept ready. */
const VIEW_COUNT_MAX = 1024
/** Set-Cookie lines remembered: as many as one response may have and still be cheap. */
const MEMO_COUNT = 8
/** The last moment that a Date can hold. */
const TIME_MS_MAX = 8.64e15
const NEVER = Number.POSITIVE_INFINITY
const PREFIX = /^__(?:host|secure)-/i

/** A cookie with an expiry, as it is written to a file and read again. */
export interface PersistentCookie extends CookieParts {
  readonly expiresAtMs: number
}

/** A Set-Cookie line that was heard, and what came of it. */
interface Memo {
  readonly line: string
  readonly host: string
  readonly isSecure: boolean
  /** The request's default path if the cookie took it; null: the line names a path. */
  readonly defaultPath: string | null
  readonly maxAgeMs: number | null
  /** When there is no Max-Age; Infinity for session cookies. */
  readonly expiresAtMs: number
  /** null: the line changed nothing in a jar of this version. */
  readonly cookie: StoredCookie | null
  readonly version: number
}

/** Whether no site can own `domain`, such as `com` or `co.uk`: the Public Suffix List. */
export type IsPublicSuffix = (domain: string) => boolean

export class CookieJar {
  readonly #isPublicSuffix: IsPublicSuffix
  /** By domain, then by name and path; both in order of creation. */
  readonly #domains: Map<string, Map<string, StoredCookie>> = new Map()
  readonly #plainViews: Map<string, CookieView> = new Map()
  readonly #secureViews: Map<string, CookieView> = new Map()
  #lastView: CookieView | null = null
  #memos: Memo[] = []
  /** Where the next memo goes, and where the next line is likely to be found. */
  #memoIndex = 0
  /** Changes whenever what is sent may have changed. */
  #version = 0
  #createdCount = 0
  #cookieCount = 0
  #storedBytes = 0

  constructor(isPublicSuffix: IsPublicSuffix) {
    this.#isPublicSuffix = isPublicSuffix
  }

  /** Expired cookies count until they are noticed. */
  get cookieCount(): number {
    return this.#cookieCount
  }

  /**
   * HOT. The value of Cookie for a request, or an empty string for none. The same text object
   * comes back until something changes. `host` as in an origin: lower case, no brackets.
   */
  headerFor(host: string, isSecure: boolean, requestTarget: string, nowMs: number): string {
    if (this.#cookieCount === 0) return ''
    let view = this.#lastView
    if (view === null || view.host !== host || view.isSecure !== isSecure) {
      view = this.#viewOf(host, isSecure)
      this.#lastView = view
    }
    if (view.version !== this.#version || nowMs >= view.expiresAtMsMin) this.#refill(view, nowMs)
    return view.headerFor(requestTarget)
  }

  /**
   * HOT for lines heard before. Takes one Set-Cookie value of a response to a request for
   * `requestTarget` at `host`. What is not acceptable is ignored, as in a browser.
   */
  store(line: string, host: string, isSecure: boolean, requestTarget: string, nowMs: number): void {
    if (line.length > LINE_BYTES_MAX) return
    if (this.#isRemembered(line, host, isSecure, requestTarget, nowMs)) return
    const parsed = readSetCookie(line)
    const parts = parsed === null ? null : this.#accepted(parsed, host, isSecure, requestTarget)
    let kept: StoredCookie | null = null
    if (parsed !== null && parts !== null) {
      // The parts of a line keep all of it in memory.
      const storedBytes = line.length + parts.domain.length + parts.path.length
      kept = this.#put(parts, expiryOf(parsed, nowMs), storedBytes, nowMs)
    }
    this.#remember({
      line,
      host,
      isSecure,
      defaultPath: parsed?.path == null ? defaultPath(requestTarget) : null,
      maxAgeMs: parsed?.maxAgeS == null ? null : parsed.maxAgeS * 1000,
      expiresAtMs: parsed?.expiresAtMs ?? NEVER,
      cookie: kept,
      version: this.#version,
    })
  }

  /** Forgets every cookie. */
  clear(): void {
    this.#removeWhere(() => true)
    this.#memos = []
    this.#plainViews.clear()
    this.#secureViews.clear()
    this.#lastView = null
  }

  /** Forgets the cookies that have no expiry, as a browser does when it is closed. */
  clearSession(): void {
    this.#removeWhere((cookie) => cookie.expiresAtMs === NEVER)
  }

  /** The cookies that outlive a session and have not expired, oldest domain first. */
  exportPersistent(nowMs: number): PersistentCookie[] {
    const cookies: PersistentCookie[] = []
    for (const domain of this.#domains.values()) {
      for (const cookie of domain.values()) {
        if (cookie.expiresAtMs === NEVER || cookie.expiresAtMs <= nowMs) continue
        const { name, value, path, expiresAtMs, isHostOnly, isSecureOnly, isHttpOnly } = cookie
        const rest = { path, expiresAtMs, isHostOnly, isSecureOnly, isHttpOnly }
        cookies.push({ name, value, domain: cookie.domain, ...rest })
      }
    }
    return cookies
  }

  /**
   * Takes cookies back, in order of creation; expired ones are left out. One for all hosts below a
   * public suffix, as siege stored them, becomes one for a host of that very name.
   */
  importPersistent(cookies: readonly PersistentCookie[], nowMs: number): void {
    for (const cookie of cookies) {
      const { name, value, domain, path, expiresAtMs } = cookie
      const storedBytes = name.length + value.length + domain.length + path.length
      const isHostOnly = cookie.isHostOnly || this.#isPublicSuffix(domain)
      this.#put({ ...cookie, isHostOnly }, expiresAtMs, storedBytes, nowMs)
    }
  }

  /** Whether the line was heard before and still makes what it made; moves the expiry if so. */
  #isRemembered(
    line: string,
    host: string,
    isSecure: boolean,
    requestTarget: string,
    nowMs: number,
  ): boolean {
    const memos = this.#memos
    for (let count = 0, index = this.#memoIndex; count < memos.length; count++, index++) {
      if (index >= memos.length) index = 0
      const memo = memos[index]!
      if (memo.line !== line || memo.host !== host || memo.isSecure !== isSecure) continue
      if (memo.defaultPath !== null && !isDefaultPath(requestTarget, memo.defaultPath)) continue
      const { cookie } = memo
      if (cookie === null) {
        if (memo.version !== this.#version) continue
      } else {
        if (!cookie.isStored || cookie.expiresAtMs <= nowMs) return false
        const expiresAtMs =
          memo.maxAgeMs === null ? memo.expiresAtMs : Math.min(nowMs + memo.maxAgeMs, TIME_MS_MAX)
        if (expiresAtMs <= nowMs) return false
        this.#setExpiry(cookie, expiresAtMs)
      }
      this.#memoIndex = index + 1
      return true
    }
    return false
  }

  #remember(memo: Memo): void {
    // The same line may be remembered as what it made of an older jar.
    const known = this.#memos.findIndex(
      ({ line, host, isSecure, defaultPath }) =>
        line === memo.line &&
        host === memo.host &&
        isSecure === memo.isSecure &&
        defaultPath === memo.defaultPath,
    )
    const index = known >= 0 ? known : this.#memoIndex % MEMO_COUNT
    this.#memos[Math.min(index, this.#memos.length)] = memo
    this.#memoIndex = index + 1
  }

  /** RFC 6265 section 5.3, steps 4 to 9, and the prefixes; null: the cookie is refused. */
  #accepted(
    parsed: SetCookie,
    host: string,
    isSecure: boolean,
    requestTarget: string,
  ): CookieParts | null {
    const { name, value, isSecureOnly, isHttpOnly } = parsed
    const path = parsed.path ?? defaultPath(requestTarget)
    // A request's path ends at the `?`, so such a cookie would never be sent.
    if (path.includes('?')) return null
    const asked = parsed.domain === null ? null : canonicalDomain(parsed.domain)
    if (parsed.domain !== null && asked === null) return null
    let isHostOnly = true
    if (asked !== null && !(asked === host && (isAddress(host) || this.#isPublicSuffix(host)))) {
      if (!domainMatches(host, asked) || this.#isPublicSuffix(asked)) return null
      isHostOnly = false
    }
    if (isSecureOnly && !isSecure) return null
    if (name.startsWith('__')) {
      const prefix = PREFIX.exec(name)?.[0].toLowerCase()
      if (prefix !== undefined && !isSecureOnly) return null
      if (prefix === '__host-' && !(parsed.domain === null && parsed.path === '/')) return null
    }
    return { name, value, domain: asked ?? host, path, isHostOnly, isSecureOnly, isHttpOnly }
  }

  /** Adds, replaces or, when the expiry is past, removes. Returns what is in the jar then. */
  #put(
    parts: CookieParts,
    expiresAtMs: number,
    storedBytes: number,
    nowMs: number,
  ): StoredCookie | null {
    const key = keyOf(parts)
    const old = this.#domains.get(parts.domain)?.get(key)
    const isOldAlive = old !== undefined && old.expiresAtMs > nowMs
    if (old !== undefined && (!isOldAlive || expiresAtMs <= nowMs)) this.#remove(old)
    if (expiresAtMs <= nowMs) return null
    if (!isOldAlive) {
      return this.#add(
        new StoredCookie(parts, expiresAtMs, this.#createdCount++, storedBytes),
        key,
        nowMs,
      )
    }
    if (isSame(old, parts)) {
      this.#setExpiry(old, expiresAtMs)
      return old
    }
    const renewed = new StoredCookie(parts, expiresAtMs, old.creationIndex, storedBytes)
    old.isStored = false
    this.#domains.get(parts.domain)!.set(key, renewed)
    this.#storedBytes += storedBytes - old.storedBytes
    this.#version++
    this.#makeRoom(nowMs)
    return renewed.isStored ? renewed : null
  }

  #add(cookie: StoredCookie, key: string, nowMs: number): StoredCookie | null {
    let domain = this.#domains.get(cookie.domain)
    if (domain === undefined) {
      domain = new Map()
      this.#domains.set(cookie.domain, domain)
    }
    domain.set(key, cookie)
    this.#cookieCount++
    this.#storedBytes += cookie.storedBytes
    this.#version++
    if (domain.size > DOMAIN_COOKIE_COUNT_MAX) this.#remove(oldestOf(domain, nowMs))
    this.#makeRoom(nowMs)
    return cookie.isStored ? cookie : null
  }

  /** Drops the oldest cookies of the whole jar until it is within its limits. */
  #makeRoom(nowMs: number): void {
    if (this.#cookieCount <= JAR_COOKIE_COUNT_MAX && this.#storedBytes <= JAR_BYTES_MAX) return
    this.#removeWhere((cookie) => cookie.expiresAtMs <= nowMs)
    while (this.#cookieCount > JAR_COOKIE_COUNT_MAX || this.#storedBytes > JAR_BYTES_MAX) {
      let oldest: StoredCookie | null = null
      for (const domain of this.#domains.values()) {
        const [first] = domain.values()
        if (oldest === null || first!.creationIndex < oldest.creationIndex) oldest = first!
      }
      if (oldest === null) return
      this.#remove(oldest)
    }
  }

  #removeWhere(isUnwanted: (cookie: StoredCookie) => boolean): void {
    for (const domain of this.#domains.values()) {
      for (const cookie of domain.values()) if (isUnwanted(cookie)) this.#remove(cookie)
    }
  }

  #remove(cookie: StoredCookie): void {
    const domain = this.#domains.get(cookie.domain)
    domain?.delete(keyOf(cookie))
    if (domain?.size === 0) this.#domains.delete(cookie.domain)
    cookie.isStored = false
    this.#cookieCount--
    this.#storedBytes -= cookie.storedBytes
    this.#version++
  }

  /** A later expiry needs no new texts: views ask again at the earlier one. */
  #setExpiry(cookie: StoredCookie, expiresAtMs: number): void {
    if (expiresAtMs < cookie.expiresAtMs) this.#version++
    cookie.expiresAtMs = expiresAtMs
  }

  #viewOf(host: string, isSecure: boolean): CookieView {
    const views = isSecure ? this.#secureViews : this.#plainViews
    let view = views.get(host)
    if (view === undefined) {
      if (views.size >= VIEW_COUNT_MAX) views.clear()
      view = new CookieView(host, isSecure)
      views.set(host, view)
    }
    return view
  }

  #refill(view: CookieView, nowMs: number): void {
    const { host, isSecure } = view
    const cookies: StoredCookie[] = []
    for (const name of view.domains) {
      const domain = this.#domains.get(name)
      if (domain === undefined) continue
      for (const cookie of domain.values()) {
        if (cookie.expiresAtMs <= nowMs) this.#remove(cookie)
        else if (cookie.isSecureOnly && !isSecure) continue
        else if (!cookie.isHostOnly || name === host) cookies.push(cookie)
      }
    }
    view.fill(cookies, this.#version)
  }
}

/** No name has a `;` in it. */
function keyOf(cookie: CookieParts): string {
  return `${cookie.name};${cookie.path}`
}

/** RFC 6265 section 5.3 step 3: Max-Age, then Expires, else a session cookie. */
function expiryOf(parsed: SetCookie, nowMs: number): number {
  if (parsed.maxAgeS === null) return parsed.expiresAtMs ?? NEVER
  if (parsed.maxAgeS <= 0) return Number.NEGATIVE_INFINITY
  return Math.min(nowMs + parsed.maxAgeS * 1000, TIME_MS_MAX)
}

/** Whether two cookies of the same name, domain and path differ in their expiry alone. */
function isSame(a: CookieParts, b: CookieParts): boolean {
  return (
    a.value === b.value &&
    a.isHostOnly === b.isHostOnly &&
    a.isSecureOnly === b.isSecureOnly &&
    a.isHttpOnly === b.isHttpOnly
  )
}

/** One that has expired, else the oldest. */
function oldestOf(domain: ReadonlyMap<string, StoredCookie>, nowMs: number): StoredCookie {
  const cookies = [...domain.values()]
  return cookies.find(({ expiresAtMs }) => expiresAtMs <= nowMs) ?? cookies[0]!
}
