/**
 * A small HTTP client that logs in as the engine does, by `browse/auth-session.ts`, so that real
 * servers can judge the answers. One connection, kept as long as the server keeps it.
 */
import { connect, type Socket } from 'node:net'
import { AuthSession, type AuthSettings, authFieldNames } from '../../src/browse/auth-session.ts'
import type { AuthCredentials } from '../../src/browse/auth-text.ts'
import { AuthTurn, ConnectionLogin } from '../../src/browse/auth-turn.ts'
import { nodeHashes } from './hashes.ts'
import type { Scope } from './scope.ts'

export interface LoginClientOptions extends Partial<AuthSettings> {
  /** Where requests are sent: a server, or a proxy if `proxiedOrigin` is given. */
  readonly port: number
  /** `http://127.0.0.1:PORT` of the server behind the proxy. */
  readonly proxiedOrigin?: string
}

export interface Answered {
  /** Of all requests that were made, repeats included. */
  readonly statuses: readonly number[]
  /** Why it was given up, or null. */
  readonly failure: string | null
  readonly body: string
  /** The schemes sent, `-` for none, to the server or, with one, to the proxy. */
  readonly schemes: string
  readonly connectionCount: number
}

interface Response {
  readonly status: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly isKept: boolean
}

const TIMEOUT_MS = 60_000

export class LoginClient {
  readonly #options: LoginClientOptions
  readonly #session: AuthSession
  readonly #login: ConnectionLogin = new ConnectionLogin()
  #socket: Socket | null = null
  #connectionCount = 0

  constructor(scope: Scope, options: LoginClientOptions) {
    this.#options = options
    this.#session = new AuthSession({
      hashes: nodeHashes,
      logins: [],
      proxyLogins: [],
      proxyCredentials: null,
      attemptCountMax: 5,
      ...options,
    })
    scope.after(() => this.close())
  }

  /** The next request has to connect anew. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  async ask(
    requestTarget: string,
    {
      method = 'GET',
      credentials = null,
    }: { method?: string; credentials?: AuthCredentials | null } = {},
  ): Promise<Answered> {
    const { proxiedOrigin, port } = this.#options
    const turn = new AuthTurn()
    turn.originKey = proxiedOrigin ?? `http://127.0.0.1:${port}`
    turn.method = method
    turn.requestTarget = requestTarget
    turn.sentTarget = `${method === 'CONNECT' ? '' : (proxiedOrigin ?? '')}${requestTarget}`
    turn.credentials = credentials
    const statuses: number[] = []
    const schemes: string[] = []
    for (;;) {
      const socket = this.#socket ?? (await this.#connect())
      const server = this.#session.field(turn, 'server', this.#login)
      const proxy =
        proxiedOrigin === undefined ? null : this.#session.field(turn, 'proxy', this.#login)
      schemes.push((server ?? proxy)?.split(' ')[0] ?? '-')
      socket.write(requestText(turn, server, proxy), 'latin1')
      const response = await readResponse(socket, method)
      if (!response.isKept) this.close()
      const { status, body } = response
      statuses.push(status)
      const end = (failure: string | null): Answered => ({
        statuses,
        failure,
        body,
        schemes: schemes.join(' '),
        connectionCount: this.#connectionCount,
      })
      if (status !== 401 && status !== 407) {
        this.#session.accepted(turn, status, this.#login)
        return end(null)
      }
      const challengeName = status === 401 ? 'www-authenticate' : 'proxy-authenticate'
      const decision = this.#session.challenged(turn, {
        status,
        fieldValues: response.fields.filter(([name]) => name === challengeName).map(([, v]) => v),
        connection: this.#login,
        isConnectionKept: response.isKept,
        unixMs: Date.now(),
      })
      if (decision.kind === 'give-up') return end(decision.reason)
    }
  }

  async #connect(): Promise<Socket> {
    this.#login.reset()
    this.#connectionCount++
    const socket = connect(this.#options.port, '127.0.0.1')
    this.#socket = socket
    socket.setNoDelay()
    // Whoever waits for a response sees that the connection has ended; between two, nobody cares.
    socket.on('error', () => {})
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null
    })
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    return socket
  }
}

function requestText(turn: AuthTurn, server: string | null, proxy: string | null): string {
  const hasBody = turn.method === 'POST'
  return [
    `${turn.method} ${turn.sentTarget} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(server === null ? [] : [`${authFieldNames.server}: ${server}`]),
    ...(proxy === null ? [] : [`${authFieldNames.proxy}: ${proxy}`]),
    ...(hasBody ? ['Content-Length: 3'] : []),
    '',
    hasBody ? 'a=b' : '',
  ].join('\r\n')
}

function readResponse(socket: Socket, method: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    let text = ''
    const done = (end: () => void) => {
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('close', closed)
      end()
    }
    const timer = setTimeout(() => done(() => reject(new Error('no response'))), TIMEOUT_MS)
    function closed(): void {
      done(() => reject(new Error(`connection closed after ${JSON.stringify(text)}`)))
    }
    function read(chunk: Buffer): void {
      text += chunk.toString('latin1')
      const response = responseIn(text, method)
      if (response !== undefined) done(() => resolve(response))
    }
    socket.on('data', read)
    socket.once('close', closed)
  })
}

/** Undefined until all of it is there. Length-delimited bodies only. */
function responseIn(text: string, method: string): Response | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const fields = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const fieldOf = (name: string) => fields.find(([other]) => other === name)?.[1]
  const status = Number(statusLine.split(' ')[1])
  const isBodyless = method === 'HEAD' || (method === 'CONNECT' && status === 200)
  const bodyBytes = isBodyless ? 0 : Number(fieldOf('content-length') ?? 0)
  const body = text.slice(headEnd + 4)
  if (body.length < bodyBytes) return undefined
  const isKept = fieldOf('connection') !== 'close' && fieldOf('proxy-connection') !== 'close'
  return { status, fields, body, isKept }
}
