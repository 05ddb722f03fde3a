/**
 * The real peers, in a thread of their own: what each does with a connection.
 *
 * Started by `real-peers.ts`, which is told the ports; counts go into shared memory. The black hole
 * has a thread to itself, which stops taking connections.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type SecureVersion, type TLSSocket } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import {
  type PeerKind,
  patternByte,
  patternBytes,
  peerKinds,
  SLOW_BYTES,
  SOURCE_BYTES,
  TOKEN_ANSWER_BYTES,
  TOKEN_PIECE_BYTES,
} from './peers.ts'
import { COUNT_FIELD_COUNT, type PeersTask } from './real-peers.ts'

const task = workerData as PeersTask
const counts = new Int32Array(task.counts)
const source = Buffer.from(patternBytes(SOURCE_BYTES))

const behaviours: Partial<Record<PeerKind, (socket: Socket, count: Count) => void>> = {
  echo: (socket) => socket.pipe(socket),
  echo6: (socket) => socket.pipe(socket),
  source: (socket) => socket.end(source),
  slow: readSlowly,
  resetter: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  holder: (socket) => socket.resume(),
  token: (socket) => socket.on('data', (bytes) => sendToken(socket, bytes[0]!)),
  tlsEcho: (socket) => socket.pipe(socket),
  tls12: (socket) => socket.pipe(socket),
  tls13: (socket) => socket.pipe(socket),
  tlsSource: (socket) => socket.end(source),
  tlsName: (socket) =>
    socket.once('data', () => socket.write(`${(socket as TLSSocket).servername || '-'}\n`)),
  notTls: (socket) => socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
  tlsCloser: (socket) => socket.once('data', () => socket.end()),
}

type Count = (field: number, change: number) => void

function readSlowly(socket: Socket, count: Count): void {
  let position = 0
  socket.on('data', (bytes) => {
    let wrongBytes = 0
    for (const byte of bytes) if (byte !== patternByte(position++)) wrongBytes++
    count(3, wrongBytes)
    if (position === SLOW_BYTES) socket.write('k')
    // Far less than the sender could send; the window closes in between.
    if (position < SLOW_BYTES) {
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    }
  })
}

function sendToken(socket: Socket, token: number): void {
  for (let sentBytes = 0; sentBytes < TOKEN_ANSWER_BYTES; sentBytes += TOKEN_PIECE_BYTES) {
    socket.write(Buffer.alloc(TOKEN_PIECE_BYTES, token))
  }
}

function serverOf(kind: PeerKind): Server {
  const serve = (socket: Socket) => {
    const count: Count = (field, change) => {
      Atomics.add(counts, peerKinds.indexOf(kind) * COUNT_FIELD_COUNT + field, change)
    }
    count(0, 1)
    socket.on('close', () => count(1, 1))
    socket.on('data', (bytes) => count(2, bytes.length))
    // Clients that close with bytes under way reset the connection: part of many tests.
    socket.on('error', () => {})
    behaviours[kind]?.(socket, count)
  }
  if (!kind.startsWith('tls') || kind === 'tlsCloser') return createServer({ noDelay: true }, serve)
  const versions: Partial<Record<PeerKind, SecureVersion>> = { tls12: 'TLSv1.2', tls13: 'TLSv1.3' }
  const version = versions[kind]
  const { cert, key } = task
  return createTlsServer(
    { cert, key, ...(version === undefined ? {} : { minVersion: version, maxVersion: version }) },
    serve,
  ).on('tlsClientError', () => {})
}

async function listen(server: Server, host: string, backlog: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: 0, host, backlog }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function main(): Promise<void> {
  if (task.isBlackHole) {
    const port = await listen(createServer(), '127.0.0.1', 1)
    // The system takes two connections for a program that never will; the others get no answer.
    for (let index = 0; index < 8; index++) connect({ port, host: '127.0.0.1' })
    // The sockets connect in the tick that comes next, the one after stops this thread.
    await new Promise((resolve) => process.nextTick(resolve))
    parentPort!.postMessage({ blackHole: port })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  const ports: Partial<Record<PeerKind, number>> = {}
  for (const kind of peerKinds) {
    if (kind === 'blackHole') continue
    const server = serverOf(kind)
    ports[kind] = await listen(server, kind === 'echo6' ? '::1' : '127.0.0.1', 2048)
    if (kind === 'refused') server.close()
  }
  parentPort!.postMessage(ports)
}

await main()
