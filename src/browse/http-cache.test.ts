/** What is not asked for again, and what is asked for conditionally: quirk 37 and RFC 9111. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/support/timing.ts'
import { readCacheControl } from './cache-control.ts'
import { type CacheAnswer, CacheFields, ENTRY_COUNT_MAX, HttpCache } from './http-cache.ts'
import { httpDateText, readHttpDate } from './http-date.ts'

const NOW_MS = Date.UTC(2025, 0, 1)
const URL_A = 'http://a.test/style.css'
const DATE = httpDateText(NOW_MS)

function fieldsOf(lines: readonly string[]): CacheFields {
  const fields = new CacheFields()
  for (const line of lines) {
    const colon = line.indexOf(':')
    fields.add(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return fields
}

/** `fresh`, `none`, or the fields as text. */
function textOf(answer: CacheAnswer): string {
  if (answer.kind !== 'conditional') return answer.kind
  return answer.fields.map(({ name, value }) => `${name}: ${value}`).join(' | ')
}

function after(seconds: number, lines: readonly string[], status = 200): string {
  const cache = new HttpCache()
  cache.note(URL_A, status, fieldsOf(lines), NOW_MS)
  return textOf(cache.lookUp(URL_A, NOW_MS + seconds * 1000))
}

test('quirk 37: fresh is not asked for, stale is asked for conditionally', () => {
  const modified = 'Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT'
  const conditional = 'If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT | If-None-Match: "x"'
  const etag = 'ETag: "x"'
  const rows: [number, string[], string][] = [
    [0, [], 'none'],
    [0, [etag, modified], conditional],
    [0, [etag], 'If-None-Match: "x"'],
    [0, [modified], 'If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT'],
    [59, ['Cache-Control: max-age=60', etag], 'fresh'],
    [60, ['Cache-Control: max-age=60', etag], 'If-None-Match: "x"'],
    [60, ['Cache-Control: max-age=60'], 'none'],
    [59, [`Expires: ${httpDateText(NOW_MS + 60_000)}`, etag], 'fresh'],
    [60, [`Expires: ${httpDateText(NOW_MS + 60_000)}`, etag], 'If-None-Match: "x"'],
    [0, ['Expires: 0', etag], 'If-None-Match: "x"'],
    [0, ['Expires: -1'], 'none'],
    [9, ['Cache-Control: max-age=10', 'Expires: 0'], 'fresh'],
    [
      9,
      [`Cache-Control: max-age=1`, `Expires: ${httpDateText(NOW_MS + 60_000)}`, etag],
      `If-None-Match: "x"`,
    ],
    [0, ['Cache-Control: no-store, max-age=60', etag], 'none'],
    [0, ['Cache-Control: no-cache, max-age=60', etag], 'If-None-Match: "x"'],
    [0, ['Cache-Control: no-cache="Set-Cookie", max-age=60', etag], 'If-None-Match: "x"'],
    [9, ['Cache-Control: private, max-age=10, must-revalidate'], 'fresh'],
    [9, ['Cache-Control: public, max-age=10, immutable'], 'fresh'],
    [9, ['Cache-Control: s-maxage=1, MAX-AGE="10"'], 'fresh'],
    [9, ['Cache-Control: public', 'Cache-Control: max-age=10'], 'fresh'],
    [5, ['Cache-Control: max-age=10', 'Age: 6', etag], 'If-None-Match: "x"'],
    [3, ['Cache-Control: max-age=10', 'Age: 6'], 'fresh'],
    [3, ['Cache-Control: max-age=10', `Date: ${httpDateText(NOW_MS - 8_000)}`], 'none'],
    [9, ['Cache-Control: max-age=10', `Date: ${httpDateText(NOW_MS + 8_000)}`], 'fresh'],
    [
      9,
      [`Expires: ${httpDateText(NOW_MS + 18_000)}`, `Date: ${httpDateText(NOW_MS + 8_000)}`],
      'fresh',
    ],
    [
      11,
      [`Expires: ${httpDateText(NOW_MS + 18_000)}`, `Date: ${httpDateText(NOW_MS + 8_000)}`],
      'none',
    ],
    [0, ['Cache-Control: max-age=10', 'Vary: *', etag], 'If-None-Match: "x"'],
    [0, ['Cache-Control: max-age=10', 'Vary: Accept-Encoding, Cookie', etag], 'If-None-Match: "x"'],
    [0, ['Cache-Control: max-age=10', 'Vary: Accept-Encoding, Origin'], 'fresh'],
    [0, ['Cache-Control: max-age=x', etag], 'If-None-Match: "x"'],
    [1e9, ['Cache-Control: max-age=99999999999999999999'], 'fresh'],
    [0, ['Last-Modified: yesterday'], 'none'],
    [
      0,
      ['Last-Modified: Wednesday, 21-Oct-15 07:28:00 GMT'],
      'If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT',
    ],
    [0, ['ETag: W/"x"'], 'If-None-Match: W/"x"'],
    [0, ['ETag: bare'], 'If-None-Match: bare'],
    [0, ['ETag: "a\r\nb"'], 'none'],
    [0, [`ETag: "${'x'.repeat(2000)}"`], 'none'],
  ]
  for (const [seconds, lines, expected] of rows) {
    assert.equal(after(seconds, lines), expected, lines.join(' | '))
  }
})

test('HttpCache keeps what a status allows', () => {
  const lines = ['Cache-Control: max-age=60', 'ETag: "x"']
  for (const status of [200, 203, 204]) assert.equal(after(1, lines, status), 'fresh', `${status}`)
  for (const status of [404, 410]) {
    assert.equal(after(1, lines, status), 'fresh')
    assert.equal(after(61, lines, status), 'none')
  }
  for (const status of [100, 201, 206, 301, 302, 304, 401, 403, 500, 503]) {
    assert.equal(after(1, lines, status), 'none', `${status}`)
  }
})

test('HttpCache lets a 304 refresh, a 5xx or challenge pass, and any other answer replace', () => {
  const cache = new HttpCache()
  const later = (seconds: number) => textOf(cache.lookUp(URL_A, NOW_MS + seconds * 1000))
  const note = (seconds: number, status: number, ...lines: string[]) =>
    cache.note(URL_A, status, fieldsOf(lines), NOW_MS + seconds * 1000)
  note(
    0,
    200,
    'Cache-Control: max-age=60',
    'ETag: "x"',
    'Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT',
  )
  note(100, 304)
  assert.equal(later(159), 'fresh')
  assert.equal(later(160), 'If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT | If-None-Match: "x"')
  note(200, 304, 'Cache-Control: max-age=10', 'ETag: "y"')
  assert.equal(later(209), 'fresh')
  assert.match(later(210), /If-None-Match: "y"$/)
  for (const status of [500, 502, 401, 407]) note(211, status)
  assert.match(later(212), /If-None-Match: "y"$/)
  note(220, 304, 'Vary: *', 'Cache-Control: max-age=10')
  note(220, 304)
  assert.match(later(221), /If-None-Match: "y"$/)
  note(230, 403)
  assert.equal(later(231), 'none')
  note(240, 200, 'ETag: "z"')
  note(241, 304, 'Cache-Control: no-store')
  assert.equal(later(242), 'none')
})

test('HttpCache.lookUpPage() always asks, conditionally if it can', () => {
  const cache = new HttpCache()
  assert.equal(textOf(cache.lookUpPage(URL_A)), 'none')
  cache.note(URL_A, 200, fieldsOf(['Cache-Control: max-age=60', 'ETag: "x"']), NOW_MS)
  assert.equal(textOf(cache.lookUp(URL_A, NOW_MS)), 'fresh')
  assert.equal(textOf(cache.lookUpPage(URL_A)), 'If-None-Match: "x"')
})

test('HttpCache keeps hosts, schemes and queries apart, and forgets when told', () => {
  const cache = new HttpCache()
  cache.note(URL_A, 200, fieldsOf(['Cache-Control: max-age=60']), NOW_MS)
  for (const other of ['http://b.test/style.css', 'https://a.test/style.css', `${URL_A}?v=2`]) {
    assert.equal(textOf(cache.lookUp(other, NOW_MS)), 'none', other)
  }
  cache.invalidate(URL_A)
  assert.equal(textOf(cache.lookUp(URL_A, NOW_MS)), 'none')
  cache.note(URL_A, 200, fieldsOf(['Cache-Control: max-age=60']), NOW_MS)
  cache.clear()
  assert.equal(cache.entryCount, 0)
})

test('HttpCache lets the URLs go that were used least recently', () => {
  const cache = new HttpCache()
  const fields = fieldsOf(['Cache-Control: max-age=60'])
  cache.note(URL_A, 200, fields, NOW_MS)
  for (let index = 0; index < 10_000; index++) {
    cache.note(`http://a.test/${index}`, 200, fields, NOW_MS)
    if (index % 100 === 0) cache.lookUp(URL_A, NOW_MS)
  }
  assert.equal(cache.entryCount, ENTRY_COUNT_MAX)
  assert.equal(textOf(cache.lookUp(URL_A, NOW_MS)), 'fresh')
  assert.equal(textOf(cache.lookUp('http://a.test/8000', NOW_MS)), 'none')
  cache.note(`http://a.test/${'x'.repeat(10_000)}`, 200, fields, NOW_MS)
  assert.equal(textOf(cache.lookUp('http://a.test/9999', NOW_MS)), 'fresh')
})

test('CacheFields takes the first of repeated fields, joins lists, and can be used again', () => {
  const fields = fieldsOf(['Expires: 0', `Expires: ${DATE}`, 'Vary: a', 'Vary: b', 'Server: x'])
  assert.equal(fields.get('expires'), '0')
  assert.equal(fields.get('vary'), 'a, b')
  fields.clear()
  assert.equal(fields.get('expires'), undefined)
})

test('readCacheControl() is not led astray by commas and names in quotes', () => {
  const control = readCacheControl('ext="a, no-store, \\" max-age=9", max-age=5, max-age=7')
  assert.deepEqual(control, { isStorable: true, isReusable: true, maxAgeS: 5 })
  const long = ['"'.repeat(1e6), 'a='.repeat(5e5), `a="${'\\'.repeat(1e6)}`, ','.repeat(1e6)]
  const cpuMs = cpuMsOf(() => {
    for (const text of long) readCacheControl(text)
  })
  assert.ok(cpuMs < 5_000, `${cpuMs} ms`)
})

test('readHttpDate() reads the three forms of RFC 9110 and nothing else', () => {
  const expected = Date.UTC(1994, 10, 6, 8, 49, 37)
  const good = ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT']
  good.push('Sun Nov  6 08:49:37 1994')
  for (const text of good) assert.equal(readHttpDate(text, NOW_MS), expected, text)
  assert.equal(readHttpDate('Friday, 01-Jan-75 00:00:00 GMT', NOW_MS), Date.UTC(2075, 0, 1))
  assert.equal(readHttpDate('Friday, 01-Jan-76 00:00:00 GMT', NOW_MS), Date.UTC(1976, 0, 1))
  const bad = ['', '0', '-1', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 6 Nov 1994 08:49:37 GMT']
  bad.push('Sun, 30 Feb 2025 00:00:00 GMT', 'Sun, 00 Jan 2025 00:00:00 GMT', '2025-01-01')
  bad.push('Sun, 01 Foo 2025 00:00:00 GMT', 'Sun, 01 Jan 2025 24:00:00 GMT')
  for (const text of bad) assert.equal(readHttpDate(text, NOW_MS), null, text)
  assert.equal(httpDateText(expected), good[0])
})
