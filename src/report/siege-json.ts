/**
 * The statistics at the end of a siege, as JSON.
 *
 * First siege's twelve keys as siege 4.0.9 and later lays them out, then one key `onager` with the
 * rest. Its names carry their units. It is valid JSON whatever happened: what is not a finite
 * number becomes 0.
 */

import { msFromNs, secondsFromNs } from '../base/units.ts'
import type { SiegeFigures } from '../result/siege-figures.ts'
import type { Summary } from '../result/summary.ts'
import type { TimeSummary } from '../result/time-summary.ts'
import { watchedJson } from './siege-watched.ts'

type JsonValue =
  | string
  | number
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

const VALUE_WIDTH = 12

/** One object and a line break. Without a summary it has siege's keys and nothing else. */
export function siegeJson(figures: SiegeFigures, summary: Summary | null): string {
  const lines = [
    `"transactions":\t\t\t${whole(figures.transactionCount)}`,
    `"availability":\t\t\t${two(figures.availabilityPercent)}`,
    `"elapsed_time":\t\t\t${two(figures.elapsedS)}`,
    `"data_transferred":\t\t${two(figures.dataMb)}`,
    `"response_time":\t\t${two(figures.responseTimeS)}`,
    `"transaction_rate":\t\t${two(figures.transactionsPerSecond)}`,
    `"throughput":\t\t\t${two(figures.mbPerSecond)}`,
    `"concurrency":\t\t\t${two(figures.concurrency)}`,
    `"successful_transactions":\t${whole(figures.successfulCount)}`,
    `"failed_transactions":\t\t${whole(figures.failedCount)}`,
    `"longest_transaction":\t\t${two(figures.longestS)}`,
    `"shortest_transaction":\t\t${two(figures.shortestS)}`,
  ]
  if (summary !== null) {
    const rest = JSON.stringify(additionOf(summary), plainNumber, '\t').replaceAll('\n', '\n\t')
    lines.push(`"onager": ${rest}`)
  }
  return `{\n\t${lines.join(',\n\t')}\n}\n`
}

function additionOf(summary: Summary): JsonValue {
  const { generator } = summary
  return {
    version: summary.onagerVersion,
    started_at: new Date(summary.startedAtMs).toISOString(),
    elapsed_time_s: secondsFromNs(summary.elapsedNs),
    ended_by: summary.endedBy,
    users: summary.plan.userCount,
    started: summary.startedCount,
    completed: summary.completedCount,
    failed: summary.failedCount,
    in_flight_at_end: summary.inFlightCount,
    pages: summary.pageCount,
    pages_per_second: summary.pagesPerSecond,
    page_time_ms: timesOf(summary.pageTime),
    response_time_ms: timesOf(summary.responseTime),
    phases_ms: {
      dns: timesOf(summary.phases.dns),
      connect: timesOf(summary.phases.connect),
      tls: timesOf(summary.phases.tls),
      first_byte: timesOf(summary.phases.firstByte),
      transfer: timesOf(summary.phases.transfer),
    },
    connections: summary.connectionCount,
    retries: summary.retryCount,
    request_bytes: summary.requestBytes,
    head_bytes: summary.headBytes,
    body_bytes: summary.bodyBytes,
    statuses: Object.fromEntries(summary.statuses.map(({ status, count }) => [status, count])),
    disqualified: summary.disqualifications.map(({ name, count }) => ({ reason: name, count })),
    failures: summary.failures.map(({ name, count, example }) => ({ kind: name, count, example })),
    timeouts: summary.timeoutCount,
    timeout_s: secondsFromNs(summary.timeoutNs),
    generator: {
      threads: generator.threadCount,
      reactor: generator.reactorName,
      reactor_reason: generator.reactorReason,
      busy_ratio_max: generator.busyRatioMax,
      event_loop_lag_p99_ms: msOrNull(generator.loopLagNsP99),
      event_loop_lag_max_ms: msOrNull(generator.loopLagNsMax),
    },
    ...(summary.watched.length === 0 ? {} : { watched: summary.watched.map(watchedJson) }),
    warnings: summary.warnings.map(({ kind, text }) => ({ kind, text })),
  }
}

function msOrNull(ns: number | null): number | null {
  return ns === null ? null : msFromNs(ns)
}

/** Null where nothing was measured: a time of 0 would read as fast. */
function timesOf(times: TimeSummary): JsonValue {
  if (times.count === 0) return null
  const percentiles = times.percentiles.map(({ name, valueNs }) => [keyOf(name), msFromNs(valueNs)])
  return {
    count: times.count,
    min: msFromNs(times.minNs),
    mean: msFromNs(times.meanNs),
    ...Object.fromEntries(percentiles),
    max: msFromNs(times.maxNs),
    not_firm: times.percentiles.filter(({ isFirm }) => !isFirm).map(({ name }) => keyOf(name)),
  }
}

/** `p99_9`: a key that tools can name without quotes. */
function keyOf(percentileName: string): string {
  return percentileName.replace('.', '_')
}

/**
 * JSON has no NaN and no Infinity (RFC 8259 section 6), where `JSON.stringify` would write null.
 * Six decimals are a nanosecond in a time in ms, and spare the reader the noise of doubles.
 */
function plainNumber(key: string, value: JsonValue): JsonValue {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  // A number of somebody else's may be of any size.
  if (key.startsWith('value')) return finite(value)
  return Math.round(finite(value) * 1e6) / 1e6
}

function whole(value: number): string {
  return String(finite(value)).padStart(VALUE_WIDTH)
}

function two(value: number): string {
  return finite(value).toFixed(2).padStart(VALUE_WIDTH)
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
