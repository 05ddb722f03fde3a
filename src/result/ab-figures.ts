/**
 * ab's figures: what it counts and how it computes, from a result and the rows of its exchanges.
 *
 * A request is complete when it has ended, and failed at most once. Times are those of whole
 * responses, in whole microseconds, exact while there are rows; without rows they come from
 * histograms, which know 3 digits.
 */
import { NS_PER_US } from '../base/units.ts'
import type { RowColumns } from '../metrics/exchange-rows.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'
import { FailureKind } from '../metrics/outcome.ts'
import { textFromLatin1 } from '../plan/latin1.ts'
import type { RunResult } from './run-result.ts'

/** What was kept of exchanges, as far as it matters here. */
export interface AbRows {
  /** Null when there were too many. */
  readonly rows: RowColumns | null
  readonly histograms: {
    readonly connect: HistogramSnapshot
    readonly processing: HistogramSnapshot
    readonly wait: HistogramSnapshot
    readonly total: HistogramSnapshot
  } | null
  readonly differingLengthCount: number
  readonly keptConnectionCount: number
  readonly firstBodyBytes: number | null
  readonly server: string | null
}

export interface AbTimes {
  readonly minUs: number
  readonly meanUs: number
  readonly sdUs: number
  readonly medianUs: number
  readonly maxUs: number
  /** Before it was divided by the count. */
  readonly sumUs: number
}

export interface AbFigures {
  /** Up to the first blank; empty when no server said. */
  readonly serverSoftware: string
  readonly documentBytes: number
  readonly elapsedS: number
  readonly completeCount: number
  readonly failedCount: number
  readonly connectFailedCount: number
  readonly receiveFailedCount: number
  readonly lengthFailedCount: number
  readonly exceptionCount: number
  readonly non2xxCount: number
  readonly keptConnectionCount: number
  /** Heads and bodies. */
  readonly receivedBytes: number
  readonly bodyBytes: number
  readonly sentBytes: number
  /** Whole responses: all times are theirs. */
  readonly timedCount: number
  readonly areTimesExact: boolean
  readonly times: {
    readonly connect: AbTimes
    readonly processing: AbTimes
    readonly waiting: AbTimes
    readonly total: AbTimes
  }
  /** Total times in ascending order, by their place. */
  readonly totalAt: (index: number) => number
}

/** `isLengthFree`: `-l`. */
export function abFigures(result: RunResult, kept: AbRows, isLengthFree: boolean): AbFigures {
  const { snapshot } = result
  const failures = snapshot.failureCounts
  const count = (...kinds: number[]) => kinds.reduce((sum, kind) => sum + failures[kind]!, 0)
  const lengthFailedCount = isLengthFree ? 0 : kept.differingLengthCount
  const ok = snapshot.statusCounts.slice(200, 300).reduce((sum, each) => sum + each, 0)
  return {
    serverSoftware: textFromLatin1(/^[^\0-\x20]*/.exec(kept.server ?? '')![0]),
    documentBytes: kept.firstBodyBytes ?? 0,
    elapsedS: result.elapsedNs / 1e9,
    completeCount: snapshot.completedCount + snapshot.failedCount,
    failedCount: snapshot.failedCount + lengthFailedCount,
    connectFailedCount: count(
      FailureKind.dns,
      FailureKind.connect,
      FailureKind.connectTimeout,
      FailureKind.tls,
      FailureKind.tlsTimeout,
    ),
    receiveFailedCount: count(FailureKind.reset, FailureKind.closed, FailureKind.truncated),
    lengthFailedCount,
    exceptionCount: count(
      FailureKind.firstByteTimeout,
      FailureKind.idleTimeout,
      FailureKind.protocol,
      FailureKind.ownLimit,
    ),
    non2xxCount: snapshot.completedCount - ok,
    keptConnectionCount: kept.keptConnectionCount,
    receivedBytes: snapshot.headBytes + snapshot.bodyBytes,
    bodyBytes: snapshot.bodyBytes,
    sentBytes: snapshot.requestBytes,
    ...timesOf(kept),
  }
}

type TimeFigures = Pick<AbFigures, 'timedCount' | 'areTimesExact' | 'times' | 'totalAt'>

function timesOf(kept: AbRows): TimeFigures {
  if (kept.histograms !== null) return timesOfHistograms(kept.histograms)
  const connectUs = kept.rows?.connectUs ?? noTimes
  const waitUs = kept.rows?.waitUs ?? noTimes
  const totalUs = kept.rows?.totalUs ?? noTimes
  const totals = totalUs.toSorted()
  // One piece of memory for all others: there may be a million of each.
  const scratch = new Uint32Array(totals.length)
  const timesOfColumn = (column: Uint32Array) => {
    scratch.set(column)
    return exactTimes(scratch.sort())
  }
  const connect = timesOfColumn(connectUs)
  const waiting = timesOfColumn(waitUs)
  for (let index = 0; index < scratch.length; index++) {
    scratch[index] = Math.max(0, totalUs[index]! - connectUs[index]!)
  }
  return {
    timedCount: totals.length,
    areTimesExact: true,
    times: { connect, processing: exactTimes(scratch.sort()), waiting, total: exactTimes(totals) },
    totalAt: (index) => totals[index]!,
  }
}

const noTimes = new Uint32Array()

/** From times in ascending order. */
export function exactTimes(sorted: Uint32Array): AbTimes {
  const count = sorted.length
  if (count === 0) return { minUs: 0, meanUs: 0, sdUs: 0, medianUs: 0, maxUs: 0, sumUs: 0 }
  let sumUs = 0
  // By index: an iterator takes several times as long, and there may be a million.
  for (let index = 0; index < count; index++) sumUs += sorted[index]!
  const meanUs = Math.floor(sumUs / count)
  let squares = 0
  for (let index = 0; index < count; index++) squares += (sorted[index]! - meanUs) ** 2
  const half = count >> 1
  return {
    minUs: sorted[0]!,
    meanUs,
    sdUs: count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
    medianUs: count % 2 === 1 ? sorted[half]! : Math.floor((sorted[half - 1]! + sorted[half]!) / 2),
    maxUs: sorted[count - 1]!,
    sumUs,
  }
}

function timesOfHistograms(histograms: NonNullable<AbRows['histograms']>): TimeFigures {
  const total = Histogram.from(histograms.total)
  const count = total.totalCount
  return {
    timedCount: count,
    areTimesExact: false,
    times: {
      connect: histogramTimes(histograms.connect),
      processing: histogramTimes(histograms.processing),
      waiting: histogramTimes(histograms.wait),
      total: histogramTimes(histograms.total),
    },
    totalAt: (index) => us(total.valueNsAtQuantile((index + 1) / count)),
  }
}

function histogramTimes(snapshot: HistogramSnapshot): AbTimes {
  const histogram = Histogram.from(snapshot)
  return {
    minUs: us(histogram.minNs),
    meanUs: us(histogram.meanNs),
    sdUs: histogram.stdevNs / NS_PER_US,
    medianUs: us(histogram.valueNsAtQuantile(0.5)),
    maxUs: us(histogram.maxNs),
    sumUs: us(histogram.sumNs),
  }
}

function us(ns: number): number {
  return Math.floor(ns / NS_PER_US)
}

/** ab's rule for its text: `percent` of the times are at most this. */
export function textPercentileUs(figures: AbFigures, percent: number): number {
  const { timedCount } = figures
  const index = Math.floor((timedCount * percent) / 100)
  return figures.totalAt(Math.min(index, timedCount - 1))
}

/** ab's rule for its CSV file, kept within the times. */
export function csvPercentileUs(figures: AbFigures, percent: number): number {
  const { timedCount } = figures
  if (percent === 0) return figures.totalAt(0)
  const index = percent === 100 ? timedCount - 1 : Math.floor(0.5 + (timedCount * percent) / 100)
  return figures.totalAt(Math.min(index, timedCount - 1))
}
