/**
 * Resolving references: the platform's `URL` is the judge of every form, those that the quick way
 * answers and those that it must leave alone.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { resolveUrl, UrlBase } from './resource-url.ts'

/** Not by way of `URL.canParse`, which errs in Node 20. */
function expected(reference: string, base: string): string | null {
  try {
    return new URL(reference, base).href
  } catch {
    return null
  }
}

function assertSame(reference: string, base: string): void {
  const what = `${JSON.stringify(reference)} in ${base}`
  assert.equal(resolveUrl(reference, base), expected(reference, base), what)
}

const bases = [
  'http://site.test/',
  'http://site.test/dir/page.html?a=/b/c#top',
  'https://site.test:8443/a/b/',
  'http://user:pass@site.test/a//b/c',
  'http://[::1]:8080/x/y',
  'HTTP://SITE.test:80/%7Euser/./x/../',
  'http://127.0.0.1/v1.2/page',
  'ftp://site.test/dir/file',
  'file:///home/x/page.html',
  'data:text/html,x',
]

const references = [
  ...[
    '',
    '/',
    '.',
    '..',
    './',
    '../',
    '../../../..',
    '/..',
    '/./x',
    'a/./b',
    'a/../b',
    'a/..',
    'a/.',
  ],
  ...['?q=1', '?', '#f', '#', '?q#f', '/?', 'x?y?z', "x?it's", "it's", 'x?a=http://b.test/c/../d'],
  ...['x.php?js=lib/a.js', 'v1.2/p.png', 'sub/p.png', 'a.b', '.hidden', 'a/.hidden', '...', 'a..b'],
  ...[
    '//host.test',
    '//host.test/x',
    '//HOST.test:80/x',
    '///x',
    '////x',
    '/\\host/x',
    '\\x',
    'a\\b',
  ],
  ...[
    'http://host.test',
    'http://host.test/x',
    'HTTP://host.test/x',
    'https:x',
    'http:x',
    'http:/x',
  ],
  ...['http:', 'http://', 'http:///x', 'https://host.test:443/x', 'http://host.test:443/x'],
  ...['http://host.test:/x', 'http://host.test:99999/x', 'http://u:p@h.test/x', 'http://1.2.3/x'],
  ...['http://0x7f.1/x', 'http://[::1]/x', 'http://[bad/x', 'http://a_b.test/x', 'http://a..b/x'],
  ...['http://-a.test/x', 'http://xn--/x', 'http://xn--mnchen-3ya.test/x', 'http://münchen.test/x'],
  ...[
    'http://a b/x',
    'http://a%41/x',
    'http://host.test./x',
    'http://.host/x',
    'http://1/x',
    'http://a.1/x',
  ],
  ...['mailto:a@b', 'data:x', 'javascript:x', 'about:blank', 'a:b', 'a/b:c', '1:2', 'C:/x', ':x'],
  ...[' x ', '\tx\n', 'a\tb', 'a\nb', '/a\r/b', 'h\nttp://host.test/', '\0x', 'a\0', '\u00a0x'],
  ...['%2e', '%2E/x', 'a/%2e%2e/b', '%20', '%', '%zz', '%2', 'a%2fb', 'é', 'x?é', '😀', '\ud800'],
  ...[
    'a b',
    '"',
    '<',
    '>',
    '`',
    '{}',
    '|',
    '^',
    '[x]',
    "'",
    'x?"<>`{}|^',
    'x;y=1',
    '@x',
    'x@y',
    '~x',
  ],
]

test('resolveUrl() gives what URL gives, for every known form and base', () => {
  for (const base of bases) for (const reference of references) assertSame(reference, base)
})

test('resolveUrl() gives what URL gives, for forms put together at random', () => {
  const parts = fc.constantFrom(
    ...['/', '//', '.', '..', './', '../', '?', '#', ':', '@', '\\', '%', '%2e', '%2E', '%20', "'"],
    ...[
      'http:',
      'https://',
      'HTTP://',
      'ftp:',
      'a',
      'B9',
      'v1.2',
      'p.png',
      'host.test',
      ':80',
      ':443',
    ],
    ...[
      '[::1]',
      '127.0.0.1',
      ' ',
      '\t',
      '\n',
      '\0',
      'é',
      '^',
      '|',
      '"',
      '{',
      '[',
      '&',
      '=',
      '+',
      '~',
    ],
  )
  const reference = fc.array(parts, { maxLength: 8 }).map((list) => list.join(''))
  fc.assert(fc.property(reference, fc.constantFrom(...bases), assertSame), { numRuns: 20_000 })
})

test('resolveUrl() gives what URL gives, for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...bases), assertSame), {
    numRuns: 5_000,
  })
})

test('resolveUrl() is null without a base or a URL', () => {
  assert.equal(resolveUrl('x', 'no base'), null)
  assert.equal(resolveUrl('http://[', 'http://site.test/'), null)
})

test('UrlBase.of() takes a base that is relative itself', () => {
  const page = UrlBase.of('http://site.test/h/page.html')
  assert.ok(page !== null)
  const base = UrlBase.of('/assets/', page)
  assert.equal(base?.resolve('b.png'), 'http://site.test/assets/b.png')
  assert.equal(UrlBase.of('http://[', page), null)
})

test('UrlBase remembers origins without mixing them up, and not without bound', () => {
  const base = UrlBase.of('http://site.test/')
  assert.ok(base !== null)
  for (let round = 0; round < 2; round++) {
    for (let host = 0; host < 600; host++) {
      const url = `http://H${host}.test:80/x`
      assert.equal(base.resolve(url), `http://h${host}.test/x`)
    }
  }
})
