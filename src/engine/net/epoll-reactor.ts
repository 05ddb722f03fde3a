/**
 * The reactor on Linux's epoll, through foreign calls: one thread, blocked in its own loop.
 *
 * `run` returns only after `stop`, and until then no promise, timer or message of JavaScript's is
 * served in this thread; whoever wants something of it calls `wake` (a write to an eventfd, which
 * also another thread may do) and is heard by the sink's `woken`.
 *
 * Descriptors are registered once, edge-triggered, for reading and writing. A read that does not
 * fill the buffer has emptied the socket, so in the usual case a response costs one `recv`; only
 * where the same edge told of the peer's end is the socket read until that end comes.
 */
import { invariant } from '../../base/errors.ts'
import type { Ending, Endpoint, ReactorSink, TlsFacts, TlsProfile } from '../reactor.ts'
import type { BlockingReactor } from './blocking-reactor.ts'
import {
  AF_INET,
  AF_INET6,
  EAGAIN,
  EINPROGRESS,
  EINTR,
  EPOLL_CTL_ADD,
  EPOLLERR,
  EPOLLET,
  EPOLLHUP,
  EPOLLIN,
  EPOLLOUT,
  EPOLLRDHUP,
  EVENTFD_FLAGS,
  type Libc,
  loadLibc,
  MSG_NOSIGNAL,
  SO_ERROR,
  SOCKET_FLAGS,
  SOL_SOCKET,
} from './libc.ts'
import {
  failedEnding,
  finishedEnding,
  Stage,
  type StagedLine,
  type StageNumber,
} from './line-stage.ts'
import { MappedSlab } from './mapped-slab.ts'
import { monotonicNs } from './monotonic-clock.ts'
import { forgetSends, type Hasty, hurry } from './no-delay.ts'
import { dropTimerSlack, sleepNs } from './punctual.ts'
import { ReactorClock } from './reactor-clock.ts'
import { SOCKADDR_BYTES_MAX, writeSocketAddress } from './socket-address.ts'
import { SocketSettings, type SocketWishes } from './socket-settings.ts'
import { OUTPUT_BYTES_MAX, TlsEngine, type TlsSession } from './tls-engine.ts'
import { stepTls, type TlsCarrier } from './tls-steps.ts'
import { wakeUp } from './wake-up.ts'

const EVENT_COUNT = 512
const EVENT_BYTES = 12
const RECEIVE_BYTES = 65_536
/** A socket is read this often in a row before the others get their turn. */
const READ_COUNT_MAX = 16
const SMALL_BYTES = 64
/** Events between two readings of the clock. */
const CLOCK_EVENT_COUNT = 16

/** What the thread's memory for calls looks like, as offsets. */
const EVENTS_AT = 0
const RECEIVE_AT: number = Math.ceil((EVENT_COUNT * EVENT_BYTES) / 4096) * 4096
const SMALL_AT: number = RECEIVE_AT + RECEIVE_BYTES
const ADDRESS_AT: number = SMALL_AT + SMALL_BYTES
const TIMESPEC_AT: number = ADDRESS_AT + SMALL_BYTES
const MEMORY_BYTES: number = TIMESPEC_AT + SMALL_BYTES

const COPY_BYTES_AT_FIRST = 2048

class Line implements StagedLine, Hasty {
  slot = -1
  fd = -1
  stage: StageNumber = Stage.connecting
  endpoint: Endpoint | undefined
  tls: TlsSession | undefined
  /** What of the last `send` the system has not taken yet. */
  pending: Uint8Array | undefined
  /** The sink waits for `sent`. */
  owesSent = false
  hasSent = false
  isUndelayed = false
  /** Why there is no connection, found inside a call of the sink's. */
  connectErrno = 0
  /** Room for copies: at most one send is under way. */
  #copy: Uint8Array | undefined
  /** There may be more to read although no further edge will come. */
  isReadable = false
  /** The peer has finished or is gone: no further edge will say so, the socket is read to its end. */
  isHungUp = false

  /** `bytes` in memory that does not move, until the next copy. */
  copied(bytes: Uint8Array, slab: MappedSlab): Uint8Array {
    if (this.#copy === undefined || this.#copy.length < bytes.length) {
      this.#copy = slab.allocate(Math.max(COPY_BYTES_AT_FIRST, 2 * bytes.length))
    }
    const copy = this.#copy.subarray(0, bytes.length)
    copy.set(bytes)
    return copy
  }
}

export class EpollReactor implements BlockingReactor {
  readonly name = 'epoll'
  tlsFacts: TlsFacts | null = null
  readonly #libc: Libc
  readonly #slab: MappedSlab
  readonly #memory: Uint8Array
  readonly #base: number
  readonly #words: Int32Array
  readonly #view: DataView
  /** For the values of options. */
  readonly #small: { readonly address: number; readonly view: DataView }
  /** Whose address is in the memory for it. */
  #lastEndpoint: Endpoint | undefined
  #addressBytes = 0
  readonly #epollFd: number
  readonly #socketSettings: SocketSettings
  readonly wakeFd: number
  readonly #clock: ReactorClock
  readonly #lines: (Line | undefined)[] = []
  /** By descriptor, which is what an event names. */
  readonly #byFd: (Line | undefined)[] = []
  readonly #free: Line[] = []
  /** Things to tell once the sink is not being called: what `connect` and `send` found at once. */
  #owed: Line[] = []
  #owedCount = 0
  /** The list that is being told from; the two change places. */
  #paying: Line[] = []
  #tlsEngine: TlsEngine | undefined
  readonly #carrier: TlsCarrier<Line> = {
    agreed: (tls) => {
      this.tlsFacts ??= tls.facts()
    },
    flush: (line) => this.#flushTls(line),
    tell: (line, ending) => this.#tell(line, ending),
  }
  #sink!: ReactorSink
  #alarmDueNs: number = Number.POSITIVE_INFINITY
  #isPunctual = false
  #isStopped = false
  /** Time in the kernel waiting for events, ns: the rest of the run the thread was busy. */
  waitedNs = 0

  /**
   * `epochNs`: the run's start on the system's monotonic clock.
   * @throws {EnvironmentError} where epoll cannot be had through foreign calls.
   */
  constructor(epochNs: number = monotonicNs(), sockets: SocketWishes = {}) {
    this.#libc = loadLibc()
    this.#slab = new MappedSlab(this.#libc)
    this.#socketSettings = new SocketSettings(this.#libc, this.#slab, sockets)
    const { address, bytes } = this.#libc.map(MEMORY_BYTES)
    this.#memory = bytes
    this.#base = address
    this.#words = new Int32Array(bytes.buffer, EVENTS_AT, (EVENT_COUNT * EVENT_BYTES) / 4)
    this.#view = new DataView(bytes.buffer)
    this.#small = {
      address: address + SMALL_AT,
      view: new DataView(bytes.buffer, SMALL_AT, SMALL_BYTES),
    }
    this.#epollFd = this.#libc.epoll_create1(0)
    this.wakeFd = this.#libc.eventfd(0, EVENTFD_FLAGS)
    invariant(this.#epollFd >= 0 && this.wakeFd >= 0, 'epoll and eventfd can be had')
    this.#register(this.wakeFd, EPOLLIN)
    this.#clock = new ReactorClock(epochNs)
  }

  /** As of the event that is being told: at most `CLOCK_EVENT_COUNT` events old. */
  nowNs(): number {
    return this.#clock.nowNs
  }

  refreshNowNs(): number {
    return this.#clock.read()
  }

  attach(sink: ReactorSink): void {
    this.#sink = sink
    this.#clock.read()
  }

  allocate(byteCount: number): Uint8Array {
    return this.#slab.allocate(byteCount)
  }

  #register(fd: number, events: number): void {
    this.#view.setUint32(SMALL_AT, events >>> 0, true)
    this.#view.setInt32(SMALL_AT + 4, fd, true)
    this.#view.setInt32(SMALL_AT + 8, 0, true)
    this.#libc.epoll_ctl(this.#epollFd, EPOLL_CTL_ADD, fd, this.#base + SMALL_AT)
  }

  connect(slot: number, endpoint: Endpoint): void {
    if (this.#isStopped) return
    invariant(this.#lines[slot] === undefined, 'a slot is closed before it is opened again')
    const line = this.#free.pop() ?? new Line()
    line.slot = slot
    line.stage = Stage.connecting
    line.endpoint = endpoint
    this.#lines[slot] = line
    const family = endpoint.family === 4 ? AF_INET : AF_INET6
    line.fd = this.#libc.socket(family, SOCKET_FLAGS, 0)
    if (line.fd < 0) {
      this.#owe(line)
      line.connectErrno = this.#libc.errno()
      return
    }
    this.#byFd[line.fd] = line
    const settingErrno = this.#socketSettings.apply(line.fd, endpoint.family)
    if (settingErrno !== 0) {
      this.#owe(line)
      line.connectErrno = settingErrno
      return
    }
    if (endpoint !== this.#lastEndpoint) this.#writeAddress(endpoint)
    const address = this.#base + ADDRESS_AT
    const result = this.#libc.connect(line.fd, address, this.#addressBytes)
    const errno = result === 0 ? 0 : this.#libc.errno()
    if (errno !== 0 && errno !== EINPROGRESS) {
      this.#owe(line)
      line.connectErrno = errno
      return
    }
    this.#register(line.fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET)
  }

  /** Most connections go where the last one went. */
  #writeAddress(endpoint: Endpoint): void {
    const into = this.#memory.subarray(ADDRESS_AT, ADDRESS_AT + SOCKADDR_BYTES_MAX)
    this.#addressBytes = writeSocketAddress(endpoint, into, this.#libc)
    this.#lastEndpoint = endpoint
  }

  #owe(line: Line): void {
    this.#owed[this.#owedCount++] = line
  }

  startTls(slot: number, profile: TlsProfile): void {
    const line = this.#lines[slot]
    if (line === undefined) return
    this.#tlsEngine ??= new TlsEngine(this.#libc)
    line.tls = this.#tlsEngine.open(profile)
    line.stage = Stage.handshake
    this.#owe(line)
  }

  /** HOT (bench/macro/main.ts). */
  send(slot: number, bytes: Uint8Array): void {
    const line = this.#lines[slot]
    if (line === undefined || line.stage === Stage.ended) return
    line.owesSent = true
    this.#owe(line)
    const sendable = this.#sendable(line, bytes)
    if (line.tls !== undefined) {
      line.tls.encrypt(this.#slab.addressOf(sendable), sendable.length)
      this.#flushTls(line)
      return
    }
    this.#sendNow(line, sendable)
  }

  /** HOT (bench/macro/main.ts). The bytes in memory that does not move. */
  #sendable(line: Line, bytes: Uint8Array): Uint8Array {
    if (this.#slab.addressOf(bytes) !== 0) return bytes
    return line.copied(bytes, this.#slab)
  }

  /** HOT (bench/macro/main.ts). Hands over what the system takes and keeps the rest. */
  #sendNow(line: Line, sendable: Uint8Array): void {
    const address = this.#slab.addressOf(sendable)
    hurry(line, this.#libc, this.#small)
    const count = this.#libc.send(line.fd, address, sendable.length, MSG_NOSIGNAL)
    if (count === sendable.length) {
      line.pending = undefined
      return
    }
    // An error shows again, with its reason, when the socket is read.
    line.pending = count > 0 ? sendable.subarray(count) : sendable
  }

  /** Sends what the TLS engine has to say; keeps a copy of what the system does not take. */
  #flushTls(line: Line): void {
    if (line.pending !== undefined) return
    const tls = line.tls!
    for (;;) {
      const byteCount = tls.takeOutput()
      if (byteCount === 0) return
      hurry(line, this.#libc, this.#small)
      const count = this.#libc.send(line.fd, tls.outputAddress, byteCount, MSG_NOSIGNAL)
      if (count === byteCount) {
        if (byteCount < OUTPUT_BYTES_MAX) return
        continue
      }
      const rest = tls.output.subarray(Math.max(count, 0), byteCount)
      line.pending = line.copied(rest, this.#slab)
      return
    }
  }

  close(slot: number): void {
    const line = this.#lines[slot]
    if (line === undefined) return
    this.#lines[slot] = undefined
    if (line.fd >= 0) {
      this.#byFd[line.fd] = undefined
      this.#closing.push(line.fd)
    }
    line.tls?.close()
    line.tls = undefined
    line.fd = -1
    line.slot = -1
    line.pending = undefined
    line.owesSent = false
    forgetSends(line)
    line.connectErrno = 0
    line.isReadable = false
    line.isHungUp = false
    line.stage = Stage.ended
    // Somebody up the stack may still hold this line: it serves again from the next turn on.
    this.#retired.push(line)
  }

  readonly #retired: Line[] = []
  /**
   * Descriptors to close once this turn's events are told: a number that was used again at once
   * would be taken for the connection that an event of the same turn is about.
   */
  readonly #closing: number[] = []

  setAlarm(dueNs: number): void {
    this.#alarmDueNs = dueNs
  }

  wake(): void {
    wakeUp(this.wakeFd)
  }

  run(): void {
    while (!this.#isStopped) this.#turn()
    this.#end()
  }

  #turn(): void {
    const beforeNs = this.#clock.nowNs
    const waitMs = this.#waitMs()
    const eventCount =
      this.#isPunctual && waitMs > 0
        ? this.#waitPunctually()
        : this.#libc.epoll_wait(this.#epollFd, this.#base + EVENTS_AT, EVENT_COUNT, waitMs)
    this.#clock.read()
    if (waitMs !== 0 || eventCount === 0) this.waitedNs += this.#clock.nowNs - beforeNs
    for (let index = 0; index < eventCount && !this.#isStopped; index++) {
      if (index % CLOCK_EVENT_COUNT === CLOCK_EVENT_COUNT - 1) this.#clock.read()
      this.#event(this.#words[index * 3]!, this.#words[index * 3 + 1]!)
    }
    this.#payDebts()
    if (!this.#isStopped && this.#clock.nowNs >= this.#alarmDueNs) {
      this.#alarmDueNs = Number.POSITIVE_INFINITY
      this.#sink.alarm()
      this.#payDebts()
    }
    this.#clearUp()
  }

  #clearUp(): void {
    if (this.#retired.length === 0) return
    for (let index = 0; index < this.#closing.length; index++) {
      this.#libc.close(this.#closing[index]!)
    }
    this.#closing.length = 0
    for (let index = 0; index < this.#retired.length; index++) {
      this.#free.push(this.#retired[index]!)
    }
    this.#retired.length = 0
  }

  bePunctual(): void {
    dropTimerSlack(this.#libc)
    // The turn of Linux 5.11: before it sleeping in whole milliseconds has to do.
    this.#isPunctual = this.#sleep(1) >= 0
  }

  /** Until a little before the alarm; what is left is waited for without sleeping. */
  #waitPunctually(): number {
    const waitNs = sleepNs(this.#alarmDueNs, this.#clock.nowNs, true)
    return this.#sleep(waitNs)
  }

  #sleep(waitNs: number): number {
    const seconds = Math.floor(waitNs / 1e9)
    this.#view.setUint32(TIMESPEC_AT, Math.min(seconds, 2 ** 31 - 1), true)
    this.#view.setUint32(TIMESPEC_AT + 8, Math.floor(waitNs - seconds * 1e9), true)
    return this.#libc.epoll_pwait2(
      this.#epollFd,
      this.#base + EVENTS_AT,
      EVENT_COUNT,
      this.#base + TIMESPEC_AT,
    )
  }

  #waitMs(): number {
    if (this.#owedCount > 0) return 0
    if (this.#alarmDueNs === Number.POSITIVE_INFINITY) return -1
    return Math.max(
      0,
      Math.min(Math.ceil((this.#alarmDueNs - this.#clock.nowNs) / 1e6), 2 ** 31 - 1),
    )
  }

  /** HOT (bench/macro/main.ts). */
  #event(events: number, fd: number): void {
    if (fd === this.wakeFd) {
      this.#libc.read(fd, this.#base + SMALL_AT, 8)
      this.#sink.woken()
      return
    }
    const line = this.#byFd[fd]
    if (line === undefined || line.stage === Stage.ended) return
    if (line.stage === Stage.connecting && !this.#connected(line, events)) return
    if ((events & EPOLLOUT) !== 0 && line.pending !== undefined) this.#sendRest(line)
    if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) !== 0) line.isHungUp = true
    if ((events & EPOLLIN) !== 0 || line.isHungUp) this.#read(line)
  }

  /** False when the connection did not come about, or is gone again. */
  #connected(line: Line, events: number): boolean {
    if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) === 0) return false
    if ((events & (EPOLLERR | EPOLLHUP)) !== 0) {
      this.#view.setInt32(SMALL_AT, 0, true)
      this.#view.setInt32(SMALL_AT + 8, 4, true)
      const [value, size] = [this.#base + SMALL_AT, this.#base + SMALL_AT + 8]
      this.#libc.getsockopt(line.fd, SOL_SOCKET, SO_ERROR, value, size)
      const errno = this.#view.getInt32(SMALL_AT, true)
      if (errno !== 0) {
        this.#fail(line, errno)
        return false
      }
    }
    const { fd } = line
    line.stage = Stage.open
    this.#sink.connected(line.slot)
    return this.#byFd[fd] === line
  }

  #sendRest(line: Line): void {
    this.#sendNow(line, line.pending!)
    if (line.pending === undefined) {
      if (line.tls !== undefined) this.#flushTls(line)
      this.#owe(line)
    }
  }

  /** HOT (bench/macro/main.ts). Reads until the socket is empty, or it is others' turn. */
  #read(line: Line): void {
    const { fd } = line
    for (let readCount = 0; readCount < READ_COUNT_MAX; readCount++) {
      const count = this.#libc.recv(fd, this.#base + RECEIVE_AT, RECEIVE_BYTES, 0)
      if (count > 0) {
        this.#deliver(line, count)
        // The sink may have closed the slot, and opened another connection with this descriptor.
        if (this.#byFd[fd] !== line || line.fd !== fd || line.stage === Stage.ended) return
        if (count < RECEIVE_BYTES && !line.isHungUp) return
        continue
      }
      if (count === 0) {
        this.#tell(line, finishedEnding(line))
        return
      }
      const errno = this.#libc.errno()
      if (errno === EINTR) continue
      if (errno !== EAGAIN) this.#fail(line, errno)
      return
    }
    line.isReadable = true
    this.#owe(line)
  }

  /** HOT (bench/macro/main.ts). */
  #deliver(line: Line, count: number): void {
    if (line.tls === undefined) {
      this.#sink.data(line.slot, this.#memory, RECEIVE_AT, RECEIVE_AT + count)
      return
    }
    line.tls.receive(this.#base + RECEIVE_AT, count)
    stepTls(line, this.#sink, this.#carrier)
  }

  #fail(line: Line, errno: number): void {
    this.#tell(line, failedEnding(line, errno))
  }

  #tell(line: Line, ending: Ending): void {
    if (line.stage === Stage.ended) return
    line.stage = Stage.ended
    this.#sink.ended(line.slot, ending)
  }

  /** Tells what could not be told inside the sink's own calls. */
  #payDebts(): void {
    // What the sink does meanwhile may add to the debts: they wait for the next turn.
    const owed = this.#owed
    const count = this.#owedCount
    if (count === 0) return
    this.#owed = this.#paying
    this.#paying = owed
    this.#owedCount = 0
    for (let index = 0; index < count; index++) {
      if (this.#isStopped) return
      const line = owed[index]!
      if (line.slot < 0) continue
      if (line.connectErrno !== 0) {
        const errno = line.connectErrno
        line.connectErrno = 0
        this.#fail(line, errno)
        continue
      }
      if (line.stage === Stage.handshake) stepTls(line, this.#sink, this.#carrier)
      if (line.owesSent && line.pending === undefined && line.slot >= 0) {
        line.owesSent = false
        this.#sink.sent(line.slot)
      }
      if (line.isReadable && line.stage !== Stage.ended) {
        line.isReadable = false
        this.#read(line)
      }
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  /**
   * Everything the loop held is given back but `wakeFd`: another thread may be about to write to
   * it, so whoever knows that nobody will closes it.
   */
  #end(): void {
    for (let slot = 0; slot < this.#lines.length; slot++) this.close(slot)
    this.#clearUp()
    this.#libc.close(this.#epollFd)
    this.#tlsEngine?.close()
  }
}
