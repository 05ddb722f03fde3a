/** A head that is recalled comes to what reading it comes to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { latin1Bytes } from './bytes.ts'
import { RequestKind, type RequestKindNumber, ResponseParser } from './h1-response.ts'
import { HeaderFilter } from './header-filter.ts'

const wanted = ['set-cookie', 'location', 'content-type']

/** Parts that heads are made of, so that equal and nearly equal ones come in any order. */
const statusLines = [
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
]
const fieldLines = [
  'Date: Mon, 01 Dec 2025 00:34:56 GMT',
  'Date: Mon, 01 Dec 2025 00:34:57 GMT',
  'Set-Cookie: a=1',
  'Set-Cookie: a=2\r\n ; Path=/',
  'Connection: close',
  'Connection: keep-alive',
  'Content-Type: text/html',
]
const framings = [
  { field: 'Content-Length: 3', body: 'abc' },
  { field: 'Content-Length: 0', body: '' },
  { field: 'Transfer-Encoding: chunked', body: '3\r\nabc\r\n0\r\n\r\n' },
  { field: 'Content-Length: x', body: '' },
  { field: 'Transfer-Encoding: gzip', body: 'abc' },
]

const responses = fc
  .tuple(
    fc.constantFrom(...statusLines),
    fc.subarray(fieldLines),
    fc.constantFrom(...framings),
    fc.constantFrom(RequestKind.plain, RequestKind.head),
    fc.nat({ max: 400 }),
  )
  .map(([statusLine, fields, framing, kind, cutAt]) => ({
    text: `${[statusLine, ...fields, framing.field].join('\r\n')}\r\n\r\n${framing.body}`,
    kind,
    cutAt,
  }))

/** Which of a few responses comes, again and again. */
const choices = fc.array(fc.nat(), { minLength: 20, maxLength: 60 })

class Listener {
  readonly events: string[] = []
  header(name: string, value: string): void {
    this.events.push(`${name}: ${value}`)
  }
  head(status: number, minorVersion: 0 | 1): void {
    this.events.push(`head ${status} ${minorVersion}`)
  }
  body(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) this.events.push(String.fromCharCode(bytes[at]!))
  }
  end(): void {
    this.events.push('end')
  }
}

/** What the parser tells, and what it says of itself afterwards. */
function told(
  filter: HeaderFilter,
  buffer: Uint8Array,
  kind: RequestKindNumber,
  cuts: readonly number[],
): readonly unknown[] {
  const listener = new Listener()
  const parser = new ResponseParser(listener)
  // Only of a buffer that comes again is there a view to compare through.
  parser.begin(kind, HeaderFilter.none)
  parser.feed(buffer, 0, 1)
  parser.reset()
  parser.begin(kind, filter)
  let at = 0
  for (const end of cuts) at = parser.feed(buffer, at, end)
  return [
    ...listener.events,
    at,
    parser.headBytes,
    parser.bodyBytes,
    parser.keepsAlive,
    parser.failureText,
    parser.finish(),
  ]
}

test('ResponseParser comes to the same with heads that it knows', () => {
  let recalledCount = 0
  fc.assert(
    fc.property(fc.array(responses, { minLength: 1, maxLength: 3 }), choices, (pool, list) => {
      const filter = new HeaderFilter(wanted)
      for (const choice of list) {
        const { text, kind, cutAt } = pool[choice % pool.length]!
        const bytes = latin1Bytes(text)
        const cuts = cutAt < bytes.length ? [cutAt, bytes.length] : [bytes.length]
        const view = new DataView(bytes.buffer)
        if (filter.memo.matches(view, 0, cuts[0]!)) recalledCount++
        assert.deepEqual(
          told(filter, bytes, kind, cuts),
          told(new HeaderFilter(wanted), bytes, kind, cuts),
          text,
        )
      }
    }),
  )
  assert.ok(recalledCount > 100, `${recalledCount} heads were recalled`)
})

test('HeadMemo.matches() sees a difference in any byte, and a head that is not all there', () => {
  for (const length of [60, 61, 62, 63]) {
    const filter = new HeaderFilter([])
    const head = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ${'y'.repeat(length - 43)}\r\n\r\n`
    const bytes = latin1Bytes(`....${head}`)
    const view = new DataView(bytes.buffer)
    const parser = new ResponseParser(new Listener())
    for (let count = 0; count < 2; count++) {
      parser.begin(RequestKind.plain, filter)
      parser.feed(bytes, 4, bytes.length)
    }
    assert.equal(filter.memo.byteCount, head.length)
    assert.ok(filter.memo.matches(view, 4, bytes.length))
    assert.ok(!filter.memo.matches(view, 4, bytes.length - 1))
    for (let at = 4; at < bytes.length; at++) {
      bytes[at]! ^= 1
      assert.ok(!filter.memo.matches(view, 4, bytes.length), `byte ${at - 4}`)
      bytes[at]! ^= 1
    }
  }
})

test('HeadMemo takes a new head after some that differ, and keeps the old one until then', () => {
  const filter = new HeaderFilter([])
  const parser = new ResponseParser(new Listener())
  const buffer = new Uint8Array(200)
  const receive = (value: string) => {
    const bytes = latin1Bytes(`HTTP/1.1 204 OK\r\nX: ${value}\r\n\r\n`)
    buffer.set(bytes)
    parser.begin(RequestKind.plain, filter)
    parser.feed(buffer, 0, bytes.length)
    return bytes.length
  }
  const firstBytes = receive('first')
  for (let count = 0; count < 10; count++) receive('another one')
  assert.equal(filter.memo.byteCount, firstBytes)
  for (let count = 0; count < 10; count++) receive('another one')
  assert.equal(filter.memo.byteCount, firstBytes + 6)
})
