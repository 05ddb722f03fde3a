/**
 * The response parser against others: `http-parser-js` on generated messages, `node:http` as the
 * server whose answers it reads and as the client that reads the same bytes.
 *
 * Others are stricter here and laxer there, so only what both take for a whole valid message is
 * compared.
 */
import assert from 'node:assert/strict'
import { createServer, get, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import { type HeaderInfo, HTTPParser } from 'http-parser-js'
import { latin1Bytes } from '../src/wire/bytes.ts'
import { RequestKind, ResponseParser } from '../src/wire/h1-response.ts'
import { HeaderFilter } from '../src/wire/header-filter.ts'
import { fc } from './support/property.ts'

interface Reading {
  isWhole: boolean
  status: number
  minorVersion: number
  keepsAlive: boolean
  fields: string[]
  body: number[]
}

function newReading(): Reading {
  return { isWhole: false, status: 0, minorVersion: 0, keepsAlive: false, fields: [], body: [] }
}

function readByOurs(bytes: Uint8Array, isHead = false): Reading {
  const reading = newReading()
  const parser = new ResponseParser({
    header: (name, value) => reading.fields.push(`${name}: ${value}`),
    head(status, minorVersion) {
      reading.status = status
      reading.minorVersion = minorVersion
    },
    body: (part, start, end) => reading.body.push(...part.subarray(start, end)),
    end() {
      reading.isWhole = true
      reading.keepsAlive = parser.keepsAlive
    },
  })
  parser.begin(isHead ? RequestKind.head : RequestKind.plain, HeaderFilter.all)
  if (parser.feed(bytes, 0, bytes.length) < bytes.length) reading.isWhole = false
  parser.finish()
  return reading
}

function readByHttpParserJs(bytes: Uint8Array): Reading {
  const reading = newReading()
  const parser = new HTTPParser(HTTPParser.RESPONSE)
  let messageCount = 0
  parser[HTTPParser.kOnHeadersComplete] = (info: HeaderInfo) => {
    reading.status = info.statusCode
    reading.minorVersion = info.versionMinor
    reading.keepsAlive = info.shouldKeepAlive
    for (let index = 0; index < info.headers.length; index += 2) {
      reading.fields.push(`${info.headers[index]!.toLowerCase()}: ${info.headers[index + 1]}`)
    }
  }
  parser[HTTPParser.kOnBody] = (part, offset, byteCount) => {
    reading.body.push(...part.subarray(offset, offset + byteCount))
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    messageCount++
  }
  try {
    const consumed = parser.execute(Buffer.from(bytes))
    const finished = parser.finish()
    reading.isWhole = consumed === bytes.length && finished === undefined && messageCount === 1
  } catch (error) {
    // It throws what it does not take for HTTP, in forms of its own.
    assert(error instanceof Error)
  }
  return reading
}

const line = fc.constantFrom(
  'Content-Length: 5',
  'content-length:5',
  'Transfer-Encoding: chunked',
  'TRANSFER-ENCODING: Chunked',
  'Connection: close',
  'Connection: keep-alive',
  'Server: x/1.0 (y)',
  'X-Empty:',
  'X-Spaces:   a  b',
  'Set-Cookie: a=1; Path=/',
  'Date: Mon, 01 Dec 2025 00:34:56 GMT',
)
const statusLine = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 503 ',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 abc',
  'HTTP/2.0 200 OK',
)
const body = fc.constantFrom(
  '',
  'hello',
  'hell',
  '5\r\nhello\r\n0\r\n\r\n',
  '2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: v\r\n\r\n',
  'A\r\n0123456789\r\n00\r\n\r\n',
  '5\r\nhello\r\n',
  'zz\r\nhello\r\n0\r\n\r\n',
)

test('ResponseParser agrees with http-parser-js wherever both take a message for whole', () => {
  let agreedCount = 0
  let sawKeepAlive = false
  fc.assert(
    fc.property(statusLine, fc.array(line, { maxLength: 5 }), body, (first, lines, sent) => {
      const lengthCount = lines.filter((text) => /^content-length/i.test(text)).length
      const codingCount = lines.filter((text) => /^transfer/i.test(text)).length
      // It has other rules for repeated framing fields; RFC 9112 has ours.
      fc.pre(lengthCount + codingCount <= 1)
      const bytes = latin1Bytes([first, ...lines, '', sent].join('\r\n'))
      const ours = readByOurs(bytes)
      const theirs = readByHttpParserJs(bytes)
      if (!ours.isWhole || !theirs.isWhole) return
      agreedCount++
      sawKeepAlive ||= ours.keepsAlive
      // It lets `keep-alive` win over a `close` before it; RFC 9112 section 9.3 does not.
      const connectionCount = lines.filter((text) => text.startsWith('Connection')).length
      if (connectionCount > 1) theirs.keepsAlive = ours.keepsAlive
      // It reuses HTTP/1.0 connections after a chunked message; section 6.1 says not to.
      if (ours.minorVersion === 0 && codingCount > 0) theirs.keepsAlive = ours.keepsAlive
      assert.deepEqual(ours, theirs)
    }),
    { numRuns: 4000 },
  )
  assert(agreedCount > 200, `${agreedCount} messages were whole for both`)
  assert(sawKeepAlive)
})

async function listening(server: { listen(...args: unknown[]): unknown; address(): unknown }) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on TCP has an address of this form.
  return (server.address() as AddressInfo).port
}

async function bytesFrom(port: number, request: string): Promise<Uint8Array> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (part) => parts.push(part))
    socket.on('end', () => resolve(Buffer.concat(parts)))
    socket.on('error', reject)
  })
}

test('ResponseParser reads what node:http servers write', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/length': (response) => response.end('hello'),
    '/chunked'(response) {
      const { method, httpVersion } = response.req
      const hasTrailers = method === 'GET' && httpVersion === '1.1'
      if (hasTrailers) response.setHeader('Trailer', 'X-T')
      response.write('hel')
      response.write('lo')
      if (hasTrailers) response.addTrailers({ 'X-T': 'v' })
      response.end()
    },
    '/204': (response) => response.writeHead(204).end(),
    '/304': (response) => response.writeHead(304, { 'Content-Length': 50 }).end(),
    '/hints'(response) {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeContinue()
      response.end('hello')
    },
    '/odd-status': (response) => response.writeHead(799, '').end('hello'),
  }
  const listener: RequestListener = (request, response) => answers[request.url!]!(response)
  const server = createServer(listener)
  const port = await listening(server)
  try {
    for (const method of ['GET', 'HEAD']) {
      for (const version of ['1.1', '1.0']) {
        for (const path of Object.keys(answers)) {
          const fields = 'Host: a\r\nConnection: close\r\n'
          const request = `${method} ${path} HTTP/${version}\r\n${fields}\r\n`
          const reading = readByOurs(await bytesFrom(port, request), method === 'HEAD')
          const where = `${method} ${path} HTTP/${version}`
          const status = { '/204': 204, '/304': 304, '/odd-status': 799 }[path] ?? 200
          const hasBody = method === 'GET' && status !== 204 && status !== 304
          assert.equal(reading.isWhole, true, where)
          assert.equal(reading.status, status, where)
          assert.equal(String.fromCharCode(...reading.body), hasBody ? 'hello' : '', where)
          assert.equal(reading.keepsAlive, false, where)
        }
      }
    }
  } finally {
    server.close()
  }
})

test('ResponseParser reads what node:http clients read from the same bytes', async () => {
  const messages = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\n\r\nuntil close',
    'HTTP/1.0 404 Not Found\r\nSet-Cookie: a=1\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '5;a=b\r\nhello\r\n0A\r\n0123456789\r\n0\r\nT: v\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n',
  ]
  let message = ''
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end(Buffer.from(message, 'latin1')))
    socket.on('error', () => {})
  })
  const port = await listening(server)
  try {
    for (message of messages) {
      const theirs = await new Promise<{ status: number; body: string }>((resolve, reject) => {
        get({ port, host: '127.0.0.1', agent: false }, (response) => {
          let text = ''
          response.setEncoding('latin1')
          response.on('data', (part: string) => {
            text += part
          })
          response.on('end', () => resolve({ status: response.statusCode!, body: text }))
          response.on('error', reject)
        }).on('error', reject)
      })
      const { isWhole, status, body } = readByOurs(latin1Bytes(message))
      assert.deepEqual({ status, body: String.fromCharCode(...body) }, theirs, message)
      assert(isWhole, message)
    }
  } finally {
    server.close()
  }
})
