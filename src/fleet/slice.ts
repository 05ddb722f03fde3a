/**
 * One thread's share of a run, the same on the main thread and on a worker.
 *
 * It puts the engine, the node reactor, the meter and the printer of lines together; what it needs
 * from the outside comes as ports.
 */

import { NS_PER_MS } from '../base/units.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import { FailureBudget } from '../engine/failure-budget.ts'
import { monotonicNs } from '../engine/net/monotonic-clock.ts'
import { NodeReactor } from '../engine/net/node-reactor.ts'
import type { ExchangeObserver } from '../engine/observer.ts'
import type { Reactor } from '../engine/reactor.ts'
import type { ResolveName } from '../engine/resolver.ts'
import { Runner } from '../engine/runner.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import type { Exchange, UnlistedTarget } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import type { Plan } from '../plan/plan.ts'
import { TargetList } from '../plan/target-list.ts'
import type { Share } from '../plan/walk.ts'
import { machineZone } from '../report/local-time.ts'
import { type LineOptions, LineWriter } from '../report/siege-line.ts'
import type { EndedBy } from '../result/run-result.ts'
import { nodeBrowsingPorts } from './browsing-ports.ts'
import { ThreadMeter, type ThreadReading } from './thread-meter.ts'
import { WirePrinter } from './wire-printer.ts'

/** Lines appear at the latest this long after what they tell. */
const LINE_FLUSH_PERIOD_MS = 100

/** How lines look; the wall clock's part is filled in by each thread. */
export type LineSettings = Omit<LineOptions, 'zone' | 'startedAtMs'>

/** `messages`: heads and the bodies of responses. */
export type WireShown = 'nothing' | 'heads' | 'messages'

/** What one thread has to do: plain data and shared memory. */
export interface SliceTask {
  readonly plan: Plan
  readonly users: Share
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
  readonly failureSeen: (kind: FailureKindNumber, text: string) => void
  readonly failureLimitReached: () => void
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

/** A slice that is running. */
export interface RunningSlice {
  readonly finished: Promise<SliceResult>
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  resume(): void
}

export function startSlice(task: SliceTask, ports: SlicePorts): RunningSlice {
  const { plan } = task
  const lines = task.lines === null ? undefined : lineWriterOf(task, task.lines, ports)
  const reactor = new NodeReactor(task.epochNs)
  const runner = new Runner({
    plan,
    users: task.users,
    reactor,
    recorder: new CountingRecorder(),
    resolveName: ports.resolveName,
    failureBudget: new FailureBudget(plan.failureCountMax, task.failureCell),
    failureLimitReached: ports.failureLimitReached,
    browsing: nodeBrowsingPorts(wallMs(task.epochNs)),
    observer: new SliceObserver(task, ports, lines),
    wire:
      task.wire === 'nothing'
        ? undefined
        : new WirePrinter(ports.takeLines, task.wire === 'messages'),
  })
  return {
    finished: runMetered(runner, reactor, lines),
    stop: (how, endedBy) => runner.stop(how, endedBy),
    resume: () => runner.resume(),
  }
}

async function runMetered(
  runner: Runner,
  reactor: Reactor,
  lines: LineWriter | undefined,
): Promise<SliceResult> {
  const meter = new ThreadMeter()
  const flushTimer = setInterval(() => lines?.flush(), LINE_FLUSH_PERIOD_MS)
  const result = await runner.run()
  clearInterval(flushTimer)
  lines?.flush()
  return {
    ...result,
    reading: meter.read(),
    reactorName: reactor.name,
    cookies: runner.storedCookies(),
  }
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

  failed(_exchange: Exchange, kind: FailureKindNumber, text: string): void {
    this.#ports.failureSeen(kind, text)
  }
}
