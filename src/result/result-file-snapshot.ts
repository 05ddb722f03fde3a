/**
 * Counts in result files: those that are mostly 0 by their names, intervals column by column.
 *
 * A name's or the run's service times are left out where they are its response times, as in the
 * closed model.
 */
import { NS_PER_S } from '../base/units.ts'
import type { Packing } from '../metrics/hdr-v2.ts'
import type { HistogramSnapshot } from '../metrics/histogram.ts'
import type { Interval, IntervalSeries } from '../metrics/intervals.ts'
import {
  DISQUALIFICATION_COUNT,
  Disqualification,
  FAILURE_KIND_COUNT,
  FailureKind,
} from '../metrics/outcome.ts'
import {
  type FailureExample,
  type NameSnapshot,
  type PhaseSnapshots,
  type Snapshot,
  STATUS_COUNT,
} from '../metrics/snapshot.ts'
import { type JsonNode, WrongJson } from './json-node.ts'
import { type HistogramReader, histogramJson } from './result-file-histogram.ts'

/** Counts that stand in the file under their own names. */
const counterNames = [
  'startedCount',
  'completedCount',
  'failedCount',
  'inFlightCount',
  'errorCount',
  'arrivalCount',
  'droppedCount',
  'overdueCount',
  'pageCount',
  'connectionCount',
  'retryCount',
  'bodyBytes',
  'completedBodyBytes',
  'headBytes',
  'requestBytes',
] as const

const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'transfer'] as const

/** A column of the file for each count of an interval. */
const columns = {
  startedCounts: 'startedCount',
  completedCounts: 'completedCount',
  failedCounts: 'failedCount',
  errorCounts: 'errorCount',
  droppedCounts: 'droppedCount',
  pageCounts: 'pageCount',
  bodyBytes: 'bodyBytes',
  inFlightCountsAtEnd: 'inFlightCountAtEnd',
} as const

const failureKeys = Object.keys(FailureKind)
const disqualificationKeys = Object.keys(Disqualification)

/** What `JSON.stringify` is given; the shape is in docs/result-file.md. */
export function snapshotJson(snapshot: Snapshot, packing: Packing): unknown {
  const pack = (histogram: HistogramSnapshot) => histogramJson(histogram, packing)
  const { phases, intervals } = snapshot
  return {
    ...Object.fromEntries(counterNames.map((name) => [name, snapshot[name]])),
    inFlightIntegralNs: snapshot.inFlightIntegralNs,
    statusCounts: sparse(snapshot.statusCounts, String),
    disqualifiedStatusCounts: sparse(snapshot.disqualifiedStatusCounts, String),
    disqualificationCounts: sparse(
      snapshot.disqualificationCounts,
      (kind) => disqualificationKeys[kind]!,
    ),
    failureCounts: sparse(snapshot.failureCounts, (kind) => failureKeys[kind]!),
    failureExamples: snapshot.failureExamples.map(({ kind, text, atNs }) => ({
      kind: failureKeys[kind],
      text,
      atNs,
    })),
    ...timesJson(snapshot, packing),
    timeoutTime: pack(snapshot.timeoutTime),
    pageTime: pack(snapshot.pageTime),
    startLag: pack(snapshot.startLag),
    phases: Object.fromEntries(phaseNames.map((name) => [name, pack(phases[name])])),
    warmUp: snapshot.warmUp,
    checks: snapshot.checks,
    names: snapshot.names.map((name) => ({
      startedCount: name.startedCount,
      completedCount: name.completedCount,
      failedCount: name.failedCount,
      errorCount: name.errorCount,
      bodyBytes: name.bodyBytes,
      statusCounts: Object.fromEntries(
        name.statusCounts.map(({ status, count }) => [status, count]),
      ),
      ...timesJson(name, packing),
    })),
    intervals: {
      widthNs: intervals.widthNs,
      endNs: intervals.endNs,
      ...Object.fromEntries(
        Object.entries(columns).map(([column, name]) => [
          column,
          intervals.intervals.map((interval) => interval[name]),
        ]),
      ),
      responseTimes: intervals.intervals.map(({ responseTime }) => pack(responseTime)),
    },
  }
}

type Times = Pick<Snapshot, 'responseTime' | 'serviceTime'>

function timesJson({ responseTime, serviceTime }: Times, packing: Packing): object {
  const response = histogramJson(responseTime, packing)
  const service = histogramJson(serviceTime, packing)
  const isSame = JSON.stringify(response) === JSON.stringify(service)
  return isSame ? { responseTime: response } : { responseTime: response, serviceTime: service }
}

function sparse(counts: Float64Array, keyOf: (index: number) => string): Record<string, number> {
  const found: Record<string, number> = {}
  counts.forEach((count, index) => {
    if (count !== 0) found[keyOf(index)] = count
  })
  return found
}

/** @throws {WrongJson} */
export function readSnapshot(node: JsonNode, histograms: HistogramReader): Snapshot {
  const counters = counterNames.map((name) => [name, node.field(name).count()] as const)
  const threeDigits = (name: string) => histograms.read(node.field(name), 3)
  const phase = (name: string) => histograms.read(node.field('phases').field(name), 2)
  return {
    // The names are exactly those of the counters.
    ...(Object.fromEntries(counters) as Record<(typeof counterNames)[number], number>),
    inFlightIntegralNs: node.field('inFlightIntegralNs').number(),
    statusCounts: byStatus(node.field('statusCounts')),
    disqualifiedStatusCounts: byStatus(node.field('disqualifiedStatusCounts')),
    disqualificationCounts: byKey(
      node.field('disqualificationCounts'),
      disqualificationKeys,
      DISQUALIFICATION_COUNT,
    ),
    failureCounts: byKey(node.field('failureCounts'), failureKeys, FAILURE_KIND_COUNT),
    failureExamples: node.field('failureExamples').list(readExample),
    ...readTimes(node, histograms),
    timeoutTime: threeDigits('timeoutTime'),
    pageTime: threeDigits('pageTime'),
    startLag: threeDigits('startLag'),
    phases: {
      dns: phase('dns'),
      connect: phase('connect'),
      tls: phase('tls'),
      firstByte: phase('firstByte'),
      transfer: phase('transfer'),
    } satisfies PhaseSnapshots,
    warmUp: {
      startedCount: node.field('warmUp').field('startedCount').count(),
      endedCount: node.field('warmUp').field('endedCount').count(),
      droppedCount: node.field('warmUp').field('droppedCount').count(),
    },
    checks: node.field('checks').list((check) => ({
      passedCount: check.field('passedCount').count(),
      failedCount: check.field('failedCount').count(),
    })),
    names: node.field('names').list((name) => readName(name, histograms)),
    intervals: readIntervals(node.field('intervals'), histograms),
  }
}

function readTimes(node: JsonNode, histograms: HistogramReader): Times {
  const responseTime = histograms.read(node.field('responseTime'), 3)
  const service = node.optional('serviceTime')
  return {
    responseTime,
    serviceTime: service === null ? responseTime : histograms.read(service, 3),
  }
}

function readName(node: JsonNode, histograms: HistogramReader): NameSnapshot {
  return {
    startedCount: node.field('startedCount').count(),
    completedCount: node.field('completedCount').count(),
    failedCount: node.field('failedCount').count(),
    errorCount: node.field('errorCount').count(),
    bodyBytes: node.field('bodyBytes').count(),
    statusCounts: node
      .field('statusCounts')
      .entries()
      .map(([key, count]) => ({ status: statusOf(key, count), count: count.count() }))
      .sort((a, b) => a.status - b.status),
    ...readTimes(node, histograms),
  }
}

function readExample(node: JsonNode): FailureExample {
  return {
    kind: failureKeys.indexOf(node.field('kind').oneOf(...failureKeys)),
    text: node.field('text').text(),
    atNs: node.field('atNs').amount(),
  }
}

function byStatus(node: JsonNode): Float64Array {
  const counts = new Float64Array(STATUS_COUNT)
  for (const [key, count] of node.entries()) counts[statusOf(key, count)] = count.count()
  return counts
}

function statusOf(key: string, { place }: JsonNode): number {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(key)) throw new WrongJson(place, 'is no status')
  return Number(key)
}

function byKey(node: JsonNode, keys: readonly string[], length: number): Float64Array {
  const counts = new Float64Array(length)
  for (const [key, count] of node.entries()) {
    const index = keys.indexOf(key)
    if (index < 0) throw new WrongJson(count.place, `is none of ${keys.join(', ')}`)
    counts[index] = count.count()
  }
  return counts
}

function readIntervals(node: JsonNode, histograms: HistogramReader): IntervalSeries {
  const widthNs = node.field('widthNs').count()
  const endNs = node.field('endNs').amount()
  if (!Number.isInteger(Math.log2(widthNs / NS_PER_S)) || widthNs < NS_PER_S) {
    throw new WrongJson(node.field('widthNs').place, 'is not 1, 2, 4, 8 ... seconds')
  }
  const responseTimes = node.field('responseTimes')
  const times = responseTimes.list((each) => histograms.read(each, 2))
  const counts = Object.entries(columns).map(([column, name]) => {
    const found = node.field(column).list((each) => each.count())
    if (found.length === times.length) return [name, found] as const
    throw new WrongJson(
      node.field(column).place,
      `has ${found.length} entries beside ${times.length} of ${responseTimes.place}`,
    )
  })
  if ((times.length - 1) * widthNs > endNs) {
    throw new WrongJson(responseTimes.place, 'goes on behind the end of the intervals')
  }
  const intervals = times.map((responseTime, index): Interval => {
    const startNs = index * widthNs
    // The names are exactly those of an interval's counts.
    const named = Object.fromEntries(
      counts.map(([name, found]) => [name, found[index]!]),
    ) as Record<(typeof columns)[keyof typeof columns], number>
    return { ...named, startNs, durationNs: Math.min(widthNs, endNs - startNs), responseTime }
  })
  return { widthNs, endNs, intervals }
}
