/**
 * Runs that never happened, the same on every machine: what reports are tested with. They are
 * told to a real recorder, so that their books balance.
 */

import { type Random, seededRandom } from '../../src/base/random.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import { Disqualification, FailureKind, type FailureKindNumber } from '../../src/metrics/outcome.ts'
import type { Snapshot } from '../../src/metrics/snapshot.ts'
import {
  type EndedBy,
  mergeResults,
  type RunResult,
  threadHealth,
} from '../../src/result/run-result.ts'
import { beginExchange } from './exchanges.ts'
import { plainPlanFacts as plan } from './plan-facts.ts'

const NS_PER_MS = 1e6

/** Tells a recorder of a run, one exchange after the other. */
export class RunScript {
  readonly #recorder = new CountingRecorder()
  readonly #random: Random
  #nowNs = 0

  constructor(seed = 1) {
    this.#random = seededRandom(seed)
  }

  /** Responses around `typicalMs`, few of them much slower. */
  completed(count: number, status: number, typicalMs: number, bodyBytes = 612): this {
    for (let i = 0; i < count; i++) {
      const tail = this.#random.uniform() ** 8 * 20
      this.#one(status, typicalMs * (0.7 + 0.6 * this.#random.uniform() + tail), bodyBytes)
    }
    return this
  }

  /** Pages of several responses each. */
  pages(count: number, responseCount: number, typicalMs: number): this {
    for (let page = 0; page < count; page++) {
      const startNs = this.#nowNs
      for (let i = 0; i < responseCount; i++) {
        this.#one(200, typicalMs * (0.7 + 0.6 * this.#random.uniform()), 4096, false)
      }
      this.#recorder.pageEnded(this.#nowNs - startNs, this.#nowNs)
    }
    return this
  }

  failed(count: number, kind: FailureKindNumber, text: string, waitedMs = 1): this {
    for (let i = 0; i < count; i++) {
      const exchange = new Exchange()
      exchange.reset(0, this.#nowNs)
      beginExchange(this.#recorder, this.#nowNs)
      this.#nowNs += waitedMs * NS_PER_MS
      exchange.endNs = this.#nowNs
      this.#recorder.failed(exchange, kind, () => text)
      this.#recorder.pageEnded(waitedMs * NS_PER_MS, this.#nowNs)
    }
    return this
  }

  emptyBodies(count: number): this {
    for (let i = 0; i < count; i++) {
      const exchange = new Exchange()
      exchange.reset(0, this.#nowNs)
      beginExchange(this.#recorder, this.#nowNs)
      this.#nowNs += NS_PER_MS
      exchange.endNs = this.#nowNs
      exchange.status = 200
      exchange.disqualification = Disqualification.emptyBody
      this.#recorder.completed(exchange)
    }
    return this
  }

  inFlight(count: number): this {
    for (let i = 0; i < count; i++) beginExchange(this.#recorder, this.#nowNs)
    return this
  }

  get elapsedNs(): number {
    return this.#nowNs
  }

  snapshot(): Snapshot {
    return this.#recorder.snapshot(this.#nowNs)
  }

  #one(status: number, timeMs: number, bodyBytes: number, isPage = true): void {
    const exchange = new Exchange()
    exchange.reset(0, this.#nowNs)
    beginExchange(this.#recorder, this.#nowNs)
    const timeNs = Math.round(timeMs * NS_PER_MS)
    this.#nowNs += timeNs
    exchange.endNs = this.#nowNs
    exchange.status = status
    exchange.bodyBytes = bodyBytes
    exchange.headBytes = 240
    this.#recorder.completed(exchange)
    if (isPage) this.#recorder.pageEnded(timeNs, this.#nowNs)
  }
}

const refused = 'connect ECONNREFUSED 127.0.0.1:8081'
const silent = '127.0.0.1:8080 sent nothing for 30 s'

export type FixedRunName =
  | 'clean'
  | 'all-failed'
  | 'all-404'
  | 'mixed'
  | 'timeouts'
  | 'nothing'
  | 'pages'
  | 'one'
  | 'threads'

/** Runs that reports are compared for, by the name of their golden files. */
export const fixedRuns: Readonly<Record<FixedRunName, () => RunResult>> = {
  clean: () => resultOf(new RunScript().completed(12_000, 200, 0.41)),
  'all-failed': () => resultOf(new RunScript().failed(50, FailureKind.connect, refused)),
  'all-404': () => resultOf(new RunScript().completed(500, 404, 2)),
  mixed: () =>
    resultOf(
      new RunScript()
        .completed(900, 200, 3)
        .completed(120, 302, 1, 0)
        .completed(61, 404, 1)
        .completed(400, 500, 12)
        .emptyBodies(2)
        .failed(3, FailureKind.reset, 'read ECONNRESET from 127.0.0.1:8080')
        .failed(1, FailureKind.dns, 'getaddrinfo ENOTFOUND static.example.test')
        .inFlight(5),
      { endedBy: 'time' },
    ),
  timeouts: () =>
    resultOf(
      new RunScript()
        .completed(150, 200, 35)
        .failed(3, FailureKind.firstByteTimeout, silent, 30_000)
        .failed(1, FailureKind.connectTimeout, 'no answer from 192.0.2.1:80 in 30 s', 30_000),
    ),
  nothing: () => resultOf(new RunScript().inFlight(25), { endedBy: 'signal' }),
  pages: () => resultOf(new RunScript().pages(150, 15, 2)),
  one: () => resultOf(new RunScript().completed(1, 200, 4)),
  threads: () =>
    mergeResults(
      [1, 2, 3, 4].map((seed) => {
        const script = new RunScript(seed).completed(6000, 200, 8)
        return resultOf(script, { busyRatio: 0.9 + seed / 50, loopLagMs: seed })
      }),
    ),
}

interface RunFacts {
  readonly endedBy?: EndedBy
  readonly busyRatio?: number
  readonly loopLagMs?: number
}

/** The script's counts as what a thread leaves behind. */
export function resultOf(script: RunScript, facts: RunFacts = {}): RunResult {
  const { endedBy = 'count', busyRatio = 0.43, loopLagMs = 0.21 } = facts
  const snapshot = script.snapshot()
  const { elapsedNs } = script
  const loopLag = new Histogram(2)
  loopLag.record(loopLagMs * NS_PER_MS)
  const reading = {
    cpuUserNs: elapsedNs * busyRatio * 0.6,
    cpuSystemNs: elapsedNs * busyRatio * 0.4,
    eventLoopUtilizationRatio: Math.min(busyRatio, 1),
    loopLag: loopLag.snapshot(),
    reactorName: 'node',
    reactorReason: null,
  }
  return {
    onagerVersion: '0.1.0',
    startedAtMs: Date.UTC(2026, 10, 30, 20, 56, 18),
    elapsedNs,
    endedBy,
    plan,
    snapshot,
    threads: [threadHealth(reading, elapsedNs)],
  }
}
