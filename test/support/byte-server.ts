/**
 * A server at the level of bytes, for protocols in front of HTTP: a script reads exact counts,
 * writes, and may pass the rest on to another port, as proxies do.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { Scope } from './scope.ts'

export interface ByteConnection {
  /** From 0 in order of opening. */
  readonly index: number
  /** Exactly so many bytes; fewer when the client has ended. */
  read(byteCount: number): Promise<Buffer>
  /** Up to and with the mark, as latin1 text; whatever there is when the client has ended. */
  readUntil(mark: string): Promise<string>
  write(bytes: string | Uint8Array): Promise<void>
  end(): void
  /** Passes everything on to a port of loopback and back, until one side ends. */
  passOn(port: number, host?: string): void
}

export interface ByteServer {
  readonly port: number
  readonly connectionCount: number
}

export async function startByteServer(
  scope: Scope,
  script: (connection: ByteConnection) => Promise<void> | void,
): Promise<ByteServer> {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void script(new ScriptedConnection(socket, connectionCount++))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  scope.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get connectionCount() {
      return connectionCount
    },
  }
}

class ScriptedConnection implements ByteConnection {
  readonly index: number
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #hasEnded = false
  #wake: (() => void) | undefined
  readonly #take = (bytes: Buffer): void => {
    this.#received = Buffer.concat([this.#received, bytes])
    this.#wake?.()
  }

  constructor(socket: Socket, index: number) {
    this.index = index
    this.#socket = socket
    const ended = () => {
      this.#hasEnded = true
      this.#wake?.()
    }
    socket.on('data', this.#take)
    socket.on('end', ended)
    socket.on('close', ended)
    // Clients that give up reset; what matters is what they did before.
    socket.on('error', () => {})
  }

  async read(byteCount: number): Promise<Buffer> {
    while (this.#received.length < byteCount && !this.#hasEnded) await this.#news()
    return this.#cut(Math.min(byteCount, this.#received.length))
  }

  async readUntil(mark: string): Promise<string> {
    while (!this.#received.includes(mark) && !this.#hasEnded) await this.#news()
    const at = this.#received.indexOf(mark)
    return this.#cut(at < 0 ? this.#received.length : at + mark.length).toString('latin1')
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #cut(byteCount: number): Buffer {
    const taken = this.#received.subarray(0, byteCount)
    this.#received = this.#received.subarray(byteCount)
    return taken
  }

  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#socket.writable) return resolve()
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
      this.#socket.once('close', resolve)
      this.#socket.write(buffer, () => resolve())
    })
  }

  end(): void {
    this.#socket.end()
  }

  passOn(port: number, host = '127.0.0.1'): void {
    const target = connect({ port, host })
    this.#socket.off('data', this.#take)
    target.write(this.#received)
    this.#socket.pipe(target)
    target.pipe(this.#socket)
    target.on('error', () => this.#socket.destroy())
    this.#socket.on('close', () => target.destroy())
  }
}
