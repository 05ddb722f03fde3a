/**
 * What a user remembers between requests, as a browser would, and the means it needs for that.
 *
 * The decisions are `browse`'s; this file only puts their parts together for the users of one
 * thread. What the plan turns off is null and costs nothing.
 */
import { AuthSession } from '../browse/auth-session.ts'
import type { HashPort } from '../browse/auth-text.ts'
import type { AuthTurn, ConnectionLogin } from '../browse/auth-turn.ts'
import { GivenCookies } from '../browse/cookie-header.ts'
import { CookieJar, type IsPublicSuffix, type PersistentCookie } from '../browse/cookie-jar.ts'
import { cacheFieldNames, HttpCache } from '../browse/http-cache.ts'
import type { LoginPlan, Plan, ProxyServer } from '../plan/plan.ts'
import type { ScriptPlan } from '../plan/script-plan.ts'
import { HeaderFilter } from '../wire/header-filter.ts'
import type { PageReaderFactory } from './page-reader.ts'
import type { PreparedRequest } from './request-book.ts'

/** Libraries and clocks, handed in by whoever may use them. */
export interface BrowsingPorts {
  readonly hashes: HashPort
  readonly isPublicSuffix: IsPublicSuffix
  /** Milliseconds since 1970 of a moment of the run. */
  readonly unixMs: (atNs: number) => number
  readonly pageReaders: PageReaderFactory
}

/** What is the same for all users of a thread. */
export class Browsing {
  readonly ports: BrowsingPorts
  readonly plan: Plan
  /** The fields of responses that somebody looks at. */
  readonly filter: HeaderFilter
  readonly loginRequests: readonly PreparedRequest[]
  readonly authRequests: readonly PreparedRequest[]

  constructor(
    plan: Plan,
    ports: BrowsingPorts,
    requests: {
      readonly logins: readonly PreparedRequest[]
      readonly auth: readonly PreparedRequest[]
    },
    moreFieldNames: readonly string[],
  ) {
    this.plan = plan
    this.ports = ports
    this.loginRequests = requests.logins
    this.authRequests = requests.auth
    const { browse } = plan
    const names = [
      ...(browse.cookies === null ? [] : ['set-cookie']),
      ...(browse.followsRedirects ? ['location'] : []),
      'www-authenticate',
      'proxy-authenticate',
      ...(browse.resources === null ? [] : ['content-type', 'content-encoding']),
      ...(browse.caches ? cacheFieldNames : []),
      ...moreFieldNames,
    ]
    this.filter = new HeaderFilter([...new Set(names)])
  }

  /** Whether a plan asks for anything that this is about. */
  static isNeeded(plan: Plan): boolean {
    const { browse } = plan
    return (
      browse.followsRedirects ||
      browse.cookies !== null ||
      browse.resources !== null ||
      browse.caches ||
      browse.logins.length > 0 ||
      browse.loginTargets !== null ||
      browse.authTargets !== null ||
      plan.targets.credentials.length > 0 ||
      (plan.script !== undefined && namesLogins(plan.script)) ||
      proxyLogins(plan.proxy?.http).length > 0 ||
      proxyLogins(plan.proxy?.https).length > 0
    )
  }
}

/** What one user remembers. */
export class UserMemory {
  readonly jar: CookieJar | null
  readonly cache: HttpCache | null
  readonly auth: AuthSession
  /** For tunnels. The same session, unless https goes through another proxy than http. */
  readonly tunnelAuth: AuthSession
  readonly #given: GivenCookies | null
  readonly #ports: BrowsingPorts

  constructor({ plan, ports }: Browsing, userId: number, nowNs: number) {
    const { cookies, caches, logins, loginAttemptCountMax } = plan.browse
    this.#ports = ports
    this.jar = cookies === null ? null : new CookieJar(ports.isPublicSuffix)
    const stored = cookies?.stored[userId]
    if (stored !== undefined) this.jar?.importPersistent(stored, ports.unixMs(nowNs))
    this.#given =
      cookies === null || cookies.given.length === 0 ? null : new GivenCookies(cookies.given)
    this.cache = caches ? new HttpCache() : null
    const session = (server: ProxyServer | null | undefined): AuthSession =>
      new AuthSession({
        hashes: ports.hashes,
        logins,
        proxyLogins: proxyLogins(server),
        proxyCredentials: null,
        attemptCountMax: loginAttemptCountMax,
      })
    const { http, https } = plan.proxy ?? { http: null, https: null }
    this.auth = session(http)
    this.tunnelAuth = isSameServer(http, https) ? this.auth : session(https)
  }

  /** HOT (bench/micro/cookies.bench.ts). The value of Cookie for a request; empty: none. */
  cookieHeader(request: PreparedRequest, sendsGiven: boolean, nowNs: number): string {
    const { jar } = this
    if (jar === null) return ''
    const fromJar =
      jar.cookieCount === 0
        ? ''
        : jar.headerFor(
            request.facts.origin.host,
            request.isSecure,
            request.facts.requestTarget,
            this.#ports.unixMs(nowNs),
          )
    return this.#given === null || !sendsGiven ? fromJar : this.#given.merge(fromJar)
  }

  storeCookie(line: string, request: PreparedRequest, nowNs: number): void {
    this.jar?.store(
      line,
      request.facts.origin.host,
      request.isSecure,
      request.facts.requestTarget,
      this.#ports.unixMs(nowNs),
    )
  }

  storedCookies(nowNs: number): PersistentCookie[] {
    return this.jar?.exportPersistent(this.#ports.unixMs(nowNs)) ?? []
  }
}

function isSameServer(a: ProxyServer | null, b: ProxyServer | null): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  const isSameLogin = (login: LoginPlan, index: number) =>
    login.user === b.logins[index]?.user &&
    login.passwordAndRealm === b.logins[index].passwordAndRealm
  return (
    a.kind === b.kind &&
    a.host === b.host &&
    a.port === b.port &&
    a.logins.length === b.logins.length &&
    a.logins.every(isSameLogin)
  )
}

/** Some step's URL begins with a login. */
function namesLogins({ scenarios }: ScriptPlan): boolean {
  return scenarios.some(({ steps }) =>
    steps.some(({ url: [first] }) => typeof first === 'string' && /^\w+:\/\/[^/?#]*@/.test(first)),
  )
}

/** SOCKS logs in by itself. */
function proxyLogins(server: ProxyServer | null | undefined): readonly LoginPlan[] {
  return server?.kind === 'http' ? server.logins : []
}

/** Sets a turn of the login up for a request. */
export function beginTurn(turn: AuthTurn, request: PreparedRequest): void {
  const { facts, route } = request
  turn.reset()
  turn.originKey = request.originKey
  turn.method = facts.method
  turn.requestTarget = facts.requestTarget
  turn.sentTarget = route.isProxied ? request.url : facts.requestTarget
  turn.credentials = facts.credentials
}

export type { AuthTurn, ConnectionLogin }
