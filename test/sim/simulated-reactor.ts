/**
 * The reactor without a machine: virtual time and a faulty network from a seed.
 *
 * Whole runs take milliseconds and are the same every time. Servers are objects
 * (`simulated-servers.ts`); the network between delays, splits and joins bytes at random but keeps
 * their order, as TCP does. It is stricter than any machine: it throws when its caller breaks the
 * seam's rules, overwrites each received view after the call, and checks that bytes under way were
 * left alone until `sent`.
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
  /** What becomes of a handshake; a server without it never answers one. */
  secure?(line: ServerLine, profile: TlsProfile): 'secure' | 'fail' | 'fin' | 'silent'
}

/** The server's end of one connection. */
export interface ServerLine {
  readonly endpoint: Endpoint
  readonly nowNs: number
  /** Room for the server's own state. */
  state: unknown
  send(bytes: Uint8Array, delayNs?: number): void
  /** Ends the server's direction; it still reads. */
  finish(delayNs?: number): void
  /** Ends both: what arrives afterwards is answered with a reset. */
  close(delayNs?: number): void
  reset(delayNs?: number): void
  /** Calls back on the server's side, unless the connection is over by then. */
  later(delayNs: number, happen: () => void): void
}

export interface NetworkFaults {
  readonly latencyNsMin: number
  readonly latencyNsMax: number
  /** Chance that a piece of bytes is delivered in two. */
  readonly splitRatio: number
  /** Chance that a piece is delivered together with the one before, if that is still under way. */
  readonly joinRatio: number
}

export const calmNetwork: NetworkFaults = {
  latencyNsMin: 50e3,
  latencyNsMax: 50e3,
  splitRatio: 0,
  joinRatio: 0,
}
export const roughNetwork: NetworkFaults = {
  latencyNsMin: 5e3,
  latencyNsMax: 3e6,
  splitRatio: 0.4,
  joinRatio: 0.3,
}

/** One turn of an event loop: what an alarm costs whose time is past already. */
export const TURN_NS = 20e3
/** More than any test needs: whoever gets here goes round in circles. */
const EVENT_COUNT_MAX = 20e6

interface Piece {
  bytes: Uint8Array
}

class Line implements ServerLine {
  state: unknown = undefined
  stage: 'connecting' | 'connected' | 'ended' = 'connecting'
  /** The client closed, and the server knows. */
  isClosed = false
  /** Gone on the server's side: `closed` answers with resets, `reset` not at all. */
  serverSide: 'open' | 'closed' | 'reset' = 'open'
  /** When the last planned delivery in each direction happens: later ones never overtake it. */
  toClientNs = 0
  toServerNs = 0
  /** The bytes being sent and what they were: they must be the same until `sent`. */
  sending: { readonly bytes: Uint8Array; readonly copy: Uint8Array } | undefined
  /** The last thing under way to the client, if it is a piece of bytes. */
  lastPiece: Piece | undefined
  readonly slot: number
  readonly endpoint: Endpoint
  readonly #network: SimulatedReactor

  constructor(network: SimulatedReactor, slot: number, endpoint: Endpoint) {
    this.#network = network
    this.slot = slot
    this.endpoint = endpoint
  }

  get nowNs(): number {
    return this.#network.nowNs()
  }

  send(bytes: Uint8Array, delayNs = 0): void {
    const copy = bytes.slice()
    this.later(delayNs, () => this.#network.deliver(this, copy))
  }

  finish(delayNs = 0): void {
    this.later(delayNs, () => this.#network.tellEnd(this, finEnding))
  }

  close(delayNs = 0): void {
    this.later(delayNs, () => {
      this.#network.tellEnd(this, finEnding)
      this.serverSide = 'closed'
    })
  }

  reset(delayNs = 0): void {
    this.later(delayNs, () => {
      this.#network.tellEnd(this, resetEnding)
      this.serverSide = 'reset'
    })
  }

  later(delayNs: number, happen: () => void): void {
    const happenIfOpen = () => {
      if (this.serverSide === 'open' && !this.isClosed) happen()
    }
    if (delayNs > 0) this.#network.queue.plan(delayNs, happenIfOpen)
    else happenIfOpen()
  }
}

const finEnding: Ending = { how: 'fin', kind: FailureKind.closed, text: '' }
const resetEnding = errorEnding(FailureKind.reset, 'connection reset by peer')

function errorEnding(kind: Ending['kind'], text: string): Ending {
  return { how: 'error', kind, text }
}

export type ServerOf = (endpoint: Endpoint) => SimulatedServer | undefined

export class SimulatedReactor implements Reactor {
  readonly name = 'simulated'
  readonly queue: EventQueue = new EventQueue()
  /** Connections ever opened. */
  openedCount = 0
  /** The largest number that were open at a time. */
  openCountMax = 0
  /** Connections that the system refuses to open from then on, as without descriptors. */
  openCountLimit: number = Number.POSITIVE_INFINITY
  alarmCount = 0
  readonly #serverOf: ServerOf
  readonly #faults: NetworkFaults
  readonly #random: Random
  readonly #lines = new Map<number, Line>()
  #sink: ReactorSink | undefined
  #isInSink = false
  #alarmOrder = 0
  #isStopped = false

  constructor(
    serverOf: ServerOf,
    options: { readonly seed: number; readonly faults?: NetworkFaults },
  ) {
    this.#serverOf = serverOf
    this.#faults = options.faults ?? calmNetwork
    this.#random = seededRandom(options.seed, 0x51b)
  }

  get isStopped(): boolean {
    return this.#isStopped
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
    if (this.#sink !== undefined) throw new BugError('a reactor is attached once')
    this.#sink = sink
  }

  allocate(byteCount: number): Uint8Array {
    return new Uint8Array(byteCount)
  }

  #latencyNs(): number {
    const { latencyNsMin, latencyNsMax } = this.#faults
    return latencyNsMin + this.#random.uniform() * (latencyNsMax - latencyNsMin)
  }

  #isLive(line: Line): boolean {
    return !this.#isStopped && this.#lines.get(line.slot) === line
  }

  /** Tells the sink something of a line that is still open and has not ended. */
  #tell(line: Line, tell: (sink: ReactorSink) => void): void {
    if (this.#isLive(line) && line.stage !== 'ended') this.#callSink(tell)
  }

  #callSink(tell: (sink: ReactorSink) => void): void {
    if (this.#isInSink) throw new BugError('the sink was called inside one of its own calls')
    if (this.#sink === undefined) throw new BugError('nobody is attached')
    this.#isInSink = true
    tell(this.#sink)
    this.#isInSink = false
  }

  connect(slot: number, endpoint: Endpoint): void {
    if (this.#isStopped) return
    if (this.#lines.has(slot)) throw new BugError(`slot ${slot} is open already`)
    const line = new Line(this, slot, endpoint)
    const isBeyondLimit = this.openCount >= this.openCountLimit
    this.#lines.set(slot, line)
    this.openedCount++
    this.openCountMax = Math.max(this.openCountMax, this.openCount)
    if (isBeyondLimit) {
      const ending = errorEnding(FailureKind.ownLimit, 'too many open files')
      this.queue.plan(0, () => this.#end(line, ending))
    } else this.#plan(line, 'toServerNs', () => this.#arrive(line))
  }

  #arrive(line: Line): void {
    const verdict = this.#serverOf(line.endpoint)?.accept(line) ?? 'refuse'
    if (verdict === 'drop') return
    if (verdict === 'refuse') {
      const text = `connection refused: ${line.endpoint.address}`
      this.tellEnd(line, errorEnding(FailureKind.connect, text))
      return
    }
    this.#plan(line, 'toClientNs', () =>
      this.#tell(line, (sink) => {
        line.stage = 'connected'
        sink.connected(line.slot)
      }),
    )
  }

  startTls(slot: number, profile: TlsProfile): void {
    const line = this.#lines.get(slot)
    if (line === undefined) throw new BugError(`TLS on slot ${slot}, which is not open`)
    if (line.stage === 'connecting') throw new BugError('TLS before connected')
    this.#plan(line, 'toServerNs', () => {
      const answer = this.#serverOf(line.endpoint)?.secure?.(line, profile) ?? 'silent'
      if (answer === 'secure') {
        this.#plan(line, 'toClientNs', () => this.#tell(line, (sink) => sink.secured(slot)))
      } else if (answer === 'fin') {
        this.tellEnd(line, errorEnding(FailureKind.tls, 'the peer closed the connection'))
      } else if (answer === 'fail') {
        this.tellEnd(line, errorEnding(FailureKind.tls, 'handshake failure'))
      }
    })
  }

  send(slot: number, bytes: Uint8Array): void {
    const line = this.#lines.get(slot)
    if (this.#isStopped) return
    if (line === undefined) throw new BugError(`send on slot ${slot}, which is not open`)
    if (line.stage === 'connecting') throw new BugError('sent before connected')
    if (line.sending !== undefined) throw new BugError('a second send before `sent`')
    const copy = bytes.slice()
    line.sending = { bytes, copy }
    this.queue.plan(this.#latencyNs() / 10, () => this.#finishSend(line))
    this.#plan(line, 'toServerNs', () => {
      if (line.serverSide === 'open') this.#serverOf(line.endpoint)?.received(line, copy)
      else if (line.serverSide === 'closed') this.#answerWithReset(line)
    })
  }

  #finishSend(line: Line): void {
    const { sending } = line
    if (sending === undefined || !this.#isLive(line)) return
    if (Buffer.compare(sending.bytes, sending.copy) !== 0) {
      throw new BugError('bytes were changed while they were being sent')
    }
    line.sending = undefined
    this.#tell(line, (sink) => sink.sent(line.slot))
  }

  #answerWithReset(line: Line): void {
    line.serverSide = 'reset'
    this.tellEnd(line, resetEnding)
  }

  /** Plans something in one direction of a line, behind everything planned there before. */
  #plan(line: Line, direction: 'toClientNs' | 'toServerNs', happen: () => void): void {
    const dueNs = Math.max(line[direction], this.queue.nowNs + Math.ceil(this.#latencyNs()))
    line[direction] = dueNs
    this.queue.plan(dueNs - this.queue.nowNs, happen)
  }

  /** For server lines: bytes on their way to the client. */
  deliver(line: Line, bytes: Uint8Array): void {
    if (line.lastPiece !== undefined && this.#random.uniform() < this.#faults.joinRatio) {
      line.lastPiece.bytes = joined(line.lastPiece.bytes, bytes)
      return
    }
    const splitAt =
      bytes.length > 1 && this.#random.uniform() < this.#faults.splitRatio
        ? 1 + this.#random.below(bytes.length - 1)
        : bytes.length
    for (const part of [bytes.subarray(0, splitAt), bytes.subarray(splitAt)]) {
      if (part.length === 0) continue
      const piece = { bytes: part }
      line.lastPiece = piece
      this.#plan(line, 'toClientNs', () => this.#deliverPiece(line, piece))
    }
  }

  #deliverPiece(line: Line, piece: Piece): void {
    if (line.lastPiece === piece) line.lastPiece = undefined
    const { bytes } = piece
    // An offset that is not 0 and a margin behind show whoever ignores `start` and `end`.
    const offset = this.#random.below(8)
    const view = new Uint8Array(offset + bytes.length + 8).fill(0x58)
    view.set(bytes, offset)
    this.#tell(line, (sink) => sink.data(line.slot, view, offset, offset + bytes.length))
    view.fill(0x5a)
  }

  /** For server lines: the end of their direction on its way to the client. */
  tellEnd(line: Line, ending: Ending): void {
    line.lastPiece = undefined
    this.#plan(line, 'toClientNs', () => this.#end(line, ending))
  }

  #end(line: Line, ending: Ending): void {
    this.#tell(line, (sink) => {
      line.stage = 'ended'
      sink.ended(line.slot, ending)
    })
  }

  close(slot: number): void {
    const line = this.#lines.get(slot)
    if (line === undefined) return
    this.#lines.delete(slot)
    this.#plan(line, 'toServerNs', () => {
      if (line.isClosed) return
      line.isClosed = true
      this.#serverOf(line.endpoint)?.closed(line)
    })
  }

  setAlarm(dueNs: number): void {
    const order = ++this.#alarmOrder
    if (dueNs === Number.POSITIVE_INFINITY) return
    const waitNs = dueNs - this.queue.nowNs
    this.queue.plan(waitNs > 0 ? waitNs : TURN_NS, () => {
      if (order !== this.#alarmOrder || this.#isStopped) return
      this.alarmCount++
      this.#callSink((sink) => sink.alarm())
    })
  }

  wake(): void {
    this.queue.plan(0, () => {
      if (!this.#isStopped) this.#callSink((sink) => sink.woken())
    })
  }

  /** @throws {BugError} when nothing will ever happen again although nobody stopped. */
  run(): void {
    let eventCount = 0
    while (!this.#isStopped) {
      if (this.queue.isEmpty) throw new BugError('the run hangs: nothing is planned any more')
      if (++eventCount > EVENT_COUNT_MAX) throw new BugError('the run goes round in circles')
      this.queue.step()
    }
    // Whatever is under way happens at the servers, so that they know what was closed.
    while (!this.queue.isEmpty) this.queue.step()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    for (const slot of [...this.#lines.keys()]) this.close(slot)
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
