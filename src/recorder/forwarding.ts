/**
 * Carries one request to its server and the answer back, both as they come, and hands the request
 * to the notebook once the server has it.
 *
 * Bodies are never waited for as a whole in either direction; a reader that is slow slows the
 * writer. A kept connection that the server closes just as a request goes out is no failure: like a
 * browser, it tries once more on a fresh one, as long as the body so far is at hand.
 */
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { BodyTape } from './body-tape.ts'
import { endToEndFields, withHost } from './header-fields.ts'
import type { Place } from './notebook.ts'
import { authorityOf, type Site } from './recorded-request.ts'
import {
  CodedError,
  failureOf,
  LOOP_CODE,
  type OwnAddress,
  TIMEOUT_CODE,
  tlsOptions,
  type UpstreamSettings,
} from './upstream.ts'

/** Browsers send more cookies than Node's 16 KiB. */
export const HEADER_BYTES_MAX = 262_144

export interface Errand {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly site: Site
  /** Path and query. */
  readonly requestTarget: string
}

/** What is kept of a request. */
export interface Keeping {
  readonly tape: BodyTape
  /** Null for a request that is not recorded. */
  readonly place: Place | null
  /** The tape could not be written. */
  failed(error: unknown): void
}

export interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

export interface Way {
  readonly agents: Agents
  readonly own: OwnAddress
  readonly upstream: UpstreamSettings
}

/** Starts the errand; it ends by itself. */
export function forward(errand: Errand, keeping: Keeping, way: Way): void {
  new Forwarding(errand, keeping, way).start()
}

/** Opens a request to the site of `errand`, with the fields given and nothing sent yet. */
export function openUpstream(
  errand: Pick<Errand, 'request' | 'site' | 'requestTarget'>,
  fields: readonly string[],
  way: Way,
  isFresh: boolean,
): ClientRequest {
  const { request, site, requestTarget } = errand
  const module = site.scheme === 'https' ? https : http
  const upstream = module.request({
    host: site.host,
    port: site.port,
    method: request.method,
    path: requestTarget,
    headers: fields,
    setHost: false,
    agent: isFresh ? false : way.agents[site.scheme],
    lookup: way.own.lookupFor(site),
    maxHeaderSize: HEADER_BYTES_MAX,
    // A browser shows what sloppy servers send, so the recorder must not stumble over it.
    insecureHTTPParser: true,
    ...(site.scheme === 'https' && tlsOptions(site, way.upstream)),
  })
  upstream.setTimeout(way.upstream.timeoutMs, () => {
    upstream.destroy(new CodedError(TIMEOUT_CODE))
  })
  return upstream
}

/** The fields of a request as they go on, its framing included. */
export function requestFields(errand: Pick<Errand, 'request' | 'site'>): string[] {
  const { request, site } = errand
  const fields = withHost(request.rawHeaders, authorityOf(site))
  if (request.headers['transfer-encoding'] !== undefined) {
    fields.push('Transfer-Encoding', 'chunked')
  }
  return fields
}

class Forwarding {
  readonly #errand: Errand
  readonly #keeping: Keeping
  readonly #way: Way
  #upstream: ClientRequest | null = null
  #isRetried = false
  #isAnswered = false

  constructor(errand: Errand, keeping: Keeping, way: Way) {
    this.#errand = errand
    this.#keeping = keeping
    this.#way = way
  }

  start(): void {
    const { request, response, site } = this.#errand
    response.sendDate = false
    response.once('close', () => this.#close())
    // `close` of the response follows.
    request.on('error', () => {})
    response.on('error', () => {})
    if (this.#way.own.isOwn(site)) {
      this.#refuse(new CodedError(LOOP_CODE))
      return
    }
    this.#open(false)
    request.on('data', (chunk: Buffer) => this.#send(chunk))
    request.on('end', () => this.#upstream?.end())
  }

  /** Everything is over: answered, refused, or the client has gone. */
  #close(): void {
    const { request, response } = this.#errand
    if (!response.writableFinished) this.#upstream?.destroy()
    // An answer may come before the last of the request; then the server has what it wanted.
    if (this.#isAnswered && request.complete) this.#keep()
    this.#keeping.place?.drop()
    this.#keeping.tape.discard()
  }

  #open(isFresh: boolean): void {
    const upstream = openUpstream(this.#errand, requestFields(this.#errand), this.#way, isFresh)
    this.#upstream = upstream
    upstream.on('drain', () => this.#errand.request.resume())
    whenSent(upstream, this.#errand.site.scheme, () => this.#keep())
    upstream.once('response', (answer: IncomingMessage) => this.#answer(answer))
    upstream.on('error', (error) => this.#fail(upstream, error))
  }

  #send(chunk: Buffer): void {
    try {
      this.#keeping.tape.append(chunk)
    } catch (error) {
      this.#keeping.failed(error)
      this.#keeping.place?.drop()
    }
    if (this.#upstream?.write(chunk) === false) this.#errand.request.pause()
  }

  /** The server has all of the request. */
  #keep(): void {
    const { place, tape } = this.#keeping
    if (place === null) return
    const { request, site, requestTarget } = this.#errand
    place.keep({
      site,
      method: request.method ?? 'GET',
      requestTarget,
      contentType: request.headers['content-type'] ?? null,
      body: tape.finish(),
    })
  }

  #answer(answer: IncomingMessage): void {
    const { response } = this.#errand
    this.#isAnswered = true
    answer.on('error', () => response.destroy())
    answer.once('aborted', () => response.destroy())
    try {
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage ?? '',
        endToEndFields(answer.rawHeaders),
      )
    } catch (error) {
      // Control characters in its head: what a lenient parser lets in, nobody may send on.
      this.#upstream?.destroy()
      this.#refuse(error)
      return
    }
    response.flushHeaders()
    answer.once('end', () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(pairs(answer.rawTrailers))
    })
    answer.pipe(response)
  }

  #fail(upstream: ClientRequest, error: Error): void {
    // Of a connection that was given up.
    if (upstream !== this.#upstream) return
    const { response, request } = this.#errand
    if (response.headersSent) {
      response.destroy()
      return
    }
    const isStale = upstream.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
    const sent = isStale && !this.#isRetried ? this.#keeping.tape.bytes() : null
    if (sent === null || response.destroyed) {
      this.#refuse(error)
      return
    }
    this.#isRetried = true
    this.#open(true)
    if (sent.length > 0) this.#upstream?.write(sent)
    if (request.readableEnded) this.#upstream?.end()
    request.resume()
  }

  #refuse(error: unknown): void {
    const { request, response, site } = this.#errand
    this.#keeping.place?.drop()
    if (response.headersSent || response.destroyed) return
    const { status, sentence } = failureOf(error, site)
    const text = `onager record: ${sentence}\n`
    // What is left of an upload would be taken for the next request.
    const connection = request.complete ? {} : { Connection: 'close' }
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      ...connection,
    })
    response.end(text)
    request.resume()
  }
}

/**
 * Calls `then` when the server has all of the request. For Node it is sent as soon as it is
 * written, even to a connection that never comes about.
 */
function whenSent(upstream: ClientRequest, scheme: Site['scheme'], then: () => void): void {
  let remainingCount = 2
  const done = () => {
    if (--remainingCount === 0) then()
  }
  upstream.once('finish', done)
  upstream.once('socket', (socket) => {
    if (upstream.reusedSocket) done()
    else socket.once(scheme === 'https' ? 'secureConnect' : 'connect', done)
  })
}

function pairs(rawFields: readonly string[]): [string, string][] {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < rawFields.length; at += 2) {
    list.push([rawFields[at]!, rawFields[at + 1]!])
  }
  return list
}
