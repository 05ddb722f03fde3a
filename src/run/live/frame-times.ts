/** The table of percentiles: the last seconds above the whole run. */
import { NS_PER_S } from '../../base/units.ts'
import { durationText } from './format.ts'
import { type FrameInput, type FrameSize, glyphsOf } from './frame-input.ts'
import type { TimeFigures } from './history.ts'
import { type Line, type Span, span } from './spans.ts'

interface Column {
  readonly name: string
  readonly of: (times: TimeFigures) => number
  /** With fewer values, less than ten lie above it: it is marked. */
  readonly firmCount: number
}

const columns: readonly Column[] = [
  { name: 'p50', of: (times) => times.p50Ns, firmCount: 20 },
  { name: 'p90', of: (times) => times.p90Ns, firmCount: 100 },
  { name: 'p99', of: (times) => times.p99Ns, firmCount: 1000 },
  { name: 'p99.9', of: (times) => times.p999Ns, firmCount: 10_000 },
  { name: 'max', of: (times) => times.maxNs, firmCount: 1 },
]

const WIDE_COLUMNS = 72

export function timeLines(input: FrameInput, size: FrameSize, hasServiceTime: boolean): Line[] {
  const { figures, facts } = input
  const isWide = size.columns >= WIDE_COLUMNS
  const shown = isWide ? columns : columns.slice(0, 3)
  const layout = isWide ? { labelColumns: 24, columns: 10 } : { labelColumns: 9, columns: 9 }
  const recentText = `last ${Math.max(Math.floor(figures.recentNs / NS_PER_S), 1)} s`
  const head = shown.map(({ name }) => name.padStart(layout.columns - 1).padEnd(layout.columns))
  const { micro } = glyphsOf(size)
  const row = (label: string, times: TimeFigures, look: Span['look']): Line => [
    span(label.padEnd(layout.labelColumns), 'faint'),
    ...shown.map((column) => timeSpan(times, column, { width: layout.columns, micro, look })),
  ]
  const title = isWide ? 'response time' : ''
  const lines: Line[] = [
    [span(title.padEnd(layout.labelColumns) + head.join(''), 'faint')],
    row(isWide ? `  ${recentText}` : recentText, figures.recentResponseTime, 'strong'),
    row(isWide ? '  whole run' : 'all', figures.wholeResponseTime, 'plain'),
  ]
  // They differ only where a request can be late for its own start.
  if (hasServiceTime && facts.load.model === 'open') {
    const label = isWide ? `service time, ${recentText}` : 'service'
    lines.push(row(label, figures.recentServiceTime, 'plain'))
  }
  return lines
}

function timeSpan(
  times: TimeFigures,
  { of, firmCount }: Column,
  { width, micro, look }: { width: number; micro: string; look: Span['look'] },
): Span {
  if (times.count === 0) return span('-'.padStart(width - 1).padEnd(width), 'faint')
  const isFirm = times.count >= firmCount
  const text = `${durationText(of(times), micro).padStart(width - 1)}${isFirm ? ' ' : '*'}`
  return span(text, isFirm ? look : 'faint')
}
