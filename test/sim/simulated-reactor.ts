/**
 * The reactor without a machine: virtual time and a faulty network from a seed.
 *
 * Whole runs take milliseconds and are the same every time. Servers are objects
 * (`simulated-servers.ts`); the network between delays, splits and joins bytes at random but keeps
 * their order, as TCP does. After each received view the buffer is overwritten, so that keeping a
 * view longer than the call shows up.
 */
import { BugError } from '../../src/base/errors.ts'
import { type Random, seededRandom } from '../../src/base/random.ts'
import type {
  Ending,
  Endpoint,
  Reactor,
  ReactorSink,
  TlsProfile,
} from '../../src/engine/reactor.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import { EventQueue } from './event-queue.ts'

export interface SimulatedServer {
  /** `drop`: the attempt is never answered. */
  accept(line: ServerLine): 'accept' | 'refuse' | 'drop'
  received(line: ServerLine, bytes: Uint8Array): void
  /** The client closed. */
  closed(line: ServerLine): void
  /** Whether a handshake succeeds; without it the bytes of one are never answered. */
  secure?(line: ServerLine): boolean
}

/** The server's end of one connection. */
export interface ServerLine {
  readonly endpoint: Endpoint
  readonly network: SimulatedReactor
  /** Room for the server's own state. */
  state: unknown
  send(bytes: Uint8Array, delayNs?: number): void
  finish(delayNs?: number): void
  reset(delayNs?: number): void
}

export interface NetworkFaults {
  readonly latencyNsMin: number
  readonly latencyNsMax: number
  /** Chance that a piece of bytes is delivered in two. */
  readonly splitRatio: number
}

export const calmNetwork: NetworkFaults = { latencyNsMin: 50e3, latencyNsMax: 50e3, splitRatio: 0 }
export const roughNetwork: NetworkFaults = { latencyNsMin: 5e3, latencyNsMax: 3e6, splitRatio: 0.4 }

class Line implements ServerLine {
  state: unknown = undefined
  isClosed = false
  isConnected = false
  /** When the last planned delivery in each direction happens: later ones never overtake it. */
  toClientNs = 0
  toServerNs = 0
  readonly slot: number
  readonly endpoint: Endpoint
  readonly network: SimulatedReactor

  constructor(network: SimulatedReactor, slot: number, endpoint: Endpoint) {
    this.network = network
    this.slot = slot
    this.endpoint = endpoint
  }

  send(bytes: Uint8Array, delayNs = 0): void {
    this.network.deliver(this, bytes.slice(), delayNs)
  }

  finish(delayNs = 0): void {
    this.network.tellEnd(this, { how: 'fin', kind: FailureKind.closed, text: '' }, delayNs)
  }

  reset(delayNs = 0): void {
    const text = 'connection reset by peer'
    this.network.tellEnd(this, { how: 'error', kind: FailureKind.reset, text }, delayNs)
  }
}

export class SimulatedReactor implements Reactor {
  readonly name = 'simulated'
  readonly queue: EventQueue = new EventQueue()
  readonly #serverOf: (endpoint: Endpoint) => SimulatedServer | undefined
  readonly #faults: NetworkFaults
  readonly #random: Random
  readonly #lines = new Map<number, Line>()
  #sink!: ReactorSink
  #isInSink = false
  #alarmOrder = 0
  #isStopped = false
  /** Connections ever opened and now open: the second must be 0 after a run. */
  openedCount = 0

  constructor(
    serverOf: (endpoint: Endpoint) => SimulatedServer | undefined,
    options: { readonly seed: number; readonly faults?: NetworkFaults },
  ) {
    this.#serverOf = serverOf
    this.#faults = options.faults ?? calmNetwork
    this.#random = seededRandom(options.seed, 0x51b)
  }

  get openCount(): number {
    return this.#lines.size
  }

  nowNs(): number {
    return this.queue.nowNs
  }

  refreshNowNs(): number {
    return this.queue.nowNs
  }

  attach(sink: ReactorSink): void {
    this.#sink = sink
  }

  allocate(byteCount: number): Uint8Array {
    return new Uint8Array(byteCount)
  }

  #latencyNs(): number {
    const { latencyNsMin, latencyNsMax } = this.#faults
    return latencyNsMin + this.#random.uniform() * (latencyNsMax - latencyNsMin)
  }

  /** Tells the sink something of a line that is still open; the sink is never entered twice. */
  #tell(line: Line, tell: () => void): void {
    if (this.#isStopped || this.#lines.get(line.slot) !== line) return
    this.#callSink(tell)
  }

  #callSink(tell: () => void): void {
    if (this.#isInSink) throw new BugError('the sink was called inside one of its own calls')
    this.#isInSink = true
    tell()
    this.#isInSink = false
  }

  connect(slot: number, endpoint: Endpoint): void {
    if (this.#isStopped) return
    if (this.#lines.has(slot)) throw new BugError(`slot ${slot} is open already`)
    const line = new Line(this, slot, endpoint)
    this.#lines.set(slot, line)
    this.openedCount++
    this.queue.plan(this.#latencyNs(), () => this.#arrive(line))
  }

  #arrive(line: Line): void {
    if (this.#isStopped || this.#lines.get(line.slot) !== line) return
    const verdict = this.#serverOf(line.endpoint)?.accept(line) ?? 'refuse'
    if (verdict === 'drop') return
    if (verdict === 'refuse') {
      const text = 'connection refused'
      this.tellEnd(line, { how: 'error', kind: FailureKind.connect, text }, 0)
      return
    }
    const delayNs = this.#latencyNs()
    line.toClientNs = this.queue.nowNs + delayNs
    this.queue.plan(delayNs, () => {
      line.isConnected = true
      this.#tell(line, () => this.#sink.connected(line.slot))
    })
  }

  startTls(slot: number, _profile: TlsProfile): void {
    const line = this.#lines.get(slot)
    if (line === undefined) return
    const server = this.#serverOf(line.endpoint)
    if (server?.secure === undefined) return
    if (server.secure(line)) {
      this.queue.plan(this.#latencyNs() * 2, () => this.#tell(line, () => this.#sink.secured(slot)))
    } else {
      this.tellEnd(line, { how: 'error', kind: FailureKind.tls, text: 'handshake failure' }, 0)
    }
  }

  send(slot: number, bytes: Uint8Array): void {
    const line = this.#lines.get(slot)
    if (line === undefined) return
    if (!line.isConnected) throw new BugError('sent before connected')
    const copy = bytes.slice()
    this.queue.plan(this.#latencyNs() / 10, () => this.#tell(line, () => this.#sink.sent(slot)))
    this.#plan(line, 'toServerNs', () => {
      if (!line.isClosed) this.#serverOf(line.endpoint)?.received(line, copy)
    })
  }

  /** Plans something in one direction of a line, behind everything planned there before. */
  #plan(line: Line, direction: 'toClientNs' | 'toServerNs', happen: () => void, delayNs = 0): void {
    const dueNs = Math.max(line[direction], this.queue.nowNs + delayNs + this.#latencyNs())
    line[direction] = dueNs
    this.queue.plan(dueNs - this.queue.nowNs, happen)
  }

  deliver(line: Line, bytes: Uint8Array, delayNs: number): void {
    const splitAt =
      bytes.length > 1 && this.#random.uniform() < this.#faults.splitRatio
        ? 1 + this.#random.below(bytes.length - 1)
        : bytes.length
    for (const piece of [bytes.subarray(0, splitAt), bytes.subarray(splitAt)]) {
      if (piece.length === 0) continue
      this.#plan(line, 'toClientNs', () => this.#deliverPiece(line, piece), delayNs)
    }
  }

  #deliverPiece(line: Line, piece: Uint8Array): void {
    // An offset that is not 0 and a margin behind show whoever ignores `start` and `end`.
    const offset = this.#random.below(8)
    const view = new Uint8Array(offset + piece.length + 8).fill(0x58)
    view.set(piece, offset)
    this.#tell(line, () => this.#sink.data(line.slot, view, offset, offset + piece.length))
    view.fill(0x5a)
  }

  tellEnd(line: Line, ending: Ending, delayNs: number): void {
    this.#plan(
      line,
      'toClientNs',
      () => this.#tell(line, () => this.#sink.ended(line.slot, ending)),
      delayNs,
    )
  }

  close(slot: number): void {
    const line = this.#lines.get(slot)
    if (line === undefined) return
    this.#lines.delete(slot)
    this.#plan(line, 'toServerNs', () => {
      line.isClosed = true
      this.#serverOf(line.endpoint)?.closed(line)
    })
  }

  setAlarm(dueNs: number): void {
    const order = ++this.#alarmOrder
    if (dueNs === Number.POSITIVE_INFINITY) return
    this.queue.plan(dueNs - this.queue.nowNs, () => {
      if (order === this.#alarmOrder && !this.#isStopped) this.#callSink(() => this.#sink.alarm())
    })
  }

  wake(): void {
    this.queue.plan(0, () => {
      if (!this.#isStopped) this.#callSink(() => this.#sink.woken())
    })
  }

  /** @throws {BugError} when nothing will ever happen again although nobody stopped. */
  run(): void {
    while (!this.#isStopped) {
      if (this.queue.isEmpty) throw new BugError('the run hangs: nothing is planned any more')
      this.queue.step()
    }
    for (const slot of [...this.#lines.keys()]) this.close(slot)
  }

  stop(): void {
    this.#isStopped = true
  }
}
