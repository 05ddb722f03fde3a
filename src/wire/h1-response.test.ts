/** Laws of the response parser that hold for any bytes; single cases live in `test/corpus`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { cpuMsOf } from '../../test/support/timing.ts'
import { latin1Bytes } from './bytes.ts'
import { RequestKind, type RequestKindNumber, ResponseParser } from './h1-response.ts'
import { HeaderFilter } from './header-filter.ts'

interface Reading {
  readonly events: readonly string[]
  /** Of the input; the rest is surplus. */
  readonly consumedBytes: number
  readonly headBytes: number
  readonly bodyBytes: number
  readonly framingBytes: number
}

/**
 * Reads one response from `bytes`, cut after each of `cuts`, the connection being closed at the
 * end.
 */
function read(
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  kind: RequestKindNumber = RequestKind.plain,
  filter: HeaderFilter = HeaderFilter.all,
): Reading {
  const events: string[] = []
  let bodyBytes = 0
  const parser = new ResponseParser({
    header: (name, value) => events.push(`${name}: ${value}`),
    head: (status, minorVersion) => events.push(`head ${status} ${minorVersion}`),
    body(part, start, end) {
      // A copy, because the input is only lent.
      for (let at = start; at < end; at++) events.push(`byte ${part[at]}`)
      bodyBytes += end - start
    },
    end: () => events.push(`end ${parser.keepsAlive}`),
  })
  parser.begin(kind, filter)
  let consumedBytes = 0
  let start = 0
  for (const end of [...cuts, bytes.length]) {
    const at = parser.feed(bytes, start, end)
    assert(at >= start && at <= end, 'feed() returns an index of its input')
    consumedBytes += at - start
    if (at < end) break
    start = end
  }
  events.push(`${parser.finish()} ${parser.failureText}`)
  assert.equal(parser.bodyBytes, bodyBytes)
  const { headBytes, framingBytes } = parser
  return { events, consumedBytes, headBytes, bodyBytes, framingBytes }
}

const byteArray = fc.uint8Array({ maxLength: 60 })

/** Pieces that a hostile or sloppy server might put together. */
const piece = fc.oneof(
  fc.constantFrom(
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.0 200\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 S\r\n',
    'HTTP/1.1 204 No\r\n',
    'Content-Length: 5\r\n',
    'Content-Length:5,5\n',
    'content-length: 4\r\n',
    'Content-Length : \r\n 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip,\r\n\tchunked\r\n',
    'Connection: close\r\n',
    'Connection: Keep-Alive\r\n',
    'Keep-Alive: max=1\r\n',
    'X: y\r\n',
    ' folded\r\n',
    '\r\n',
    '\n',
    '\r',
    '5\r\nhello\r\n',
    '5;x=y\nhello\n',
    'A\r\n',
    '0\r\n',
    '0\r\n\r\n',
    'X-Trailer: v\r\n',
    'hello',
  ),
  byteArray.map((bytes) => String.fromCharCode(...bytes)),
)
const messy = fc
  .tuple(fc.boolean(), fc.array(piece, { maxLength: 12 }))
  .map(([isHttp, pieces]) => latin1Bytes((isHttp ? 'HTTP/1.1 200 OK\r\n' : '') + pieces.join('')))
const anyKind = fc.constantFrom(RequestKind.plain, RequestKind.head, RequestKind.connect)

function cutsOf(bytes: Uint8Array, ratios: readonly number[]): number[] {
  return ratios.map((ratio) => Math.floor(ratio * bytes.length)).sort((a, b) => a - b)
}
const ratioBelowOne = fc.double({ min: 0, max: 1, noNaN: true })

test('ResponseParser tells the same for any split of any bytes', () => {
  fc.assert(
    fc.property(
      messy,
      anyKind,
      fc.array(ratioBelowOne, { maxLength: 8 }),
      (bytes, kind, ratios) => {
        assert.deepEqual(read(bytes, cutsOf(bytes, ratios), kind), read(bytes, [], kind))
        const everyByte = Array.from(bytes, (_, index) => index)
        assert.deepEqual(read(bytes, everyByte, kind), read(bytes, [], kind))
      },
    ),
    { numRuns: 1500 },
  )
})

test('ResponseParser accounts for every byte it consumes, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.oneof(messy, byteArray), anyKind, (bytes, kind) => {
      const { consumedBytes, headBytes, bodyBytes, framingBytes } = read(bytes, [], kind)
      assert.equal(headBytes + bodyBytes + framingBytes, consumedBytes)
    }),
    { numRuns: 1500 },
  )
})

test('ResponseParser frames alike whichever fields are asked for', () => {
  const filters = fc.constantFrom(
    HeaderFilter.none,
    new HeaderFilter(['set-cookie', 'X']),
    new HeaderFilter(['content-length', 'transfer-encoding']),
  )
  const withoutFields = ({ events, ...counts }: Reading): unknown => ({
    ...counts,
    events: events.filter((event) =>
      /^(head|byte|end|complete|idle|empty|truncated|broken) /.test(event),
    ),
  })
  fc.assert(
    fc.property(messy, filters, anyKind, (bytes, filter, kind) => {
      assert.deepEqual(
        withoutFields(read(bytes, [], kind, filter)),
        withoutFields(read(bytes, [], kind)),
      )
    }),
    { numRuns: 800 },
  )
})

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/)
const fieldValue = fc.stringMatching(/^([!-~\xa0-\xff]([ -~\xa0-\xff]{0,30}[!-~\xa0-\xff])?)?$/)
const isFramingName = (name: string): boolean =>
  /^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name)
const field = fc.tuple(
  token.filter((name) => !isFramingName(name)),
  fieldValue,
)
const lineEnd = fc.constantFrom('\r\n', '\n')

/** How a whole message may be framed: its head field, and its body as sent. */
const framings = {
  length: (body: string) => [`Content-Length: ${body.length}`, body],
  chunks(body: string, eol: string, sizes: readonly number[]) {
    let sent = ''
    let at = 0
    for (const size of sizes) {
      const part = body.slice(at, at + size)
      if (part !== '') sent += `${part.length.toString(16)}${eol}${part}${eol}`
      at += size
    }
    const rest = body.slice(at)
    if (rest !== '') sent += `${rest.length.toString(16).toUpperCase()};last${eol}${rest}${eol}`
    return ['Transfer-Encoding: chunked', `${sent}0${eol}X-Trailer: t${eol}${eol}`]
  },
  close: (body: string) => ['X-Framing: close', body],
} as const

test('ResponseParser gives back the status, fields and body of any valid message', () => {
  const message = fc.record({
    status: fc.integer({ min: 200, max: 999 }).filter((status) => status !== 204 && status !== 304),
    fields: fc.array(field, { maxLength: 6 }),
    body: byteArray,
    framing: fc.constantFrom('length', 'chunks', 'close'),
    sizes: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
    eol: lineEnd,
    interimCount: fc.integer({ min: 0, max: 2 }),
  })
  fc.assert(
    fc.property(message, ({ status, fields, body, framing, sizes, eol, interimCount }) => {
      const bodyText = String.fromCharCode(...body)
      const [framingField, sent] = framings[framing as keyof typeof framings](bodyText, eol, sizes)
      const lines = fields.map(([name, value]) => `${name}: ${value}`)
      const interim = `HTTP/1.1 103 Early Hints${eol}Link: x${eol}${eol}`.repeat(interimCount)
      const head = [`HTTP/1.1 ${status} Reason`, ...lines, framingField, '', ''].join(eol)
      const { events } = read(latin1Bytes(interim + head + sent))
      const [framingName, framingValue] = framingField!.split(': ')
      assert.deepEqual(events, [
        ...fields.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
        `${framingName!.toLowerCase()}: ${framingValue}`,
        `head ${status} 1`,
        ...Array.from(body, (byte) => `byte ${byte}`),
        `end ${framing !== 'close'}`,
        framing === 'close' ? 'complete ' : 'idle ',
      ])
    }),
    { numRuns: 500 },
  )
})

test('ResponseParser.feed() consumes nothing when no response is awaited', () => {
  const told: string[] = []
  const parser = new ResponseParser({
    header: () => told.push('header'),
    head: () => told.push('head'),
    body: () => told.push('body'),
    end: () => told.push('end'),
  })
  assert.equal(parser.feed(latin1Bytes('HTTP/1.1 200 OK\r\n\r\n'), 0, 19), 0)
  assert.equal(parser.finish(), 'idle')
  assert.deepEqual(told, [])
})

test('ResponseParser.feed() leaves the rest alone when end() begins the next response', () => {
  const heads: number[] = []
  const parser = new ResponseParser({
    header() {},
    head: (status) => heads.push(status),
    body() {},
    end: () => parser.begin(RequestKind.plain, HeaderFilter.none),
  })
  const bytes = latin1Bytes('HTTP/1.1 204 N\r\n\r\nHTTP/1.1 304 N\r\n\r\n')
  parser.begin(RequestKind.plain, HeaderFilter.none)
  const at = parser.feed(bytes, 0, bytes.length)
  assert.equal(at, bytes.length / 2)
  assert.deepEqual(heads, [204])
  assert.equal(parser.feed(bytes, at, bytes.length), bytes.length)
  assert.deepEqual(heads, [204, 304])
})

test('ResponseParser.reset() forgets a response that was cut anywhere', () => {
  const bytes = latin1Bytes('HTTP/1.1 200 OK\r\nX: y\r\n z\r\nContent-Length: 2\r\n\r\nok')
  const events: string[] = []
  const parser = new ResponseParser({
    header: (name, value) => events.push(`${name}: ${value}`),
    head: (status) => events.push(`head ${status}`),
    body: (_bytes, start, end) => events.push(`body ${end - start}`),
    end: () => events.push('end'),
  })
  for (let cut = 0; cut < bytes.length; cut++) {
    parser.begin(RequestKind.plain, HeaderFilter.all)
    parser.feed(bytes, 0, cut)
    parser.reset()
    events.length = 0
    parser.begin(RequestKind.plain, HeaderFilter.all)
    assert.equal(parser.feed(bytes, 0, bytes.length), bytes.length)
    assert.deepEqual(events, ['x: y z', 'content-length: 2', 'head 200', 'body 2', 'end'])
    assert(parser.keepsAlive)
  }
})

test('ResponseParser.begin() while a response is under way is our own mistake', () => {
  const parser = new ResponseParser({ header() {}, head() {}, body() {}, end() {} })
  parser.begin(RequestKind.plain, HeaderFilter.none)
  assert.throws(() => parser.begin(RequestKind.plain, HeaderFilter.none), { code: 'E_BUG' })
})

test('ResponseParser reads a head that comes byte by byte in time linear in its length', () => {
  const msOf = (fieldBytes: number): number => {
    const bytes = latin1Bytes(`HTTP/1.1 204 N\r\nX: ${'y'.repeat(fieldBytes)}\r\n\r\n`)
    const parser = new ResponseParser({ header() {}, head() {}, body() {}, end() {} })
    parser.begin(RequestKind.plain, HeaderFilter.none)
    const cpuMs = cpuMsOf(() => {
      for (let at = 0; at < bytes.length; at++) parser.feed(bytes, at, at + 1)
    })
    assert(parser.isIdle)
    return cpuMs
  }
  msOf(200_000)
  // Quadratic would be 2e10 steps, tens of seconds; linear is some ten milliseconds.
  assert(msOf(200_000) < 2_000)
})
