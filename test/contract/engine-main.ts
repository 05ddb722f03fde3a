/**
 * A process of its own in which the engine runs as siege would run it, on a reactor of the test's
 * choice, and in which every body is hashed. With `--expose-gc` garbage is made and collected all
 * the time, in the thread that blocks in the reactor.
 */
import { createHash, type Hash } from 'node:crypto'
import { FailureBudget } from '../../src/engine/failure-budget.ts'
import { EpollReactor } from '../../src/engine/net/epoll-reactor.ts'
import { monotonicNs } from '../../src/engine/net/monotonic-clock.ts'
import { UringReactor } from '../../src/engine/net/uring-reactor.ts'
import { usualTuning } from '../../src/engine/net/uring-tuning.ts'
import { Runner } from '../../src/engine/runner.ts'
import type { ResponseReader } from '../../src/engine/transport.ts'
import { decodeBody } from '../../src/fleet/body-decoding.ts'
import { nodeBrowsingPorts } from '../../src/fleet/browsing-ports.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { readSiegeCommandLine } from '../../src/siege/command-line.ts'
import { planFromSettings } from '../../src/siege/plan-from-settings.ts'
import { targetsOf } from '../../src/siege/targets.ts'
import { HeaderFilter } from '../../src/wire/header-filter.ts'
import { scarceTuning } from './uring-scarce-reactor-of.ts'

export interface EngineTask {
  readonly reactor: 'epoll' | 'uring' | 'poisoned uring' | 'scarce uring'
  readonly userCount: number
  readonly iterationCount: number
  readonly siegerc: readonly string[]
  /** As operands of siege: each may have a body. */
  readonly urls: readonly string[]
  readonly timeoutMs: number
}

export interface EngineReport {
  readonly completedCount: number
  readonly failedCount: number
  readonly inFlightCount: number
  readonly okCount: number
  readonly connectionCount: number
  readonly completedBodyBytes: number
  /** Bodies that were what their hash says. */
  readonly rightBodyCount: number
  readonly failures: readonly string[]
  readonly collectionCount: number
}

const hashFilter = new HeaderFilter(['x-hash'])
/** What is kept of the garbage for a while, so that it grows old before it dies. */
const KEPT_COUNT = 500
/** Exchanges from one collection of the young to the next; the old are collected by the clock. */
const COLLECTION_PERIOD = 20
/** Ticks, of 25 ms each, between two of those. */
const TICK_PERIOD = 4

/** Sees one exchange. */
class Hasher implements ResponseReader {
  readonly filter: HeaderFilter = hashFilter
  readonly #seen: Hasher[]
  readonly #hash: Hash = createHash('sha1')
  #expected = ''

  constructor(seen: Hasher[]) {
    this.#seen = seen
  }

  header(_name: string, value: string): void {
    this.#expected = value
  }

  head(): boolean {
    this.#seen.push(this)
    return true
  }

  body(bytes: Uint8Array, start: number, end: number): void {
    this.#hash.update(bytes.subarray(start, end))
  }

  isRight(): boolean {
    return this.#hash.digest('hex') === this.#expected
  }
}

function planOf({ userCount, iterationCount, siegerc, urls, timeoutMs }: EngineTask): Plan {
  const text = siegerc.map((line) => `${line}\n`).join('')
  const argv = ['-R', 'rc', '-b', `-c${userCount}`, `-r${iterationCount}`, ...urls]
  const commandLine = readSiegeCommandLine(argv, {}, () => ({ text }))
  const plan = planFromSettings(commandLine.settings, targetsOf(commandLine, {}), {
    readText: () => ({ isMissing: true, reason: 'no files here' }),
    environment: {},
    randomSeed: 1,
    architecture: 'x64',
    system: 'linux',
    lists: { login: null, auth: null },
    storedCookies: [],
  })
  return { ...plan, connection: { ...plan.connection, timeoutNs: timeoutMs * 1e6 } }
}

function reactorOf({ reactor }: EngineTask): EpollReactor | UringReactor {
  if (reactor === 'epoll') return new EpollReactor()
  const tunings = {
    uring: usualTuning,
    'poisoned uring': { ...usualTuning, isPoisoned: true },
    'scarce uring': scarceTuning,
  }
  return new UringReactor(monotonicNs(), {}, tunings[reactor])
}

/** Makes garbage of all sizes and collects it; does nothing without `--expose-gc`. */
class Litter {
  collectionCount = 0
  #callCount = 0
  #tickCount = 0
  readonly #kept: unknown[] = []

  add(): void {
    if (globalThis.gc === undefined) return
    this.#kept.push(new Uint8Array(40), [`${this.#callCount}`], Buffer.alloc(20_000, 0xee))
    if (this.#kept.length > KEPT_COUNT) this.#kept.splice(0, KEPT_COUNT / 2)
    if (++this.#callCount % COLLECTION_PERIOD === 0) this.collect('minor')
  }

  tick(): void {
    if (++this.#tickCount % TICK_PERIOD === 0) this.collect('major')
  }

  collect(type: 'minor' | 'major'): void {
    if (globalThis.gc === undefined) return
    void globalThis.gc({ type, execution: 'sync' })
    this.collectionCount++
  }
}

async function run(task: EngineTask): Promise<EngineReport> {
  const plan = planOf(task)
  const litter = new Litter()
  const hashers: Hasher[] = []
  const failures: string[] = []
  const runner = new Runner({
    plan,
    users: { first: 0, count: task.userCount },
    reactor: reactorOf(task),
    recorder: new CountingRecorder(),
    resolveName: () => {},
    failureBudget: new FailureBudget(null),
    browsing: nodeBrowsingPorts(plan, 0),
    decodeBody,
    tick: () => litter.tick(),
    observer: {
      isReady: true,
      get responseReader() {
        return new Hasher(hashers)
      },
      completed: () => litter.add(),
      failed: (_exchange, _kind, text) => failures.push(text),
      cached() {},
    },
  })
  const { snapshot } = await runner.run()
  return {
    completedCount: snapshot.completedCount,
    failedCount: snapshot.failedCount,
    inFlightCount: snapshot.inFlightCount,
    okCount: snapshot.statusCounts[200]!,
    connectionCount: snapshot.connectionCount,
    completedBodyBytes: snapshot.completedBodyBytes,
    rightBodyCount: hashers.filter((hasher) => hasher.isRight()).length,
    failures,
    collectionCount: litter.collectionCount,
  }
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as EngineTask)))
