/** What a jar accepts, sends, forgets and survives: cases, quirks and hostile servers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/support/timing.ts'
import { readCookieDate } from './cookie-date.ts'
import {
  CookieJar,
  DOMAIN_COOKIE_COUNT_MAX,
  JAR_BYTES_MAX,
  JAR_COOKIE_COUNT_MAX,
} from './cookie-jar.ts'
import { COOKIE_BYTES_MAX, LINE_BYTES_MAX } from './cookie-line.ts'

const NOW_MS = Date.UTC(2025, 0, 1)
const HOST = 'www.example.com'
const suffixes = new Set(['com', 'co.uk', 'test', 'localhost'])
const isPublicSuffix = (domain: string) => suffixes.has(domain)

/** A jar that heard these lines from `https://www.example.com/`. */
function jarOf(...lines: string[]): CookieJar {
  const jar = new CookieJar(isPublicSuffix)
  for (const line of lines) jar.store(line, HOST, true, '/', NOW_MS)
  return jar
}

function sent(jar: CookieJar, target = '/', host = HOST, isSecure = true, nowMs = NOW_MS): string {
  return jar.headerFor(host, isSecure, target, nowMs)
}

test('case 45: attributes are no cookies, and Secure is not sent over http', () => {
  const jar = new CookieJar(isPublicSuffix)
  const lines = [
    'a=1; Max-Age=31449600; HttpOnly; Path=/',
    'b=2; Max-Age=60; SameSite=Lax; Secure',
    'c="q v"; SameSite=Strict; HttpOnly; Priority=High; Partitioned',
  ]
  for (const line of lines) jar.store(line, '127.0.0.1', false, '/', NOW_MS)
  assert.equal(jar.headerFor('127.0.0.1', false, '/', NOW_MS), 'a=1; c="q v"')
  for (const line of lines) jar.store(line, '127.0.0.1', true, '/', NOW_MS)
  assert.equal(jar.headerFor('127.0.0.1', true, '/', NOW_MS), 'a=1; c="q v"; b=2')
  assert.equal(jar.headerFor('127.0.0.1', false, '/', NOW_MS), 'a=1; c="q v"')
})

test('case 48: without Domain only the same host, and only below the path', () => {
  const jar = new CookieJar(isPublicSuffix)
  jar.store('adm=1; Path=/admin', '127.0.0.1', false, '/ok', NOW_MS)
  assert.equal(jar.headerFor('127.0.0.1', false, '/ok', NOW_MS), '')
  for (const target of ['/admin', '/admin/', '/admin/users?x=1', '/admin?x=1']) {
    assert.equal(jar.headerFor('127.0.0.1', false, target, NOW_MS), 'adm=1', target)
  }
  for (const target of ['/administrator', '/', '/ADMIN', '/x/admin', '/x?/admin', '*']) {
    assert.equal(jar.headerFor('127.0.0.1', false, target, NOW_MS), '', target)
  }
  for (const host of ['evil127.0.0.1', '1.127.0.0.1', '0.0.1', 'localhost', '127.0.0.2']) {
    assert.equal(jar.headerFor(host, false, '/admin', NOW_MS), '', host)
  }
})

test('quirk 35: a host without a dot keeps its cookies to itself', () => {
  const jar = new CookieJar(isPublicSuffix)
  jar.store('a=1', 'localhost', false, '/', NOW_MS)
  assert.equal(jar.headerFor('localhost', false, '/', NOW_MS), 'a=1')
  assert.equal(jar.headerFor('127.0.0.1', false, '/', NOW_MS), '')
  assert.equal(jar.headerFor('x.localhost', false, '/', NOW_MS), '')
})

test('quirk 35: an expiry in the past deletes, Max-Age counts and beats Expires', () => {
  const past = 'expires=Thu, 01-Jan-1970 00:00:01 GMT'
  const future = 'expires=Fri, 01 Jan 2100 00:00:00 GMT'
  assert.equal(sent(jarOf('a=1', `a=deleted; ${past}`)), '')
  assert.equal(sent(jarOf('a=1', 'a=; Max-Age=0')), '')
  assert.equal(sent(jarOf(`a=1; ${past}; Max-Age=60`)), 'a=1')
  assert.equal(sent(jarOf(`a=1; Max-Age=-1; ${future}`)), '')
  assert.equal(sent(jarOf(`a=1; ${past}; ${future}`)), 'a=1')
  const jar = jarOf('a=1; Max-Age=60')
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 59_999), 'a=1')
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 60_000), '')
  assert.equal(jar.cookieCount, 0)
  assert.equal(sent(jarOf(`a=1; Max-Age=${'9'.repeat(400)}`), '/', HOST, true, 8e15), 'a=1')
})

test('quirk 35: the first pair is the cookie, whatever comes behind it', () => {
  const lines = ['sid=abc; Path=/; SameSite=Lax', 'sid=abc; HttpOnly; Path=/; Secure; x=y']
  for (const line of lines) assert.equal(sent(jarOf(line)), 'sid=abc', line)
  assert.equal(sent(jarOf('sid=abc; HttpOnly; Path=/deep'), '/'), '')
  assert.equal(sent(jarOf('sid=abc; HttpOnly; Path=/deep'), '/deep'), 'sid=abc')
})

test('CookieJar keeps to the Domain that a response may set', () => {
  const below = 'shop.www.example.com'
  const rows: [string, string, string][] = [
    ['Domain=example.com', 'a=1', 'a=1'],
    ['Domain=.Example.COM', 'a=1', 'a=1'],
    ['Domain=www.example.com', 'a=1', 'a=1'],
    ['Domain=', 'a=1', ''],
    ['Domain=.', 'a=1', ''],
    ['Domain=example.com; Domain=', 'a=1', 'a=1'],
    ['Domain=shop.www.example.com', '', ''],
    ['Domain=other.com', '', ''],
    ['Domain=xample.com', '', ''],
    ['Domain=com', '', ''],
    ['Domain=..example.com', '', ''],
    ['Domain=exam ple.com', '', ''],
    ['Domain=example.com/x', '', ''],
  ]
  for (const [attribute, atHost, belowIt] of rows) {
    const jar = jarOf(`a=1; ${attribute}`)
    assert.equal(sent(jar), atHost, attribute)
    assert.equal(sent(jar, '/', below), belowIt, attribute)
    assert.equal(sent(jar, '/', 'other.com'), '', attribute)
  }
})

test('CookieJar takes a Domain in UTF-8 for its ASCII form', () => {
  const jar = new CookieJar(isPublicSuffix)
  // `münchen.test` as the bytes of its UTF-8, one character each.
  jar.store('a=1; Domain=m\xc3\xbcnchen.test', 'www.xn--mnchen-3ya.test', false, '/', NOW_MS)
  jar.store('b=1; Domain=m\xfcnchen.test', 'www.xn--mnchen-3ya.test', false, '/', NOW_MS)
  assert.equal(jar.headerFor('xn--mnchen-3ya.test', false, '/', NOW_MS), 'a=1')
})

test('CookieJar keeps a cookie for a public suffix only for a host of that name', () => {
  const jar = new CookieJar(isPublicSuffix)
  jar.store('a=1; Domain=co.uk', 'co.uk', false, '/', NOW_MS)
  jar.store('b=1; Domain=co.uk', 'example.co.uk', false, '/', NOW_MS)
  assert.equal(jar.headerFor('co.uk', false, '/', NOW_MS), 'a=1')
  assert.equal(jar.headerFor('example.co.uk', false, '/', NOW_MS), '')
})

test('CookieJar keeps addresses apart, also with a Domain', () => {
  const jar = new CookieJar(isPublicSuffix)
  jar.store('a=1; Domain=127.0.0.1', '127.0.0.1', false, '/', NOW_MS)
  jar.store('b=1; Domain=0.0.1', '127.0.0.1', false, '/', NOW_MS)
  jar.store('c=1; Domain=::1', '::1', false, '/', NOW_MS)
  jar.store('d=1', 'fe80::1%eth0.1', false, '/', NOW_MS)
  assert.equal(jar.headerFor('127.0.0.1', false, '/', NOW_MS), 'a=1')
  assert.equal(jar.headerFor('9.127.0.0.1', false, '/', NOW_MS), '')
  assert.equal(jar.headerFor('::1', false, '/', NOW_MS), 'c=1')
  assert.equal(jar.headerFor('fe80::1%eth0.1', false, '/', NOW_MS), 'd=1')
  assert.equal(jar.headerFor('1', false, '/', NOW_MS), '')
})

test('CookieJar sends longer paths first, then older cookies, one for each path', () => {
  const jar = jarOf('a=1', 'b=2; Path=/x', 'c=3', 'b=4; Path=/x/y', 'a=5', 'd=6; Path=/x/')
  assert.equal(sent(jar, '/x/y/z'), 'b=4; d=6; b=2; a=5; c=3')
  assert.equal(sent(jar, '/x/z'), 'd=6; b=2; a=5; c=3')
  assert.equal(sent(jar, '/x'), 'b=2; a=5; c=3')
  assert.equal(sent(jar, '/z'), 'a=5; c=3')
})

test('CookieJar takes the default path from the request, without its last part and query', () => {
  const rows: [string, string, boolean][] = [
    ['/a/b', '/a', true],
    ['/a/b', '/a/x', true],
    ['/a/b', '/x', false],
    ['/a/', '/a', true],
    ['/a', '/x', true],
    ['/a?x=/y/z', '/q', true],
    ['/a/b?x=/y/z', '/q', false],
    ['*', '/q', true],
  ]
  for (const [from, to, isSent] of rows) {
    for (const attribute of ['', '; Path=', '; Path=x', '; Path=/q; Path=x']) {
      const jar = new CookieJar(isPublicSuffix)
      jar.store(`a=1${attribute}`, HOST, false, from, NOW_MS)
      assert.equal(jar.headerFor(HOST, false, to, NOW_MS), isSent ? 'a=1' : '', `${from} ${to}`)
    }
  }
})

test('CookieJar sees that a known line comes from another path, host or scheme', () => {
  const jar = new CookieJar(isPublicSuffix)
  jar.store('a=1', HOST, false, '/x/', NOW_MS)
  jar.store('a=1', HOST, false, '/y/', NOW_MS)
  jar.store('a=1', 'other.com', false, '/x/', NOW_MS)
  jar.store('b=1; Secure', HOST, true, '/x/', NOW_MS)
  jar.store('c=1; Secure', HOST, false, '/x/', NOW_MS)
  jar.store('c=1; Secure', HOST, true, '/x/', NOW_MS)
  assert.equal(sent(jar, '/x/'), 'a=1; b=1; c=1')
  assert.equal(sent(jar, '/y/'), 'a=1')
  assert.equal(sent(jar, '/x/', 'other.com'), 'a=1')
})

test('CookieJar brings a cookie back that was deleted, replaced, evicted or had expired', () => {
  const jar = jarOf('a=1')
  for (const other of ['a=; Max-Age=0', 'a=2', 'a=1; Max-Age=1']) {
    jar.store(other, HOST, true, '/', NOW_MS)
    jar.store('a=1', HOST, true, '/', NOW_MS)
    assert.equal(sent(jar, '/', HOST, true, NOW_MS + 5_000), 'a=1', other)
  }
  jar.store('a=; Max-Age=0', HOST, true, '/', NOW_MS)
  jar.store('a=1; Max-Age=1', HOST, true, '/', NOW_MS)
  jar.store('a=1; Max-Age=1', HOST, true, '/', NOW_MS + 2_000)
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 2_999), 'a=1')
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 3_000), '')
  // The same deletion again, while the cookie has come back in between.
  jar.store('a=; Max-Age=0', HOST, true, '/', NOW_MS + 3_000)
  jar.store('a=1', HOST, true, '/', NOW_MS + 3_000)
  jar.store('a=; Max-Age=0', HOST, true, '/', NOW_MS + 3_000)
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 3_000), '')
})

test('CookieJar moves the expiry of a cookie that is set again and again', () => {
  const jar = jarOf('a=1; Max-Age=10')
  for (let second = 0; second < 100; second += 5) {
    const nowMs = NOW_MS + second * 1000
    assert.equal(sent(jar, '/', HOST, true, nowMs), 'a=1')
    jar.store('a=1; Max-Age=10', HOST, true, '/', nowMs)
  }
})

test('CookieJar notices an expiry that moves closer, and a place in the order that was lost', () => {
  const jar = jarOf('a=1; Max-Age=100')
  assert.equal(sent(jar), 'a=1')
  jar.store('a=1; Max-Age=10', HOST, true, '/', NOW_MS)
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 9_999), 'a=1')
  assert.equal(sent(jar, '/', HOST, true, NOW_MS + 10_000), '')

  const other = jarOf('a=1; Max-Age=1', 'b=1')
  other.store('a=1; Max-Age=1', HOST, true, '/', NOW_MS + 2_000)
  assert.equal(sent(other, '/', HOST, true, NOW_MS + 2_000), 'b=1; a=1')
})

test('CookieJar holds __Secure- and __Host- to what they promise, in any case', () => {
  const rows: [string, boolean][] = [
    ['__Secure-a=1; Secure', true],
    ['__Secure-a=1; Secure; Domain=example.com; Path=/', true],
    ['__Secure-a=1', false],
    ['__secure-a=1', false],
    ['__Host-a=1; Secure; Path=/', true],
    ['__Host-a=1; Secure', false],
    ['__Host-a=1; Secure; Path=/x', false],
    ['__Host-a=1; Path=/', false],
    ['__HOST-a=1; Secure; Path=/; Domain=www.example.com', false],
  ]
  for (const [line, isAccepted] of rows) assert.equal(sent(jarOf(line)) !== '', isAccepted, line)
  const jar = new CookieJar(isPublicSuffix)
  jar.store('__Secure-a=1; Secure', HOST, false, '/', NOW_MS)
  assert.equal(jar.cookieCount, 0)
})

test('CookieJar ignores what is no cookie', () => {
  const lines = [
    '',
    ';',
    '=',
    '=x',
    ' = x',
    'a',
    'a; b=c',
    '; a=1',
    'Secure; a=1',
    'a\0=1',
    'a=\x01',
  ]
  lines.push(
    'a=1\r\nb=2',
    'a=1; Path=/\0',
    'a=\x7f',
    '\x0ba=1',
    `a=${'x'.repeat(COOKIE_BYTES_MAX)}`,
  )
  lines.push(`${'n'.repeat(COOKIE_BYTES_MAX)}=x`, `a=1; x=${'y'.repeat(LINE_BYTES_MAX)}`)
  for (const line of lines) assert.equal(jarOf(line).cookieCount, 0, line.slice(0, 40))
  const fitting = `a=${'x'.repeat(COOKIE_BYTES_MAX - 1)}`
  assert.equal(sent(jarOf(fitting)), fitting)
})

test('CookieJar keeps bytes above 127, blanks inside and tabs, and trims blanks around', () => {
  const rows: [string, string][] = [
    [' a = 1 ;Path=/', 'a=1'],
    ['\ta\t=\t1\t', 'a=1'],
    ['a=x\ty z', 'a=x\ty z'],
    ['a=\xc3\xa0', 'a=\xc3\xa0'],
    ['\xa0=\xa0', '\xa0=\xa0'],
    ['a==b=', 'a==b='],
    ['a=', 'a='],
    ['a b=c', 'a b=c'],
    ['a="x;y"', 'a="x'],
  ]
  for (const [line, header] of rows) assert.equal(sent(jarOf(line)), header, line)
})

test('CookieJar lets the oldest cookie of a domain go when there are too many', () => {
  const jar = jarOf('first=1; Path=/', 'second=1')
  jar.store('first=2; Path=/', HOST, true, '/', NOW_MS)
  for (let index = 0; index < DOMAIN_COOKIE_COUNT_MAX - 1; index++) {
    jar.store(`c${index}=1`, HOST, true, '/', NOW_MS)
  }
  assert.equal(jar.cookieCount, DOMAIN_COOKIE_COUNT_MAX)
  assert.match(sent(jar), /^second=1; c0=1;/)
  // One that has expired goes first.
  jar.store('c7=1; Max-Age=1', HOST, true, '/', NOW_MS)
  jar.store('last=1', HOST, true, '/', NOW_MS + 1_000)
  assert.match(sent(jar, '/', HOST, true, NOW_MS + 1_000), /^second=1;.*c6=1; c8=1;.*last=1$/)
})

test('CookieJar lets the oldest cookies of all go when there are too many or too large', () => {
  const jar = new CookieJar(isPublicSuffix)
  for (let index = 0; index < 4_000; index++) {
    jar.store('a=1', `h${index}.example.com`, false, '/', NOW_MS)
  }
  assert.equal(jar.cookieCount, JAR_COOKIE_COUNT_MAX)
  assert.equal(jar.headerFor('h999.example.com', false, '/', NOW_MS), '')
  assert.equal(jar.headerFor('h1000.example.com', false, '/', NOW_MS), 'a=1')

  const large = new CookieJar(isPublicSuffix)
  const line = `a=${'x'.repeat(COOKIE_BYTES_MAX - 1)}`
  for (let index = 0; index < 1_000; index++) {
    large.store(line, `h${index}.example.com`, false, '/', NOW_MS)
  }
  assert.ok(large.cookieCount * line.length <= JAR_BYTES_MAX)
  assert.ok(large.cookieCount * line.length > JAR_BYTES_MAX * 0.9)
  assert.equal(large.headerFor('h999.example.com', false, '/', NOW_MS), line)

  // A cookie that grows takes room, and one that shrinks gives it back.
  const growing = new CookieJar(isPublicSuffix)
  for (const text of ['a=1', line, 'a=2']) {
    for (let index = 0; index < 1_000; index++) {
      growing.store(text, `h${index}.example.com`, false, '/', NOW_MS)
    }
    assert.ok(growing.cookieCount * text.length <= JAR_BYTES_MAX, text.slice(0, 3))
  }
  assert.equal(growing.cookieCount, 1_000)
})

test('CookieJar takes 100,000 cookies and 10 MB of Set-Cookie in bounded time and room', () => {
  const jar = new CookieJar(isPublicSuffix)
  const labels = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const deepHost = `${labels.join('.')}.example.com`
  const manyMs = cpuMsOf(() => {
    for (let index = 0; index < 100_000; index++) {
      const domain = `${labels.slice(index % 26).join('.')}.example.com`
      jar.store(`c${index}=1; Domain=${domain}; Path=/${index}`, deepHost, false, '/', NOW_MS)
      if (index % 1000 === 0) jar.headerFor(deepHost, false, '/', NOW_MS)
    }
  })
  assert.ok(manyMs < 5_000, `100,000 cookies: ${manyMs} ms`)
  assert.ok(jar.cookieCount <= 26 * DOMAIN_COOKIE_COUNT_MAX)
  const lines = [
    'x'.repeat(1e7),
    `a=${'x'.repeat(1e7)}`,
    ';'.repeat(1e7),
    `a=1${'; a'.repeat(3e6)}`,
  ]
  lines.push('\0'.repeat(1e7), ' '.repeat(1e7), '='.repeat(1e7), 'ü'.repeat(1e7), '😀'.repeat(1e6))
  const store = (line: string) => jar.store(line, HOST, false, '/', NOW_MS)
  const longMs = cpuMsOf(() => {
    for (const line of lines) {
      for (let count = 0; count < 10; count++) store(line)
    }
    for (const line of [`a=1${';'.repeat(8000)}`, `a=1; expires=${'1 '.repeat(4000)}`, '😀=😀']) {
      for (let count = 0; count < 500; count++) store(`${line}${count}`)
    }
  })
  assert.ok(longMs < 5_000, `long lines: ${longMs} ms`)
})

test('CookieJar.clear() forgets all, clearSession() what has no expiry', () => {
  const jar = jarOf('a=1', 'b=2; Max-Age=60')
  jar.clearSession()
  assert.equal(sent(jar), 'b=2')
  jar.store('a=1', HOST, true, '/', NOW_MS)
  assert.equal(sent(jar), 'b=2; a=1')
  jar.clear()
  assert.equal(sent(jar), '')
  assert.equal(jar.cookieCount, 0)
  jar.store('a=1', HOST, true, '/', NOW_MS)
  assert.equal(sent(jar), 'a=1')
})

test('CookieJar.exportPersistent() and importPersistent() carry over what has an expiry', () => {
  const jar = jarOf(
    'session=1',
    'a=1; Max-Age=60; Path=/x; HttpOnly',
    'b=2; Max-Age=60; Domain=example.com; Secure',
    'c=3; Max-Age=1',
  )
  const exported = structuredClone(jar.exportPersistent(NOW_MS + 2_000))
  assert.deepEqual(
    exported.map(({ name }) => name),
    ['a', 'b'],
  )
  const other = new CookieJar(isPublicSuffix)
  other.importPersistent(exported, NOW_MS)
  assert.deepEqual(other.exportPersistent(NOW_MS), exported)
  assert.equal(sent(other, '/x'), 'a=1; b=2')
  assert.equal(sent(other, '/x', HOST, false), 'a=1')
  assert.equal(sent(other, '/x', 'example.com'), 'b=2')
  assert.equal(sent(other, '/x', HOST, true, NOW_MS + 60_000), '')
})

test('CookieJar.importPersistent() sends nothing to all hosts below a public suffix', () => {
  const jar = new CookieJar(isPublicSuffix)
  const flags = { isHostOnly: false, isSecureOnly: false, isHttpOnly: false }
  const cookie = { name: 'a', value: '1', domain: 'com', path: '/', expiresAtMs: 9e15, ...flags }
  jar.importPersistent([cookie], NOW_MS)
  assert.equal(sent(jar), '')
})

test('readCookieDate() reads the dates of RFC 6265 section 5.1.1 and refuses others', () => {
  const expected = Date.UTC(1994, 10, 6, 8, 49, 37)
  const good = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    '06 Nov 1994 08:49:37',
    'Sun, 6-NOVEMBER-1994 8:49:37 +0500',
    '1994 nov 6 08:49:37',
    '08:49:37 94 Nov 6'.replace('94 Nov 6', '6 Nov 94'),
    ';;06;;nov;;94;;08:49:37',
    '6th Nov 94 8:49:37x',
  ]
  for (const text of good) assert.equal(readCookieDate(text), expected, text)
  assert.equal(readCookieDate('1 Jan 69 0:0:0'), Date.UTC(2069, 0, 1))
  assert.equal(readCookieDate('1 Jan 70 0:0:0'), 0)
  assert.equal(readCookieDate('29 Feb 2024 0:0:0'), Date.UTC(2024, 1, 29))
  const bad = ['', 'now', '0', '30 Feb 2024 0:0:0', '29 Feb 2023 0:0:0', '1 Jan 1600 0:0:0']
  bad.push('0 Jan 2025 0:0:0', '32 Jan 2025 0:0:0', '1 Jan 2025 24:00:00', '1 Jan 2025 0:60:0')
  bad.push('1 Jan 2025 0:0:60', '1 Jan 2025', '1 Jan 0:0:0', 'Jan 2025 0:0:0', '1 1 2025 0:0:0')
  bad.push('1 ebm 2025 0:0:0', '1 Jan 20255 0:0:0', '1 Jan 2025 008:0:0')
  for (const text of bad) assert.equal(readCookieDate(text), null, text)
})
