/**
 * The reactor on Linux's io_uring, through foreign calls: one thread, blocked in its own loop.
 *
 * Like the reactor on epoll it serves nothing of JavaScript's own while it runs. Other than there,
 * work is only noted in memory shared with the kernel: one system call a turn hands over what all
 * connections want and brings back what has become of it.
 *
 * Each connection keeps one receive armed, which completes whenever bytes come, in buffers that the
 * kernel picks. The first one completes once: a connection that serves one short exchange is closed
 * then, with nothing to cancel. So do those of a connection that carries large bodies: the rest of
 * what has come is read by plain calls. Sockets block: on others io_uring would give up where it is
 * to wait.
 */
import { invariant } from '../../base/errors.ts'
import type { Ending, Endpoint, ReactorSink, TlsFacts, TlsProfile } from '../reactor.ts'
import type { BlockingReactor } from './blocking-reactor.ts'
import {
  AF_INET,
  AF_INET6,
  EAGAIN,
  EINTR,
  EVENTFD_FLAGS,
  type Libc,
  loadLibc,
  MSG_NOSIGNAL,
  SOCK_CLOEXEC,
  SOCK_STREAM,
} from './libc.ts'
import { failedEnding, finishedEnding, Stage } from './line-stage.ts'
import { MappedSlab } from './mapped-slab.ts'
import { monotonicNs } from './monotonic-clock.ts'
import { hurry } from './no-delay.ts'
import { dropTimerSlack, sleepNs } from './punctual.ts'
import { ReactorClock } from './reactor-clock.ts'
import { SocketSettings, type SocketWishes } from './socket-settings.ts'
import { TlsEngine } from './tls-engine.ts'
import { stepTls, type TlsCarrier } from './tls-steps.ts'
import { BUFFER_BYTES, UringBuffers } from './uring-buffers.ts'
import { carriesBulk, UringBulk } from './uring-bulk.ts'
import {
  CQE_BUFFER,
  CQE_BUFFER_SHIFT,
  CQE_MORE,
  ECANCELED,
  EMFILE,
  ENFILE,
  ENOBUFS,
  EPIPE,
  loadUringCalls,
  MSG_WAITALL,
  Op,
  POLLIN,
  RECV_MULTISHOT,
  RECV_POLL_FIRST,
  SQE_BUFFER_SELECT,
  SQE_CQE_SKIP_SUCCESS,
  type UringCalls,
} from './uring-calls.ts'
import { Operation, type OperationNumber, UringLine } from './uring-line.ts'
import { UringRing, uringRefusal } from './uring-ring.ts'
import { type UringTuning, usualTuning } from './uring-tuning.ts'
import { wakeUp } from './wake-up.ts'

/** Completions between two readings of the clock. */
const CLOCK_EVENT_COUNT = 16
/** Output of TLS that is sent at a time. */
const OUTPUT_BYTES_MAX = 65_536
/** Kinds of completions besides those of lines: none of a line's bits. */
const NOTHING = 0
const WAKE = 8
/** The end waits so long for what is under way. */
const END_WAIT_NS = 50e6
const END_TURN_COUNT_MAX = 40
const FIRST_RECV_FLAGS: number = SQE_BUFFER_SELECT | (RECV_POLL_FIRST << 8)
const RECV_FLAGS: number = SQE_BUFFER_SELECT | (RECV_MULTISHOT << 8)

export class UringReactor implements BlockingReactor {
  readonly name = 'uring'
  tlsFacts: TlsFacts | null = null
  readonly #calls: UringCalls
  readonly #libc: Libc
  readonly #slab: MappedSlab
  readonly #ring: UringRing
  readonly #buffers: UringBuffers
  readonly #bulk: UringBulk
  /** For the values of options. */
  readonly #small: { readonly address: number; readonly view: DataView }
  readonly wakeFd: number
  readonly #socketSettings: SocketSettings
  readonly #clock: ReactorClock
  /** By slot. */
  readonly #lines: (UringLine | undefined)[] = []
  /** By id, which is what a completion names. */
  readonly #byId: UringLine[] = []
  readonly #free: UringLine[] = []
  /** Closed in this turn: somebody up the stack may still hold them. */
  readonly #retired: UringLine[] = []
  #closingCount = 0
  /** Things to tell once the sink is not being called. */
  #owed: UringLine[] = []
  #tlsEngine: TlsEngine | undefined
  #plainBytes: Uint8Array = new Uint8Array(0)
  readonly #carrier: TlsCarrier<UringLine> = {
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
  #isWakeArmed = false
  /** One call both works and waits, so this is the time in which the thread had no core. */
  waitedNs = 0

  /**
   * `epochNs`: the run's start on the system's monotonic clock. The thread that makes it runs it.
   * @throws {EnvironmentError} where io_uring cannot be had.
   */
  constructor(
    epochNs: number = monotonicNs(),
    sockets: SocketWishes = {},
    tuning: UringTuning = usualTuning,
  ) {
    this.#libc = loadLibc()
    this.#calls = loadUringCalls()
    this.#slab = new MappedSlab(this.#libc)
    this.#socketSettings = new SocketSettings(this.#libc, this.#slab, sockets)
    this.#ring = new UringRing(this.#calls, this.#libc, tuning)
    this.#buffers = this.#makeBuffers(tuning)
    this.#bulk = new UringBulk(this.#libc, this.#calls)
    const { address, bytes } = this.#ring.arguments
    this.#small = { address, view: new DataView(bytes.buffer) }
    this.wakeFd = this.#makeWakeFd()
    this.#clock = new ReactorClock(epochNs)
  }

  /** A ring without buffers is of no use: it is given back. */
  #makeBuffers(tuning: UringTuning): UringBuffers {
    try {
      return new UringBuffers(this.#calls, this.#ring, tuning)
    } catch (error) {
      this.#ring.close()
      throw error
    }
  }

  /** Without it there is no reactor, and what was made for it is given back. */
  #makeWakeFd(): number {
    const fd = this.#libc.eventfd(0, EVENTFD_FLAGS)
    if (fd >= 0) return fd
    const errno = this.#libc.errno()
    this.#ring.close()
    this.#buffers.close()
    throw uringRefusal(errno)
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

  connect(slot: number, endpoint: Endpoint): void {
    if (this.#isStopped) return
    invariant(this.#lines[slot] === undefined, 'a slot is closed before it is opened again')
    const line = this.#free.pop() ?? this.#newLine()
    line.open(slot, endpoint, this.#libc)
    this.#lines[slot] = line
    line.fd = this.#socket(endpoint.family === 4 ? AF_INET : AF_INET6)
    if (line.fd < 0) {
      line.connectErrno = this.#libc.errno()
      this.#owed.push(line)
      return
    }
    const settingErrno = this.#socketSettings.apply(line.fd, endpoint.family)
    if (settingErrno !== 0) {
      line.connectErrno = settingErrno
      this.#owed.push(line)
      return
    }
    this.#begin(line, Operation.connect)
    this.#ring.submit(
      Op.connect,
      0,
      line.fd,
      line.id,
      Operation.connect,
      line.addressAt,
      0,
      0,
      line.addressBytes,
    )
  }

  #newLine(): UringLine {
    const line = new UringLine(this.#byId.length, this.#slab)
    this.#byId.push(line)
    return line
  }

  /** A descriptor whose close is only noted yet counts as one that is free. */
  #socket(family: number): number {
    const fd = this.#libc.socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)
    if (fd >= 0) return fd
    const errno = this.#libc.errno()
    if (errno !== EMFILE && errno !== ENFILE) return fd
    this.#ring.flush()
    return this.#libc.socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)
  }

  #begin(line: UringLine, operation: OperationNumber): void {
    line.underWay |= operation
  }

  startTls(slot: number, profile: TlsProfile): void {
    const line = this.#lines[slot]
    if (line === undefined) return
    this.#tlsEngine ??= new TlsEngine(this.#libc)
    line.tls = this.#tlsEngine.open(profile)
    line.stage = Stage.handshake
    this.#owed.push(line)
  }

  /** HOT (bench/macro/main.ts). */
  send(slot: number, bytes: Uint8Array): void {
    const line = this.#lines[slot]
    if (line === undefined || line.stage === Stage.ended) return
    line.owesSent = true
    let address = this.#slab.addressOf(bytes)
    if (line.tls !== undefined) {
      if (address === 0) address = this.#copied(bytes)
      line.tls.encrypt(address, bytes.length)
      this.#flushTls(line)
      return
    }
    if (address === 0) {
      line.reserve(bytes.length).set(bytes)
      address = line.outputAt
    }
    this.#send(line, address, bytes.length)
  }

  /** For TLS, which has read them when its call returns; its output is what the lines' memory is for. */
  #copied(bytes: Uint8Array): number {
    if (this.#plainBytes.length < bytes.length) {
      this.#plainBytes = this.#slab.allocate(2 * bytes.length)
    }
    this.#plainBytes.set(bytes)
    return this.#slab.addressOf(this.#plainBytes)
  }

  /** HOT (bench/macro/main.ts). The kernel reads the memory until the send has completed. */
  #send(line: UringLine, address: number, byteCount: number): void {
    hurry(line, this.#libc, this.#small)
    line.sendAddress = address
    line.sendBytes = byteCount
    this.#begin(line, Operation.send)
    const flags = MSG_NOSIGNAL | MSG_WAITALL
    const { fd, id } = line
    this.#ring.submit(Op.send, 0, fd, id, Operation.send, address, byteCount, flags, 0)
  }

  /** Sends what the TLS engine has to say, as much as fits into the line's memory. */
  #flushTls(line: UringLine): void {
    if ((line.underWay & Operation.send) !== 0) return
    const { length } = line.reserve(1)
    const count = line.tls!.readOutput(line.outputAt, length)
    if (count === 0) return
    this.#send(line, line.outputAt, count)
  }

  /** HOT (bench/macro/main.ts). */
  #receive(line: UringLine, flags: number): void {
    this.#begin(line, Operation.recv)
    this.#ring.submit(Op.recv, flags, line.fd, line.id, Operation.recv, 0, 0, 0, 0)
  }

  close(slot: number): void {
    const line = this.#lines[slot]
    if (line === undefined) return
    this.#lines[slot] = undefined
    const isSending = (line.underWay & Operation.send) !== 0
    // A socket lives as long as an operation on it does, so these end first.
    this.#cancel(line, Operation.connect)
    this.#cancel(line, Operation.send)
    this.#cancel(line, Operation.recv)
    if (line.fd >= 0) {
      this.#ring.submit(Op.close, SQE_CQE_SKIP_SUCCESS, line.fd, 0, NOTHING, 0, 0, 0, 0)
    }
    // What is being sent is the caller's again, who may write over it at once.
    if (isSending) this.#ring.flush()
    line.shut()
    this.#closingCount++
    this.#retired.push(line)
  }

  #cancel(line: UringLine, operation: OperationNumber): void {
    if ((line.underWay & operation) === 0) return
    // What is cancelled is named as its completions name it: as one number, in the address field.
    const name = operation * 2 ** 32 + line.id
    this.#ring.submit(Op.asyncCancel, SQE_CQE_SKIP_SUCCESS, -1, 0, NOTHING, name, 0, 0, 0)
  }

  setAlarm(dueNs: number): void {
    this.#alarmDueNs = dueNs
  }

  bePunctual(): void {
    dropTimerSlack(this.#libc)
    this.#isPunctual = true
  }

  wake(): void {
    wakeUp(this.wakeFd)
  }

  run(): void {
    const beginNs = this.#clock.read()
    const workedBeforeNs = this.#calls.threadWorkedNs(this.#ring.arguments)
    while (!this.#isStopped) this.#turn()
    const workedNs = this.#calls.threadWorkedNs(this.#ring.arguments) - workedBeforeNs
    this.waitedNs = Math.max(0, this.#clock.read() - beginNs - workedNs)
    this.#end()
  }

  #turn(): void {
    if (!this.#isWakeArmed) this.#armWake()
    const isBehind = this.#owed.length > 0
    this.#buffers.publish()
    const waitNs = sleepNs(this.#alarmDueNs, this.#clock.nowNs, this.#isPunctual)
    this.#ring.enter(isBehind ? 0 : waitNs)
    this.#clock.read()
    this.#reap()
    this.#payDebts()
    if (!this.#isStopped && this.#clock.nowNs >= this.#alarmDueNs) {
      this.#alarmDueNs = Number.POSITIVE_INFINITY
      this.#sink.alarm()
      this.#payDebts()
    }
    this.#clearUp()
  }

  #armWake(): void {
    this.#isWakeArmed = true
    this.#ring.submit(Op.pollAdd, 0, this.wakeFd, 0, WAKE, 0, 0, POLLIN, 0)
  }

  /** HOT (bench/macro/main.ts). Tells what has completed. */
  #reap(): void {
    const ring = this.#ring
    for (let count = 1; ; count++) {
      const at = ring.next()
      if (at < 0) break
      if (count % CLOCK_EVENT_COUNT === 0) this.#clock.read()
      const kind = ring.highOf(at)
      if (kind === NOTHING) continue
      if (kind === WAKE) this.#woken()
      else this.#completed(this.#byId[ring.lowOf(at)]!, kind, ring.resultOf(at), ring.flagsOf(at))
    }
    ring.release()
  }

  #woken(): void {
    this.#isWakeArmed = false
    this.#libc.read(this.wakeFd, this.#ring.arguments.address, 8)
    if (!this.#isStopped) this.#sink.woken()
  }

  /** HOT (bench/macro/main.ts). */
  #completed(line: UringLine, kind: number, result: number, flags: number): void {
    if ((flags & CQE_MORE) === 0) line.underWay &= ~kind
    if (kind === Operation.recv) {
      if (line.slot >= 0 && !this.#isStopped) this.#received(line, result, flags)
      if ((flags & CQE_BUFFER) !== 0) this.#buffers.giveBack(flags >>> CQE_BUFFER_SHIFT)
    } else if (line.slot >= 0 && !this.#isStopped) {
      if (kind === Operation.send) this.#sendCompleted(line, result)
      else this.#connected(line, result)
    }
    // A line closed in this turn is set free at its end.
    if (line.slot < 0 && line.underWay === 0 && line.isLingering) this.#release(line)
  }

  #connected(line: UringLine, result: number): void {
    if (result < 0) {
      this.#fail(line, -result)
      return
    }
    line.stage = Stage.open
    this.#receive(line, FIRST_RECV_FLAGS)
    this.#sink.connected(line.slot)
  }

  /** HOT (bench/macro/main.ts). */
  #received(line: UringLine, result: number, flags: number): void {
    if (line.stage === Stage.ended) return
    if (result > 0) {
      // The kernel may tell of an answer before it tells that the request was taken.
      if ((line.underWay & Operation.send) !== 0) this.#sendTakenAhead(line)
      if (line.slot < 0) return
      const { bytes, address } = this.#buffers
      this.#deliver(line, bytes, address, this.#buffers.startOf(flags >>> CQE_BUFFER_SHIFT), result)
      if (result === BUFFER_BYTES || line.shortReceivesLeft > 0) this.#receivedBulk(line, result)
      this.#keepReceiving(line)
      return
    }
    if (result === 0) {
      if (line.sendErrno === 0) this.#tell(line, finishedEnding(line))
      else this.#fail(line, line.sendErrno)
      return
    }
    if (result === -ENOBUFS) this.#buffers.grow()
    else if (result !== -EINTR && result !== -EAGAIN && result !== -ECANCELED) {
      this.#fail(line, -result)
      return
    }
    this.#keepReceiving(line)
  }

  /** More than a buffer's bytes may have come: they are read here once no receive is armed. */
  #receivedBulk(line: UringLine, byteCount: number): void {
    if (line.slot < 0 || line.stage === Stage.ended) return
    const wasBulk = line.shortReceivesLeft > 0
    if (!carriesBulk(line, byteCount === BUFFER_BYTES)) return
    if ((line.underWay & Operation.recv) === 0) this.#bulk.drain(line, this.#deliverBulk)
    else if (!wasBulk) this.#cancel(line, Operation.recv)
  }

  readonly #deliverBulk = (line: UringLine, byteCount: number): boolean => {
    this.#clock.read()
    this.#deliver(line, this.#bulk.bytes, this.#bulk.address, 0, byteCount)
    return line.slot >= 0 && line.stage !== Stage.ended
  }

  /** HOT (bench/macro/main.ts). The kernel may end a receive though the connection goes on. */
  #keepReceiving(line: UringLine): void {
    const isOpen = line.slot >= 0 && line.stage !== Stage.ended
    if (!isOpen || (line.underWay & Operation.recv) !== 0) return
    this.#receive(line, line.shortReceivesLeft > 0 ? FIRST_RECV_FLAGS : RECV_FLAGS)
  }

  #sendTakenAhead(line: UringLine): void {
    const result = this.#ring.takeAhead(line.id, Operation.send)
    if (result === undefined) return
    line.underWay &= ~Operation.send
    this.#sendCompleted(line, result)
  }

  /** HOT (bench/macro/main.ts). */
  #deliver(
    line: UringLine,
    bytes: Uint8Array,
    address: number,
    start: number,
    byteCount: number,
  ): void {
    if (line.tls === undefined) {
      this.#sink.data(line.slot, bytes, start, start + byteCount)
      return
    }
    line.tls.receive(address + start, byteCount)
    stepTls(line, this.#sink, this.#carrier)
  }

  /** HOT (bench/macro/main.ts). */
  #sendCompleted(line: UringLine, result: number): void {
    if (line.stage === Stage.ended) return
    if (result < 0) {
      // The receive says that the connection is gone, and it is told once all bytes have been.
      if (result === -EINTR || result === -EAGAIN) {
        this.#send(line, line.sendAddress, line.sendBytes)
      } else if (result !== -EPIPE) line.sendErrno = -result
      return
    }
    if (result < line.sendBytes) {
      this.#send(line, line.sendAddress + result, line.sendBytes - result)
      return
    }
    if (line.tls !== undefined) {
      // Its output filled the memory: more of it makes fewer pieces of the rest.
      if (line.sendBytes === line.output?.length && line.sendBytes < OUTPUT_BYTES_MAX) {
        line.reserve(line.sendBytes * 2)
      }
      this.#flushTls(line)
      if ((line.underWay & Operation.send) !== 0) return
    }
    if (!line.owesSent) return
    line.owesSent = false
    this.#sink.sent(line.slot)
  }

  #fail(line: UringLine, errno: number): void {
    this.#tell(line, failedEnding(line, errno))
  }

  #tell(line: UringLine, ending: Ending): void {
    if (line.stage === Stage.ended) return
    line.stage = Stage.ended
    this.#sink.ended(line.slot, ending)
  }

  /** Tells what could not be told inside the sink's own calls. */
  #payDebts(): void {
    // What the sink does meanwhile may add to the debts: they wait for the next turn.
    const owed = this.#owed
    if (owed.length === 0) return
    this.#owed = []
    for (const line of owed) {
      if (this.#isStopped) return
      if (line.slot < 0) continue
      if (line.connectErrno !== 0) this.#fail(line, line.connectErrno)
      else if (line.stage === Stage.handshake) stepTls(line, this.#sink, this.#carrier)
    }
  }

  #clearUp(): void {
    if (this.#retired.length === 0) return
    for (let index = 0; index < this.#retired.length; index++) {
      const line = this.#retired[index]!
      if (line.underWay === 0) this.#release(line)
      else line.isLingering = true
    }
    this.#retired.length = 0
  }

  /** The kernel has done with the line: it serves again. */
  #release(line: UringLine): void {
    line.isLingering = false
    this.#closingCount--
    this.#free.push(line)
  }

  stop(): void {
    this.#isStopped = true
  }

  /**
   * Everything the loop held is given back but `wakeFd`: another thread may be about to write to
   * it, so whoever knows that nobody will closes it. The memory that `allocate` gave stays.
   */
  #end(): void {
    for (let slot = 0; slot < this.#lines.length; slot++) this.close(slot)
    this.#clearUp()
    for (let turn = 0; turn < END_TURN_COUNT_MAX; turn++) {
      this.#buffers.publish()
      this.#ring.enter(this.#closingCount > 0 ? END_WAIT_NS : 0)
      this.#reap()
      if (this.#closingCount === 0) break
    }
    this.#ring.close()
    // Else the kernel may still write into the buffers.
    if (this.#closingCount === 0) this.#buffers.close()
    this.#bulk.close()
    this.#tlsEngine?.close()
  }
}

/**
 * Makes a ring and gives it back, to see whether this machine allows one.
 * @throws {EnvironmentError} when it does not.
 */
export function probeUring(): void {
  const calls = loadUringCalls()
  const ring = new UringRing(calls, loadLibc(), usualTuning)
  let buffers: UringBuffers | undefined
  try {
    buffers = new UringBuffers(calls, ring, usualTuning)
  } finally {
    ring.close()
    buffers?.close()
  }
}
