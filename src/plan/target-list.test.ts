/** That targets come back as they were added, on this side and on another thread. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { fc } from '../../test/support/property.ts'
import { UsageError } from '../base/errors.ts'
import { bytesFromLatin1 } from './latin1.ts'
import type { Origin, TargetListData, TargetSpec } from './target-list.ts'
import { TargetList, TargetListBuilder } from './target-list.ts'

const here: Origin = { scheme: 'http', host: '127.0.0.1', port: 8080, authority: '127.0.0.1:8080' }
const there: Origin = { scheme: 'https', host: '::1', port: 443, authority: '[::1]' }

function spec(changes: Partial<TargetSpec> = {}): TargetSpec {
  return {
    origin: here,
    method: 'GET',
    requestTarget: '/',
    body: null,
    contentType: null,
    isContentTypeExplicit: false,
    credentials: null,
    ...changes,
  }
}

function listOf(...specs: TargetSpec[]): TargetList {
  const builder = new TargetListBuilder()
  for (const one of specs) builder.add(one)
  return new TargetList(builder.build())
}

test('TargetList gives back every part of what was added', () => {
  const origin = fc.constantFrom(here, there, { ...here, port: 81, authority: '127.0.0.1:81' })
  const latin1 = fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength: 200 })
    .map((codes) => String.fromCharCode(...codes))
  // Equal ones are kept once, as the first that came: with or without a prototype, then.
  const credentials = fc.record(
    { user: fc.string(), password: fc.string() },
    { noNullPrototype: true },
  )
  const anySpec = fc.record({
    origin,
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE'),
    requestTarget: latin1.map((text) => `/${text}`),
    body: fc.option(fc.uint8Array({ maxLength: 100 })),
    contentType: fc.option(fc.constantFrom('text/plain', 'application/json')),
    isContentTypeExplicit: fc.boolean(),
    credentials: fc.option(credentials),
  })
  fc.assert(
    fc.property(fc.array(anySpec, { maxLength: 60 }), (specs) => {
      const list = listOf(...specs)
      assert.equal(list.count, specs.length)
      for (const [index, wanted] of specs.entries()) {
        assert.deepEqual(list.origins[list.originIndexOf(index)], wanted.origin)
        assert.equal(list.methodOf(index), wanted.method)
        assert.equal(list.methods[list.methodIndexOf(index)], wanted.method)
        assert.equal(list.requestTargetOf(index), wanted.requestTarget)
        assert.equal(list.requestTargetByteCountOf(index), wanted.requestTarget.length)
        assert.deepEqual(list.bodyOf(index), wanted.body)
        assert.equal(list.bodyByteCountOf(index), wanted.body?.length ?? -1)
        assert.equal(list.contentTypeOf(index), wanted.contentType)
        const isExplicit = wanted.contentType !== null && wanted.isContentTypeExplicit
        assert.equal(list.isContentTypeExplicit(index), isExplicit)
        assert.deepEqual(list.credentialsOf(index), wanted.credentials)
      }
    }),
  )
})

test('TargetList.copyRequestTarget() writes the bytes in place and returns their end', () => {
  // One below and one above the length at which the way of copying changes.
  for (const length of [1, 64, 65, 5000]) {
    const requestTarget = `/${'x'.repeat(length - 1)}`
    const list = listOf(spec(), spec({ requestTarget }))
    const into = new Uint8Array(length + 10).fill(46)
    assert.equal(list.copyRequestTarget(1, into, 5), length + 5)
    assert.deepEqual(into, bytesFromLatin1(`.....${requestTarget}.....`))
    assert.deepEqual(list.requestTargetBytes(1), bytesFromLatin1(requestTarget))
  }
})

test('TargetListData crosses to another thread without being copied', () => {
  const builder = new TargetListBuilder()
  builder.add(spec({ requestTarget: '/a' }), 7)
  const data = builder.build()
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(data)
  const received: TargetListData = receiveMessageOnPort(port2)?.message
  port1.close()
  const list = new TargetList(received)
  assert.equal(list.requestTargetOf(0), '/a')
  assert.equal(list.sourceLineOf(0), 7)
  data.arena[1] = 98
  assert.equal(list.requestTargetOf(0), '/b', 'both sides see one memory')
  for (const column of Object.values(received.columns)) {
    assert.ok(column.buffer instanceof SharedArrayBuffer)
  }
})

test('TargetListBuilder keeps one body for many targets, and one origin', () => {
  const builder = new TargetListBuilder()
  const body = builder.storeBody(new Uint8Array(10_000).fill(1))
  for (let count = 0; count < 100; count++) builder.add(spec({ method: 'POST', body }))
  const data = builder.build()
  assert.ok(data.arena.length < 11_000, `${data.arena.length} bytes`)
  assert.equal(data.origins.length, 1)
  const list = new TargetList(data)
  assert.equal(list.bodyOf(99)?.length, 10_000)
})

test('TargetListBuilder.addPlain() adds a GET of a byte range', () => {
  const builder = new TargetListBuilder()
  builder.add(spec({ method: 'POST', origin: there }))
  builder.addPlain(builder.originIndex(here), 3, bytesFromLatin1('xx/item?x=1yy'), 2, 11)
  const list = new TargetList(builder.build())
  assert.equal(list.methodOf(1), 'GET')
  assert.equal(list.requestTargetOf(1), '/item?x=1')
  assert.equal(list.urlOf(1), 'http://127.0.0.1:8080/item?x=1')
  assert.equal(list.bodyOf(1), null)
  assert.equal(list.sourceLineOf(1), 3)
})

test('TargetList.urlOf() shows no credentials and no `*`', () => {
  const credentials = { user: 'u', password: 'secret' }
  const list = listOf(
    spec({ origin: there, requestTarget: '/a?b', credentials }),
    spec({ method: 'OPTIONS', requestTarget: '*' }),
  )
  assert.equal(list.urlOf(0), 'https://[::1]/a?b')
  assert.equal(list.urlOf(1), 'http://127.0.0.1:8080')
})

test('TargetListBuilder refuses additions to a finished list', () => {
  const builder = new TargetListBuilder()
  builder.build()
  assert.throws(() => builder.add(spec()), /finished list/)
})

test('TargetListBuilder says so when the arena would pass 4 GiB', () => {
  const builder = new TargetListBuilder()
  // Only its length is looked at before the refusal, so no such memory is needed.
  const huge = { length: 2 ** 32 } as unknown as Uint8Array
  assert.throws(() => builder.storeBody(huge), UsageError)
})
