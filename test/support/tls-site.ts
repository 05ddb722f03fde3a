/** A small site over TLS that notes of each connection what was agreed on in its handshake. */
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'
import type { Scope } from './scope.ts'

export interface TlsSite {
  readonly port: number
  /** For each connection: version, cipher, name asked for, name of the client, whether resumed. */
  readonly seen: readonly Seen[]
}

export interface Seen {
  readonly version: string | null
  readonly cipher: string
  readonly serverName: string | false
  readonly client: string | undefined
  readonly isResumed: boolean
}

export async function tlsSite(
  scope: Scope,
  { cert, key }: Certificate,
  options: Parameters<typeof createServer>[0] = {},
): Promise<TlsSite> {
  const seen: Seen[] = []
  const server: Server = createServer({ ...options, cert, key }, (_request, response) => {
    response.end('ok')
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    const { subject } = socket.getPeerCertificate()
    seen.push({
      version: socket.getProtocol(),
      cipher: socket.getCipher().name,
      serverName: (socket as TLSSocket & { servername: string | false }).servername,
      client: subject === undefined ? undefined : String(subject.CN),
      isResumed: socket.isSessionReused(),
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen }
}
