/**
 * What a watcher wants to know of a run, from its cumulative counts: the figures of the last
 * seconds, by subtracting older counts from newer ones, and a series of whole seconds.
 *
 * It keeps the counts of the last five seconds and two numbers for each of the last two minutes'
 * seconds, however long the run. Exchanges of the warm-up count for rates while it lasts, so that
 * the view is alive; they are in no other figure.
 */
import { NS_PER_S } from '../../base/units.ts'
import {
  Histogram,
  type HistogramSnapshot,
  subtractHistogramSnapshots,
} from '../../metrics/histogram.ts'
import { disqualificationNames, failureKindNames } from '../../metrics/outcome.ts'
import { emptySnapshot, type Snapshot } from '../../metrics/snapshot.ts'

const RECENT_NS = 5 * NS_PER_S
/** Rates follow faster than percentiles, which need more to rest on. */
const RATE_NS = 2 * NS_PER_S
export const SERIES_SECOND_COUNT_MAX = 120

export interface TimeFigures {
  readonly count: number
  readonly p50Ns: number
  readonly p90Ns: number
  readonly p99Ns: number
  readonly p999Ns: number
  readonly maxNs: number
}

/** The kind of error that was counted last. */
export interface LastError {
  readonly name: string
  readonly count: number
  /** The first of its kind; empty where there is none. */
  readonly example: string
}

export interface LiveFigures {
  readonly elapsedNs: number
  /** All counts since the run's start. */
  readonly snapshot: Snapshot
  /** How many seconds the recent figures are of: five, or fewer at the start. */
  readonly recentNs: number
  /** This and the other rates are of the last two seconds. */
  readonly completedPerSecond: number
  /** Arrivals due, begun or dropped; 0 in the closed model. */
  readonly offeredPerSecond: number
  readonly receivedBytesPerSecond: number
  readonly inFlightCount: number
  readonly recentDroppedCount: number
  readonly recentResponseTime: TimeFigures
  readonly recentServiceTime: TimeFigures
  readonly recentStartLag: TimeFigures
  readonly wholeResponseTime: TimeFigures
  /** For each whole second, the last one last. */
  readonly rateSeries: readonly number[]
  /** In ns; null for seconds without a response. */
  readonly p99Series: readonly (number | null)[]
  readonly lastError: LastError | null
}

interface Sample {
  readonly elapsedNs: number
  readonly snapshot: Snapshot
}

export class LiveHistory {
  #samples: Sample[] = [{ elapsedNs: 0, snapshot: emptySnapshot() }]
  #second: Sample = this.#samples[0]!
  #rateSeries: number[] = []
  #p99Series: (number | null)[] = []
  #lastError: LastError | null = null

  /** Counts that are not younger than the last ones take their place. */
  add(snapshot: Snapshot, elapsedNs: number): void {
    const last = this.#samples.at(-1)!
    this.#lastError = newestError(snapshot, last.snapshot) ?? this.#lastError
    const sample = { snapshot, elapsedNs: Math.max(elapsedNs, last.elapsedNs) }
    if (elapsedNs <= last.elapsedNs && this.#samples.length > 1) this.#samples.pop()
    this.#samples.push(sample)
    const from = this.#samples.findLastIndex((old) => old.elapsedNs <= elapsedNs - RECENT_NS)
    if (from > 0) this.#samples = this.#samples.slice(from)
    const secondCount = wholeSeconds(elapsedNs) - wholeSeconds(this.#second.elapsedNs)
    if (secondCount > 0) this.#sealSeconds(sample, secondCount)
  }

  figures(): LiveFigures {
    const now = this.#samples.at(-1)!
    const then = this.#samples[0]!
    const before = this.#samples.findLast((old) => old.elapsedNs <= now.elapsedNs - RATE_NS) ?? then
    const { snapshot } = now
    const recentNs = now.elapsedNs - then.elapsedNs
    const recentTime = (of: (counts: Snapshot) => HistogramSnapshot) =>
      timeFigures(subtractHistogramSnapshots(of(snapshot), of(then.snapshot)))
    return {
      elapsedNs: now.elapsedNs,
      snapshot,
      recentNs,
      completedPerSecond: growthPerSecond(now, before, completedCountOf),
      offeredPerSecond: growthPerSecond(now, before, offeredCountOf),
      receivedBytesPerSecond: growthPerSecond(now, before, (of) => of.bodyBytes + of.headBytes),
      inFlightCount:
        snapshot.inFlightCount + snapshot.warmUp.startedCount - snapshot.warmUp.endedCount,
      recentDroppedCount: droppedCountOf(snapshot) - droppedCountOf(then.snapshot),
      recentResponseTime: recentTime((counts) => counts.responseTime),
      recentServiceTime: recentTime((counts) => counts.serviceTime),
      recentStartLag: recentTime((counts) => counts.startLag),
      wholeResponseTime: timeFigures(snapshot.responseTime),
      rateSeries: this.#rateSeries,
      p99Series: this.#p99Series,
      lastError: this.#lastError,
    }
  }

  /** When the updates paused, each of the seconds that went by gets the mean of all. */
  #sealSeconds(now: Sample, secondCount: number): void {
    const perSecond = growthPerSecond(now, this.#second, completedCountOf)
    const times = timeFigures(
      subtractHistogramSnapshots(now.snapshot.responseTime, this.#second.snapshot.responseTime),
    )
    for (let i = 0; i < Math.min(secondCount, SERIES_SECOND_COUNT_MAX); i++) {
      this.#rateSeries.push(perSecond)
      this.#p99Series.push(times.count === 0 ? null : times.p99Ns)
    }
    this.#rateSeries = this.#rateSeries.slice(-SERIES_SECOND_COUNT_MAX)
    this.#p99Series = this.#p99Series.slice(-SERIES_SECOND_COUNT_MAX)
    this.#second = now
  }
}

function wholeSeconds(ns: number): number {
  return Math.floor(ns / NS_PER_S)
}

function growthPerSecond(now: Sample, then: Sample, of: (counts: Snapshot) => number): number {
  const elapsedNs = now.elapsedNs - then.elapsedNs
  if (elapsedNs <= 0) return 0
  return ((of(now.snapshot) - of(then.snapshot)) / elapsedNs) * NS_PER_S
}

function completedCountOf({ completedCount, warmUp }: Snapshot): number {
  return completedCount + warmUp.endedCount
}

function droppedCountOf({ droppedCount, warmUp }: Snapshot): number {
  return droppedCount + warmUp.droppedCount
}

/** Arrivals of the warm-up are not counted, but what they started is. */
function offeredCountOf({ arrivalCount, droppedCount, warmUp }: Snapshot): number {
  return arrivalCount + droppedCount + warmUp.startedCount + warmUp.droppedCount
}

function timeFigures(snapshot: HistogramSnapshot): TimeFigures {
  const histogram = Histogram.from(snapshot)
  return {
    count: snapshot.totalCount,
    p50Ns: histogram.valueNsAtQuantile(0.5),
    p90Ns: histogram.valueNsAtQuantile(0.9),
    p99Ns: histogram.valueNsAtQuantile(0.99),
    p999Ns: histogram.valueNsAtQuantile(0.999),
    maxNs: histogram.maxNs,
  }
}

/** Of what was not there before: a transport failure before a status, then the one seen most. */
function newestError(now: Snapshot, before: Snapshot): LastError | null {
  if (now.errorCount === before.errorCount) return null
  const kind = indexOfMostGrowth(now.failureCounts, before.failureCounts, 0)
  if (kind >= 0) {
    const example = now.failureExamples.find((failure) => failure.kind === kind)?.text ?? ''
    return { name: failureKindNames[kind] ?? '', count: now.failureCounts[kind]!, example }
  }
  const status = indexOfMostGrowth(now.statusCounts, before.statusCounts, 400)
  if (status >= 0)
    return { name: `status ${status}`, count: now.statusCounts[status]!, example: '' }
  const reason = indexOfMostGrowth(now.disqualificationCounts, before.disqualificationCounts, 1)
  if (reason < 0) return null
  const count = now.disqualificationCounts[reason]!
  return { name: disqualificationNames[reason] ?? '', count, example: '' }
}

function indexOfMostGrowth(now: Float64Array, before: Float64Array, from: number): number {
  let best = -1
  let most = 0
  for (let index = from; index < now.length; index++) {
    const growth = now[index]! - before[index]!
    if (growth <= most) continue
    most = growth
    best = index
  }
  return best
}
