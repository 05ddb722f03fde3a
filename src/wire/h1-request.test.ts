/** Requests as bytes: which fields, in which order, and where dynamic ones go. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { latin1Bytes, latin1Text } from './bytes.ts'
import {
  encodeDynamicFields,
  encodeRequest,
  type RequestField,
  type RequestSpec,
  type RequestTemplate,
  spliceDynamic,
} from './h1-request.ts'

/** The head siege sends, in its order. */
const siegeHead: readonly RequestField[] = [
  { kind: 'host', name: 'Host' },
  { kind: 'dynamic' },
  { kind: 'fixed', name: 'Accept', value: '*/*' },
  { kind: 'fixed', name: 'User-Agent', value: 'Siege' },
  { kind: 'fixed', name: 'Connection', value: 'close' },
  { kind: 'content-type', name: 'Content-Type', fallback: 'application/x-www-form-urlencoded' },
  { kind: 'content-length', name: 'Content-Length' },
]

const get: RequestSpec = {
  method: 'GET',
  requestTarget: '/plain?x=1',
  authority: '127.0.0.1:8123',
  httpVersion: '1.1',
  head: siegeHead,
  body: null,
  contentType: null,
}

function textOf(template: RequestTemplate): string {
  return latin1Text(template.bytes, 0, template.bytes.length)
}

function linesOf(changes: Partial<RequestSpec>): string[] {
  return textOf(encodeRequest({ ...get, ...changes })).split('\r\n')
}

test('encodeRequest() writes request line, fields in the given order, and the empty line', () => {
  assert.equal(
    textOf(encodeRequest(get)),
    'GET /plain?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nAccept: */*\r\nUser-Agent: Siege\r\n' +
      'Connection: close\r\n\r\n',
  )
})

test('encodeRequest() says HTTP/1.0 when asked to', () => {
  assert.equal(linesOf({ httpVersion: '1.0' })[0], 'GET /plain?x=1 HTTP/1.0')
})

test('encodeRequest() writes type and length before the body, counting bytes', () => {
  // {"n":"Zoë ✓😀"} in UTF-8: the characters above ASCII take 2, 3 and 4 bytes.
  const body = new TextEncoder().encode('{"n":"Zoë ✓😀"}')
  const template = encodeRequest({ ...get, method: 'POST', body, contentType: 'application/json' })
  const text = textOf(template)
  assert(text.includes('\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{'))
  assert.equal(template.bodyBytes, 20)
  assert.deepEqual(template.bytes.subarray(-20), body)
})

test('encodeRequest() sends body bytes as they are, NUL, CRLF and invalid UTF-8 included', () => {
  const body = Uint8Array.of(0xff, 0xfe, 0, 13, 10, 13, 10, 0x80)
  assert.deepEqual(encodeRequest({ ...get, method: 'PUT', body }).bytes.subarray(-8), body)
})

for (const method of ['POST', 'PUT', 'PATCH']) {
  test(`encodeRequest() tells of an empty body for ${method}`, () => {
    for (const body of [null, new Uint8Array(0)]) {
      const lines = linesOf({ method, body })
      assert(lines.includes('Content-Length: 0'))
      assert(lines.includes('Content-Type: application/x-www-form-urlencoded'))
    }
  })
}

for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) {
  test(`encodeRequest() says nothing of a body for ${method} without one`, () => {
    for (const body of [null, new Uint8Array(0)]) {
      const text = linesOf({ method, body, contentType: 'text/plain' }).join('\n')
      assert(!/content-/i.test(text), text)
    }
  })
}

test('encodeRequest() describes a DELETE that has a body', () => {
  const lines = linesOf({ method: 'DELETE', body: latin1Bytes('a=1') })
  assert(lines.includes('Content-Length: 3'))
  assert.equal(lines.at(-1), 'a=1')
})

test('encodeRequest() writes an empty value without a blank after the colon', () => {
  const lines = linesOf({ head: [{ kind: 'fixed', name: 'X-Empty', value: '' }] })
  assert.deepEqual(lines, ['GET /plain?x=1 HTTP/1.1', 'X-Empty:', '', ''])
})

test('encodeRequest() writes one byte per character of a value', () => {
  const head: RequestField[] = [{ kind: 'fixed', name: 'X', value: 'Zo\xc3\xab' }]
  const { bytes } = encodeRequest({ ...get, head })
  assert(new TextDecoder().decode(bytes).includes('X: Zoë\r\n'))
})

test('encodeRequest() knows HEAD and the idempotent methods', () => {
  const template = (method: string): RequestTemplate => encodeRequest({ ...get, method })
  assert(template('HEAD').isHead && !template('GET').isHead)
  const methods = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'POST', 'PATCH', 'FOO']
  assert.deepEqual(
    methods.filter((method) => !template(method).isIdempotent),
    ['POST', 'PATCH', 'FOO'],
  )
})

const unsendable: [string, Partial<RequestSpec>][] = [
  ['CRLF in a value', { head: [{ kind: 'fixed', name: 'X', value: 'a\r\nEvil: 1' }] }],
  ['LF in a value', { head: [{ kind: 'fixed', name: 'X', value: 'a\nb' }] }],
  ['NUL in a value', { head: [{ kind: 'fixed', name: 'X', value: 'a\0b' }] }],
  ['a character of more than one byte', { head: [{ kind: 'fixed', name: 'X', value: '✓' }] }],
  ['a colon in a name', { head: [{ kind: 'fixed', name: 'X:', value: '' }] }],
  ['an empty name', { head: [{ kind: 'fixed', name: '', value: 'a' }] }],
  ['CRLF in the authority', { authority: 'a\r\nEvil: 1' }],
  ['CRLF in the content type', { method: 'POST', contentType: 'a\r\nEvil: 1' }],
  ['a blank in the target', { requestTarget: '/a b' }],
  ['LF in the target', { requestTarget: '/a\nb' }],
  ['an empty target', { requestTarget: '' }],
  ['a blank in the method', { method: 'GET /' }],
  ['two places for dynamic fields', { head: [{ kind: 'dynamic' }, { kind: 'dynamic' }] }],
]
for (const [name, changes] of unsendable) {
  test(`encodeRequest() refuses ${name}`, () => {
    assert.throws(() => encodeRequest({ ...get, ...changes }), { code: 'E_BUG' })
  })
}

test('encodeDynamicFields() refuses what would end a line', () => {
  assert.throws(() => encodeDynamicFields([{ name: 'Cookie', value: 'a=1\r\nX: y' }]), {
    code: 'E_BUG',
  })
})

test('spliceDynamic() puts fields where the head says and leaves the rest of the buffer', () => {
  const template = encodeRequest({ ...get, method: 'POST', body: latin1Bytes('k=v') })
  const fields = encodeDynamicFields([
    { name: 'Authorization', value: 'Basic dTpw' },
    { name: 'Cookie', value: 'a=1; b=2' },
  ])
  const into = new Uint8Array(1000).fill(7)
  const byteCount = spliceDynamic(template, fields, into)
  assert.equal(byteCount, template.bytes.length + fields.length)
  const lines = latin1Text(into, 0, byteCount).split('\r\n')
  assert.deepEqual(lines.slice(1, 5), [
    'Host: 127.0.0.1:8123',
    'Authorization: Basic dTpw',
    'Cookie: a=1; b=2',
    'Accept: */*',
  ])
  assert.equal(lines.at(-1), 'k=v')
  assert.equal(into[byteCount], 7)
})

test('spliceDynamic() puts fields last when the head names no place', () => {
  const template = encodeRequest({ ...get, head: [{ kind: 'host', name: 'Host' }] })
  const into = new Uint8Array(200)
  const byteCount = spliceDynamic(template, latin1Bytes('A: b\r\n'), into)
  assert.equal(
    latin1Text(into, 0, byteCount),
    'GET /plain?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nA: b\r\n\r\n',
  )
})

test('spliceDynamic() without dynamic fields gives the template', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 50 }),
      fc.constantFrom('GET', 'POST'),
      (body, method) => {
        const template = encodeRequest({ ...get, method, body })
        const into = new Uint8Array(template.bytes.length)
        assert.equal(spliceDynamic(template, new Uint8Array(0), into), into.length)
        assert.deepEqual(into, template.bytes)
      },
    ),
  )
})

test('encodeRequest() is understood by node:http as it was meant', async () => {
  const seen: { message: IncomingMessage; body: Buffer }[] = []
  const server = createServer((message, response) => {
    const parts: Buffer[] = []
    message.on('data', (part: Buffer) => parts.push(part))
    message.on('end', () => {
      seen.push({ message, body: Buffer.concat(parts) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  try {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'POST' || method === 'DELETE' ? Uint8Array.of(1, 0, 255) : null
      const { bytes } = encodeRequest({ ...get, method, body })
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
        socket.on('close', () => resolve())
        socket.on('error', reject)
        socket.resume()
      })
      const { message, body: received } = seen.at(-1)!
      assert.equal(message.method, method)
      assert.equal(message.url, '/plain?x=1')
      assert.equal(message.headers.host, '127.0.0.1:8123')
      assert.deepEqual(new Uint8Array(received), body ?? new Uint8Array(0))
    }
    assert.equal(seen.length, 7)
  } finally {
    server.close()
  }
})
