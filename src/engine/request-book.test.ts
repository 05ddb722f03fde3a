/** The requests of a list as bytes: what they say, when they are made, whose memory they lie in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf, type SimulatedTarget } from '../../test/sim/simulated-run.ts'
import { RequestBook } from './request-book.ts'
import { Routes } from './route.ts'

const targets: readonly SimulatedTarget[] = [
  { url: 'http://a.test/one?x=1' },
  { url: 'http://b.test:81/two', method: 'POST', bodyBytes: 3 },
  { url: 'http://a.test/three', method: 'HEAD' },
]

function bookOf(list: readonly SimulatedTarget[], allocated: number[] = []): RequestBook {
  const plan = planOf({ targets: list })
  return new RequestBook(plan, new Routes(plan), (byteCount) => {
    allocated.push(byteCount)
    return new Uint8Array(byteCount)
  })
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

test('requestOf() gives the request of each target', () => {
  const book = bookOf(targets)
  assert.equal(
    textOf(book.requestOf(0).bytes),
    'GET /one?x=1 HTTP/1.1\r\nHost: a.test\r\nConnection: keep-alive\r\n\r\n',
  )
  assert.equal(
    textOf(book.requestOf(1).bytes),
    'POST /two HTTP/1.1\r\nHost: b.test:81\r\nConnection: keep-alive\r\n' +
      'Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nppp',
  )
})

test('requestOf() knows what a request may do', () => {
  const book = bookOf(targets)
  const facts = [0, 1, 2].map((index) => {
    const { route, isHead, isIdempotent } = book.requestOf(index)
    return { routeIndex: route.index, isHead, isIdempotent }
  })
  assert.deepEqual(facts, [
    { routeIndex: 0, isHead: false, isIdempotent: true },
    { routeIndex: 1, isHead: false, isIdempotent: false },
    { routeIndex: 0, isHead: true, isIdempotent: true },
  ])
})

test('requestOf() makes a request once, on first use, in memory of the reactor', () => {
  const allocated: number[] = []
  const book = bookOf(targets, allocated)
  assert.deepEqual(allocated, [])
  const request = book.requestOf(1)
  assert.deepEqual(allocated, [request.bytes.length])
  assert.equal(book.requestOf(1), request)
  assert.equal(allocated.length, 1)
})

test('requestOf() keeps nothing of a list too long to keep, and is right all the same', () => {
  const list = Array.from({ length: 65_537 }, (_, index) => ({ url: `http://a.test/${index}` }))
  const book = bookOf(list)
  const last = book.requestOf(65_536)
  assert.match(textOf(last.bytes), /^GET \/65536 HTTP/)
  assert.notEqual(book.requestOf(65_536), last)
  assert.deepEqual(book.requestOf(65_536), last)
})
