/**
 * The recording proxy: browsers send it their requests, it passes them on and notes them down.
 *
 * One HTTP server reads all of them: those that name a whole URL, and those inside a tunnel that
 * a client has opened with CONNECT, for which the recorder then plays the server of that name, with
 * a certificate of its own authority. A socket inside a tunnel has its site in `#sites`.
 */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { EnvironmentError } from '../base/errors.ts'
import { BodyTape } from './body-tape.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { RequestFilter } from './filter.ts'
import { type Agents, forward, HEADER_BYTES_MAX, type Way } from './forwarding.ts'
import type { Notebook } from './notebook.ts'
import { authorityOf, type Site, siteFrom } from './recorded-request.ts'
import { forwardUpgrade, hangUp, tunnel } from './tunnels.ts'
import { OwnAddress, type UpstreamSettings } from './upstream.ts'

export interface RecorderOptions {
  /** 0: a free one. */
  readonly port: number
  readonly host: string
  readonly upstream: UpstreamSettings
  readonly filter: RequestFilter
  readonly notebook: Notebook
  /** Null leaves HTTPS unread: it passes through as it is. */
  readonly authority: CertificateAuthority | null
  /** A browser turned the certificate for this host down: it does not trust the authority. */
  readonly distrusted: (host: string) => void
}

export interface Recorder {
  /** `http://127.0.0.1:9001`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Ends all connections and frees the port. The notebook stays open. */
  close(): Promise<void>
}

/** @throws {EnvironmentError} when the address cannot be listened on. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const proxy = new RecordingProxy(options)
  await proxy.listen()
  return proxy
}

const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** Unusual enough that a site would not have it. */
const CA_PATH = '/ca.pem'

class RecordingProxy implements Recorder {
  readonly #options: RecorderOptions
  readonly #server: Server
  readonly #sockets: Set<Socket> = new Set()
  /** Where the requests on a socket go when they do not say so themselves. */
  readonly #sites: WeakMap<Duplex, Site> = new WeakMap()
  /** The connections to servers that belong to a client's connection. */
  readonly #agents: WeakMap<Duplex, Agents> = new WeakMap()
  #own = new OwnAddress('', 0)
  port = 0
  url = ''

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#server = http.createServer({
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // An upload takes as long as it takes.
      requestTimeout: 0,
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('request', (request, response) => this.#serve(request, response))
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      response.writeContinue()
      this.#serve(request, response)
    })
    this.#server.on('connect', (request, client, head) => this.#connect(request, client, head))
    this.#server.on('upgrade', (request, client, head) => this.#upgrade(request, client, head))
    this.#server.on('clientError', (error: NodeJS.ErrnoException, client) => {
      if (error.code === 'ECONNRESET' || !client.writable) client.destroy()
      else hangUp(client, 400, `that is not an HTTP request (${error.code}).`)
    })
  }

  listen(): Promise<void> {
    const { port, host } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(listenError(error, port, host))
      })
      this.#server.listen({ port, host }, () => {
        const bound = this.#server.address()
        if (typeof bound === 'object' && bound !== null) {
          this.port = bound.port
          this.#own = new OwnAddress(bound.address, bound.port)
        }
        this.url = `http://${authorityOf({ scheme: 'http', host, port: this.port })}`
        resolve()
      })
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const goal = this.#goalOf(request)
    if (goal === null) {
      this.#serveItself(request, response)
      request.resume()
      return
    }
    const { filter, notebook } = this.#options
    const fetchDestination = request.headers['sec-fetch-dest']
    const isWanted = filter.takes({
      ...goal,
      method: request.method ?? 'GET',
      destination: typeof fetchDestination === 'string' ? fetchDestination : undefined,
    })
    forward(
      { request, response, ...goal },
      {
        tape: isWanted
          ? notebook.tape(request.headers['content-type'] ?? null)
          : new BodyTape(null),
        place: isWanted ? notebook.place() : null,
        failed: (error) => notebook.fail(error),
      },
      this.#way(request.socket),
    )
  }

  /** A page for whoever opens the recorder's address, and the certificate to be trusted. */
  #serveItself(request: IncomingMessage, response: ServerResponse): void {
    const { authority } = this.#options
    if (request.url === CA_PATH && authority !== null) {
      sendText(response, 200, 'application/x-x509-ca-cert', authority.certPem)
    } else {
      sendText(response, 400, 'text/plain; charset=utf-8', notAProxyRequest(this.url))
    }
  }

  #upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const goal = this.#goalOf(request)
    if (goal === null) hangUp(client, 400, 'the request does not say which site it is for.')
    else forwardUpgrade({ request, client, head, ...goal }, this.#way(client))
  }

  #connect(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const site = siteFrom('https', request.url ?? '')
    if (site === null) {
      hangUp(client, 400, `${request.url} is not a host and port.`)
      return
    }
    const { authority, filter } = this.#options
    if (authority === null || !filter.takesSite(site)) {
      tunnel(client, head, site, this.#way(client))
      return
    }
    client.on('error', () => client.destroy())
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) client.unshift(head)
    client.once('data', (first: Buffer) => {
      client.pause()
      client.unshift(first)
      if (first[0] === TLS_HANDSHAKE) void this.#playServer(client, site, authority)
      else this.#readInside(client, { ...site, scheme: 'http' })
    })
  }

  /** Ends the TLS of the client here, so that what is inside can be read. */
  async #playServer(client: Duplex, site: Site, authority: CertificateAuthority): Promise<void> {
    const secureContext = await authority.contextFor(site.host)
    if (client.destroyed) return
    const inside = new TLSSocket(client, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) => {
        if (name === site.host || isIP(name) !== 0) done(null, secureContext)
        else authority.contextFor(name).then((context) => done(null, context), done)
      },
    })
    inside.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      if (/UNKNOWN_CA|CERTIFICATE/.test(code)) this.#options.distrusted(site.host)
      client.destroy()
    })
    this.#readInside(inside, site)
  }

  #readInside(socket: Duplex, site: Site): void {
    this.#sites.set(socket, site)
    this.#server.emit('connection', socket)
  }

  /** Which site and path a request is for, or null if it is meant for the recorder itself. */
  #goalOf(request: IncomingMessage): { site: Site; requestTarget: string } | null {
    const requestTarget = request.url ?? '/'
    const inside = this.#sites.get(request.socket)
    const absolute = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(requestTarget)
    if (absolute !== null) {
      const [, scheme = '', authority = '', path = ''] = absolute
      const site = siteFrom(scheme.toLowerCase() === 'https' ? 'https' : 'http', authority)
      if (site === null) return null
      return { site, requestTarget: path.startsWith('/') ? path : `/${path}` }
    }
    return inside === undefined ? null : { site: inside, requestTarget }
  }

  #way(client: Duplex): Way {
    let agents = this.#agents.get(client)
    if (agents === undefined) {
      // One connection for one connection: a login that is bound to it (NTLM) stays whole.
      const options = { keepAlive: true, maxSockets: 1 }
      const made = { http: new http.Agent(options), https: new https.Agent(options) }
      agents = made
      this.#agents.set(client, made)
      client.once('close', () => {
        made.http.destroy()
        made.https.destroy()
      })
    }
    return { agents, own: this.#own, upstream: this.#options.upstream }
  }
}

/** The first byte of a record that opens TLS (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16

function notAProxyRequest(url: string): string {
  return (
    `onager record: this is a proxy. Set ${url} as the HTTP and HTTPS proxy of your browser.\n` +
    `The certificate to be trusted for HTTPS: ${url}${CA_PATH}\n`
  )
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): EnvironmentError {
  const text =
    error.code === 'EADDRINUSE'
      ? `port ${port} of ${host} is taken`
      : `cannot listen on port ${port} of ${host}: ${error.message}`
  const hint = 'choose another port with --port N, or an address of this machine with --bind'
  return new EnvironmentError(text, { hint, cause: error })
}
