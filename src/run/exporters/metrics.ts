/**
 * What a run tells a monitoring system: the same metrics for all of them, in base units, as data.
 * Names are words with dots between; each exporter spells them its own way.
 *
 * All counts are since the run's start. What was due in a warm-up is in none of them.
 */
import { secondsFromNs } from '../../base/units.ts'
import { ONAGER_VERSION } from '../../base/version.ts'
import type { HistogramSnapshot } from '../../metrics/histogram.ts'
import { failureKindNames } from '../../metrics/outcome.ts'
import type { NameSnapshot, Snapshot } from '../../metrics/snapshot.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { type Buckets, coarseBoundsS, explicitBuckets, fineBoundsS } from './explicit-buckets.ts'

export type Labels = Readonly<Record<string, string>>

interface MetricFacts {
  readonly name: string
  readonly help: string
  /** Of UCUM: seconds, bytes, or what is counted in braces. */
  readonly unit: 's' | 'By' | `{${string}}`
}

export interface NumberPoint {
  readonly labels: Labels
  readonly value: number
}

export interface BucketPoint {
  readonly labels: Labels
  readonly buckets: Buckets
}

export type Metric = MetricFacts &
  (
    | { readonly kind: 'counter' | 'gauge'; readonly points: readonly NumberPoint[] }
    | { readonly kind: 'histogram'; readonly points: readonly BucketPoint[] }
  )

/** A run at one moment. */
export interface Moment {
  readonly snapshot: Snapshot
  readonly elapsedNs: number
}

export function metricsOf({ snapshot, elapsedNs }: Moment, facts: PlanFacts): Metric[] {
  const metrics = [
    gauge('run.info', 'What is run, as labels; always 1.', '{run}', 1, infoLabels(facts)),
    gauge('run.elapsed', 'Time since the run began.', 's', secondsFromNs(elapsedNs)),
    ...requestMetrics(snapshot),
    ...transferMetrics(snapshot),
    histogram('response.time', 'From the intended start to the last byte.', snapshot.responseTime),
    histogram('service.time', 'From the actual start to the last byte.', snapshot.serviceTime),
  ]
  if (facts.load.model === 'open') metrics.push(...arrivalMetrics(snapshot))
  // A plan with very many names is told of without them while it runs.
  if (snapshot.names.length === facts.requestNames.length) {
    metrics.push(...nameMetrics(snapshot.names, facts.requestNames))
  }
  if (snapshot.checks.length === facts.checks.length) metrics.push(...checkMetrics(snapshot, facts))
  return metrics
}

function infoLabels({ title, load }: PlanFacts): Labels {
  return { title, model: load.model, version: ONAGER_VERSION }
}

function requestMetrics(snapshot: Snapshot): Metric[] {
  const completed = [...snapshot.statusCounts].flatMap((count, status) =>
    count === 0 ? [] : [{ labels: { status: String(status) }, value: count }],
  )
  const failed = failureKindNames.map((reason, kind) => ({
    labels: { reason },
    value: snapshot.failureCounts[kind]!,
  }))
  const unit = '{request}'
  return [
    counter('requests.started', 'Requests begun.', unit, snapshot.startedCount),
    {
      kind: 'counter',
      name: 'requests.completed',
      help: 'Requests with a whole response, whatever its status.',
      unit,
      points: completed,
    },
    {
      kind: 'counter',
      name: 'requests.failed',
      help: 'Requests without a whole response.',
      unit,
      points: failed,
    },
    counter(
      'request.errors',
      'Requests that failed or had a response that counts as an error.',
      unit,
      snapshot.errorCount,
    ),
    gauge('requests.in_flight', 'Requests begun and not ended.', unit, snapshot.inFlightCount),
    counter('iterations', 'Iterations of users that ended.', '{iteration}', snapshot.pageCount),
  ]
}

function transferMetrics(snapshot: Snapshot): Metric[] {
  return [
    counter('received.body', 'Body bytes as received.', 'By', snapshot.bodyBytes),
    counter('received.head', 'Bytes of heads of responses.', 'By', snapshot.headBytes),
    counter('sent', 'Bytes of requests.', 'By', snapshot.requestBytes),
    counter('connections', 'Connections opened.', '{connection}', snapshot.connectionCount),
    counter(
      'retries',
      'Requests sent again because a pooled connection had died.',
      '{request}',
      snapshot.retryCount,
    ),
  ]
}

function arrivalMetrics(snapshot: Snapshot): Metric[] {
  const unit = '{arrival}'
  return [
    counter('arrivals', 'Arrivals that were begun.', unit, snapshot.arrivalCount),
    counter(
      'arrivals.dropped',
      'Arrivals never begun, as too many were under way.',
      unit,
      snapshot.droppedCount,
    ),
    histogram('start.lag', 'How late arrivals were begun.', snapshot.startLag),
  ]
}

function nameMetrics(names: readonly NameSnapshot[], requestNames: readonly string[]): Metric[] {
  if (names.length === 0) return []
  const unit = '{request}'
  const points = (of: (counts: NameSnapshot) => number) =>
    names.map((counts, index) => ({ labels: { name: requestNames[index]! }, value: of(counts) }))
  const completed = names.flatMap(({ statusCounts }, index) =>
    statusCounts.map(({ status, count }) => ({
      labels: { name: requestNames[index]!, status: String(status) },
      value: count,
    })),
  )
  return [
    {
      kind: 'counter',
      name: 'named.requests.completed',
      help: 'Requests with a whole response, by name.',
      unit,
      points: completed,
    },
    {
      kind: 'counter',
      name: 'named.requests.failed',
      help: 'Requests without a whole response, by name.',
      unit,
      points: points(({ failedCount }) => failedCount),
    },
    {
      kind: 'counter',
      name: 'named.request.errors',
      help: 'Requests that failed or had a response that counts as an error, by name.',
      unit,
      points: points(({ errorCount }) => errorCount),
    },
    {
      kind: 'histogram',
      name: 'named.response.time',
      help: 'From the intended start to the last byte, by name.',
      unit: 's',
      points: names.map(({ responseTime }, index) => ({
        labels: { name: requestNames[index]! },
        buckets: explicitBuckets(responseTime, coarseBoundsS),
      })),
    },
  ]
}

function checkMetrics({ checks }: Snapshot, facts: PlanFacts): Metric[] {
  if (checks.length === 0) return []
  const points = checks.flatMap(({ passedCount, failedCount }, index) => {
    const { name, nameIndex } = facts.checks[index]!
    const labels = { check: name, name: facts.requestNames[nameIndex] ?? '' }
    return [
      { labels: { ...labels, result: 'passed' }, value: passedCount },
      { labels: { ...labels, result: 'failed' }, value: failedCount },
    ]
  })
  return [{ kind: 'counter', name: 'checks', help: 'Answers to checks.', unit: '{check}', points }]
}

function counter(name: string, help: string, unit: Metric['unit'], value: number): Metric {
  return { kind: 'counter', name, help, unit, points: [{ labels: {}, value }] }
}

function gauge(
  name: string,
  help: string,
  unit: Metric['unit'],
  value: number,
  labels: Labels = {},
): Metric {
  return { kind: 'gauge', name, help, unit, points: [{ labels, value }] }
}

function histogram(name: string, help: string, snapshot: HistogramSnapshot): Metric {
  const buckets = explicitBuckets(snapshot, fineBoundsS)
  return { kind: 'histogram', name, help, unit: 's', points: [{ labels: {}, buckets }] }
}
