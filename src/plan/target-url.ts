/**
 * Takes one URL apart into origin, request target and credentials, or says what is wrong with it.
 *
 * The text is bytes, one character each (`latin1.ts`). It owns siege's liberties: a missing scheme
 * is http, also in `localhost:8080/x`, and a missing path is `/`. It refuses what could not be
 * meant: unknown schemes, IPv6 without brackets, impossible ports and host names.
 */

import { nearestWord } from '../base/nearest-word.ts'
import { parsedUrl } from '../base/parsed-url.ts'
import { latin1FromText, quotedLatin1, textFromLatin1 } from './latin1.ts'
import type { Credentials, Origin, Scheme } from './target-list.ts'
import { escapeUrl, unescapeUrl } from './url-escape.ts'

export interface TargetUrl {
  readonly prefix: UrlPrefix
  /** Path and query as sent, never empty. */
  readonly requestTarget: string
  /** Where the path, query or fragment begins in the text; its length if there is none. */
  readonly pathStart: number
}

/** All before the path. */
export interface UrlPrefix {
  readonly origin: Origin
  readonly credentials: Credentials | null
}

/** Something wrong with a text, at a 1-based column of it. */
export interface TextProblem {
  readonly problem: string
  readonly column: number
}

const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { http: 80, https: 443, ftp: 21 }
const PORT_MAX = 65_535
/** RFC 1035, section 2.3.4, in the dotted form. */
const HOST_BYTES_MAX = 253
const LABEL_BYTES_MAX = 63

/**
 * Reads URLs of one list. It remembers the last prefix, since a list has few and repeats them.
 *
 * With `isEscaping` off, as with `url-escaping = false`, the path is sent as written; then only
 * bytes that would break the request line are refused.
 */
export class TargetUrlReader {
  readonly #isEscaping: boolean
  #lastText = ''
  #lastPrefix: UrlPrefix | null = null

  constructor(isEscaping: boolean) {
    this.#isEscaping = isEscaping
  }

  read(text: string): TargetUrl | TextProblem {
    const pathStart = this.#isOfLast(text) ? this.#lastText.length : pathStartOf(text)
    const prefix = this.#prefixOf(text.slice(0, pathStart))
    if ('problem' in prefix) return prefix
    const hash = text.indexOf('#', pathStart)
    const path = text.slice(pathStart, hash === -1 ? text.length : hash)
    const requestTarget = path.startsWith('/') ? path : `/${path}`
    if (this.#isEscaping) return { prefix, requestTarget: escapeUrl(requestTarget), pathStart }
    const bad = /[\0- \x7f]/.exec(path)
    if (bad === null) return { prefix, requestTarget, pathStart }
    return {
      problem: `${nameOf(bad[0])} cannot be sent in a URL: write ${escapeUrl(bad[0])}`,
      column: pathStart + bad.index + 1,
    }
  }

  /** Begins as the last one did, up to its path. */
  #isOfLast(text: string): boolean {
    if (this.#lastPrefix === null || !text.startsWith(this.#lastText)) return false
    return (
      PATH_BEGIN.has(text.charCodeAt(this.#lastText.length)) &&
      !text.startsWith('://', this.#lastText.length - 1)
    )
  }

  #prefixOf(text: string): UrlPrefix | TextProblem {
    if (this.#lastPrefix !== null && text === this.#lastText) return this.#lastPrefix
    const prefix = readPrefix(text)
    if ('problem' in prefix) return prefix
    this.#lastText = text
    this.#lastPrefix = prefix
    return prefix
  }
}

/** `/ ? #` */
const PATH_BEGIN: ReadonlySet<number> = new Set([0x2f, 0x3f, 0x23])

/** Where the path, query or fragment begins: the first of `/ ? #` behind `scheme://`. */
function pathStartOf(text: string): number {
  const found = text.search(/[/?#]/)
  if (found === -1) return text.length
  if (found === 0 || !text.startsWith('://', found - 1)) return found
  const rest = text.slice(found + 2).search(/[/?#]/)
  return rest === -1 ? text.length : found + 2 + rest
}

/** `[scheme://][user[:password]@]host[:port]` */
function readPrefix(text: string): UrlPrefix | TextProblem {
  const schemeEnd = text.indexOf('://')
  const scheme = schemeEnd === -1 ? 'http' : text.slice(0, schemeEnd).toLowerCase()
  if (!isScheme(scheme)) return unknownScheme(text.slice(0, schemeEnd))
  const broken = schemeEnd === -1 ? BROKEN_SCHEME.exec(text)?.[1] : undefined
  if (broken !== undefined) {
    return { problem: `write "${broken}://" at the beginning of the URL`, column: 1 }
  }
  const authorityStart = schemeEnd === -1 ? 0 : schemeEnd + 3
  const at = text.lastIndexOf('@')
  const hostStart = at < authorityStart ? authorityStart : at + 1
  const credentials = at < authorityStart ? null : readCredentials(text.slice(authorityStart, at))
  const origin = readOrigin(scheme, text.slice(hostStart))
  if ('problem' in origin) return { ...origin, column: origin.column + hostStart }
  return { origin, credentials }
}

function isScheme(word: string): word is Scheme {
  return Object.hasOwn(DEFAULT_PORTS, word)
}

/** `http:/host`, `http//host` and `http:host`, but neither `http:80` nor `ftp:password@host`. */
const BROKEN_SCHEME = /^(https?|ftp)(?::|:[^\d@][^@]*)?$/i

function unknownScheme(word: string): TextProblem {
  const nearest = nearestWord(word.slice(0, 20), Object.keys(DEFAULT_PORTS))
  const advice = nearest === undefined ? 'use http, https or ftp' : `did you mean "${nearest}"?`
  return { problem: `${quotedLatin1(word)} is not a scheme onager knows: ${advice}`, column: 1 }
}

function readCredentials(text: string): Credentials | null {
  if (text === '') return null
  const colon = text.indexOf(':')
  const user = colon === -1 ? text : text.slice(0, colon)
  const password = colon === -1 ? '' : text.slice(colon + 1)
  return {
    user: textFromLatin1(unescapeUrl(user)),
    password: textFromLatin1(unescapeUrl(password)),
  }
}

/** Columns of problems count from the start of `text`, which is `host[:port]`. */
function readOrigin(scheme: Scheme, text: string): Origin | TextProblem {
  const isBracketed = text.startsWith('[')
  const colon = isBracketed ? text.indexOf(':', text.indexOf(']') + 1) : text.indexOf(':')
  if (isBracketed && !text.includes(']')) {
    return { problem: 'the "]" behind the IPv6 address is missing', column: 1 }
  }
  if (!isBracketed && colon !== -1 && text.includes(':', colon + 1)) {
    const problem = looksLikeIpv6(text)
      ? `an IPv6 address needs brackets: [${text}]`
      : `${quotedLatin1(text)} has more than one ":" and is no host and port`
    return { problem, column: 1 }
  }
  const hostText = colon === -1 ? text : text.slice(0, colon)
  const host = isBracketed ? readIpv6(hostText) : readHostName(hostText)
  if (typeof host !== 'string') return host
  const port = colon === -1 ? DEFAULT_PORTS[scheme] : readPort(scheme, text.slice(colon + 1))
  if (typeof port !== 'number') return { ...port, column: colon + 2 }
  const name = isBracketed ? `[${host.replace(/%.*/, '')}]` : host
  const authority = port === DEFAULT_PORTS[scheme] ? name : `${name}:${port}`
  return { scheme, host, port, authority }
}

function looksLikeIpv6(text: string): boolean {
  return /^[0-9A-Fa-f:.]+$/.test(text)
}

function readPort(scheme: Scheme, text: string): number | TextProblem {
  // RFC 3986, section 3.2.3: an empty port is the scheme's own.
  if (text === '') return DEFAULT_PORTS[scheme]
  const port = /^[0-9]+$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= PORT_MAX) return port
  return { problem: `${quotedLatin1(text)} is not a port: it is 1 to ${PORT_MAX}`, column: 1 }
}

/** `[address]` or `[address%zone]`, the zone also as RFC 6874 writes it (`%25zone`). */
function readIpv6(text: string): string | TextProblem {
  const found = /^\[([0-9A-Fa-f:.]+)(?:%(?:25)?([-.0-9A-Z_a-z~]+))?\]$/.exec(text)
  const address = found?.[1]?.toLowerCase()
  if (found === null || address === undefined || !URL.canParse(`http://[${address}]/`)) {
    return { problem: `${quotedLatin1(text)} is not an IPv6 address`, column: 1 }
  }
  return found[2] === undefined ? address : `${address}%${found[2]}`
}

function readHostName(text: string): string | TextProblem {
  if (text === '') return { problem: 'the URL has no host', column: 1 }
  const host = /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : punycodeOf(text)
  if (host === undefined) {
    return { problem: `${quotedLatin1(text)} is not a host name in UTF-8`, column: 1 }
  }
  const bad = /[^-.0-9_a-z]/.exec(host)
  if (bad !== null) {
    return { problem: `a host name cannot have ${nameOf(bad[0])} in it`, column: bad.index + 1 }
  }
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host) && host.split('.').some((part) => Number(part) > 255)) {
    return { problem: `"${host}" is not an IPv4 address: its numbers are 0 to 255`, column: 1 }
  }
  const labels = (host.endsWith('.') ? host.slice(0, -1) : host).split('.')
  if (labels.includes('')) {
    return { problem: `the host name ${quotedLatin1(text)} has an empty part`, column: 1 }
  }
  const isLong = host.length > HOST_BYTES_MAX + 1
  if (isLong || labels.some((label) => label.length > LABEL_BYTES_MAX)) {
    return { problem: `the host name ${quotedLatin1(text)} is too long`, column: 1 }
  }
  return host
}

/** The ASCII form of a host name in UTF-8, or undefined when it has none. */
function punycodeOf(text: string): string | undefined {
  const decoded = textFromLatin1(text)
  if (latin1FromText(decoded) !== text || /[\0- %/?#@:\\]/.test(decoded)) return undefined
  return parsedUrl(`http://${decoded}/`)?.hostname
}

function nameOf(character: string): string {
  if (character === ' ') return 'a blank'
  if (character === '\t') return 'a tab'
  if (/[\0-\x1f\x7f]/.test(character)) return `a control character (${quotedLatin1(character)})`
  return quotedLatin1(character)
}
