/**
 * Metrics as the JSON of OTLP, the protocol of OpenTelemetry (ExportMetricsServiceRequest in the
 * JSON form of protocol buffers): 64-bit integers are texts, enumerations numbers.
 */
import { NS_PER_MS } from '../../base/units.ts'
import { ONAGER_VERSION } from '../../base/version.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { type Labels, type Metric, type Moment, metricsOf } from './metrics.ts'

/** They have no form in UTF-8, and readers of JSON refuse them. */
const halfPairs = /\p{Surrogate}/gu

/** AGGREGATION_TEMPORALITY_CUMULATIVE */
const CUMULATIVE = 2

export interface OtlpRun {
  readonly facts: PlanFacts
  /** Wall clock, ms since 1970. */
  readonly startedAtMs: number
  /** Tells runs at the same time apart. */
  readonly instanceId: string
}

/** The text of one push. */
export function otlpJson(moment: Moment, run: OtlpRun): string {
  const startNs = BigInt(Math.round(run.startedAtMs)) * BigInt(NS_PER_MS)
  const times = {
    startTimeUnixNano: String(startNs),
    timeUnixNano: String(startNs + BigInt(Math.round(moment.elapsedNs))),
  }
  const metrics = metricsOf(moment, run.facts)
    .filter(({ points }) => points.length > 0)
    .map((metric) => metricJson(metric, times))
  const resource = {
    attributes: attributes({
      'service.name': 'onager',
      'service.version': ONAGER_VERSION,
      'service.instance.id': run.instanceId,
    }),
  }
  const scope = { name: 'onager', version: ONAGER_VERSION }
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
}

interface Times {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

function metricJson(metric: Metric, times: Times): object {
  const facts = {
    name: `onager.${metric.name}`,
    description: metric.help,
    unit: metric.unit,
  }
  switch (metric.kind) {
    case 'gauge':
      return { ...facts, gauge: { dataPoints: numberPoints(metric, times) } }
    case 'counter':
      return {
        ...facts,
        sum: {
          dataPoints: numberPoints(metric, times),
          aggregationTemporality: CUMULATIVE,
          isMonotonic: true,
        },
      }
    case 'histogram':
      return {
        ...facts,
        histogram: {
          dataPoints: metric.points.map(({ labels, buckets }) => ({
            attributes: attributes(labels),
            ...times,
            count: String(buckets.totalCount),
            sum: buckets.sumS,
            bucketCounts: buckets.counts.map(String),
            explicitBounds: buckets.boundsS,
            ...(buckets.totalCount === 0 ? {} : { min: buckets.minS, max: buckets.maxS }),
          })),
          aggregationTemporality: CUMULATIVE,
        },
      }
  }
}

function numberPoints(metric: Metric & { kind: 'counter' | 'gauge' }, times: Times): object[] {
  return metric.points.map(({ labels, value }) => ({
    attributes: attributes(labels),
    ...times,
    ...(Number.isInteger(value) ? { asInt: String(value) } : { asDouble: value }),
  }))
}

function attributes(labels: Labels): object[] {
  return Object.entries(labels).map(([key, value]) => ({
    key,
    value: { stringValue: value.replace(halfPairs, '\ufffd') },
  }))
}
