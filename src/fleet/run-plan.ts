/**
 * Runs a plan on one or several threads and merges what they counted.
 *
 * With one thread the slice runs right here: no worker has to start, and signals and output share
 * the event loop with it. With several, each has its users, connections and counts; they meet in
 * two shared cells (the failures, the gate of the output) and in messages.
 */
import { createRequire } from 'node:module'
import { ONAGER_VERSION } from '../base/version.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import { monotonicNs } from '../engine/net/monotonic-clock.ts'
import { systemResolver } from '../engine/net/system-resolver.ts'
import type { TlsFacts } from '../engine/reactor.ts'
import { literalFamily } from '../engine/resolver.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { mergeSnapshots } from '../metrics/snapshot-merge.ts'
import type { Plan } from '../plan/plan.ts'
import { sliceUsers } from '../plan/walk.ts'
import {
  type EndedBy,
  mergeEndings,
  planFacts,
  type RunResult,
  sortThreads,
  threadHealth,
  usedUpFeeders,
} from '../result/run-result.ts'
import { ProgressWatcher } from './progress-watcher.ts'
import { chooseReactor, type ReactorChoice } from './reactor-choice.ts'
import { type KeptRows, mergeKeptRows, type RowWish } from './row-keeper.ts'
import type { LineSettings, Slice, SliceResult, SliceTask, WireShown } from './slice.ts'
import { wallMs } from './wall-clock.ts'
import { startWorkerSlice, type WorkerSlice } from './worker-slice.ts'

const require = createRequire(import.meta.url)

/** What the outside gets to see while a plan runs. */
export interface RunPorts {
  /** Verbose lines; null: none. */
  readonly lines: LineSettings | null
  /** What is shown as it is on the wire, among the lines. */
  readonly wire: WireShown
  readonly takeLines: (bytes: Uint8Array, lineCount: number) => void
  /** Every transport failure, as it happens. */
  readonly failureSeen: (kind: FailureKindNumber, text: string) => void
  /**
   * The counts of all threads so far, without intervals, about four times a second; the counts by
   * name up to 100 names. Absent: nobody watches.
   */
  readonly progress?: (snapshot: Snapshot, elapsedNs: number) => void
  /** Absent: no rows are kept. */
  readonly rows?: RowWish
}

export interface FinishedRun {
  readonly result: RunResult
  /** Persistent cookies by global id of every user that keeps them. */
  readonly cookies: ReadonlyMap<number, readonly PersistentCookie[]>
  /** Null unless they were wished for. */
  readonly rows: KeptRows | null
  /** Null when no handshake succeeded. */
  readonly tls: TlsFacts | null
}

export interface RunningPlan {
  readonly finished: Promise<FinishedRun>
  /** Ends the run early: with exchanges left in flight, or after they have ended. */
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  /** The taker of lines is behind: users wait before their next iteration. */
  holdUp(): void
  /** It has caught up. */
  resume(): void
  /** Exchanges that have ended so far; 0 for a run without rows. */
  readonly endedCount: number
}

/** What is needed of a slice, wherever it runs. */
interface RunningSlice {
  readonly finished: Promise<SliceResult>
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  resume(): void
}

/**
 * @throws {EnvironmentError} when the reactor that was asked for does not work here; by
 * `finished`, when a thread cannot start or dies.
 */
export function startPlan(plan: Plan, ports: RunPorts): RunningPlan {
  let epochNs = monotonicNs()
  const threadCount = Math.min(plan.threadCount, plan.load.userCount)
  const { lengthCell, endedCells, ...cells } = sharedCells(threadCount)
  const { gateCell } = cells
  const reactor = chooseReactor(plan, plan.reactor)
  const slicePorts = {
    // Connections from an address of one family go to addresses of that family.
    resolveName: systemResolver(familyOf(plan.connection.sourceAddresses ?? [])),
    takeLines: ports.takeLines,
    failureSeen: ports.failureSeen,
    failureLimitReached: () =>
      stopAll(plan.fatalFailureKinds === undefined ? 'drain' : 'now', 'failures'),
  }
  const taskOf = (threadIndex: number): Omit<SliceTask, 'epochNs'> => ({
    plan,
    users: sliceUsers(plan.load.userCount, { index: threadIndex, count: threadCount }),
    part: { index: threadIndex, count: threadCount },
    isWatched: ports.progress !== undefined,
    reactorName: reactor.name,
    ...cells,
    lines: ports.lines,
    wire: ports.wire,
    rows:
      ports.rows === undefined
        ? null
        : { ...ports.rows, threadIndex, threadCount, lengthCell, endedCells },
  })
  const watcher = new ProgressWatcher(threadCount, ports.progress)
  const slices: RunningSlice[] = []

  function stopAll(how: 'now' | 'drain', endedBy: EndedBy): void {
    for (const slice of slices) slice.stop(how, endedBy)
  }

  if (threadCount === 1 && reactor.name === 'node') {
    const { makeSlice, prepareSlice } = loadSlice()
    prepareSlice(taskOf(0))
    epochNs = monotonicNs()
    const ports = { ...slicePorts, progress: watcher.portOf(0), blocking() {}, woken() {} }
    slices.push(runHere(makeSlice({ ...taskOf(0), epochNs }, ports)))
  } else {
    const workers = Array.from({ length: threadCount }, (_, index) =>
      startWorkerSlice(taskOf(index), { ...slicePorts, progress: watcher.portOf(index) }),
    )
    slices.push(...workers)
    // What is left of a run that has lost a thread is of no use to anybody.
    for (const worker of workers) worker.finished.catch(() => stopAll('now', 'failures'))
    void beginTogether(workers).then((beginNs) => (epochNs = beginNs))
  }
  return {
    finished: resultOf(plan, slices, { reactor, epochNs: () => epochNs }),
    stop: stopAll,
    holdUp: () => void Atomics.store(gateCell, 0, 1),
    resume() {
      Atomics.store(gateCell, 0, 0)
      for (const slice of slices) slice.resume()
    },
    get endedCount() {
      return endedCells.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** The family of all of them; 0: both, or none. */
function familyOf(addresses: readonly string[]): 0 | 4 | 6 {
  const families = new Set(addresses.map((address) => literalFamily(address)))
  return families.size === 1 ? [...families][0]! : 0
}

/** What the threads of a run share. */
function sharedCells(threadCount: number) {
  return {
    failureCell: new Int32Array(new SharedArrayBuffer(4)),
    gateCell: new Int32Array(new SharedArrayBuffer(4)),
    quotaCell: new Uint32Array(new SharedArrayBuffer(4)),
    lengthCell: new BigInt64Array(new SharedArrayBuffer(8)).fill(-1n),
    endedCells: new Float64Array(new SharedArrayBuffer(8 * threadCount)),
  }
}

/** The clock starts when every thread is up, so that all of them measure the same run. */
async function beginTogether(workers: readonly WorkerSlice[]): Promise<number> {
  const arrivals = await Promise.allSettled(workers.map((worker) => worker.ready))
  const beginNs = monotonicNs()
  // A thread that did not come up also rejects its `finished`, where it is reported.
  if (arrivals.every(({ status }) => status === 'fulfilled')) {
    for (const worker of workers) worker.begin(beginNs)
  }
  return beginNs
}

/** Half a megabyte, of which this thread needs nothing when others do the work. */
function loadSlice(): typeof import('./slice.ts') {
  return require('./slice.js')
}

/** With one thread and Node's own event loop there is nothing to gain from a worker. */
function runHere(slice: Slice): RunningSlice {
  return {
    finished: slice.run(),
    stop: (how, endedBy) => slice.stop(how, endedBy),
    resume: () => slice.resume(),
  }
}

async function resultOf(
  plan: Plan,
  slices: readonly RunningSlice[],
  facts: { readonly reactor: ReactorChoice; readonly epochNs: () => number },
): Promise<FinishedRun> {
  const results = await Promise.all(slices.map((slice) => slice.finished))
  const elapsedNs = Math.max(...results.map((result) => result.elapsedNs))
  const result: RunResult = {
    onagerVersion: ONAGER_VERSION,
    startedAtMs: wallMs(facts.epochNs()),
    elapsedNs,
    endedBy: mergeEndings(results.map((result) => result.endedBy)),
    plan: planFacts(plan),
    snapshot: mergeSnapshots(results.map((result) => result.snapshot)),
    threads: sortThreads(
      results.map(({ reading, reactorName, reactorReason }) =>
        threadHealth(
          { ...reading, reactorName, reactorReason: reactorReason ?? facts.reactor.reason },
          elapsedNs,
        ),
      ),
    ),
    ...usedUpFeeders(results.flatMap(({ feederUses }) => feederUses)),
  }
  const rows = results.flatMap((result) => (result.rows === null ? [] : [result.rows]))
  return {
    result,
    cookies: new Map(results.flatMap(({ cookies }) => [...cookies])),
    rows: rows.length === 0 ? null : mergeKeptRows(rows),
    tls: results.find(({ tls }) => tls !== null)?.tls ?? null,
  }
}
