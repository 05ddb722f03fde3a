/**
 * A server whose answers can be checked byte for byte: each says its body's hash in its head, and
 * each request says what its own must look like. Whatever arrives damaged is counted.
 *
 * `/bodies` has bodies of all sizes, `/post/HASH` wants a body of that hash, `/page` is a page with
 * a cookie and resources that are to be asked for with it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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
  options: HashedBodiesOptions = {},
): Promise<HashedBodies> {
  const bodies = new BodyServer(options)
  const { server } = bodies
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, resolve)
  })
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return bodies
}

class BodyServer implements HashedBodies {
  readonly server: Server
  readonly wrongRequests: string[] = []
  connectionCount = 0
  openConnectionCount = 0
  answerCount = 0
  bodyBytes = 0
  readonly #stalledEvery: number
  readonly #chance = randomBytes(2 * BODY_BYTES_MAX)
  readonly #cookies = new Set<string>()
  readonly #resources = new Set<string>()
  #askedCount = 0

  constructor({ delayMs = 0, stalledEvery = Number.POSITIVE_INFINITY }: HashedBodiesOptions) {
    this.#stalledEvery = stalledEvery
    this.server = createServer((request, response) => {
      if (delayMs > 0) setTimeout(() => this.#serve(request, response), delayMs)
      else this.#serve(request, response)
    })
    this.server.on('connection', (socket) => {
      this.connectionCount++
      this.openConnectionCount++
      socket.once('close', () => this.openConnectionCount--)
    })
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code !== 'ECONNRESET') this.wrongRequests.push(`${error}`)
      socket.destroy()
    })
  }

  get url(): string {
    const address = this.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return `http://127.0.0.1:${port}`
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#askedCount++
    if (request.url === '/bodies') this.#sendBody(response)
    else if (request.url === '/page') this.#sendPage(response)
    else if (request.url?.startsWith('/post/') === true) void this.#takePost(request, response)
    else this.#sendResource(request, response)
  }

  #send(response: ServerResponse, body: Uint8Array, fields: Record<string, string>): void {
    response.on('finish', () => {
      this.answerCount++
      this.bodyBytes += body.length
    })
    response.writeHead(200, fields).end(body)
  }

  #sendBody(response: ServerResponse): void {
    const start = (this.#askedCount * 7919) % BODY_BYTES_MAX
    // Every third is small, as most are.
    const byteCount = this.#askedCount % 3 === 0 ? start % 1000 : start
    const body = this.#chance.subarray(start, start + byteCount)
    if (this.#askedCount % this.#stalledEvery === 0) {
      this.#stall(response, body)
      return
    }
    // Without a length it comes in chunks.
    const framing = this.#askedCount % 2 === 0 ? { 'Content-Length': `${body.length}` } : {}
    this.#send(response, body, { ...framing, 'X-Hash': hashOf(body) })
  }

  #stall(response: ServerResponse, body: Uint8Array): void {
    if (this.#askedCount % 2 === 0) return
    response.writeHead(200, { 'Content-Length': `${body.length + 1}`, 'X-Hash': '-' }).write(body)
  }

  async #takePost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.url !== `/post/${hashOf(body)}`) this.wrongRequests.push(`a body of ${request.url}`)
    this.#sendBody(response)
  }

  #sendPage(response: ServerResponse): void {
    const token = randomBytes(30).toString('hex')
    this.#cookies.add(`token=${token}`)
    const lines = Array.from({ length: RESOURCE_COUNT }, (_, index) => {
      this.#resources.add(`/resource/${token}-${index}`)
      const filling = this.#chance.toString('hex', this.#askedCount % 1000, PAGE_FILLING_BYTES)
      return `<p>${filling}</p><img src="/resource/${token}-${index}">`
    })
    const page = gzipSync(`<html><body>${lines.join('\n')}</body></html>`)
    this.#send(response, page, {
      'Content-Type': 'text/html',
      'Content-Encoding': 'gzip',
      'Set-Cookie': `token=${token}; Path=/`,
    })
  }

  #sendResource(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', headers } = request
    const cookie = headers.cookie ?? ''
    if (!this.#resources.has(url) || !this.#cookies.has(cookie)) {
      this.wrongRequests.push(`${url} with ${cookie}`)
    }
    this.#sendBody(response)
  }
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha1').update(bytes).digest('hex')
}
