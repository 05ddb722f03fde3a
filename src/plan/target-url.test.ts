/** What each form of URL means, what is refused, and that nothing else can happen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { latin1FromText } from './latin1.ts'
import { originText } from './target-list.ts'
import type { TargetUrl, TextProblem } from './target-url.ts'
import { TargetUrlReader } from './target-url.ts'

function read(text: string, isEscaping = true): TargetUrl | TextProblem {
  return new TargetUrlReader(isEscaping).read(latin1FromText(text))
}

/** `scheme://authority path` with the host and port that are connected to, or the problem. */
function shown(text: string): string {
  const url = read(text)
  if ('problem' in url) return `${url.column}: ${url.problem}`
  const { origin, credentials } = url.prefix
  const login = credentials === null ? '' : ` as ${credentials.user}:${credentials.password}`
  return `${originText(origin)} ${url.requestTarget} to ${origin.host} ${origin.port}${login}`
}

const good: [reason: string, text: string, wanted: string][] = [
  ['the whole form', 'http://h.example:81/a?b', 'http://h.example:81 /a?b to h.example 81'],
  ['schemes in any case', 'HTTPS://h/', 'https://h / to h 443'],
  ['ftp', 'ftp://h/f', 'ftp://h /f to h 21'],
  ['no scheme is http', 'h.example/a', 'http://h.example /a to h.example 80'],
  ['localhost:8080 is no scheme', 'localhost:8080/x', 'http://localhost:8080 /x to localhost 8080'],
  ['a host alone', 'localhost', 'http://localhost / to localhost 80'],
  ['a host and port alone', 'h:81', 'http://h:81 / to h 81'],
  ['a scheme behind the path is data', 'h/r?u=http://o/', 'http://h /r?u=http://o/ to h 80'],
  ['a scheme in the query is data', 'h?u=http://o/', 'http://h /?u=http://o/ to h 80'],
  ['no path is /', 'http://h', 'http://h / to h 80'],
  ['a query without a path', 'http://h?x=1', 'http://h /?x=1 to h 80'],
  ['a query without a path behind a port', 'http://h:80?x=1', 'http://h /?x=1 to h 80'],
  ['the fragment is never sent', 'http://h/a#b', 'http://h /a to h 80'],
  ['not behind a query, nor with a ? in it', 'http://h/a?b#c?d', 'http://h /a?b to h 80'],
  ['nor without a path', 'http://h#b', 'http://h / to h 80'],
  ['params are part of the path', 'http://h/a;p=1?q', 'http://h /a;p=1?q to h 80'],
  ['the own port is left out of Host', 'https://h:443/', 'https://h / to h 443'],
  ['the other scheme’s port is not', 'http://h:443/', 'http://h:443 / to h 443'],
  ['an empty port is the own one', 'http://h:/', 'http://h / to h 80'],
  ['the last port', 'http://h:65535/', 'http://h:65535 / to h 65535'],
  ['a host is lower case, a path is not', 'http://EXAMPLE/A', 'http://example /A to example 80'],
  ['underscores and dashes', 'http://my_app-1/', 'http://my_app-1 / to my_app-1 80'],
  ['a host with a final dot', 'http://h./', 'http://h. / to h. 80'],
  ['IPv4', '127.0.0.1:8080', 'http://127.0.0.1:8080 / to 127.0.0.1 8080'],
  ['IPv6', 'http://[::1]:8080/', 'http://[::1]:8080 / to ::1 8080'],
  ['IPv6 alone', '[2001:DB8::1]', 'http://[2001:db8::1] / to 2001:db8::1 80'],
  ['no zone in Host', 'http://[fe80::1%eth0]/', 'http://[fe80::1] / to fe80::1%eth0 80'],
  ['a zone as RFC 6874', 'http://[fe80::1%25eth0]:1/', 'http://[fe80::1]:1 / to fe80::1%eth0 1'],
  [
    'punycode',
    'http://bücher.example/',
    'http://xn--bcher-kva.example / to xn--bcher-kva.example 80',
  ],
  ['a login', 'http://u:p@h/', 'http://h / to h 80 as u:p'],
  ['a login in escapes', 'http://a%40b:p%3Aq%2F@h/', 'http://h / to h 80 as a@b:p:q/'],
  ['a password with @ and :', 'http://u:p@q:r@h:81/', 'http://h:81 / to h 81 as u:p@q:r'],
  ['a login named like a scheme', 'ftp:secret@h/', 'http://h / to h 80 as ftp:secret'],
  ['an empty login is none', 'http://@h/', 'http://h / to h 80'],
  ['@ in a path is no login', 'http://h/@a', 'http://h /@a to h 80'],
  ['blanks', 'http://h/a b', 'http://h /a%20b to h 80'],
]

const bad: [reason: string, text: string, wanted: string][] = [
  ['nothing', '', '1: the URL has no host'],
  ['a path alone', '/a', '1: the URL has no host'],
  ['a scheme alone', 'http://', '8: the URL has no host'],
  ['a port alone', 'http://:80/', '8: the URL has no host'],
  ['a login alone', 'http://u:p@/', '12: the URL has no host'],
  ['a misspelt scheme', 'htp://h/', '1: "htp" is not a scheme onager knows: did you mean "http"?'],
  [
    'another scheme',
    'gopher://h/',
    '1: "gopher" is not a scheme onager knows: use http, https or ftp',
  ],
  ['no scheme', '://h/', '1: "" is not a scheme onager knows: use http, https or ftp'],
  ['one slash', 'http:/h/', '1: write "http://" at the beginning of the URL'],
  ['no colon', 'https//h/', '1: write "https://" at the beginning of the URL'],
  ['no slashes', 'http:h/', '1: write "http://" at the beginning of the URL'],
  ['port 0', 'http://h:0/', '10: "0" is not a port: it is 1 to 65535'],
  ['port too big', 'http://h:65536/', '10: "65536" is not a port: it is 1 to 65535'],
  ['port of letters', 'h:80a/', '3: "80a" is not a port: it is 1 to 65535'],
  ['IPv6 without brackets', 'http://::1:80/', '8: an IPv6 address needs brackets: [::1:80]'],
  ['two ports', 'http://h:80:81/', '8: "h:80:81" has more than one ":" and is no host and port'],
  ['an open bracket', 'http://[::1/', '8: the "]" behind the IPv6 address is missing'],
  ['no address in brackets', 'http://[h]/', '8: "[h]" is not an IPv6 address'],
  [
    'too many groups',
    'http://[1:2:3:4:5:6:7:8:9]/',
    '8: "[1:2:3:4:5:6:7:8:9]" is not an IPv6 address',
  ],
  ['text behind a bracket', 'http://[::1]x/', '8: "[::1]x" is not an IPv6 address'],
  [
    'IPv4 out of range',
    '256.1.1.1',
    '1: "256.1.1.1" is not an IPv4 address: its numbers are 0 to 255',
  ],
  ['a blank in the host', 'http://a b/', '9: a host name cannot have a blank in it'],
  ['a quote in the host', '"http://h/', '1: "\\"http" is not a scheme'],
  [
    'a NUL in the host',
    'http://a\0/',
    '9: a host name cannot have a control character ("\\x00") in it',
  ],
  ['an escape in the host', 'http://a%20b/', '9: a host name cannot have "%" in it'],
  ['an empty label', 'http://a..b/', '8: the host name "a..b" has an empty part'],
  ['a long label', `http://${'a'.repeat(64)}/`, '8: the host name "'],
  ['a long name', `http://${'abcdefg.'.repeat(40)}/`, '8: the host name "'],
]

for (const [reason, text, wanted] of good) {
  test(`TargetUrlReader reads ${JSON.stringify(text)}: ${reason}`, () => {
    assert.equal(shown(text), wanted)
  })
}

for (const [reason, text, wanted] of bad) {
  test(`TargetUrlReader refuses ${JSON.stringify(text.slice(0, 40))}: ${reason}`, () => {
    const problem = shown(text)
    assert.ok(problem.startsWith(wanted.replace('\\"http', '"http')), problem)
  })
}

test('TargetUrlReader refuses a host that is no UTF-8', () => {
  const url = new TargetUrlReader(true).read('http://\xff\xfe/')
  assert.ok('problem' in url && url.problem.includes('UTF-8'))
})

test('TargetUrlReader without escaping sends the path as written, but never a broken line', () => {
  const url = read('http://h/%41~{}%zz', false)
  assert.equal('requestTarget' in url && url.requestTarget, '/%41~{}%zz')
  const problem = { problem: 'a blank cannot be sent in a URL: write %20', column: 11 }
  assert.deepEqual(read('http://h/a b', false), problem)
  assert.ok('problem' in read('http://h/a\nb', false))
})

test('TargetUrlReader keeps prefixes apart although it remembers the last one', () => {
  const reader = new TargetUrlReader(true)
  const hosts = ['a', 'a', 'b', 'a'].map((host) => {
    const url = reader.read(`http://${host}/`)
    return 'prefix' in url ? url.prefix.origin.host : url.problem
  })
  assert.deepEqual(hosts, ['a', 'a', 'b', 'a'])
})

test('TargetUrlReader turns any text into a target or a problem within it', () => {
  const pieces = fc.constantFrom(
    ...[
      'http',
      '://',
      ':',
      '/',
      '@',
      '[',
      ']',
      '%',
      '?',
      '#',
      '.',
      '::1',
      ' ',
      '80',
      'h',
      '\0',
      'é',
    ],
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, fc.boolean(), (written, isEscaping) => {
      const latin1 = latin1FromText(written)
      const url = new TargetUrlReader(isEscaping).read(latin1)
      if ('problem' in url) {
        assert.ok(url.column >= 1 && url.column <= latin1.length + 1)
        return
      }
      assert.match(url.requestTarget, /^\/[!-~\x80-\xff]*$/)
      assert.match(url.prefix.origin.host, /^[-.:%~\w]+$/)
      assert.ok(url.prefix.origin.port >= 1 && url.prefix.origin.port <= 65_535)
    }),
    { numRuns: 2000 },
  )
})

test('TargetUrlReader agrees with the WHATWG parser on ordinary URLs', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
  const label = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/)
  const host = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 3 }).map((all) => all.join('.')),
    fc.ipV4(),
    fc.constantFrom('[::1]', '[2001:db8::7]'),
  )
  const url = fc
    .record({
      scheme: fc.constantFrom('http', 'https', 'HTTP', 'Https'),
      host,
      port: fc.option(fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom(80, 443))),
      path: fc.option(fc.array(word).map((all) => `/${all.join('/')}`)),
      query: fc.option(fc.array(fc.tuple(word, word)).map((all) => all.join('&'))),
      fragment: fc.option(word),
    })
    .map(({ scheme, host, port, path, query, fragment }) => {
      const tail = `${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`
      return `${scheme}://${host}${port === null ? '' : `:${port}`}${path ?? ''}${tail}`
    })
  fc.assert(
    fc.property(url, (text) => {
      const ours = read(text)
      const theirs = new URL(text)
      assert.ok('prefix' in ours, text)
      assert.equal(originText(ours.prefix.origin), theirs.origin)
      // The WHATWG parser drops a question mark with nothing behind it; it is sent here.
      assert.equal(ours.requestTarget.replace(/\?$/, ''), theirs.pathname + theirs.search)
    }),
    { numRuns: 1000 },
  )
})
