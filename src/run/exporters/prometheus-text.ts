/**
 * Metrics as Prometheus reads them: its text format 0.0.4, or OpenMetrics 1.0 for those who ask.
 *
 * The two differ in what a counter's family is called, in how a whole number is written as a bound,
 * in escapes, and in that OpenMetrics says units and where it ends.
 */
import type { BucketPoint, Labels, Metric, NumberPoint } from './metrics.ts'

export type TextFormat = 'text' | 'openmetrics'

export const contentTypes: Readonly<Record<TextFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** By an Accept field; OpenMetrics only where it is asked for by name. */
export function formatFor(accept: string | undefined): TextFormat {
  let wishes = { openmetrics: 0, text: 0 }
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    if (type === 'application/openmetrics-text') {
      wishes = { ...wishes, openmetrics: Math.max(wishes.openmetrics, quality) }
    } else if (type === 'text/plain') {
      wishes = { ...wishes, text: Math.max(wishes.text, quality) }
    }
  }
  return wishes.openmetrics > 0 && wishes.openmetrics >= wishes.text ? 'openmetrics' : 'text'
}

export function prometheusText(metrics: readonly Metric[], format: TextFormat): string {
  const families = metrics.map((metric) => familyText(metric, format))
  return families.join('') + (format === 'openmetrics' ? '# EOF\n' : '')
}

const unitWords: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' }

function familyText(metric: Metric, format: TextFormat): string {
  const unit = unitWords[metric.unit]
  const base = `onager_${metric.name.replaceAll('.', '_')}${unit === undefined ? '' : `_${unit}`}`
  const sample = metric.kind === 'counter' ? `${base}_total` : base
  const family = format === 'openmetrics' ? base : sample
  const lines = [`# TYPE ${family} ${metric.kind}`]
  if (format === 'openmetrics' && unit !== undefined) lines.push(`# UNIT ${family} ${unit}`)
  lines.push(`# HELP ${family} ${metric.help}`)
  if (metric.kind === 'histogram') {
    lines.push(...metric.points.flatMap((point) => bucketLines(base, point, format)))
  } else {
    lines.push(...metric.points.map((point) => numberLine(sample, point)))
  }
  return `${lines.join('\n')}\n`
}

function numberLine(name: string, { labels, value }: NumberPoint): string {
  return `${name}${labelText(labels)} ${value}`
}

/** Buckets here count everything up to their bound. */
function bucketLines(name: string, point: BucketPoint, format: TextFormat): string[] {
  const { labels, buckets } = point
  const bounds = [...buckets.boundsS.map((bound) => boundText(bound, format)), '+Inf']
  let count = 0
  const lines = bounds.map((le, index) => {
    count += buckets.counts[index]!
    return `${name}_bucket${labelText({ ...labels, le })} ${count}`
  })
  lines.push(`${name}_sum${labelText(labels)} ${buckets.sumS}`)
  lines.push(`${name}_count${labelText(labels)} ${count}`)
  return lines
}

function boundText(boundS: number, format: TextFormat): string {
  return format === 'openmetrics' && Number.isInteger(boundS) ? `${boundS}.0` : String(boundS)
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** All that either format escapes in a label. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}
