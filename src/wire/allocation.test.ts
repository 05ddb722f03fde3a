/**
 * How much heap the parser takes per response: hot code that allocates shows here and not in
 * timings. A file of its own, and so a process of its own, in which nothing else allocates.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage, usedBytes } from '../../test/support/heap.ts'
import { latin1Bytes } from './bytes.ts'
import { encodeDynamicFields, encodeRequest, spliceDynamic } from './h1-request.ts'
import { RequestKind, ResponseParser } from './h1-response.ts'
import { HeaderFilter } from './header-filter.ts'

const BATCH_SIZE = 20_000
const BATCH_COUNT_MAX = 100

const head =
  'HTTP/1.1 200 OK\r\nServer: nginx\r\nConnection: keep-alive\r\nContent-Type: text/html\r\n'
const plain = latin1Bytes(`${head}Content-Length: 5\r\n\r\nhello`)
const chunked = latin1Bytes(
  `${head}Transfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nT: v\r\n\r\n`,
)

/** The least heap a call took over many batches: what allocates by its nature does so in each. */
function leastBytesPerCall(run: () => void): number {
  let leastBytes = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCH_COUNT_MAX && leastBytes >= 1; batch++) {
    collectGarbage()
    const before = usedBytes()
    for (let index = 0; index < BATCH_SIZE; index++) run()
    leastBytes = Math.min(leastBytes, Math.abs(usedBytes() - before) / BATCH_SIZE)
  }
  return leastBytes
}

function responseReader(bytes: Uint8Array, partBytes: number, filter: HeaderFilter): () => void {
  let endCount = 0
  const parser = new ResponseParser({
    header() {},
    head() {},
    body() {},
    end() {
      endCount++
    },
  })
  return () => {
    const before = endCount
    parser.begin(RequestKind.plain, filter)
    for (let at = 0; at < bytes.length; at += partBytes) {
      parser.feed(bytes, at, Math.min(at + partBytes, bytes.length))
    }
    assert(endCount === before + 1)
  }
}

const cookies = new HeaderFilter(['set-cookie', 'location'])

test('ResponseParser takes less than a byte of heap per plain response', () => {
  const leastBytes = leastBytesPerCall(responseReader(plain, plain.length, HeaderFilter.none))
  assert(leastBytes < 1, `${leastBytes} bytes per response`)
})

test('ResponseParser takes less than a byte of heap per chunked response', () => {
  const leastBytes = leastBytesPerCall(responseReader(chunked, chunked.length, HeaderFilter.none))
  assert(leastBytes < 1, `${leastBytes} bytes per response`)
})

test('ResponseParser takes less than a byte of heap per response cut into pieces', () => {
  const leastBytes = leastBytesPerCall(responseReader(plain, 7, HeaderFilter.none))
  assert(leastBytes < 1, `${leastBytes} bytes per response`)
})

test('ResponseParser takes no heap for fields that are wanted and not there', () => {
  const leastBytes = leastBytesPerCall(responseReader(plain, plain.length, cookies))
  assert(leastBytes < 1, `${leastBytes} bytes per response`)
})

test('spliceDynamic() takes no heap', () => {
  const template = encodeRequest({
    method: 'GET',
    requestTarget: '/',
    authority: 'example.test',
    httpVersion: '1.1',
    head: [{ kind: 'host', name: 'Host' }, { kind: 'dynamic' }],
    body: null,
    contentType: null,
  })
  const fields = encodeDynamicFields([{ name: 'Cookie', value: 'a=b' }])
  const into = new Uint8Array(1024)
  const leastBytes = leastBytesPerCall(() => {
    spliceDynamic(template, fields, into)
  })
  assert(leastBytes < 1, `${leastBytes} bytes per request`)
})

test('leastBytesPerCall() sees an object per call', () => {
  const kept: unknown[] = [null]
  const leastBytes = leastBytesPerCall(() => {
    kept[0] = { text: kept[0] === null }
  })
  assert(leastBytes >= 8, `${leastBytes} bytes per call`)
})
