/**
 * What a jar costs per request and per response, for a user with five cookies: reading the Cookie
 * value, hearing known Set-Cookie lines again, and hearing new ones.
 */
import { performance } from 'node:perf_hooks'
import { GivenCookies } from '../../src/browse/cookie-header.ts'
import { CookieJar } from '../../src/browse/cookie-jar.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 10_000_000

const ROUND_COUNT = 5
const HOST = 'www.example.test'
const START_MS = 1_796_000_000_000

const sessionLine = 'sid=8f14e45fceea167a5a36dedd4bea2543; Path=/; HttpOnly; SameSite=Lax'
const lines: readonly string[] = [
  sessionLine,
  'XSRF-TOKEN=eyJpdiI6IjhGVkdZ; Max-Age=7200; Path=/; SameSite=Lax',
  'lang=en; Domain=example.test; Path=/',
  'seen=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Path=/',
  'ab=b; Path=/',
]
const targets: readonly string[] = ['/', '/articles/2025/11/a-page.html?page=3', '/shop/cart', '/a']

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

function jarOf(setCookies: readonly string[]): CookieJar {
  const jar = new CookieJar((domain) => domain === 'test')
  for (const line of setCookies) jar.store(line, HOST, true, '/', START_MS)
  return jar
}

/** The parser makes a new text of every field, so a bench with one text would flatter. */
function copyOf(text: string, index: number): string {
  return ((index & 1) === 0 ? `${text} ` : `${text};`).slice(0, text.length)
}

export function bench(count: number): { hash: number; rows: Row[] } {
  const perRound = Math.ceil(count / ROUND_COUNT)
  let hash = 0

  /** The best of the rounds, in ns; `run` returns something that depends on its work. */
  function measure(name: string, run: (index: number) => number): Row {
    let nsPerOpMin = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUND_COUNT; round++) {
      const startMs = performance.now()
      for (let index = 0; index < perRound; index++) hash = (hash * 31 + run(index)) | 0
      nsPerOpMin = Math.min(nsPerOpMin, ((performance.now() - startMs) * 1e6) / perRound)
    }
    return { name, nsPerOp: Math.round(nsPerOpMin * 10) / 10 }
  }

  const plain = jarOf(lines)
  const deep = jarOf([...lines.slice(0, 3), 'cart=17; Path=/shop', 'draft=4; Path=/articles/2025'])
  const given = new GivenCookies(['mine=1'])
  const copies = lines.map((line) => [copyOf(line, 0), copyOf(line, 1)] as const)
  const rolling = jarOf(lines)
  const header = (jar: CookieJar, index: number, nowMs = START_MS + index / 1000) =>
    jar.headerFor(HOST, true, targets[index & 3]!, nowMs).length
  const storeAll = (jar: CookieJar, lineCount: number, index: number) => {
    const nowMs = START_MS + index / 1000
    for (let line = 0; line < lineCount; line++) {
      jar.store(copies[line]![index & 1]!, HOST, true, targets[index & 3]!, nowMs)
    }
    return jar.cookieCount
  }
  const rows = [
    measure('Cookie value of five cookies', (index) => header(plain, index)),
    measure('Cookie value, cookies with paths', (index) => header(deep, index)),
    measure('Cookie value with a given cookie', (index) => {
      return given.merge(plain.headerFor(HOST, true, targets[index & 3]!, START_MS)).length
    }),
    measure('an unchanged session cookie, then Cookie', (index) => {
      return storeAll(plain, 1, index) + header(plain, index)
    }),
    measure('an unchanged cookie with Max-Age', (index) => {
      plain.store(copies[1]![index & 1]!, HOST, true, '/', START_MS + index / 1000)
      return plain.cookieCount
    }),
    measure('five unchanged cookies', (index) => storeAll(plain, 5, index)),
    measure('a new value each time, then Cookie', (index) => {
      rolling.store(`sid=${index}; Path=/; HttpOnly; SameSite=Lax`, HOST, true, '/', START_MS)
      return header(rolling, index, START_MS)
    }),
  ]
  return { hash: hash >>> 0, rows }
}
