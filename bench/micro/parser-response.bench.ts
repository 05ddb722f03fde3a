/**
 * What reading one response costs: heads as nginx sends them, whole and in pieces, with and
 * without a chunked body, with and without somebody who wants to see fields.
 */
import { performance } from 'node:perf_hooks'
import { latin1Bytes } from '../../src/wire/bytes.ts'
import { RequestKind, ResponseParser, type ResponseSink } from '../../src/wire/h1-response.ts'
import { HeaderFilter } from '../../src/wire/header-filter.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 2_000_000

const ROUND_COUNT = 5

interface Row {
  readonly name: string
  readonly nsPerOp: number
}

const nginxHead = [
  'HTTP/1.1 200 OK',
  'Server: nginx/1.22.1',
  'Date: Mon, 01 Dec 2025 00:34:56 GMT',
  'Content-Type: text/html',
  'Content-Length: 612',
  'Last-Modified: Tue, 04 Nov 2025 10:00:00 GMT',
  'Connection: keep-alive',
  'ETag: "6909ce20-264"',
  'Accept-Ranges: bytes',
]
const longHead = [
  ...nginxHead,
  'Vary: Accept-Encoding, Origin',
  'Cache-Control: public, max-age=3600, stale-while-revalidate=60',
  "Content-Security-Policy: default-src 'self'; img-src 'self' data: https://img.example.test; " +
    "script-src 'self' 'nonce-5f1c2d'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
  'Strict-Transport-Security: max-age=31536000; includeSubDomains; preload',
  'Referrer-Policy: strict-origin-when-cross-origin',
  'X-Content-Type-Options: nosniff',
  'X-Request-Id: 2f5f0f5c-8a64-4c3e-9df0-5d1f6f3f9a10',
  'Set-Cookie: sid=8f14e45fceea167a5a36dedd4bea2543; Path=/; HttpOnly; SameSite=Lax',
]
const chunkedHead = nginxHead.map((line) =>
  line.startsWith('Content-Length') ? 'Transfer-Encoding: chunked' : line,
)

function message(head: readonly string[], body: string): Uint8Array {
  return latin1Bytes(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const bodyText = 'x'.repeat(612)
const DATE_DIGIT_AT = nginxHead.slice(0, 2).join('\r\n').length + 2 + 'Date: Mon, 0'.length
const plain = message(nginxHead, bodyText)
const long = message(longHead, bodyText)
const chunked = message(chunkedHead, `132\r\n${'x'.repeat(306)}\r\n`.repeat(2).concat('0\r\n\r\n'))

/** Folds everything it is told into one number, so that no work can be left out. */
class HashSink implements ResponseSink {
  hash = 0
  header(name: string, value: string): void {
    this.hash = (this.hash * 31 + name.length * 7 + value.length) | 0
  }
  head(status: number, minorVersion: 0 | 1): void {
    this.hash = (this.hash * 31 + status + minorVersion) | 0
  }
  body(_bytes: Uint8Array, start: number, end: number): void {
    this.hash = (this.hash * 31 + end - start) | 0
  }
  end(): void {
    this.hash = (this.hash * 31 + 1) | 0
  }
}

/** Feeds `bytes` `count` times in parts of `partBytes`; the best of the rounds, in ns. */
function measure(
  sink: HashSink,
  bytes: Uint8Array,
  filter: HeaderFilter,
  partBytes: number,
  count: number,
  heads: 'equal' | 'different' = 'different',
): number {
  const parser = new ResponseParser(sink)
  let nsPerOpMin = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUND_COUNT; round++) {
    const startMs = performance.now()
    for (let index = 0; index < count; index++) {
      // A digit of the Date field.
      if (heads === 'different') bytes[DATE_DIGIT_AT] = 0x30 + (index % 10)
      parser.begin(RequestKind.plain, filter)
      for (let at = 0; at < bytes.length; at += partBytes) {
        parser.feed(bytes, at, Math.min(at + partBytes, bytes.length))
      }
      if (!parser.keepsAlive) throw new Error(`bench: ${parser.failureText}`)
    }
    nsPerOpMin = Math.min(nsPerOpMin, ((performance.now() - startMs) * 1e6) / count)
  }
  return nsPerOpMin
}

export function bench(count: number): { hash: number; rows: Row[] } {
  const sink = new HashSink()
  const perRound = Math.ceil(count / ROUND_COUNT)
  const whole = Number.MAX_SAFE_INTEGER
  const cookies = new HeaderFilter(['set-cookie', 'location', 'www-authenticate'])
  const row = (name: string, nsPerOp: number): Row => ({ name, nsPerOp: Math.round(nsPerOp) })
  const rows = [
    row(
      'nginx head of 240 bytes, body of 612',
      measure(sink, plain, HeaderFilter.none, whole, perRound),
    ),
    row(
      'the same head each time',
      measure(sink, plain, HeaderFilter.none, whole, perRound, 'equal'),
    ),
    row(
      'the same head each time, three fields wanted',
      measure(sink, plain, cookies, whole, perRound, 'equal'),
    ),
    row(
      'different heads, three fields wanted, none there',
      measure(sink, plain, cookies, whole, perRound),
    ),
    row(
      'different heads, all fields wanted',
      measure(sink, plain, HeaderFilter.all, whole, perRound / 4),
    ),
    row(
      'different heads in two parts, cut in the head',
      measure(sink, plain, HeaderFilter.none, 130, perRound),
    ),
    row('chunked, two chunks', measure(sink, chunked, HeaderFilter.none, whole, perRound)),
    row('head of 1,000 bytes', measure(sink, long, HeaderFilter.none, whole, perRound)),
    row('head of 1,000 bytes, cookie wanted', measure(sink, long, cookies, whole, perRound)),
  ]
  return { hash: sink.hash >>> 0, rows }
}
