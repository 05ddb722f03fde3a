/**
 * A scripted run of the open model: named requests with phases and checks, arrivals that are late
 * or dropped, told to a recorder in the order in which things happen.
 */
import { type Random, seededRandom } from '../../src/base/random.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { Disqualification, FailureKind, type FailureKindNumber } from '../../src/metrics/outcome.ts'
import type { Recorder } from '../../src/metrics/recorder.ts'
import type { Snapshot } from '../../src/metrics/snapshot.ts'
import { WarmUpRecorder } from '../../src/metrics/warm-up-recorder.ts'

const NS_PER_MS = 1e6
const NS_PER_S = 1e9

export interface OpenScript {
  readonly arrivalsPerSecond: number
  readonly durationS: number
  readonly warmUpS?: number
  /** By name: share of requests, and typical ms. */
  readonly names: readonly { readonly weight: number; readonly typicalMs: number }[]
  readonly checkCount: number
  /** The target answers nothing between these; what is due meanwhile ends after it. */
  readonly stall?: { readonly fromS: number; readonly toS: number }
  /** More than that at once are dropped. */
  readonly inFlightMax?: number
  /** Share of answers that are 500, of connections that are reset, of checks that fail. */
  readonly errorRatio?: number
  readonly resetRatio?: number
  readonly checkFailureRatio?: number
}

interface Told {
  readonly atNs: number
  readonly order: number
  readonly tell: (recorder: Recorder) => void
}

export function openSnapshot(script: OpenScript, seed = 1): Snapshot {
  const random = seededRandom(seed)
  const counting = new CountingRecorder({
    nameCount: script.names.length,
    checkCount: script.checkCount,
  })
  const recorder = new WarmUpRecorder(counting, (script.warmUpS ?? 0) * NS_PER_S)
  const events: Told[] = []
  const endsNs: number[] = []
  const count = Math.floor(script.arrivalsPerSecond * script.durationS)
  for (let index = 0; index < count; index++) {
    const dueNs = Math.floor((index / script.arrivalsPerSecond) * NS_PER_S)
    const underWay = endsNs.filter((endNs) => endNs > dueNs)
    endsNs.splice(0, endsNs.length, ...underWay)
    if (underWay.length >= (script.inFlightMax ?? Number.POSITIVE_INFINITY)) {
      events.push({ atNs: dueNs, order: index, tell: (told) => told.dropped(dueNs) })
      continue
    }
    const exchange = exchangeOf(script, dueNs, random)
    endsNs.push(exchange.endNs)
    events.push(...eventsOf(script, exchange, { index, random }))
  }
  events.sort((a, b) => a.atNs - b.atNs || a.order - b.order)
  for (const { tell } of events) tell(recorder)
  return recorder.snapshot(Math.max(script.durationS * NS_PER_S, events.at(-1)?.atNs ?? 0))
}

function exchangeOf(script: OpenScript, dueNs: number, random: Random): Exchange {
  const exchange = new Exchange()
  const { stall } = script
  exchange.reset(0, dueNs + Math.round(random.uniform() ** 6 * 0.3 * NS_PER_MS))
  exchange.dueNs = dueNs
  exchange.nameIndex = pick(script.names, random.uniform())
  const { typicalMs } = script.names[exchange.nameIndex]!
  const slowness = 0.7 + 0.6 * random.uniform() + 20 * random.uniform() ** 12
  let nowNs = exchange.startNs
  if (random.uniform() < 0.01) {
    nowNs += 0.05 * NS_PER_MS
    exchange.resolvedNs = nowNs
    nowNs += 0.2 * NS_PER_MS
    exchange.connectedNs = nowNs
    nowNs += 1.1 * NS_PER_MS
    exchange.securedNs = nowNs
  }
  if (stall !== undefined && nowNs > stall.fromS * NS_PER_S) {
    nowNs = Math.max(nowNs, stall.toS * NS_PER_S)
  }
  exchange.sentNs = nowNs
  exchange.firstByteNs = Math.round(nowNs + typicalMs * slowness * NS_PER_MS)
  exchange.endNs = exchange.firstByteNs + Math.round(0.08 * NS_PER_MS)
  exchange.status = 200
  exchange.headBytes = 240
  exchange.bodyBytes = 1800
  exchange.requestBytes = 140
  return exchange
}

/** The position that a number from 0 to 1 falls on. */
function pick(weighted: OpenScript['names'], at: number): number {
  let left = at * weighted.reduce((sum, { weight }) => sum + weight, 0)
  for (const [index, { weight }] of weighted.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weighted.length - 1
}

function eventsOf(
  script: OpenScript,
  exchange: Exchange,
  { index, random }: { index: number; random: Random },
): Told[] {
  const { dueNs, startNs, endNs } = exchange
  const isReset = random.uniform() < (script.resetRatio ?? 0)
  if (random.uniform() < (script.errorRatio ?? 0)) exchange.status = 500
  const checks = Array.from(
    { length: script.checkCount },
    () => random.uniform() >= (script.checkFailureRatio ?? 0),
  )
  if (checks.includes(false)) exchange.disqualification = Disqualification.checkFailed
  return [
    {
      atNs: startNs,
      order: index,
      tell: (recorder) => {
        recorder.arrived(dueNs, startNs)
        recorder.started(exchange)
        if (exchange.connectedNs >= 0) recorder.connected()
      },
    },
    {
      atNs: endNs,
      order: index,
      tell: (recorder) => {
        if (isReset) fail(recorder, exchange, FailureKind.reset)
        else {
          for (const [at, hasPassed] of checks.entries()) recorder.checked(at, hasPassed, exchange)
          recorder.completed(exchange)
        }
        recorder.pageEnded(endNs - dueNs, endNs)
      },
    },
  ]
}

function fail(recorder: Recorder, exchange: Exchange, kind: FailureKindNumber): void {
  recorder.failed(exchange, kind, () => 'read ECONNRESET from 127.0.0.1:8080')
}
