/**
 * What a page of the practice site is, and how it answers.
 *
 * Whatever does not depend on the request is made into bytes once, when the site is built; a page
 * hands these bytes to the socket and does little else, so that the site is seldom the slow part.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request on its way to a page. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** What follows the page's own path: `302` for `/redirect/302`; '' for the path itself. */
  readonly rest: string
  /** After the question mark, undecoded; '' without one. */
  readonly query: string
}

export interface Page {
  /** `/plain`; ending in `/` it stands for everything below as well. */
  readonly path: string
  /** How the list of pages shows it: a path that works as it stands. */
  readonly example: string
  /** One line for the list; '' keeps it out. */
  readonly summary: string
  /** GET implies HEAD. */
  readonly methods: readonly string[]
  visit(visit: Visit): void | Promise<void>
}

/** A request that the site answers with a status and one sentence. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.name = 'Refusal'
    this.status = status
  }
}

export type Fields = readonly (readonly [name: string, value: string])[]

/** A response that is always the same. */
export interface Fixed {
  readonly status: number
  readonly head: string[]
  readonly bytes: Uint8Array
  /** With one, `If-None-Match` is answered with 304. */
  readonly etag: string | undefined
}

export function fixed(
  status: number,
  contentType: string,
  body: string | Uint8Array,
  { fields = [], isCacheable = false }: { fields?: Fields; isCacheable?: boolean } = {},
): Fixed {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const etag = isCacheable ? `"${hashOf(bytes)}"` : undefined
  const cacheFields: Fields =
    etag === undefined
      ? []
      : [
          ['ETag', etag],
          ['Cache-Control', 'public, max-age=3600'],
        ]
  const all: Fields = [
    ['Content-Type', contentType],
    ['Content-Length', String(bytes.byteLength)],
    ...cacheFields,
    ...fields,
  ]
  return { status, head: all.flat(), bytes, etag }
}

export function sendFixed({ request, response }: Visit, answer: Fixed): void {
  if (answer.etag !== undefined && request.headers['if-none-match'] === answer.etag) {
    response.writeHead(304, ['ETag', answer.etag])
    response.end()
    return
  }
  response.writeHead(answer.status, answer.head)
  response.end(answer.bytes)
}

export function sendText(visit: Visit, status: number, text: string, fields: Fields = []): void {
  sendFixed(visit, fixed(status, TEXT, `${text}\n`, { fields }))
}

export function sendJson(visit: Visit, status: number, value: unknown, fields: Fields = []): void {
  sendFixed(visit, fixed(status, JSON_TYPE, `${JSON.stringify(value)}\n`, { fields }))
}

export function sendRedirect(
  visit: Visit,
  status: number,
  location: string,
  fields: Fields = [],
): void {
  sendText(visit, status, `See ${location}`, [['Location', location], ...fields])
}

export const TEXT = 'text/plain; charset=utf-8'
export const HTML = 'text/html; charset=utf-8'
export const JSON_TYPE = 'application/json'

/** A page that is always the same. */
export function fixedPage(path: string, summary: string, answer: Fixed): Page {
  const visit = (visit: Visit) => sendFixed(visit, answer)
  return { path, example: path, summary, methods: ['GET'], visit }
}

/**
 * A whole number out of a path or a query.
 * @throws {Refusal} 400 when it is none, or not in min..max.
 */
export function readWhole(
  text: string | null,
  { name, min, max, fallback }: { name: string; min: number; max: number; fallback?: number },
): number {
  if ((text === null || text === '') && fallback !== undefined) return fallback
  const value = text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Refusal(400, `${name} must be a whole number from ${min} to ${max}, not '${text}'`)
}

/** The value of one name in the query, or null. */
export function queryValue(query: string, name: string): string | null {
  return query === '' ? null : new URLSearchParams(query).get(name)
}

/** @throws {Refusal} 413 when the body is longer than `bytesMax`. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bodyBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bodyBytes += chunk.length
    // The rest is read and dropped, for a client that sends it all before it looks for an answer.
    if (bodyBytes <= bytesMax) chunks.push(chunk)
  }
  if (bodyBytes > bytesMax) throw new Refusal(413, `at most ${bytesMax} bytes are taken here`)
  return Buffer.concat(chunks)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
