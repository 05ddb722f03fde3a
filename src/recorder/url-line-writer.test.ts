/** Whatever is recorded, the reader of URL lists finds the same request in the line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { bytesFromLatin1, latin1FromText } from '../plan/latin1.ts'
import { TargetList } from '../plan/target-list.ts'
import { escapeUrl } from '../plan/url-escape.ts'
import { readUrlList } from '../plan/url-list.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { urlOf } from './recorded-request.ts'
import { isInline, urlLine } from './url-line-writer.ts'

const FILE = 'urls.txt.bodies/0001 $(x).bin'

function request(change: Partial<RecordedRequest> = {}): RecordedRequest {
  return {
    site: { scheme: 'http', host: 'h', port: 80 },
    method: 'GET',
    requestTarget: '/',
    contentType: null,
    body: null,
    ...change,
  }
}

function text(body: string): RecordedRequest['body'] {
  return { kind: 'bytes', bytes: bytesFromLatin1(latin1FromText(body)) }
}

function readBack(line: string, fileBytes: Uint8Array, isEscaping: boolean): TargetList {
  const read = readUrlList(
    { name: 'urls.txt', bytes: bytesFromLatin1(`${line}\n`) },
    {
      isEscaping,
      environment: (name) => (name === 'HOME' ? '/root' : undefined),
      readFile: (path) => (path === FILE ? fileBytes : 'no such file'),
    },
  )
  assert.ok('targets' in read, JSON.stringify(read))
  return new TargetList(read.targets)
}

const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
const bodyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc
    .array(
      fc.constantFrom('$HOME', '$', '\\', '\\$', '{', '}', '<', '#', ' ', '\t', '-T x;', 'é', '"'),
      { maxLength: 12 },
    )
    .map((parts) => bytesFromLatin1(latin1FromText(parts.join('')))),
  printable.map((body) => bytesFromLatin1(body)),
)
const anyRequest = fc.record({
  site: fc.record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.constantFrom('h', 'www.example.com', '127.0.0.1', '::1', 'a_b-c'),
    port: fc.constantFrom(80, 443, 8080, 65535),
  }),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  requestTarget: fc
    .oneof(printable, fc.stringMatching(/^[\x21-\xff]{0,20}$/), fc.constant('?a=$HOME&b=\\$(c)#d'))
    .map((path) => `/${path.replace(/[\0- \x7f]/g, '')}`),
  contentType: fc.constantFrom(
    null,
    'application/x-www-form-urlencoded',
    'application/json',
    'application/json; charset=utf-8',
    'application/json;version=1; q="a b"',
    'multipart/form-data; boundary=----WebKit$HOME',
    'text/plain; charset="utf-8"',
  ),
  bytes: bodyBytes,
})

test('urlLine() writes a line in which the reader finds the very same request', () => {
  fc.assert(
    fc.property(anyRequest, ({ bytes, ...rest }) => {
      const body = bytes.length === 0 ? null : ({ kind: 'bytes', bytes } as const)
      const recorded = { ...rest, body }
      const file = body === null || isInline(bytes) ? null : FILE
      const line = urlLine(recorded, file)
      assert.ok(line !== null, JSON.stringify(recorded))
      for (const isEscaping of [false, true]) {
        const targets = readBack(line, bytes, isEscaping)
        assert.equal(targets.count, 1)
        assert.equal(targets.methodOf(0), recorded.method)
        const { site, requestTarget } = recorded
        const sent = requestTarget.replaceAll('#', '%23')
        const expected = { site, requestTarget: isEscaping ? escapeUrl(sent) : sent }
        assert.equal(targets.urlOf(0), urlOf(expected))
        assert.deepEqual(targets.bodyOf(0)?.toString(), body?.bytes.toString())
        if (body === null) continue
        const type = targets.contentTypeOf(0) ?? 'application/x-www-form-urlencoded'
        if (recorded.contentType !== null) assert.equal(type, recorded.contentType)
      }
    }),
    { numRuns: 2000 },
  )
})

test('urlLine() writes what a person would', () => {
  const json = { contentType: 'application/json', body: text('{"a": "é"}') }
  for (const [recorded, expected] of [
    [request(), 'http://h/'],
    [request({ method: 'HEAD', requestTarget: '/a?b=c' }), 'http://h/a?b=c HEAD'],
    [request({ method: 'POST' }), 'http://h/ POST'],
    [request({ method: 'POST', body: text('a=1&b=2') }), 'http://h/ POST a=1&b=2'],
    [
      request({
        method: 'POST',
        contentType: 'application/x-www-form-urlencoded',
        body: text('a=$HOME'),
      }),
      'http://h/ POST a=\\$HOME',
    ],
    [
      request({ method: 'PUT', ...json }),
      latin1FromText('http://h/ PUT -T application/json; {"a": "é"}'),
    ],
    [
      request({ site: { scheme: 'https', host: '::1', port: 8443 }, ...json }),
      latin1FromText('https://[::1]:8443/ GET -T application/json; {"a": "é"}'),
    ],
  ] as const) {
    assert.equal(urlLine(recorded, null), expected)
  }
  const file = { kind: 'file', path: 'b/1.bin' } as const
  const upload = request({ method: 'POST', contentType: 'image/png', body: file })
  assert.equal(urlLine(upload, 'b/1.bin'), 'http://h/ POST -T image/png; < b/1.bin')
})

test('urlLine() gives up what a list cannot say, and never writes what means something else', () => {
  assert.equal(urlLine(request({ method: 'PROPFIND' }), null), null)
  assert.equal(urlLine(request({ method: 'TRACE', body: text('x') }), null), null)
  assert.equal(urlLine(request({ requestTarget: '/a b' }), null), null)
  assert.equal(urlLine(request({ method: 'POST', body: text('a\nb') }), null), null)
  const host = { scheme: 'http', host: 'a..b', port: 80 } as const
  assert.equal(urlLine(request({ site: host }), null), null)
  // A type that no line can say is sent without its parameters.
  const odd = request({ method: 'POST', contentType: `a/b; c='d'`, body: text('x') })
  assert.equal(urlLine(odd, null), 'http://h/ POST -T a/b; x')
})

test('isInline() takes text of one line, and nothing with a meaning of its own in a list', () => {
  for (const body of ['a', 'a b', 'é€', '{"a":[1]}', 'a\tb']) {
    assert.ok(isInline(bytesFromLatin1(latin1FromText(body))), body)
  }
  for (const body of [' a', 'a ', '\ta', '<a>', '#a', '-T x', 'a\nb', 'a\rb', '\0', 'a\x7f']) {
    assert.ok(!isInline(bytesFromLatin1(body)), JSON.stringify(body))
  }
  assert.ok(!isInline(bytesFromLatin1('\xe9')), 'bytes that are no UTF-8')
  assert.ok(!isInline(new Uint8Array(5000).fill(0x61)), 'too long to be read')
})
