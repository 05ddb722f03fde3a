/**
 * The practice site: a small web site on loopback that is made to be load-tested.
 *
 * It owns the server, the way from a request to its page, and the counts of what it has answered,
 * which tests compare with what a load test says it did.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { EnvironmentError } from '../base/errors.ts'
import { accountPages } from './account.ts'
import { articlePages } from './articles.ts'
import { blogPages } from './blog.ts'
import { exercisePages } from './exercises.ts'
import { escapeHtml, htmlPage } from './layout.ts'
import {
  fixed,
  fixedPage,
  HTML,
  type Page,
  Refusal,
  sendJson,
  sendText,
  type Visit,
} from './page.ts'
import { troublePages } from './trouble.ts'

export interface PracticeSiteOptions {
  /** 0: a free one. */
  readonly port: number
  readonly host?: string
}

export interface PracticeSite {
  readonly port: number
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  /** What was answered since the start, or since `DELETE /counts`. */
  readonly counts: PracticeCounts
  /** What the site offers, for people. */
  readonly pages: readonly PageEntry[]
  /** Ends all connections and frees the port. */
  close(): Promise<void>
}

export interface PageEntry {
  readonly example: string
  readonly summary: string
}

export interface PracticeCounts {
  readonly connectionCount: number
  /** Requests that arrived, those to `/counts` left out. */
  readonly requestCount: number
  /** By status; `none` for those that were never answered, such as `/reset`. */
  readonly byStatus: Readonly<Record<string, number>>
  /** By path without query, then by status. */
  readonly byPath: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Paths beyond this many are counted together, so that a scan of random paths costs no memory. */
const PATH_COUNT_MAX = 1000
const OTHER_PATHS = '(other paths)'
/** As many connections as the kernel lets wait to be accepted; it cuts this to its own limit. */
const BACKLOG_COUNT = 4096
const KEEP_ALIVE_TIMEOUT_MS = 65_000

/** Starts the site. @throws {EnvironmentError} when the address cannot be listened on. */
export async function startPracticeSite(options: PracticeSiteOptions): Promise<PracticeSite> {
  const { port, host = '127.0.0.1' } = options
  const counter = new Counter()
  const pages = new PageMap(counter)
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
    answer(pages, counter, request, response)
  })
  server.on('connection', () => {
    counter.connectionCount++
  })
  server.on('clientError', refuseGarbage)
  await listen(server, port, host)

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  return {
    port: boundPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    get counts() {
      return counter.counts()
    },
    pages: pages.listed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, port, host))
    })
    server.listen({ port, host, backlog: BACKLOG_COUNT }, () => resolve())
  })
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): EnvironmentError {
  const hint = 'choose another port with --port N, or a free one with --port 0'
  if (error.code === 'EADDRINUSE') {
    return new EnvironmentError(`port ${port} of ${host} is taken`, { hint, cause: error })
  }
  if (error.code === 'EACCES') {
    const text = `port ${port} of ${host} may not be used by this user`
    return new EnvironmentError(text, { hint, cause: error })
  }
  const text = `cannot listen on port ${port} of ${host}: ${error.message}`
  return new EnvironmentError(text, {
    hint: 'choose an address of this machine with --host',
    cause: error,
  })
}

/** What is not HTTP gets a 400, unless the client is gone already. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

function answer(
  pages: PageMap,
  counter: Counter,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const method = request.method ?? 'GET'
  const { path, query } = splitTarget(request.url ?? '/')
  if (path !== COUNTS_PATH) {
    // `close` comes exactly once, answered or not; until then nothing is counted.
    response.once('close', () => {
      counter.count(path, response.headersSent ? response.statusCode : 0)
    })
  }
  const page = pages.find(path)
  const rest = page === undefined ? '' : path.slice(page.path.length)
  const visit: Visit = { request, response, method, rest, query }
  if (method === 'OPTIONS' && (page !== undefined || path === '*')) {
    response.writeHead(204, ['Allow', allowed(page?.methods ?? ['GET'])])
    response.end()
  } else if (page === undefined) {
    sendText(visit, 404, `There is no ${path} here; / lists the pages.`)
  } else if (!page.methods.includes(method === 'HEAD' ? 'GET' : method)) {
    const allow = allowed(page.methods)
    sendText(visit, 405, `${path} takes ${allow}, not ${method}.`, [['Allow', allow]])
  } else {
    visitPage(page, visit)
  }
}

/** A target may be a whole URL, as proxies are sent them (RFC 9112 section 3.2.2). */
function splitTarget(requestTarget: string): { path: string; query: string } {
  const local = requestTarget.replace(/^https?:\/\/[^/?]*/i, '')
  const queryAt = local.indexOf('?')
  const path = queryAt < 0 ? local : local.slice(0, queryAt)
  return { path: path === '' ? '/' : path, query: queryAt < 0 ? '' : local.slice(queryAt + 1) }
}

function visitPage(page: Page, visit: Visit): void {
  try {
    const pending = page.visit(visit)
    if (pending !== undefined) pending.catch((error: unknown) => refuse(visit, error))
  } catch (error) {
    refuse(visit, error)
  }
}

function allowed(methods: readonly string[]): string {
  const readable = methods.includes('GET') ? ['GET', 'HEAD'] : []
  return [...new Set([...readable, ...methods, 'OPTIONS'])].join(', ')
}

function refuse(visit: Visit, error: unknown): void {
  if (error instanceof Refusal) {
    sendText(visit, error.status, error.message)
    return
  }
  // The client went away while its body was being read: nobody is left to be told.
  if (visit.request.destroyed && !visit.request.complete) return
  throw error
}

const COUNTS_PATH = '/counts'

/** From paths to pages: whole paths first, then those that stand for everything below them. */
class PageMap {
  readonly listed: readonly PageEntry[]
  readonly #exact = new Map<string, Page>()
  readonly #prefixes: Page[] = []

  constructor(counter: Counter) {
    const pages = [
      ...blogPages(),
      ...articlePages(),
      ...accountPages(),
      ...exercisePages(),
      ...troublePages(),
      countsPage(counter),
    ]
    this.listed = pages.filter(({ summary }) => summary !== '')
    for (const page of [fixedPage('/', '', fixed(200, HTML, indexHtml(this.listed))), ...pages]) {
      if (page.path.length > 1 && page.path.endsWith('/')) this.#prefixes.push(page)
      else this.#exact.set(page.path, page)
    }
  }

  find(path: string): Page | undefined {
    return (
      this.#exact.get(path) ??
      this.#prefixes.find((page) => path.startsWith(page.path) && path !== page.path)
    )
  }
}

function countsPage(counter: Counter): Page {
  return {
    path: COUNTS_PATH,
    example: COUNTS_PATH,
    summary: 'what the site has answered so far, as JSON; DELETE starts anew',
    methods: ['GET', 'DELETE'],
    visit: (visit) => {
      if (visit.method === 'DELETE') counter.reset()
      sendJson(visit, 200, counter.counts())
    },
  }
}

function indexHtml(entries: readonly PageEntry[]): string {
  const rows = entries.map(({ example, summary }) => {
    const path = escapeHtml(example)
    const link = `<a href="${path}"><code>${path}</code></a>`
    return `<tr><td>${link}</td><td>${escapeHtml(summary)}</td></tr>`
  })
  const body = `<h1>Practice site</h1>
<p>Made to be load-tested: every page does one thing, always in the same way.</p>
<table>
${rows.join('\n')}
</table>`
  return htmlPage('Practice site', body)
}

class Counter {
  connectionCount = 0
  #requestCount = 0
  #byPath = new Map<string, Map<number, number>>()

  /** `status` is 0 for a request that was never answered. */
  count(path: string, status: number): void {
    this.#requestCount++
    let statuses = this.#byPath.get(path)
    if (statuses === undefined) {
      const key = this.#byPath.size < PATH_COUNT_MAX ? path : OTHER_PATHS
      statuses = this.#byPath.get(key) ?? new Map()
      this.#byPath.set(key, statuses)
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  reset(): void {
    this.connectionCount = 0
    this.#requestCount = 0
    this.#byPath = new Map()
  }

  counts(): PracticeCounts {
    const byStatus: Record<string, number> = {}
    const byPath: Record<string, Record<string, number>> = {}
    for (const [path, statuses] of this.#byPath) {
      const ofPath: Record<string, number> = {}
      byPath[path] = ofPath
      for (const [status, count] of statuses) {
        const key = status === 0 ? 'none' : String(status)
        ofPath[key] = count
        byStatus[key] = (byStatus[key] ?? 0) + count
      }
    }
    const { connectionCount } = this
    return { connectionCount, requestCount: this.#requestCount, byStatus, byPath }
  }
}
