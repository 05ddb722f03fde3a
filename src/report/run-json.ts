/**
 * The summary of a run as JSON, for programs: described by docs/schema/summary.schema.json, which a
 * test holds it to. Names carry their units; what was not measured is null.
 */
import { msFromNs, secondsFromNs } from '../base/units.ts'
import type { NameSummary } from '../result/name-summary.ts'
import type { Summary } from '../result/summary.ts'
import type { TimeSummary } from '../result/time-summary.ts'
import { isBroken, type Verdict } from '../result/verdicts.ts'
import { runWarnings } from '../result/warnings.ts'
import { watchedJson } from './siege-watched.ts'

/** Raised when a key no longer means what it meant. */
const FORMAT_VERSION = 1

export function runJson(summary: Summary, verdicts: readonly Verdict[]): string {
  return `${JSON.stringify(summaryJson(summary, verdicts), plainNumber, 2)}\n`
}

function summaryJson(summary: Summary, verdicts: readonly Verdict[]): object {
  const { generator, plan } = summary
  return {
    format: 'onager-summary',
    format_version: FORMAT_VERSION,
    onager_version: summary.onagerVersion,
    title: plan.title,
    started_at: new Date(summary.startedAtMs).toISOString(),
    elapsed_s: secondsFromNs(summary.elapsedNs),
    measured_s: secondsFromNs(summary.measuredNs),
    under_load_s: secondsFromNs(summary.underLoadNs),
    ended_by: summary.endedBy,
    used_up_feeders: summary.usedUpFeeders.map(({ name, rowCount }) => ({ name, rows: rowCount })),
    passed: verdicts.length === 0 ? null : !isBroken(verdicts),
    thresholds: verdicts.map(thresholdJson),
    load: loadJson(summary),
    arrivals: arrivalsJson(summary),
    requests: {
      started: summary.startedCount,
      completed: summary.completedCount,
      failed: summary.failedCount,
      in_flight_at_end: summary.inFlightCount,
      errors: summary.errorCount,
      error_ratio: summary.errorRatio,
      completed_per_second: summary.completedPerSecond,
      retries: summary.retryCount,
    },
    response_time_ms: timesJson(summary.responseTime),
    service_time_ms: timesJson(summary.serviceTime),
    phases_ms: {
      dns: timesJson(summary.phases.dns),
      connect: timesJson(summary.phases.connect),
      tls: timesJson(summary.phases.tls),
      first_byte: timesJson(summary.phases.firstByte),
      transfer: timesJson(summary.phases.transfer),
    },
    iterations: {
      count: summary.pageCount,
      per_second: summary.pagesPerSecond,
      time_ms: timesJson(summary.pageTime),
    },
    names: summary.names.map(nameJson),
    checks: summary.checks.map((check) => ({
      name: check.name,
      request: check.requestName === '' ? null : check.requestName,
      passed: check.passedCount,
      failed: check.failedCount,
      passed_ratio: check.passedRatio,
    })),
    ...outcomesJson(summary),
    in_flight_mean: summary.inFlightMean,
    warm_up: {
      started: summary.warmUp.startedCount,
      ended: summary.warmUp.endedCount,
      dropped: summary.warmUp.droppedCount,
    },
    generator: {
      threads: generator.threadCount,
      reactor: generator.reactorName,
      reactor_reason: generator.reactorReason,
      busy_ratio_max: generator.busyRatioMax,
      loop_lag_p99_ms: msOrNull(generator.loopLagNsP99),
      loop_lag_max_ms: msOrNull(generator.loopLagNsMax),
    },
    watched: summary.watched.map(watchedJson),
    warnings: runWarnings(summary).map(({ kind, text }) => ({ kind, text })),
  }
}

function arrivalsJson({ arrivals, startLag }: Summary): object | null {
  if (arrivals === null) return null
  return {
    planned: arrivals.plannedCount,
    due: arrivals.dueCount,
    begun: arrivals.begunCount,
    dropped: arrivals.droppedCount,
    overdue: arrivals.overdueCount,
    dropped_ratio: arrivals.droppedRatio,
    planned_per_second: arrivals.plannedPerSecond,
    begun_per_second: arrivals.begunPerSecond,
    start_lag_ms: timesJson(startLag),
  }
}

function nameJson(name: NameSummary): object {
  return {
    name: name.name,
    started: name.startedCount,
    completed: name.completedCount,
    failed: name.failedCount,
    errors: name.errorCount,
    error_ratio: name.errorRatio,
    completed_per_second: name.completedPerSecond,
    body_bytes: name.bodyBytes,
    statuses: Object.fromEntries(name.statuses.map(({ status, count }) => [status, count])),
    response_time_ms: timesJson(name.responseTime),
    service_time_ms: timesJson(name.serviceTime),
  }
}

function loadJson({ plan }: Summary): object {
  const { load } = plan
  return {
    model: load.model,
    users: plan.userCount,
    duration_s: plan.durationNs === null ? null : secondsFromNs(plan.durationNs),
    iterations_each: plan.iterationCount,
    iterations_in_all: load.totalCount,
    warm_up_s: secondsFromNs(load.warmUpNs),
    drain_s: secondsFromNs(load.drainNs),
    arrivals: load.arrivals,
    stages: load.stages.map(({ durationNs, from, to }) => ({
      duration_s: durationNs === null ? null : secondsFromNs(durationNs),
      from,
      to,
    })),
    scenarios: load.scenarios.map(({ name, weight }) => ({ name, weight })),
  }
}

function outcomesJson(summary: Summary): object {
  return {
    statuses: Object.fromEntries(summary.statuses.map(({ status, count }) => [status, count])),
    failures: summary.failures.map(({ name, count, example }) => ({ kind: name, count, example })),
    disqualified: summary.disqualifications.map(({ name, count }) => ({ reason: name, count })),
    timeouts: summary.timeoutCount,
    timeout_s: secondsFromNs(summary.timeoutNs),
    bytes: {
      requests: summary.requestBytes,
      heads: summary.headBytes,
      bodies: summary.bodyBytes,
    },
    connections: summary.connectionCount,
  }
}

function thresholdJson({ threshold, outcome, measured, isFirm, reason }: Verdict): object {
  const { metric, bound } = threshold
  const isTime = 'time' in metric
  const inUnit = (value: number) => (isTime ? msFromNs(value) : value)
  const unit = isTime ? 'ms' : metric.kind === 'rate' ? 'per_second' : metric.unit
  return {
    threshold: threshold.text,
    outcome,
    measured: measured === null ? null : inUnit(measured),
    bound: inUnit(bound),
    unit,
    is_firm: isFirm,
    reason: reason === '' ? null : reason,
  }
}

/** Null where nothing was measured: a time of 0 would read as fast. */
function timesJson(times: TimeSummary): object | null {
  if (times.count === 0) return null
  const percentiles = times.percentiles.map(({ name, valueNs }) => [keyOf(name), msFromNs(valueNs)])
  return {
    count: times.count,
    min: msFromNs(times.minNs),
    mean: msFromNs(times.meanNs),
    stdev: msFromNs(times.stdevNs),
    ...Object.fromEntries(percentiles),
    max: msFromNs(times.maxNs),
    not_firm: times.percentiles.filter(({ isFirm }) => !isFirm).map(({ name }) => keyOf(name)),
  }
}

/** `p99_9`: a key that tools can name without quotes. */
function keyOf(percentileName: string): string {
  return percentileName.replace('.', '_')
}

function msOrNull(ns: number | null): number | null {
  return ns === null ? null : msFromNs(ns)
}

/** Six decimals are a nanosecond in a time in ms, and spare the reader the noise of doubles. */
function plainNumber(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  if (!Number.isFinite(value)) return 0
  // Numbers that somebody else measured may be of any size.
  return key.startsWith('value') ? value : Math.round(value * 1e6) / 1e6
}
