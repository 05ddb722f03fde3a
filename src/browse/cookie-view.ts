/**
 * What a jar sends to one host over one scheme: Cookie values made once and read many times.
 *
 * Trick: of the cookie paths that match a request, the longest decides all the others, since a
 * shorter one matches the request exactly if it matches the longest. So a view needs one text for
 * each distinct path, made when first asked for, and a request costs a few prefix comparisons.
 */
import { isAddress, pathMatches } from './cookie-match.ts'

/** A cookie as a response or a file gave it. */
export interface CookieParts {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly isHostOnly: boolean
  readonly isSecureOnly: boolean
  readonly isHttpOnly: boolean
}

/** A cookie in a jar. A new value makes a new one. */
export class StoredCookie implements CookieParts {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly isHostOnly: boolean
  readonly isSecureOnly: boolean
  readonly isHttpOnly: boolean
  /** What it takes of the jar's room. */
  readonly storedBytes: number
  /** Infinity for a session cookie. */
  expiresAtMs: number
  /** Order of creation; handed on when a cookie gets a new value. */
  creationIndex: number
  /** False once it is replaced or removed. */
  isStored = true

  constructor(parts: CookieParts, expiresAtMs: number, creationIndex: number, storedBytes: number) {
    this.name = parts.name
    this.value = parts.value
    this.domain = parts.domain
    this.path = parts.path
    this.isHostOnly = parts.isHostOnly
    this.isSecureOnly = parts.isSecureOnly
    this.isHttpOnly = parts.isHttpOnly
    this.storedBytes = storedBytes
    this.expiresAtMs = expiresAtMs
    this.creationIndex = creationIndex
  }
}

export class CookieView {
  readonly host: string
  readonly isSecure: boolean
  /** The host and, unless it is an address, the domains above it. */
  readonly domains: readonly string[]
  /** The jar's version that the view shows. */
  version = -1
  /** When the first of its cookies expires. May be too early, never too late. */
  expiresAtMsMin: number = Number.POSITIVE_INFINITY
  #cookies: readonly StoredCookie[] = []
  /** Distinct paths of the cookies, longest first. */
  #paths: readonly string[] = []
  /** For each path the value of Cookie, or null until it is asked for. */
  #headers: (string | null)[] = []

  constructor(host: string, isSecure: boolean) {
    this.host = host
    this.isSecure = isSecure
    this.domains = domainsOf(host)
  }

  /** Shows these cookies from now on, in any order. */
  fill(cookies: StoredCookie[], version: number): void {
    cookies.sort(inSendingOrder)
    const paths = new Set<string>()
    let lastPath = ''
    let expiresAtMsMin = Number.POSITIVE_INFINITY
    for (const { path, expiresAtMs } of cookies) {
      if (path !== lastPath) paths.add(path)
      lastPath = path
      if (expiresAtMs < expiresAtMsMin) expiresAtMsMin = expiresAtMs
    }
    this.#cookies = cookies
    this.#paths = [...paths]
    this.#headers = this.#paths.map(() => null)
    this.expiresAtMsMin = expiresAtMsMin
    this.version = version
  }

  /** HOT (bench/micro/cookies.bench.ts): no allocation once the text is made. */
  headerFor(requestTarget: string): string {
    const paths = this.#paths
    for (let index = 0; index < paths.length; index++) {
      if (pathMatches(requestTarget, paths[index]!))
        return this.#headers[index] ?? this.#make(index)
    }
    return ''
  }

  #make(index: number): string {
    const longest = this.#paths[index]!
    const header = this.#cookies
      .filter(({ path }) => pathMatches(longest, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    this.#headers[index] = header
    return header
  }
}

function domainsOf(host: string): string[] {
  const domains = [host]
  if (isAddress(host)) return domains
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    domains.push(host.slice(dot + 1))
  }
  return domains
}

/** RFC 6265 section 5.4: longer paths first, then older cookies. */
function inSendingOrder(a: StoredCookie, b: StoredCookie): number {
  return b.path.length - a.path.length || a.creationIndex - b.creationIndex
}
