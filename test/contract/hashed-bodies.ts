/**
 * A server whose answers can be checked byte for byte: each says its body's hash in its head, and
 * each request says what its own must look like. Whatever arrives damaged is counted.
 *
 * `/bodies` has bodies of all sizes, `/post/HASH` wants a body of that hash, `/page` is a page with
 * a cookie and resources that are to be asked for with it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { Scope } from '../support/scope.ts'

export interface HashedBodies {
  readonly url: string
  readonly connectionCount: number
  readonly openConnectionCount: number
  /** Answers that the system took to their end. */
  readonly answerCount: number
  readonly bodyBytes: number
  /** What was asked in a way that no client means: damaged on its way. */
  readonly wrongRequests: readonly string[]
}

export interface HashedBodiesOptions {
  /** From a request to its answer. */
  readonly delayMs?: number
  /** Every so many answers stop for ever, in their head or in their body. */
  readonly stalledEvery?: number
}

const BODY_BYTES_MAX = 200_000
const RESOURCE_COUNT = 4
const PAGE_FILLING_BYTES = 10_000

export async function startHashedBodies(
  scope: Scope,
  { delayMs = 0, stalledEvery = Number.POSITIVE_INFINITY }: HashedBodiesOptions = {},
): Promise<HashedBodies> {
  const chance = randomBytes(2 * BODY_BYTES_MAX)
  const wrongRequests: string[] = []
  const cookies = new Set<string>()
  const resources = new Set<string>()
  let connectionCount = 0
  let openConnectionCount = 0
  let askedCount = 0
  let answerCount = 0
  let bodyBytes = 0

  function send(response: ServerResponse, body: Uint8Array, fields: Record<string, string>): void {
    response.on('finish', () => {
      answerCount++
      bodyBytes += body.length
    })
    response.writeHead(200, fields).end(body)
  }

  function sendBody(response: ServerResponse): void {
    const start = (askedCount * 7919) % BODY_BYTES_MAX
    // Every third is small, as most are.
    const byteCount = askedCount % 3 === 0 ? start % 1000 : start
    const body = chance.subarray(start, start + byteCount)
    // Without a length it comes in chunks.
    if (askedCount % stalledEvery === 0) {
      stall(response, body)
      return
    }
    const framing = askedCount % 2 === 0 ? { 'Content-Length': `${body.length}` } : {}
    send(response, body, { ...framing, 'X-Hash': hashOf(body) })
  }

  function stall(response: ServerResponse, body: Uint8Array): void {
    if (askedCount % 2 === 0) return
    response.writeHead(200, { 'Content-Length': `${body.length + 1}`, 'X-Hash': '-' }).write(body)
  }

  async function takePost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.url !== `/post/${hashOf(body)}`) wrongRequests.push(`a body of ${request.url}`)
    sendBody(response)
  }

  function sendPage(response: ServerResponse): void {
    const token = randomBytes(30).toString('hex')
    cookies.add(`token=${token}`)
    const lines = Array.from({ length: RESOURCE_COUNT }, (_, index) => {
      resources.add(`/resource/${token}-${index}`)
      const filling = chance.toString('hex', askedCount % 1000, PAGE_FILLING_BYTES)
      return `<p>${filling}</p><img src="/resource/${token}-${index}">`
    })
    const page = gzipSync(`<html><body>${lines.join('\n')}</body></html>`)
    send(response, page, {
      'Content-Type': 'text/html',
      'Content-Encoding': 'gzip',
      'Set-Cookie': `token=${token}; Path=/`,
    })
  }

  function sendResource(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', headers } = request
    const cookie = headers.cookie ?? ''
    if (!resources.has(url) || !cookies.has(cookie)) wrongRequests.push(`${url} with ${cookie}`)
    sendBody(response)
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    askedCount++
    if (request.url === '/bodies') sendBody(response)
    else if (request.url === '/page') sendPage(response)
    else if (request.url?.startsWith('/post/') === true) void takePost(request, response)
    else sendResource(request, response)
  }

  const server = createServer((request, response) => {
    if (delayMs > 0) setTimeout(() => serve(request, response), delayMs)
    else serve(request, response)
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    connectionCount++
    openConnectionCount++
    socket.once('close', () => openConnectionCount--)
  })
  server.on('clientError', (error, socket) => {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') wrongRequests.push(`${error}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, resolve)
  })
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    wrongRequests,
    get connectionCount() {
      return connectionCount
    },
    get openConnectionCount() {
      return openConnectionCount
    },
    get answerCount() {
      return answerCount
    },
    get bodyBytes() {
      return bodyBytes
    },
  }
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha1').update(bytes).digest('hex')
}
