/**
 * The reactor on `node:net` and `node:tls`: works wherever Node does.
 *
 * It lives in an event loop, so `run` returns a promise and other things of the thread go on.
 * Plain connections read into one buffer shared by all of them (`onread`), so that no buffer is
 * made per read; TLS connections get their plain text from Node in buffers of its own.
 */
import type net from 'node:net'
import type tls from 'node:tls'
import { invariant } from '../../base/errors.ts'
import type { TlsPlan } from '../../plan/plan.ts'
import type { Endpoint, Reactor, ReactorSink, TlsFacts, TlsProfile } from '../reactor.ts'
import { cipherBitsOf, temporaryKeyText } from './cipher-facts.ts'
import { systemEnding, tlsEnding } from './endings.ts'
import { monotonicNs } from './monotonic-clock.ts'
import { secureContextOf } from './secure-context.ts'

const RECEIVE_BUFFER_BYTES = 65_536

/** What the reactor keeps of one connection; handlers reach it as a property of the socket. */
class Line {
  slot: number
  readonly reactor: NodeReactor
  readonly peerText: string
  stage: 'connecting' | 'plain' | 'handshake' | 'secure' = 'connecting'
  hasEnded = false

  constructor(reactor: NodeReactor, slot: number, endpoint: Endpoint) {
    this.reactor = reactor
    this.slot = slot
    const { address, port } = endpoint
    this.peerText = endpoint.family === 6 ? `[${address}]:${port}` : `${address}:${port}`
  }

  /** Given to every write of this connection. */
  readonly sent = (error?: Error | null): void => {
    if (this.slot >= 0 && !error) this.reactor.sink.sent(this.slot)
  }

  end(error: NodeJS.ErrnoException | undefined): void {
    if (this.slot < 0 || this.hasEnded) return
    this.hasEnded = true
    const ending =
      this.stage === 'handshake'
        ? tlsEnding(error, this.peerText)
        : systemEnding(error, { text: this.peerText, isConnected: this.stage !== 'connecting' })
    this.reactor.sink.ended(this.slot, ending)
  }
}

type LineSocket = net.Socket & { line: Line }

export class NodeReactor implements Reactor {
  readonly name = 'node'
  readonly #connect: typeof net.connect
  readonly #nowOffsetNs: number
  /** Where connections come from, in turn. */
  readonly #sourceAddresses: readonly string[]
  #sourceTurn = 0
  readonly #onread: net.OnReadOpts
  readonly #sockets: (LineSocket | undefined)[] = []
  readonly #secureContexts = new Map<TlsPlan, tls.SecureContext>()
  /** The last session of each origin, for plans that resume them. */
  readonly #sessions = new WeakMap<TlsProfile, Buffer>()
  tlsFacts: TlsFacts | null = null
  #sink!: ReactorSink
  #alarmTimer: NodeJS.Timeout | undefined
  #alarmDueNs: number = Number.POSITIVE_INFINITY
  #isPunctual = false
  #isStopped = false
  #finished: (() => void) | undefined

  /** `epochNs`: the run's start on the system's monotonic clock, the same for all threads. */
  constructor(epochNs: number = monotonicNs(), sourceAddresses: readonly string[] = []) {
    this.#connect = process.getBuiltinModule('node:net').connect
    this.#sourceAddresses = sourceAddresses
    this.#nowOffsetNs = monotonicNs() - performance.now() * 1e6 - epochNs
    this.#onread = {
      buffer: Buffer.allocUnsafeSlow(RECEIVE_BUFFER_BYTES),
      callback: onRead as unknown as net.OnReadOpts['callback'],
    }
  }

  nowNs(): number {
    return Math.round(performance.now() * 1e6 + this.#nowOffsetNs)
  }

  refreshNowNs(): number {
    return this.nowNs()
  }

  attach(sink: ReactorSink): void {
    this.#sink = sink
  }

  get sink(): ReactorSink {
    return this.#sink
  }

  connect(slot: number, endpoint: Endpoint): void {
    if (this.#isStopped) return
    invariant(this.#sockets[slot] === undefined, 'a slot is closed before it is opened again')
    const socket = this.#connect({
      host: endpoint.address,
      port: endpoint.port,
      family: endpoint.family,
      noDelay: true,
      autoSelectFamily: false,
      onread: this.#onread,
      ...this.#nextSource(),
    }) as LineSocket
    socket.line = new Line(this, slot, endpoint)
    this.#sockets[slot] = socket
    socket.on('connect', onConnect)
    socket.on('error', onError)
    socket.on('end', onEnd)
    socket.on('close', onEnd)
  }

  #nextSource(): { readonly localAddress?: string } {
    const { length } = this.#sourceAddresses
    if (length === 0) return {}
    return { localAddress: this.#sourceAddresses[this.#sourceTurn++ % length]! }
  }

  startTls(slot: number, profile: TlsProfile): void {
    const plain = this.#sockets[slot]
    if (plain === undefined) return
    const { line } = plain
    line.stage = 'handshake'
    plain.off('end', onEnd).off('close', onEnd)
    const { settings, serverName } = profile
    const session = settings.resume ? this.#sessions.get(profile) : undefined
    const secure = process.getBuiltinModule('node:tls').connect({
      socket: plain,
      host: profile.verifiedName,
      secureContext: this.#secureContextOf(settings),
      rejectUnauthorized: settings.verify,
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(session === undefined ? {} : { session }),
      ...(settings.verify ? {} : { checkServerIdentity: () => undefined }),
    }) as tls.TLSSocket & LineSocket
    if (settings.resume) secure.on('session', (ticket) => this.#sessions.set(profile, ticket))
    secure.line = line
    this.#sockets[slot] = secure
    secure.on('secureConnect', onSecure)
    secure.on('data', onTlsData)
    secure.on('error', onError)
    secure.on('end', onEnd)
    secure.on('close', onEnd)
  }

  #secureContextOf(settings: TlsPlan): tls.SecureContext {
    const known = this.#secureContexts.get(settings)
    if (known !== undefined) return known
    const context = secureContextOf(settings)
    this.#secureContexts.set(settings, context)
    return context
  }

  allocate(byteCount: number): Uint8Array {
    return Buffer.allocUnsafeSlow(byteCount)
  }

  /** HOT (bench/macro/main.ts). */
  send(slot: number, bytes: Uint8Array): void {
    const socket = this.#sockets[slot]
    if (socket !== undefined) socket.write(bytes, socket.line.sent)
  }

  close(slot: number): void {
    const socket = this.#sockets[slot]
    if (socket === undefined) return
    this.#sockets[slot] = undefined
    socket.line.slot = -1
    socket.destroy()
  }

  /** From now on alarms come in time, at the price of CPU time. */
  bePunctual(): void {
    this.#isPunctual = true
  }

  setAlarm(dueNs: number): void {
    if (this.#isStopped) return
    this.#alarmDueNs = dueNs
    clearTimeout(this.#alarmTimer)
    this.#alarmTimer = undefined
    if (dueNs !== Number.POSITIVE_INFINITY) this.#startTimer()
  }

  #startTimer(): void {
    const leftMs = (this.#alarmDueNs - this.nowNs()) / 1e6
    // A timer of Node's comes up to two milliseconds late: what is left is waited for without one.
    const waitMs = this.#isPunctual ? Math.floor(leftMs) - 2 : leftMs
    if (waitMs <= 0) setImmediate(this.#alarmCame)
    else this.#alarmTimer = setTimeout(this.#alarmCame, Math.min(Math.ceil(waitMs), 2 ** 31 - 1))
  }

  readonly #alarmCame = (): void => {
    if (this.#isStopped || this.#alarmDueNs === Number.POSITIVE_INFINITY) return
    if (this.#alarmDueNs > this.nowNs()) {
      // A timer may fire a little early by our clock, or belong to an alarm set before this one.
      this.setAlarm(this.#alarmDueNs)
      return
    }
    this.#alarmDueNs = Number.POSITIVE_INFINITY
    this.#sink.alarm()
  }

  wake(): void {
    setImmediate(() => {
      if (!this.#isStopped) this.#sink.woken()
    })
  }

  run(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#finished = resolve
    })
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearTimeout(this.#alarmTimer)
    for (let slot = 0; slot < this.#sockets.length; slot++) this.close(slot)
    this.#finished?.()
  }
}

// Handlers are shared by all sockets and called with the socket as `this`.

/** HOT (bench/macro/main.ts). `node:net` calls it as a method of the socket. */
function onRead(this: LineSocket, byteCount: number, buffer: Uint8Array): boolean {
  const { line } = this
  if (line.slot >= 0) line.reactor.sink.data(line.slot, buffer, 0, byteCount)
  return true
}

function onConnect(this: LineSocket): void {
  const { line } = this
  if (line.slot < 0) return
  line.stage = 'plain'
  line.reactor.sink.connected(line.slot)
}

function onSecure(this: LineSocket): void {
  const { line } = this
  if (line.slot < 0) return
  line.stage = 'secure'
  line.reactor.tlsFacts ??= tlsFactsOf(this as LineSocket & tls.TLSSocket)
  line.reactor.sink.secured(line.slot)
}

function tlsFactsOf(socket: tls.TLSSocket): TlsFacts {
  const { name } = socket.getCipher()
  const key = socket.getEphemeralKeyInfo()
  const isKeyKnown = key !== null && 'size' in key && typeof key.size === 'number'
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: name,
    keyBits: socket.getPeerCertificate().bits ?? 0,
    cipherBits: cipherBitsOf(name),
    temporaryKey: isKeyKnown ? temporaryKeyText(key.name ?? key.type, key.size) : null,
  }
}

function onTlsData(this: LineSocket, bytes: Buffer): void {
  const { line } = this
  if (line.slot >= 0) line.reactor.sink.data(line.slot, bytes, 0, bytes.length)
}

function onEnd(this: LineSocket): void {
  this.line.end(undefined)
}

function onError(this: LineSocket, error: NodeJS.ErrnoException): void {
  this.line.end(error)
}
