/**
 * A server that does exactly what a test tells it to, byte by byte: late, cut short, reset, silent
 * or garbage. It keeps every request just as it came.
 *
 * It knows only as much HTTP as is needed to tell where a request ends.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import type { Scope } from './scope.ts'

/** A request as it came; bytes are held as latin1 text. */
export interface RawRequest {
  /** The connection it came on, from 0 in order of their opening. */
  readonly connectionIndex: number
  /** Everything: head, empty line, body with its framing. */
  readonly raw: string
  readonly requestLine: string
  readonly method: string
  readonly requestTarget: string
  /** In order, names as written. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Decoded if it came in chunks. */
  readonly body: string
  /** Values of one field, any case. */
  valuesOf(name: string): string[]
}

/** What a script can do with one connection. */
export interface RawConnection {
  readonly index: number
  /** The next whole request; null once the client has ended its side. */
  request(): Promise<RawRequest | null>
  /** Text is sent as latin1. Resolves when the system took the bytes, or the connection is gone. */
  send(bytes: string | Uint8Array): Promise<void>
  pause(ms: number): Promise<void>
  /** Sends our FIN; what the client still sends is read. */
  end(): void
  /**
   * Ends the connection at once with a reset. Pause between `send` and this: a Node client that
   * finds bytes and the reset in one poll reports an orderly end (libuv takes POLLHUP for one).
   */
  reset(): void
}

/** Run once for each connection, which stays open after that until somebody ends it. */
export type RawScript = (connection: RawConnection) => Promise<void> | void

export interface RawServer {
  readonly port: number
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  /** All requests so far, in the order in which they were complete. */
  readonly requests: readonly RawRequest[]
  readonly connectionCount: number
  readonly openConnectionCount: number
  close(): Promise<void>
}

export interface RawServerOptions {
  readonly host?: string
  readonly port?: number
  /** PEM text: the server speaks TLS then. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** Answers every request of a connection with the same bytes; a function may choose by request. */
export function answering(
  answer: string | Uint8Array | ((request: RawRequest) => string | Uint8Array),
): RawScript {
  return async (connection) => {
    for (;;) {
      const request = await connection.request()
      if (request === null) return connection.end()
      await connection.send(typeof answer === 'function' ? answer(request) : answer)
    }
  }
}

/** Takes connections and never says anything. */
export const silent: RawScript = () => {}

/** Starts the server on a free port of loopback; it is closed when the scope ends. */
export async function startRawServer(
  scope: Scope,
  script: RawScript,
  options: RawServerOptions = {},
): Promise<RawServer> {
  const { host = '127.0.0.1', port = 0, tls } = options
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connectionCount = 0
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void script(connectionOn(socket, connectionCount++, requests))
  }
  // Half-open on purpose: a client that ends its side may still want the answer.
  const server =
    tls === undefined
      ? createServer({ allowHalfOpen: true, noDelay: true }, serve)
      : createTlsServer({ ...tls, allowHalfOpen: true, noDelay: true }, serve)
  // Under TLS a client that turns the certificate down leaves half a connection that nobody ends.
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await listen(server, port, host)

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of [...sockets, ...connections]) socket.destroy()
    })
    return closing
  }
  scope.after(close)
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    port: boundPort,
    url: `${tls === undefined ? 'http' : 'https'}://${shownHost}:${boundPort}`,
    requests,
    get connectionCount() {
      return connectionCount
    },
    get openConnectionCount() {
      return sockets.size
    },
    close,
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, () => resolve())
  })
}

function connectionOn(socket: Socket, index: number, log: RawRequest[]): RawConnection {
  let received = ''
  let hasEnded = false
  let wake: (() => void) | undefined
  const news = () => wake?.()
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    news()
  })
  socket.on('end', () => {
    hasEnded = true
    news()
  })
  // Resets by the client are what many tests are about; `close` follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    hasEnded = true
    news()
  })

  async function request(): Promise<RawRequest | null> {
    for (;;) {
      const taken = takeRequest(received, index)
      if (taken !== null) {
        received = received.slice(taken.raw.length)
        log.push(taken)
        return taken
      }
      if (hasEnded) return null
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  function send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (!socket.writable) return resolve()
      socket.once('close', resolve)
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => {
        socket.off('close', resolve)
        resolve()
      })
    })
  }
  return {
    index,
    request,
    send,
    pause: async (ms) => {
      await pause(ms)
    },
    end: () => {
      socket.end()
    },
    reset: () => {
      socket.resetAndDestroy()
    },
  }
}

/** The first whole request in `received`, or null while it is not whole. */
function takeRequest(received: string, connectionIndex: number): RawRequest | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [requestLine = '', ...lines] = received.slice(0, headEnd).split('\r\n')
  const fields = lines.map(readField)
  const valuesOf = (name: string) =>
    fields.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

  const bodyStart = headEnd + 4
  const isChunked = valuesOf('transfer-encoding').some((value) => /\bchunked\b/i.test(value))
  const body = isChunked
    ? takeChunks(received, bodyStart)
    : takeBytes(received, bodyStart, Number(valuesOf('content-length')[0] ?? 0))
  if (body === null) return null
  const [method = '', requestTarget = ''] = requestLine.split(' ')
  return {
    connectionIndex,
    raw: received.slice(0, body.end),
    requestLine,
    method,
    requestTarget,
    fields,
    body: body.text,
    valuesOf,
  }
}

function readField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()]
}

interface TakenBody {
  readonly text: string
  readonly end: number
}

function takeBytes(received: string, start: number, bodyBytes: number): TakenBody | null {
  const end = start + bodyBytes
  return received.length < end ? null : { text: received.slice(start, end), end }
}

function takeChunks(received: string, start: number): TakenBody | null {
  let text = ''
  let at = start
  for (;;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const chunkBytes = Number.parseInt(received.slice(at, lineEnd), 16)
    if (chunkBytes === 0) {
      // Trailers, if any, and the empty line that ends them.
      const end = received.indexOf('\r\n\r\n', lineEnd - 2)
      return end < 0 ? null : { text, end: end + 4 }
    }
    const chunkEnd = lineEnd + 2 + chunkBytes
    if (received.length < chunkEnd + 2) return null
    text += received.slice(lineEnd + 2, chunkEnd)
    at = chunkEnd + 2
  }
}
