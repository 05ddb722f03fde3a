/**
 * Which hosts and paths a cookie belongs to: RFC 6265 sections 5.1.2 to 5.1.4.
 *
 * Hosts are lower case, ASCII and without brackets. Paths are compared as bytes, never decoded,
 * and are taken from a request target up to its `?`.
 */
import { parsedUrl } from '../base/parsed-url.ts'
import { textFromUtf8 } from './utf8.ts'

const SLASH = 0x2f
const QUESTION_MARK = 0x3f

/** Whether `host` is an address: those have no parent domains. */
export function isAddress(host: string): boolean {
  // No top-level domain is a number, and no name has a colon in it.
  return host.includes(':') || /(?:^|\.)\d+\.?$/.test(host)
}

/** Whether a cookie for `domain` and all below it goes to `host`. */
export function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true
  const dot = host.length - domain.length - 1
  return dot > 0 && host.charAt(dot) === '.' && host.endsWith(domain) && !isAddress(host)
}

/** A Domain attribute in lower case and ASCII; servers write it in UTF-8 as well. null: neither. */
export function canonicalDomain(domain: string): string | null {
  if (/^[\x21-\x7e]+$/.test(domain)) return domain.toLowerCase()
  const text = textFromUtf8(domain)
  if (text === null || /[\0- %/?#@:\\]/.test(text)) return null
  return parsedUrl(`http://${text}/`)?.hostname ?? null
}

/** Whether a cookie with `path`, which has no `?`, goes with `requestTarget`. */
export function pathMatches(requestTarget: string, path: string): boolean {
  if (path.length === 1) return true
  if (!requestTarget.startsWith(path)) return false
  if (path.charCodeAt(path.length - 1) === SLASH || requestTarget.length === path.length)
    return true
  const next = requestTarget.charCodeAt(path.length)
  return next === SLASH || next === QUESTION_MARK
}

/** The path of a cookie that names none: all before the last slash of the request's own path. */
export function defaultPath(requestTarget: string): string {
  const end = defaultPathEnd(requestTarget)
  return end <= 0 ? '/' : requestTarget.slice(0, end)
}

/** Whether `path` is `defaultPath(requestTarget)`, without making it. */
export function isDefaultPath(requestTarget: string, path: string): boolean {
  const end = defaultPathEnd(requestTarget)
  return end <= 0 ? path === '/' : end === path.length && requestTarget.startsWith(path)
}

function defaultPathEnd(requestTarget: string): number {
  if (requestTarget.charCodeAt(0) !== SLASH) return 0
  const query = requestTarget.indexOf('?')
  return requestTarget.lastIndexOf('/', query < 0 ? requestTarget.length : query)
}
