/** Which responses lead on, where to, and with what: cases 26, 28, 29 and quirk 32. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import {
  HOP_COUNT_MAX,
  type Hop,
  type HopSource,
  LOCATION_BYTES_MAX,
  mayRedirect,
  nextHop,
  refreshHop,
} from './redirect.ts'

const page: HopSource = {
  url: 'http://127.0.0.1:8080/dir/page?q=1',
  method: 'GET',
  hasBody: false,
  keepsGivenCredentials: true,
}

function hop(location: string, from: HopSource = page, status = 302): Hop {
  const next = nextHop(status, location, from)
  assert.ok(next.kind === 'hop', `${location} is not followed`)
  return next
}

function reasonOf(location: string | undefined, status = 302): string | null {
  const next = nextHop(status, location, page)
  assert.equal(next.kind, 'end', `${location} is followed`)
  return next.kind === 'end' ? next.reason : null
}

test('case 29: who keeps method and body, who becomes GET, who is no redirect', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (let status = 100; status < 600; status++) {
    for (const method of methods) {
      const hasBody = method.startsWith('P')
      const next = nextHop(status, '/post-target', { ...page, method, hasBody })
      const isFollowed = [201, 301, 302, 303, 307, 308].includes(status)
      assert.equal(mayRedirect(status), isFollowed, `${status}`)
      if (!isFollowed) {
        assert.deepEqual(next, { kind: 'end', reason: null })
        continue
      }
      assert.ok(next.kind === 'hop')
      const isHeadKept = method === 'HEAD' && status !== 201
      const expected = status >= 307 ? method : isHeadKept ? 'HEAD' : 'GET'
      assert.equal(next.method, expected, `${status} ${method}`)
      assert.equal(next.hasBody, status >= 307 && hasBody, `${status} ${method}`)
    }
  }
})

test('case 26: an absolute Location on an odd port stays absolute', () => {
  const next = hop('http://127.0.0.1:8092/ok?x=1')
  assert.equal(next.url, 'http://127.0.0.1:8092/ok?x=1')
  assert.equal(next.requestTarget, '/ok?x=1')
  const authority = '127.0.0.1:8092'
  assert.deepEqual(next.origin, { scheme: 'http', host: '127.0.0.1', port: 8092, authority })
})

test('case 28: a loop is a chain of hops that the caller counts', () => {
  assert.equal(HOP_COUNT_MAX, 20)
  let from: HopSource = page
  for (let count = 0; count < HOP_COUNT_MAX; count++) from = hop('/loop', from, 301)
  assert.equal(from.url, 'http://127.0.0.1:8080/loop')
  assert.equal(hop('#top').url, page.url)
})

test('nextHop() resolves every form of reference as the WHATWG algorithm does', () => {
  const rows: [string, string][] = [
    ['/x', 'http://127.0.0.1:8080/x'],
    ['x', 'http://127.0.0.1:8080/dir/x'],
    ['./x', 'http://127.0.0.1:8080/dir/x'],
    ['../x', 'http://127.0.0.1:8080/x'],
    ['../../../x', 'http://127.0.0.1:8080/x'],
    ['.', 'http://127.0.0.1:8080/dir/'],
    ['..', 'http://127.0.0.1:8080/'],
    ['?y=2', 'http://127.0.0.1:8080/dir/page?y=2'],
    ['?', 'http://127.0.0.1:8080/dir/page'],
    ['#top', 'http://127.0.0.1:8080/dir/page?q=1'],
    ['x#', 'http://127.0.0.1:8080/dir/x'],
    ['x?a#b?c', 'http://127.0.0.1:8080/dir/x?a'],
    ['//other.test/x', 'http://other.test/x'],
    ['//other.test', 'http://other.test/'],
    ['http:x', 'http://127.0.0.1:8080/dir/x'],
    ['https:x', 'https://x/'],
    ['http:/x', 'http://127.0.0.1:8080/x'],
    ['HTTP://OTHER.TEST:80/X', 'http://other.test/X'],
    ['https://other.test:443/', 'https://other.test/'],
    ['\\x\\y', 'http://127.0.0.1:8080/x/y'],
    ['  /x \t', 'http://127.0.0.1:8080/x'],
    ['/a b', 'http://127.0.0.1:8080/a%20b'],
    ['/a\tb', 'http://127.0.0.1:8080/ab'],
    ['/%2e%2E/x', 'http://127.0.0.1:8080/x'],
    ['/100%', 'http://127.0.0.1:8080/100%'],
    ['/x:y', 'http://127.0.0.1:8080/x:y'],
    ['x.php?js=lib/a.js', 'http://127.0.0.1:8080/dir/x.php?js=lib/a.js'],
    ['/\xc3\xa9?\xc3\xa9', 'http://127.0.0.1:8080/%C3%A9?%C3%A9'],
    ['/\xe9?\xe9', 'http://127.0.0.1:8080/%E9?%E9'],
    ['http://m\xc3\xbcnchen.test/', 'http://xn--mnchen-3ya.test/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ]
  for (const [location, url] of rows) {
    assert.equal(hop(location).url, url, JSON.stringify(location))
    if (/^[\0-\x7f]*$/.test(location)) {
      const whole = new URL(location, page.url)
      assert.equal(url, `${whole.origin}${whole.pathname}${whole.search}`)
    }
  }
})

test('nextHop() says why it does not follow', () => {
  assert.match(reasonOf(undefined) ?? '', /no Location/)
  assert.equal(reasonOf(undefined, 201), null)
  for (const empty of ['', ' ', '\t ', '\0']) assert.match(reasonOf(empty) ?? '', /empty/)
  for (const broken of ['http://', 'http://[::1', 'http://a b/', '//', 'http://x:99999/']) {
    assert.match(reasonOf(broken) ?? '', /not a URL/, broken)
  }
  assert.match(reasonOf('http://\xe9.test/') ?? '', /not a URL/)
  for (const other of [
    'ftp://x/y',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:,x',
    'a:b',
  ]) {
    assert.match(reasonOf(other) ?? '', /neither http nor https/, other)
  }
  assert.match(reasonOf(`/${'x'.repeat(LOCATION_BYTES_MAX)}`) ?? '', /too long/)
})

test('nextHop() drops what was given for the first origin once another is reached', () => {
  assert.equal(hop('/x').keepsGivenCredentials, true)
  assert.equal(hop('http://127.0.0.1:8080/x').keepsGivenCredentials, true)
  for (const other of [
    'http://127.0.0.1/x',
    'https://127.0.0.1:8080/x',
    'http://localhost:8080/',
  ]) {
    const away = hop(other)
    assert.equal(away.keepsGivenCredentials, false, other)
    assert.equal(hop('/y', away).keepsGivenCredentials, false, other)
    assert.equal(hop(page.url, away).keepsGivenCredentials, false, other)
  }
})

test('nextHop() takes credentials out of the URL, decoded', () => {
  const next = hop('http://us%3Aer:p%40ss%C3%A9@other.test/x')
  assert.equal(next.url, 'http://other.test/x')
  assert.deepEqual(next.credentials, { user: 'us:er', password: 'p@ss\u00e9' })
  assert.equal(next.origin.authority, 'other.test')
  assert.deepEqual(hop('//u@other.test/').credentials, { user: 'u', password: '' })
  assert.equal(hop('/x').credentials, null)
})

test('nextHop() writes IPv6 origins as plans do', () => {
  const { origin, url } = hop('https://[::0001]:8443/x')
  assert.deepEqual(origin, { scheme: 'https', host: '::1', port: 8443, authority: '[::1]:8443' })
  assert.equal(url, 'https://[::1]:8443/x')
})

test('refreshHop() follows a refresh with GET', () => {
  const next = refreshHop('next.html', { ...page, method: 'POST', hasBody: true })
  assert.ok(next.kind === 'hop')
  assert.equal(next.method, 'GET')
  assert.equal(next.hasBody, false)
  assert.equal(next.url, 'http://127.0.0.1:8080/dir/next.html')
  assert.match((refreshHop('', page) as { reason: string }).reason, /refresh is empty/)
})

test('nextHop() gives a target that can be sent, or an end, for any bytes', () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
  const special = fc.constantFrom('http://', '//', '/', '..', '?', '#', '@', ':', '[', '%', '\\')
  fc.assert(
    fc.property(fc.array(fc.oneof(byte, special), { maxLength: 20 }), (pieces) => {
      const next = nextHop(302, pieces.join(''), page)
      if (next.kind === 'end') {
        assert.ok(next.reason)
        return
      }
      assert.match(next.requestTarget, /^\/[\x21-\x7e]*$/)
      assert.match(next.origin.authority, /^[\x21-\x7e]+$/)
      assert.doesNotMatch(next.url, /#|^https?:\/\/[^/]*@/)
      assert.equal(
        next.url,
        `${next.origin.scheme}://${next.origin.authority}${next.requestTarget}`,
      )
    }),
    { numRuns: 3000 },
  )
})
