/** The requests of a list as bytes: what they say, when they are made, whose memory they lie in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf, type SimulatedTarget } from '../../test/sim/simulated-run.ts'
import { type PreparedRequest, RequestBook } from './request-book.ts'
import { Routes } from './route.ts'

const targets: readonly SimulatedTarget[] = [
  { url: 'http://a.test/one?x=1' },
  { url: 'http://b.test:81/two', method: 'POST', bodyBytes: 3 },
  { url: 'http://a.test/three', method: 'HEAD' },
]

const noBytes = new Uint8Array(0)

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

/** The bytes that are sent. */
function sentText(request: PreparedRequest): string {
  const into = new Uint8Array(request.byteCountWith(noBytes))
  assert.equal(request.writeWith(noBytes, into), into.length)
  return textOf(into)
}

test('requestOf() keeps nothing of a list too long to keep, and is right all the same', () => {
  const list = Array.from({ length: 65_537 }, (_, index) => ({
    url: `http://${index % 3 === 0 ? 'b' : 'a'}.test/${index}`,
    ...(index % 5 === 0 ? { method: 'POST', bodyBytes: index % 7 } : {}),
  }))
  const allocated: number[] = []
  const book = bookOf(list, allocated)
  for (let index = 65_500; index < 65_537; index++) {
    const request = book.requestOf(index)
    const short = bookOf([list[index]!])
    assert.equal(sentText(request), textOf(short.requestOf(0).bytes))
    assert.ok(request.isTransient)
    assert.notEqual(book.requestOf(index), request)
  }
  assert.deepEqual(allocated, [])
})

test('what turns up in a run takes no memory of the reactor, which would never come back', () => {
  const allocated: number[] = []
  const book = bookOf(targets, allocated)
  const { facts } = book.requestOf(0)
  allocated.length = 0
  for (let index = 0; index < 3; index++) {
    const requestTarget = `/found/${index}`
    const found = book.found({ ...facts, requestTarget })
    const withBody = book.found({
      ...facts,
      method: 'POST',
      body: new Uint8Array(3),
      requestTarget,
    })
    const resource = book.resource(`http://a.test${requestTarget}`, found.originKey)
    for (const request of [found, withBody, resource]) {
      assert.ok(request.isTransient)
      assert.match(sentText(request), new RegExp(`^(?:GET|POST) ${requestTarget} HTTP/1.1\r\n`))
    }
  }
  assert.deepEqual(allocated, [])
})
