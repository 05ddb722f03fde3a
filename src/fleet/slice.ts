/**
 * One thread's share of a run, the same on the main thread and on a worker.
 *
 * It puts the engine, the node reactor, the meter and the printer of lines together; what it needs
 * from the outside comes as ports.
 */

import { NS_PER_MS } from '../base/units.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import { FailureBudget } from '../engine/failure-budget.ts'
import { EpollReactor } from '../engine/net/epoll-reactor.ts'
import { loadLibc } from '../engine/net/libc.ts'
import { monotonicNs } from '../engine/net/monotonic-clock.ts'
import { NodeReactor } from '../engine/net/node-reactor.ts'
import { loadOpenSsl } from '../engine/net/openssl.ts'
import type { ExchangeObserver } from '../engine/observer.ts'
import type { Reactor } from '../engine/reactor.ts'
import type { ResolveName } from '../engine/resolver.ts'
import { Runner } from '../engine/runner.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import type { Exchange, UnlistedTarget } from '../metrics/exchange.ts'
import { FAILURE_KIND_COUNT, type FailureKindNumber } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import type { Plan } from '../plan/plan.ts'
import { TargetList } from '../plan/target-list.ts'
import type { Share } from '../plan/walk.ts'
import { machineZone } from '../report/local-time.ts'
import { type LineOptions, LineWriter } from '../report/siege-line.ts'
import type { EndedBy } from '../result/run-result.ts'
import { nodeBrowsingPorts } from './browsing-ports.ts'
import { loadHtmlLibrary } from './page-readers.ts'
import type { ReactorName } from './reactor-choice.ts'
import { ThreadMeter, type ThreadReading } from './thread-meter.ts'
import { WirePrinter } from './wire-printer.ts'

/** Ticks between two times that lines are handed over: they appear 100 ms late at most. */
const FLUSH_TICK_COUNT = 4
/** Of each kind and thread; whoever shows them shows fewer. */
const TOLD_FAILURE_COUNT_MAX = 100

/** How lines look; the wall clock's part is filled in by each thread. */
export type LineSettings = Omit<LineOptions, 'zone' | 'startedAtMs'>

/** `messages`: heads and the bodies of responses. */
export type WireShown = 'nothing' | 'heads' | 'messages'

/** What one thread has to do: plain data and shared memory. */
export interface SliceTask {
  readonly plan: Plan
  readonly users: Share
  readonly reactorName: ReactorName
  /** The run's start on the system's monotonic clock. */
  readonly epochNs: number
  readonly failureCell: Int32Array
  /** 1 while whoever takes the lines is behind. */
  readonly gateCell: Int32Array
  readonly lines: LineSettings | null
  /** What is printed as it is on the wire. */
  readonly wire: WireShown
}

export interface SlicePorts {
  readonly resolveName: ResolveName
  readonly takeLines: (bytes: Uint8Array, lineCount: number) => void
  /** Failures as they happen, the first of each kind only. */
  readonly failureSeen: (kind: FailureKindNumber, text: string) => void
  readonly failureLimitReached: () => void
  /** From now on only a write to this eventfd is heard. */
  readonly blocking: (wakeFd: number) => void
  /** The reactor was woken. */
  readonly woken: () => void
}

export interface SliceResult {
  readonly snapshot: Snapshot
  readonly elapsedNs: number
  readonly endedBy: EndedBy
  readonly reading: ThreadReading
  /** Persistent cookies at the end, by global id of every user that keeps them. */
  readonly cookies: ReadonlyMap<number, readonly PersistentCookie[]>
  readonly reactorName: string
}

/** A slice to run, or that is running. */
export interface Slice {
  /** A blocking reactor blocks inside this call, to the end of the run. */
  run(): Promise<SliceResult>
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  resume(): void
}

/** Loads what a blocking reactor's thread will need: once its clock runs, loading is lateness. */
export function prepareSlice({ plan, reactorName }: Omit<SliceTask, 'epochNs'>): void {
  if (reactorName === 'node') return
  loadLibc()
  if (plan.targets.origins.some((origin) => origin.scheme === 'https')) loadOpenSsl()
  if (plan.browse.resources !== null) loadHtmlLibrary()
}

export function makeSlice(task: SliceTask, ports: SlicePorts): Slice {
  const { plan } = task
  const lines = task.lines === null ? undefined : lineWriterOf(task, task.lines, ports)
  const reactor = makeReactor(task.reactorName, task.epochNs)
  const meter = new ThreadMeter()
  let tickCount = 0
  const runner = new Runner({
    plan,
    users: task.users,
    reactor,
    recorder: new CountingRecorder(),
    resolveName: ports.resolveName,
    failureBudget: new FailureBudget(plan.failureCountMax, task.failureCell),
    failureLimitReached: ports.failureLimitReached,
    woken: ports.woken,
    tick(lateNs) {
      meter.ticked(lateNs)
      if (++tickCount % FLUSH_TICK_COUNT === 0) lines?.flush()
    },
    browsing: nodeBrowsingPorts(plan, wallMs(task.epochNs)),
    observer: new SliceObserver(task, ports, lines),
    wire:
      task.wire === 'nothing'
        ? undefined
        : new WirePrinter(ports.takeLines, task.wire === 'messages'),
  })
  return {
    async run() {
      if (reactor instanceof EpollReactor) ports.blocking(reactor.wakeFd)
      const result = await runner.run()
      lines?.flush()
      return {
        ...result,
        reading: meter.read(loopBusyRatio(reactor, result.elapsedNs)),
        reactorName: reactor.name,
        cookies: runner.storedCookies(),
      }
    },
    stop: (how, endedBy) => runner.stop(how, endedBy),
    resume: () => runner.resume(),
  }
}

function makeReactor(name: ReactorName, epochNs: number): Reactor {
  return name === 'epoll' ? new EpollReactor(epochNs) : new NodeReactor(epochNs)
}

function loopBusyRatio(reactor: Reactor, elapsedNs: number): number | undefined {
  if (!(reactor instanceof EpollReactor) || elapsedNs === 0) return undefined
  return Math.max(0, 1 - reactor.waitedNs / elapsedNs)
}

/** Wall clock of a moment on the monotonic clock. */
export function wallMs(atNs: number): number {
  return performance.timeOrigin + performance.now() - (monotonicNs() - atNs) / NS_PER_MS
}

function lineWriterOf(task: SliceTask, settings: LineSettings, ports: SlicePorts): LineWriter {
  const targets = new TargetList(task.plan.targets)
  const startedAtMs = wallMs(task.epochNs)
  return new LineWriter({ ...settings, startedAtMs, zone: machineZone }, targets, ports.takeLines)
}

class SliceObserver implements ExchangeObserver {
  readonly #gateCell: Int32Array
  readonly #failureCounts = new Float64Array(FAILURE_KIND_COUNT)
  readonly #ports: SlicePorts
  readonly #lines: LineWriter | undefined

  constructor(task: SliceTask, ports: SlicePorts, lines: LineWriter | undefined) {
    this.#gateCell = task.gateCell
    this.#ports = ports
    this.#lines = lines
  }

  get isReady(): boolean {
    return Atomics.load(this.#gateCell, 0) === 0
  }

  /** HOT (bench/macro/main.ts). */
  completed(exchange: Exchange): void {
    this.#lines?.write(exchange)
  }

  cached(target: UnlistedTarget, userId: number, nowNs: number): void {
    this.#lines?.writeCached(target, userId, nowNs)
  }

  /** A dead target fails thousands of times a second: the first of each kind are enough to tell. */
  failed(_exchange: Exchange, kind: FailureKindNumber, text: string): void {
    const count = this.#failureCounts[kind]! + 1
    this.#failureCounts[kind] = count
    if (count <= TOLD_FAILURE_COUNT_MAX) this.#ports.failureSeen(kind, text)
  }
}
