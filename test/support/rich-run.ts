/**
 * A run with a life of its own, the same on every machine: arrivals in stages, a server with a
 * number of workers that once stands still, names that differ, errors, dropped arrivals. It is told
 * to a real recorder in the order of time, so that its books balance.
 */
import { type Random, seededRandom } from '../../src/base/random.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import { Disqualification, FailureKind, type FailureKindNumber } from '../../src/metrics/outcome.ts'
import type { Recorder } from '../../src/metrics/recorder.ts'
import { WarmUpRecorder } from '../../src/metrics/warm-up-recorder.ts'
import type { Stage } from '../../src/plan/plan.ts'
import { type RunResult, threadHealth } from '../../src/result/run-result.ts'
import { SeriesBuilder, type WatchedSeries } from '../../src/result/watched.ts'
import { plainFacts } from './plan-facts.ts'

const NS_PER_MS = 1e6
const NS_PER_S = 1e9

export interface RichRunShape {
  readonly title: string
  readonly stages: readonly {
    readonly durationS: number
    readonly from: number
    readonly to: number
  }[]
  readonly names: readonly RichName[]
  /** The server answers nothing in this time; what arrives waits. */
  readonly stall?: { readonly atS: number; readonly durationS: number }
  /** From here on this share of requests is answered by 503. */
  readonly trouble?: { readonly fromS: number; readonly toS: number; readonly share: number }
  readonly inFlightMax: number
  readonly warmUpS: number
  readonly seed: number
}

export interface RichName {
  readonly name: string
  readonly typicalMs: number
  readonly weight: number
  readonly bodyBytes: number
}

export const shopRun: RichRunShape = {
  title: 'shop.yaml: browse, search and buy at http://127.0.0.1:8080',
  stages: [
    { durationS: 60, from: 50, to: 300 },
    { durationS: 120, from: 300, to: 300 },
    { durationS: 60, from: 300, to: 600 },
    { durationS: 60, from: 600, to: 600 },
  ],
  names: [
    { name: 'GET /', typicalMs: 6, weight: 30, bodyBytes: 14_200 },
    { name: 'GET /products?page=…', typicalMs: 11, weight: 24, bodyBytes: 31_000 },
    { name: 'GET /products/:id', typicalMs: 9, weight: 20, bodyBytes: 8_400 },
    { name: 'GET /search', typicalMs: 38, weight: 12, bodyBytes: 22_500 },
    { name: 'POST /login', typicalMs: 24, weight: 5, bodyBytes: 410 },
    { name: 'POST /cart', typicalMs: 16, weight: 6, bodyBytes: 290 },
    { name: 'POST /checkout', typicalMs: 71, weight: 3, bodyBytes: 640 },
  ],
  stall: { atS: 140, durationS: 1.5 },
  trouble: { fromS: 225, toS: 262, share: 0.06 },
  inFlightMax: 400,
  warmUpS: 10,
  seed: 7,
}

/** An hour, with a thousand names. */
export function longRun(arrivalsPerSecond: number, nameCount = 1000): RichRunShape {
  return {
    title: 'everything.yaml',
    stages: [{ durationS: 3600, from: arrivalsPerSecond, to: arrivalsPerSecond }],
    names: Array.from({ length: nameCount }, (_, index) => ({
      name: `GET /api/v2/customers/:id/orders/section-${index}`,
      typicalMs: 4 + (index % 90),
      weight: 1 + (index % 7),
      bodyBytes: 500 + index * 13,
    })),
    stall: { atS: 1800, durationS: 3 },
    inFlightMax: 2000,
    warmUpS: 0,
    seed: 3,
  }
}

export function richRun(shape: RichRunShape): RunResult {
  const elapsedS = shape.stages.reduce((sum, { durationS }) => sum + durationS, 0)
  const elapsedNs = elapsedS * NS_PER_S
  const counting = new CountingRecorder({ nameCount: shape.names.length, checkCount: 3 })
  const recorder = new WarmUpRecorder(counting, shape.warmUpS * NS_PER_S)
  const telling = new Telling(recorder, shape)
  for (const dueNs of arrivals(shape)) telling.arrive(dueNs)
  telling.endUntil(elapsedNs)
  return {
    onagerVersion: '0.1.0',
    startedAtMs: Date.UTC(2026, 10, 30, 20, 56, 18),
    elapsedNs,
    endedBy: 'time',
    plan: planOf(shape, elapsedNs),
    snapshot: recorder.snapshot(elapsedNs),
    threads: [health(0.62, elapsedNs), health(0.48, elapsedNs)],
    watched: [cpuSeries(elapsedS), { ...cpuSeries(0), label: 'queue', failureCount: 0 }],
  }
}

/** What people and servers may call their things. */
export const hostileNames: readonly string[] = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>" onmouseover="alert(1)',
  '\u202egnp.exe\u2066 \u05d0\u05d1\u05d2',
  'x'.repeat(10_240),
  "\x00\x1b[31m'\ud800",
  '<!-- ]]> {{x}} ${x}',
]

/** A short run with a hostile name wherever there is one. */
export function hostileRun(): RunResult {
  const run = richRun({
    ...shopRun,
    stages: [{ durationS: 20, from: 50, to: 50 }],
    trouble: { fromS: 10, toS: 20, share: 0.5 },
  })
  const { plan, snapshot } = run
  const nameAt = (index: number) => hostileNames[index % hostileNames.length]!
  return {
    ...run,
    plan: {
      ...plan,
      title: hostileNames.join(' '),
      requestNames: plan.requestNames.map((_, index) => nameAt(index)),
      checks: plan.checks.map((check, index) => ({ ...check, name: nameAt(index + 3) })),
      thresholds: [`${'x'.repeat(500)}:p95<3s`],
      load: {
        ...plan.load,
        scenarios: hostileNames.map((name) => ({ name, weight: 1 })),
      },
    },
    watched: hostileNames.map((name) => ({
      ...run.watched![0]!,
      label: name,
      failureExample: name,
    })),
    snapshot: {
      ...snapshot,
      failureExamples: snapshot.failureExamples.map((example) => ({
        ...example,
        text: nameAt(example.kind),
      })),
    },
    threads: run.threads.map((thread, index) => ({ ...thread, reactorReason: nameAt(index) })),
  }
}

/** Even within a stage. */
function* arrivals({ stages }: RichRunShape): Generator<number> {
  let startS = 0
  for (const { durationS, from, to } of stages) {
    const slope = (to - from) / durationS
    const count = Math.floor(((from + to) / 2) * durationS)
    for (let index = 0; index < count; index++) {
      const root = Math.sqrt(from * from + 2 * slope * index)
      yield Math.round((startS + (index === 0 ? 0 : (2 * index) / (from + root))) * NS_PER_S)
    }
    startS += durationS
  }
}

/** Decides what becomes of each arrival, and tells it in the order of time. */
class Telling {
  readonly #recorder: Recorder
  readonly #shape: RichRunShape
  readonly #random: Random
  readonly #weightSum: number
  /** Sorted by their ends, the next one last. */
  readonly #underWay: {
    readonly exchange: Exchange
    readonly failure: FailureKindNumber | null
  }[] = []

  constructor(recorder: Recorder, shape: RichRunShape) {
    this.#recorder = recorder
    this.#shape = shape
    this.#random = seededRandom(shape.seed)
    this.#weightSum = shape.names.reduce((sum, { weight }) => sum + weight, 0)
  }

  arrive(dueNs: number): void {
    this.endUntil(dueNs)
    if (this.#underWay.length >= this.#shape.inFlightMax) {
      this.#recorder.dropped(dueNs)
      return
    }
    const lagNs = this.#random.uniform() ** 6 * 0.4 * NS_PER_MS + 20_000
    const exchange = new Exchange()
    exchange.reset(0, dueNs + lagNs)
    exchange.dueNs = dueNs
    exchange.nameIndex = this.#pickName()
    this.#recorder.arrived(dueNs, exchange.startNs)
    this.#recorder.started(exchange)
    const failure = this.#live(exchange)
    const place = this.#underWay.findIndex((other) => other.exchange.endNs <= exchange.endNs)
    const entry = { exchange, failure }
    if (place === -1) this.#underWay.push(entry)
    else this.#underWay.splice(place, 0, entry)
  }

  endUntil(nowNs: number): void {
    for (;;) {
      const next = this.#underWay.at(-1)
      if (next === undefined || next.exchange.endNs > nowNs) return
      this.#underWay.pop()
      this.#end(next.exchange, next.failure)
    }
  }

  #end(exchange: Exchange, failure: FailureKindNumber | null): void {
    if (failure !== null) {
      this.#recorder.failed(exchange, failure, () => failureText(failure))
      return
    }
    this.#recorder.checked(0, exchange.status < 400, exchange)
    this.#recorder.checked(1, true, exchange)
    this.#recorder.completed(exchange)
    this.#recorder.pageEnded(exchange.endNs - exchange.startNs, exchange.endNs)
  }

  #pickName(): number {
    let left = this.#random.uniform() * this.#weightSum
    return this.#shape.names.findIndex(({ weight }) => {
      left -= weight
      return left < 0
    })
  }

  /** Fills in the times of the exchange; the kind of its failure, if it fails. */
  #live(exchange: Exchange): FailureKindNumber | null {
    const { stall, trouble, names } = this.#shape
    const { typicalMs, bodyBytes } = names[exchange.nameIndex]!
    const random = this.#random
    const load = this.#underWay.length / this.#shape.inFlightMax
    const normal =
      Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(6.28 * random.uniform())
    let serviceNs = typicalMs * Math.exp(0.35 * normal) * (1 + 4 * load * load) * NS_PER_MS
    if (random.uniform() < 0.004) serviceNs *= 6 + 8 * random.uniform()
    const startS = exchange.startNs / NS_PER_S
    if (stall !== undefined && startS > stall.atS && startS < stall.atS + stall.durationS) {
      serviceNs += (stall.atS + stall.durationS - startS) * NS_PER_S
    }
    this.#phases(exchange, serviceNs)
    exchange.status = 200
    exchange.bodyBytes = Math.round(bodyBytes * (0.8 + 0.4 * random.uniform()))
    exchange.headBytes = 284
    exchange.requestBytes = 190
    const isTroubled =
      trouble !== undefined &&
      startS > trouble.fromS &&
      startS < trouble.toS &&
      random.uniform() < trouble.share
    if (isTroubled) exchange.status = 503
    if (isTroubled && random.uniform() < 0.2) return FailureKind.reset
    if (random.uniform() < 0.0002) exchange.status = 404
    if (random.uniform() < 0.0001) exchange.disqualification = Disqualification.checkFailed
    return null
  }

  #phases(exchange: Exchange, serviceNs: number): void {
    const random = this.#random
    let nowNs = exchange.startNs
    if (random.uniform() < 0.05) {
      exchange.resolvedNs = nowNs += (0.2 + random.uniform()) * NS_PER_MS
      exchange.connectedNs = nowNs += (0.3 + random.uniform()) * NS_PER_MS
      exchange.securedNs = nowNs += (2 + 3 * random.uniform()) * NS_PER_MS
    }
    exchange.sentNs = nowNs + 15_000
    exchange.firstByteNs = exchange.sentNs + serviceNs * 0.8
    exchange.endNs = Math.round(exchange.firstByteNs + serviceNs * 0.2)
  }
}

function failureText(kind: FailureKindNumber): string {
  return kind === FailureKind.reset ? 'read ECONNRESET from 127.0.0.1:8080' : 'no answer'
}

function planOf(shape: RichRunShape, durationNs: number): RunResult['plan'] {
  const stages: Stage[] = shape.stages.map(({ durationS, from, to }) => ({
    durationNs: durationS * NS_PER_S,
    from,
    to,
  }))
  return {
    ...plainFacts,
    userCount: shape.inFlightMax,
    iterationCount: null,
    durationNs,
    thinkTimeNsMax: 0,
    walk: 'in-order',
    targetCount: 0,
    originCount: 1,
    httpVersion: '1.1',
    keepAlive: true,
    timeoutNs: 30 * NS_PER_S,
    failureCountMax: null,
    threadCount: 2,
    seed: shape.seed,
    load: {
      model: 'open',
      stages,
      arrivals: 'poisson',
      totalCount: null,
      warmUpNs: shape.warmUpS * NS_PER_S,
      drainNs: 0,
      scenarios: [
        { name: 'browse', weight: 8 },
        { name: 'buy', weight: 2 },
      ],
    },
    requestNames: shape.names.map(({ name }) => name),
    checks: [
      { name: 'status is 2xx', nameIndex: 0 },
      { name: 'body contains "add to cart"', nameIndex: Math.min(2, shape.names.length - 1) },
      { name: 'order has a number', nameIndex: shape.names.length - 1 },
    ],
    thresholds: ['p99<200ms', 'errors<1%', 'rate>300/s'],
    title: shape.title,
  }
}

function health(busyRatio: number, elapsedNs: number) {
  const loopLag = new Histogram(2)
  for (const lagMs of [0.05, 0.08, 0.1, 0.21, 0.4]) loopLag.record(lagMs * NS_PER_MS)
  const reading = {
    cpuUserNs: elapsedNs * busyRatio * 0.6,
    cpuSystemNs: elapsedNs * busyRatio * 0.4,
    eventLoopUtilizationRatio: busyRatio,
    loopLag: loopLag.snapshot(),
    reactorName: 'epoll',
    reactorReason: null,
  }
  return threadHealth(reading, elapsedNs)
}

function cpuSeries(elapsedS: number): WatchedSeries {
  const builder = new SeriesBuilder()
  for (let atS = 0; atS < elapsedS; atS++) {
    builder.add(atS * NS_PER_S, 18 + 60 * (atS / elapsedS) + 6 * Math.sin(atS / 3))
  }
  builder.fail('took longer than a second')
  return builder.series('server CPU, %', 'http://127.0.0.1:9100/metrics#node_cpu')
}
