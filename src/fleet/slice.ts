/**
 * One thread's share of a run, the same on the main thread and on a worker.
 *
 * It puts the engine, the node reactor, the meter and the printer of lines together; what it needs
 * from the outside comes as ports.
 */

import type { PersistentCookie } from '../browse/cookie-jar.ts'
import { FailureBudget } from '../engine/failure-budget.ts'
import { usesFtp } from '../engine/ftp-port.ts'
import type { BlockingReactor } from '../engine/net/blocking-reactor.ts'
import { basicFtpPort, loadBasicFtp } from '../engine/net/ftp-client.ts'
import { loadLibc } from '../engine/net/libc.ts'
import type { NodeReactor } from '../engine/net/node-reactor.ts'
import { loadOpenSsl } from '../engine/net/openssl.ts'
import { pinThread } from '../engine/net/pin-thread.ts'
import type { ExchangeObserver, Wire } from '../engine/observer.ts'
import type { TlsFacts } from '../engine/reactor.ts'
import type { ResolveName } from '../engine/resolver.ts'
import { Runner } from '../engine/runner.ts'
import { SharedQuota } from '../engine/shared-quota.ts'
import type { ResponseReader } from '../engine/transport.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import type { Exchange, UnlistedTarget } from '../metrics/exchange.ts'
import { FAILURE_KIND_COUNT, type FailureKindNumber } from '../metrics/outcome.ts'
import type { Recorder } from '../metrics/recorder.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { WarmUpRecorder } from '../metrics/warm-up-recorder.ts'
import type { Plan } from '../plan/plan.ts'
import type { FeederUse } from '../plan/script-plan.ts'
import { TargetList } from '../plan/target-list.ts'
import type { Part, Share } from '../plan/walk.ts'
import { machineZone } from '../report/local-time.ts'
import { type LineOptions, LineWriter } from '../report/siege-line.ts'
import type { EndedBy } from '../result/run-result.ts'
import { decodeBody } from './body-decoding.ts'
import { nodeBrowsingPorts } from './browsing-ports.ts'
import { loadHtmlLibrary } from './page-readers.ts'
import type { ReactorName } from './reactor-choice.ts'
import { type KeptRows, RowKeeper, type RowTask } from './row-keeper.ts'
import { isBlocking, makeReactor } from './slice-reactor.ts'
import { ThreadMeter, type ThreadReading } from './thread-meter.ts'
import { wallMs } from './wall-clock.ts'
import { WireLog } from './wire-log.ts'
import { WirePrinter } from './wire-printer.ts'

/** Ticks between two times that lines are handed over: they appear 100 ms late at most. */
const FLUSH_TICK_COUNT = 4
/** Ticks between two times that the counts are shown: a quarter of a second. */
const PROGRESS_TICK_COUNT = 10
/** Counts by name are part of the progress up to this many: each is two histograms. */
const WATCHED_NAME_COUNT_MAX = 100
/** Of each kind and thread; whoever shows them shows fewer. */
const TOLD_FAILURE_COUNT_MAX = 100

/** How lines look; the wall clock's part is filled in by each thread. */
export type LineSettings = Omit<LineOptions, 'zone' | 'startedAtMs'>

/** `messages`: heads and the bodies of responses. `log...`: as ab shows them, see `wire-log.ts`. */
export type WireShown = 'nothing' | 'heads' | 'messages' | 'log' | 'log-codes'

/** What one thread has to do: plain data and shared memory. */
export interface SliceTask {
  readonly plan: Plan
  readonly users: Share
  /** Which of how many threads this is. */
  readonly part: Part
  readonly reactorName: ReactorName
  /** The run's start on the system's monotonic clock. */
  readonly epochNs: number
  readonly failureCell: Int32Array
  /** What `load.totalCount` is counted in. */
  readonly quotaCell: Uint32Array
  /** 1 while whoever takes the lines is behind. */
  readonly gateCell: Int32Array
  readonly lines: LineSettings | null
  /** What is printed as it is on the wire. */
  readonly wire: WireShown
  /** The run is watched: `SlicePorts.progress` is called. */
  readonly isWatched: boolean
  /** Null: nobody wants rows. */
  readonly rows: RowTask | null
}

export interface SlicePorts {
  readonly resolveName: ResolveName
  readonly takeLines: (bytes: Uint8Array, lineCount: number) => void
  /** Failures as they happen, the first of each kind only. */
  readonly failureSeen: (kind: FailureKindNumber, text: string) => void
  readonly failureLimitReached: () => void
  /** The counts so far, about four times a second, for a task that is watched. */
  readonly progress: (snapshot: Snapshot, atNs: number) => void
  /** From now on only a write to this eventfd is heard. */
  readonly blocking: (wakeFd: number) => void
  /** The reactor was woken. */
  readonly woken: () => void
}

export interface SliceResult {
  readonly snapshot: Snapshot
  readonly elapsedNs: number
  readonly endedBy: EndedBy
  readonly feederUses: readonly FeederUse[]
  readonly reading: ThreadReading
  /** Persistent cookies at the end, by global id of every user that keeps them. */
  readonly cookies: ReadonlyMap<number, readonly PersistentCookie[]>
  readonly reactorName: string
  /** Why this thread has not the reactor that was chosen; null when it has. */
  readonly reactorReason: string | null
  readonly rows: KeptRows | null
  readonly tls: TlsFacts | null
}

/** A slice to run, or that is running. */
export interface Slice {
  /** A blocking reactor blocks inside this call, to the end of the run. */
  run(): Promise<SliceResult>
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  resume(): void
}

/** Loads what the thread will need: once its clock runs, loading is lateness. */
export function prepareSlice({ plan, part, reactorName }: Omit<SliceTask, 'epochNs'>): void {
  const { pinnedCpus } = plan
  if (pinnedCpus !== undefined) pinThread(pinnedCpus[part.index % pinnedCpus.length]!)
  if (usesFtp(plan)) loadBasicFtp()
  // What can be loaded in time by a thread that does not block.
  if (reactorName === 'node') return
  loadLibc()
  if (plan.targets.origins.some((origin) => origin.scheme === 'https')) loadOpenSsl()
  if (plan.browse.resources !== null) loadHtmlLibrary()
}

export function makeSlice(task: SliceTask, ports: SlicePorts): Slice {
  const { plan } = task
  const lines = task.lines === null ? undefined : lineWriterOf(task, task.lines, ports)
  const { reactor, reason } = makeReactor(task)
  const meter = new ThreadMeter()
  const rows = task.rows === null ? undefined : new RowKeeper(task.rows)
  const { totalCount } = plan.load
  const recorder = recorderOf(plan)
  const showsNames = (plan.requestNames?.length ?? 0) <= WATCHED_NAME_COUNT_MAX
  let tickCount = 0
  const runner = new Runner({
    plan,
    users: task.users,
    part: task.part,
    reactor,
    recorder,
    resolveName: ports.resolveName,
    failureBudget: new FailureBudget(plan.failureCountMax, task.failureCell),
    quota: totalCount == null ? undefined : new SharedQuota(totalCount, task.quotaCell),
    failureLimitReached: ports.failureLimitReached,
    woken: ports.woken,
    tick(lateNs) {
      meter.ticked(lateNs)
      if (++tickCount % FLUSH_TICK_COUNT === 0) lines?.flush()
      if (task.isWatched && tickCount % PROGRESS_TICK_COUNT === 0) {
        const nowNs = reactor.nowNs()
        ports.progress(recorder.progress(nowNs, showsNames), nowNs)
      }
    },
    browsing: nodeBrowsingPorts(plan, wallMs(task.epochNs)),
    decodeBody,
    ftp: basicFtpPort,
    observer: new SliceObserver(task, ports, { lines, rows }),
    wire: wireOf(task, ports),
  })
  return {
    async run() {
      if (plan.load.model === 'open') reactor.bePunctual()
      if (isBlocking(reactor)) ports.blocking(reactor.wakeFd)
      const result = await runner.run()
      lines?.flush()
      return {
        ...result,
        reading: meter.read(loopBusyRatio(reactor, result.elapsedNs)),
        reactorName: reactor.name,
        reactorReason: reason,
        cookies: runner.storedCookies(),
        rows: rows?.result() ?? null,
        tls: reactor.tlsFacts ?? null,
      }
    },
    stop: (how, endedBy) => runner.stop(how, endedBy),
    resume: () => runner.resume(),
  }
}

function recorderOf(plan: Plan): Recorder {
  const recorder = new CountingRecorder({
    nameCount: plan.requestNames?.length ?? 0,
    checkCount: plan.script?.checks.length ?? 0,
  })
  const { warmUpNs = 0 } = plan.load
  return warmUpNs === 0 ? recorder : new WarmUpRecorder(recorder, warmUpNs)
}

function wireOf({ wire, users }: SliceTask, ports: SlicePorts): Wire | undefined {
  if (wire === 'nothing') return undefined
  if (wire === 'heads' || wire === 'messages') {
    return { observer: () => new WirePrinter(ports.takeLines, wire === 'messages') }
  }
  const options = { showsCodes: wire === 'log-codes', showsRequest: users.first === 0 }
  return new WireLog(ports.takeLines, options)
}

function loopBusyRatio(
  reactor: BlockingReactor | NodeReactor,
  elapsedNs: number,
): number | undefined {
  if (!isBlocking(reactor) || elapsedNs === 0) return undefined
  return Math.max(0, 1 - reactor.waitedNs / elapsedNs)
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
  readonly #rows: RowKeeper | undefined

  constructor(
    task: SliceTask,
    ports: SlicePorts,
    takers: { readonly lines: LineWriter | undefined; readonly rows: RowKeeper | undefined },
  ) {
    this.#gateCell = task.gateCell
    this.#ports = ports
    this.#lines = takers.lines
    this.#rows = takers.rows
  }

  get isReady(): boolean {
    return Atomics.load(this.#gateCell, 0) === 0
  }

  /** HOT (bench/macro/main.ts). */
  get responseReader(): ResponseReader | undefined {
    return this.#rows?.reader
  }

  /** HOT (bench/macro/main.ts). */
  completed(exchange: Exchange): void {
    this.#lines?.write(exchange)
    this.#rows?.completed(exchange)
  }

  cached(target: UnlistedTarget, userId: number, nowNs: number): void {
    this.#lines?.writeCached(target, userId, nowNs)
  }

  /** A dead target fails thousands of times a second: the first of each kind are enough to tell. */
  failed(_exchange: Exchange, kind: FailureKindNumber, text: string): void {
    this.#rows?.failed()
    const count = this.#failureCounts[kind]! + 1
    this.#failureCounts[kind] = count
    if (count <= TOLD_FAILURE_COUNT_MAX) this.#ports.failureSeen(kind, text)
  }
}
