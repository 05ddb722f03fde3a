/**
 * Where a response sends its user next: the redirect table of RFC 9110 section 15.4, and 201 with
 * a Location as siege follows it.
 *
 * URLs are resolved by the WHATWG algorithm, as in a browser. It counts no hops: the caller stops
 * after `HOP_COUNT_MAX`. Content-Location is not looked at, and 300, 304, 305 and 306 are ends.
 */
import { parsedUrl } from '../base/parsed-url.ts'
import { textFromUtf8 } from './utf8.ts'

/** As in browsers. One hop more is a failure. */
export const HOP_COUNT_MAX = 20
/** More than any server takes in a request line. */
export const LOCATION_BYTES_MAX = 65_536

/** Where an answer came from. A hop is one, so a chain hands each hop on to the next question. */
export interface HopSource {
  /** Absolute URL of the request that was answered. */
  readonly url: string
  readonly method: string
  /** Whether it had the body of the transaction, and its content type. */
  readonly hasBody: boolean
  /**
   * Whether it still carries what was meant for the first origin only: the Authorization and
   * Cookie fields that a person gave. Cookies of the jar look after themselves.
   */
  readonly keepsGivenCredentials: boolean
}

/** The next request of a chain. */
export interface Hop extends HopSource {
  readonly kind: 'hop'
  /** Without fragment and credentials. */
  readonly url: string
  readonly origin: HopOrigin
  /** Path and query, ASCII without blanks. */
  readonly requestTarget: string
  /** From `user:password@` of the new URL: a login for its origin. Never shown. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** Of the same shape as the origins of a plan. */
export interface HopOrigin {
  readonly scheme: 'http' | 'https'
  /** Lower case, IPv6 without brackets. */
  readonly host: string
  readonly port: number
  readonly authority: string
}

/** The chain ends here. */
export interface ChainEnd {
  readonly kind: 'end'
  /** Why a redirect was not followed, as a clause; null: the response is no redirect. */
  readonly reason: string | null
}

const NO_REDIRECT: ChainEnd = { kind: 'end', reason: null }

/** Whether it is worth while to look at the response's Location. */
export function mayRedirect(status: number): boolean {
  return status === 201 || (status > 300 && status <= 308 && (status <= 303 || status >= 307))
}

/**
 * What follows a response with this status and Location (latin1 text; undefined if it has none).
 * 301, 302 and 303 become GET without a body, HEAD stays HEAD; 307 and 308 are sent again as they
 * were.
 */
export function nextHop(
  status: number,
  location: string | undefined,
  from: HopSource,
): Hop | ChainEnd {
  if (!mayRedirect(status)) return NO_REDIRECT
  if (location === undefined) {
    return status === 201 ? NO_REDIRECT : refused('the response has no Location')
  }
  if (status >= 307) return hopTo(location, from, from.method, from.hasBody, 'Location')
  const method = status !== 201 && from.method === 'HEAD' ? 'HEAD' : 'GET'
  return hopTo(location, from, method, false, 'Location')
}

/** What follows a page that says `<meta http-equiv=refresh content="0; url=...">`. */
export function refreshHop(url: string, from: HopSource): Hop | ChainEnd {
  return hopTo(url, from, 'GET', false, 'URL of the refresh')
}

function hopTo(
  reference: string,
  from: HopSource,
  method: string,
  hasBody: boolean,
  name: string,
): Hop | ChainEnd {
  if (reference.length > LOCATION_BYTES_MAX) return refused(`the ${name} is too long`)
  if (/^[\0- ]*$/.test(reference)) return refused(`the ${name} is empty`)
  const text = textOf(reference)
  const url = parsedUrl(text, from.url)
  if (url === null) return refused(`the ${name} is not a URL`)
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== 'http' && scheme !== 'https') {
    return refused(`the ${name} is neither http nor https`)
  }
  const isSameOrigin = url.origin === new URL(from.url).origin
  const { username, password, hostname } = url
  url.hash = ''
  url.username = ''
  url.password = ''
  return {
    kind: 'hop',
    // An empty query or fragment leaves its mark behind in `href`, but is not sent.
    url: `${url.origin}${url.pathname}${url.search}`,
    origin: {
      scheme,
      host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port: url.port === '' ? (scheme === 'http' ? 80 : 443) : Number(url.port),
      authority: url.host,
    },
    requestTarget: `${url.pathname}${url.search}`,
    method,
    hasBody,
    keepsGivenCredentials: from.keepsGivenCredentials && isSameOrigin,
    credentials:
      username === '' && password === ''
        ? null
        : { user: unescaped(username), password: unescaped(password) },
  }
}

function refused(reason: string): ChainEnd {
  return { kind: 'end', reason }
}

/** Bytes that are no UTF-8 are escaped one by one, so that they arrive as they were sent. */
function textOf(latin1: string): string {
  return textFromUtf8(latin1) ?? latin1.replace(/[\x80-\xff]/g, escapedByte)
}

function escapedByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The URL parser leaves ASCII behind, with everything else escaped as UTF-8. */
function unescaped(text: string): string {
  const latin1 = text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return textFromUtf8(latin1) ?? latin1
}
