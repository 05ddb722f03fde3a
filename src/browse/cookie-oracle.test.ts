/**
 * The jar against tough-cookie: random responses and requests, then the same Cookie values.
 *
 * Where the two differ on purpose, the difference is a rule below with its reason, and the
 * generators stay clear of it or the oracle is corrected for it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPublicSuffix } from 'tldts'
import {
  parseDate,
  CookieJar as ToughJar,
  defaultPath as toughDefaultPath,
  domainMatch as toughDomainMatch,
  pathMatch as toughPathMatch,
} from 'tough-cookie'
import { fc } from '../../test/support/property.ts'
import { readCookieDate } from './cookie-date.ts'
import { CookieJar } from './cookie-jar.ts'
import { readSetCookie } from './cookie-line.ts'
import { defaultPath, domainMatches, isDefaultPath, pathMatches } from './cookie-match.ts'

const isPublicSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain

interface Response {
  readonly kind: 'response'
  readonly host: string
  readonly isSecure: boolean
  readonly path: string
  readonly lines: readonly string[]
  readonly waitMs: number
}

interface Request extends Omit<Response, 'kind' | 'lines'> {
  readonly kind: 'request'
}

const hosts = ['example.com', 'www.example.com', 'a.www.example.com', 'notexample.com']
const otherHosts = ['127.0.0.1', '10.127.0.0', 'shop.example.co.uk', 'foo.github.io', 'example.org']
// Mostly two hosts and two names, so that cookies meet each other often.
const host = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('example.com', 'www.example.com') },
  { weight: 1, arbitrary: fc.constantFrom(...hosts, ...otherHosts) },
)
const path = fc.constantFrom(
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c?x=/y/z',
  '/ab',
  '/a?b',
  '/a//b',
  '/A',
)
const name = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 1, arbitrary: fc.constantFrom('A', '__Secure-x', '__Host-x', '$Version') },
)
const value = fc.constantFrom('', '1', '2', '"q v"', 'x=y', 'a,b', '%20', 'ü')
const attribute = fc.oneof(
  fc
    .constantFrom(...hosts, ...otherHosts, 'com', 'co.uk', 'github.io', '127.0.0', '0.0.1')
    .chain((domain) =>
      fc.constantFrom(`Domain=${domain}`, `domain=.${domain}`, `DOMAIN = ${domain} `),
    ),
  fc.constantFrom('/', '/a', '/a/', '/a/b', 'a', '', '/A').map((text) => `Path=${text}`),
  fc.constantFrom('0', '-1', '1', '60', '3600', '1.5', 'x', '').map((text) => `Max-Age=${text}`),
  fc
    .constantFrom(
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Wed, 01 Jan 2025 00:00:30 GMT',
      'Wed, 01-Jan-25 00:10:00 GMT',
      'Fri, 01 Jan 2100 00:00:00 GMT',
      'nonsense',
    )
    .map((text) => `expires=${text}`),
  fc.constantFrom('Secure', 'secure=1', 'HttpOnly', 'SameSite=Lax', 'SameSite=None', 'Other=x; ;'),
)
const line = fc
  .tuple(name, value, fc.array(attribute, { maxLength: 4 }))
  .map(([name, value, attributes]) => [`${name}=${value}`, ...attributes].join('; '))
const waitMs = fc.constantFrom(0, 1000, 59_000, 60_000, 3_600_000)
const step: fc.Arbitrary<Response | Request> = fc.oneof(
  fc.record({
    kind: fc.constant('response' as const),
    host,
    isSecure: fc.boolean(),
    path,
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    waitMs,
  }),
  fc.record({ kind: fc.constant('request' as const), host, isSecure: fc.boolean(), path, waitMs }),
)

const START_MS = Date.UTC(2025, 0, 1)

/** tough-cookie, corrected for what it does differently. */
class Oracle {
  readonly #jar = new ToughJar(undefined, {
    // Rule "localhost is no exception": plain http stays plain http.
    allowSecureOnLocal: false,
    prefixSecurity: 'silent',
  })

  store(line: string, url: string, nowMs: number): void {
    // Rule "__Host- needs Path=/ spelt out": tough-cookie lets the default path do.
    if (/^__host-/i.test(line) && readSetCookie(line)?.path !== '/') return
    // Rule "an expired cookie goes at once": tough-cookie waits for a request, and a cookie that is
    // set again before that keeps its place in the order.
    this.forget(nowMs)
    // Rule "Max-Age counts from the response": tough-cookie counts from the last request.
    const parsed = readSetCookie(line)
    const now = new Date(nowMs)
    const cookie = this.#jar.setCookieSync(line, url, { now, ignoreError: true })
    if (parsed !== null && parsed.maxAgeS !== null && cookie) {
      cookie.maxAge = null
      cookie.expires = new Date(parsed.maxAgeS <= 0 ? 0 : nowMs + parsed.maxAgeS * 1000)
    }
    this.forget(nowMs)
  }

  forget(nowMs: number): void {
    const store = this.#jar.store
    const { cookies } = this.#jar.serializeSync() ?? { cookies: [] }
    for (const { domain, path, key, expires } of cookies) {
      if (typeof expires !== 'string' || expires === 'Infinity') continue
      if (Date.parse(expires) > nowMs) continue
      store.removeCookie(String(domain), String(path), String(key), () => undefined)
    }
  }

  headerFor(url: string, nowMs: number): string {
    this.forget(nowMs)
    return this.#jar.getCookieStringSync(url, { expire: false })
  }
}

test('CookieJar sends what tough-cookie sends, after any sequence of responses', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const jar = new CookieJar(isPublicSuffix)
      const oracle = new Oracle()
      let nowMs = START_MS
      for (const step of steps) {
        nowMs += step.waitMs
        const url = `http${step.isSecure ? 's' : ''}://${step.host}${step.path}`
        if (step.kind === 'request') {
          const header = jar.headerFor(step.host, step.isSecure, step.path, nowMs)
          assert.equal(header, oracle.headerFor(url, nowMs))
          continue
        }
        for (const line of step.lines) {
          jar.store(line, step.host, step.isSecure, step.path, nowMs)
          oracle.store(line, url, nowMs)
        }
      }
      for (const host of [...hosts, ...otherHosts]) {
        for (const isSecure of [false, true]) {
          const url = `http${isSecure ? 's' : ''}://${host}/a/b/c`
          const header = jar.headerFor(host, isSecure, '/a/b/c', nowMs)
          assert.equal(header, oracle.headerFor(url, nowMs), url)
        }
      }
    }),
    { numRuns: 400 },
  )
})

test('CookieJar answers as one that is asked for the first time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      // The one jar is asked after each step and keeps texts and lines; the other has neither.
      const asked = new CookieJar(isPublicSuffix)
      let nowMs = START_MS
      const history: { line: string; step: Response; nowMs: number }[] = []
      for (const step of steps) {
        nowMs += step.waitMs
        for (const line of step.kind === 'response' ? [...step.lines, ...step.lines] : []) {
          asked.store(line, step.host, step.isSecure, step.path, nowMs)
          if (step.kind === 'response') history.push({ line, step, nowMs })
        }
        asked.headerFor(step.host, step.isSecure, step.path, nowMs)
      }
      const fresh = new CookieJar(isPublicSuffix)
      for (const [index, { line, step, nowMs }] of history.entries()) {
        // A different line each time, so that none is recognised; the attribute means nothing.
        fresh.store(`${line}; x=${index}`, step.host, step.isSecure, step.path, nowMs)
      }
      for (const host of hosts) {
        const path = '/a/b/c'
        const header = asked.headerFor(host, true, path, nowMs)
        assert.equal(header, fresh.headerFor(host, true, path, nowMs))
      }
    }),
    { numRuns: 300 },
  )
})

test('readCookieDate() reads what tough-cookie reads, from any pieces', () => {
  const piece = fc.constantFrom(
    ...['Wed', 'Jan', 'january', 'feb', 'Sept', 'DEC', 'ma', '1', '01', '29', '30', '31', '32'],
    ...['0', '15', '69', '70', '99', '100', '1600', '1601', '2024', '2025', '20255', '08:49:37'],
    ...['8:4:3', '24:00:00', '23:60:00', '23:59:60', '08:49', '1:2:3x', '1x', 'GMT', '+0100', 'é'],
  )
  const between = fc.constantFrom(' ', ', ', '-', '/', '\t', ';', '  ', ',', '')
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, between), { maxLength: 8 }), (pieces) => {
      const text = pieces.flat().join('')
      assert.equal(readCookieDate(text), parseDate(text)?.getTime() ?? null)
    }),
    { numRuns: 3000 },
  )
})

test('pathMatches(), defaultPath() and domainMatches() agree with tough-cookie', () => {
  const path = fc
    .array(fc.constantFrom('/', 'a', 'b', '/a', 'ab/'), { minLength: 1, maxLength: 6 })
    .map((parts) => `/${parts.join('')}`)
  const domain = fc
    .array(fc.constantFrom('a', 'b', 'ab', '1', '127', 'com'), { minLength: 1, maxLength: 4 })
    .map((labels) => labels.join('.'))
  fc.assert(
    fc.property(path, path, domain, domain, (one, other, host, domain) => {
      assert.equal(pathMatches(one, other), toughPathMatch(one, other))
      assert.equal(pathMatches(`${one}?/q`, other), toughPathMatch(one, other))
      assert.equal(defaultPath(`${one}?/q`), toughDefaultPath(one))
      assert.ok(isDefaultPath(`${one}?/q`, toughDefaultPath(one)))
      assert.equal(isDefaultPath(one, other), toughDefaultPath(one) === other)
      // Rule "a name whose last part is a number is an address": URLs have no other such hosts.
      if (/(?:^|\.)\d+$/.test(host)) assert.equal(domainMatches(host, domain), host === domain)
      else assert.equal(domainMatches(host, domain), toughDomainMatch(host, domain, false))
    }),
    { numRuns: 3000 },
  )
})
