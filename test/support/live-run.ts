/**
 * A run that never happened, told to a real recorder second by second: what the live view and the
 * exporters are shown in tests. The same on every machine.
 */
import { type Random, seededRandom } from '../../src/base/random.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { FailureKind, type FailureKindNumber } from '../../src/metrics/outcome.ts'
import type { Recorder } from '../../src/metrics/recorder.ts'
import type { Snapshot } from '../../src/metrics/snapshot.ts'
import { WarmUpRecorder } from '../../src/metrics/warm-up-recorder.ts'
import type { PlanFacts } from '../../src/result/run-result.ts'
import { plainFacts } from './plan-facts.ts'

const NS_PER_MS = 1e6
const NS_PER_S = 1e9

export interface LiveRunOptions {
  /** Arrivals per second at a time. */
  readonly rateAt: (elapsedNs: number) => number
  readonly typicalMs: (elapsedNs: number) => number
  /** Of all, how many fail or are answered with an error. */
  readonly errorRatio?: number
  readonly inFlightMax?: number
  readonly startLagMs?: number
  readonly warmUpNs?: number
  /** Names that requests are counted under in turn. */
  readonly nameCount?: number
}

export class LiveRun {
  readonly #options: LiveRunOptions
  readonly #random: Random = seededRandom(7)
  readonly #recorder: Recorder
  #nowNs = 0
  #index = 0
  /** Ascending by the time they end. */
  readonly #pending: { exchange: Exchange; failure: FailureKindNumber | null }[] = []

  constructor(options: LiveRunOptions) {
    this.#options = options
    const parts = { nameCount: options.nameCount ?? 0, checkCount: 0 }
    const counting = new CountingRecorder(parts)
    const { warmUpNs = 0 } = options
    this.#recorder = warmUpNs > 0 ? new WarmUpRecorder(counting, warmUpNs) : counting
  }

  /** Goes on until then. */
  advance(toNs: number): Snapshot {
    const { rateAt, inFlightMax = Number.POSITIVE_INFINITY, startLagMs = 0.05 } = this.#options
    while (true) {
      const dueNs = this.#nowNs + NS_PER_S / Math.max(rateAt(this.#nowNs), 0.1)
      if (dueNs > toNs) break
      this.#nowNs = dueNs
      this.#endUntil(dueNs)
      if (this.#pending.length >= inFlightMax) this.#recorder.dropped(dueNs)
      else this.#begin(dueNs, startLagMs * NS_PER_MS)
    }
    this.#endUntil(toNs)
    return this.#recorder.snapshot(toNs)
  }

  #begin(dueNs: number, startLagNs: number): void {
    const { typicalMs, errorRatio = 0, nameCount = 0 } = this.#options
    const random = this.#random
    const exchange = new Exchange()
    exchange.reset(0, dueNs)
    exchange.startNs = Math.round(dueNs + startLagNs)
    exchange.nameIndex = nameCount === 0 ? -1 : this.#index++ % nameCount
    this.#recorder.arrived(dueNs, exchange.startNs)
    this.#recorder.started(exchange)
    const factor = 0.7 + 0.6 * random.uniform() + random.uniform() ** 12 * 8
    exchange.endNs = Math.round(exchange.startNs + typicalMs(dueNs) * factor * NS_PER_MS)
    const isError = random.uniform() < errorRatio
    const failure = isError && random.uniform() < 0.5 ? FailureKind.reset : null
    exchange.status = isError ? 503 : random.uniform() < 0.05 ? 302 : 200
    exchange.bodyBytes = 4096
    exchange.headBytes = 240
    const at = this.#pending.findLastIndex((other) => other.exchange.endNs <= exchange.endNs)
    this.#pending.splice(at + 1, 0, { exchange, failure })
  }

  #endUntil(nowNs: number): void {
    while (this.#pending.length > 0 && this.#pending[0]!.exchange.endNs <= nowNs) {
      const { exchange, failure } = this.#pending.shift()!
      if (failure === null) this.#recorder.completed(exchange)
      else this.#recorder.failed(exchange, failure, () => 'read ECONNRESET from 127.0.0.1:8080')
      this.#recorder.pageEnded(exchange.endNs - exchange.dueNs, exchange.endNs)
    }
  }
}

/** An open plan of three stages over two minutes. */
export const openFacts: PlanFacts = {
  userCount: 200,
  iterationCount: null,
  durationNs: 120 * NS_PER_S,
  thinkTimeNsMax: 0,
  walk: 'in-order',
  targetCount: 1,
  originCount: 1,
  httpVersion: '1.1',
  keepAlive: true,
  timeoutNs: 30 * NS_PER_S,
  failureCountMax: null,
  threadCount: 1,
  seed: 1,
  ...plainFacts,
  title: 'http://127.0.0.1:8080/shop',
  load: {
    ...plainFacts.load,
    model: 'open',
    arrivals: 'poisson',
    stages: [
      { durationNs: 30 * NS_PER_S, from: 100, to: 100 },
      { durationNs: 60 * NS_PER_S, from: 100, to: 1000 },
      { durationNs: 30 * NS_PER_S, from: 1000, to: 400 },
    ],
  },
}

/** A plain closed plan without stages. */
export const closedFacts: PlanFacts = {
  ...openFacts,
  userCount: 25,
  durationNs: 60 * NS_PER_S,
  load: plainFacts.load,
}
