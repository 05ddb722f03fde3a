/**
 * One picture of a run: figures, facts and a size go in, lines come out, and nothing else is known.
 *
 * It is never higher than the terminal less the row where the cursor rests, nor as wide as the
 * terminal. Where there is less room than it would like, details go in a fixed order, the least
 * telling first: the air between the parts, then the height of the charts, and so on.
 */
import type { PlanFacts } from '../../result/run-result.ts'
import { areaChart, VALUES_PER_CELL } from './charts.ts'
import { durationText, rateText, unitRateText } from './format.ts'
import { countLines, errorLines, thresholdLines, warningLines } from './frame-counts.ts'
import { type FrameInput, type FrameSize, glyphsOf } from './frame-input.ts'
import { progressLines } from './frame-progress.ts'
import { timeLines } from './frame-times.ts'
import { type LiveFigures, SERIES_SECOND_COUNT_MAX } from './history.ts'
import { fitLine, foreign, type Line, lineWidth, padLine, type Span, span } from './spans.ts'

/** What a picture has room for. */
interface Detail {
  readonly hasGaps: boolean
  readonly hasTitle: boolean
  readonly hasBar: boolean
  readonly hasStage: boolean
  /** 0: the figures alone. */
  readonly chartRows: number
  readonly hasTimes: boolean
  readonly hasServiceTime: boolean
  readonly hasCounts: boolean
  readonly hasStatuses: boolean
  readonly hasErrors: boolean
  readonly hasThresholds: boolean
}

const everything: Detail = {
  hasGaps: true,
  hasTitle: true,
  hasBar: true,
  hasStage: true,
  chartRows: 4,
  hasTimes: true,
  hasServiceTime: true,
  hasCounts: true,
  hasStatuses: true,
  hasErrors: true,
  hasThresholds: true,
}

/** What is given up, one after the other. */
const cuts: readonly Partial<Detail>[] = [
  { chartRows: 3 },
  { chartRows: 2 },
  { hasGaps: false },
  { hasServiceTime: false },
  { chartRows: 1 },
  { hasStatuses: false },
  { hasStage: false },
  { hasTitle: false },
  { hasBar: false },
  { chartRows: 0 },
  { hasErrors: false },
  { hasTimes: false },
  { hasCounts: false },
  { hasThresholds: false },
]

const WIDE_COLUMNS = 72
const GAP_COLUMNS = 3

/** At least one line. */
export function liveFrame(input: FrameInput, size: FrameSize): Line[] {
  const room: FrameSize = { ...size, columns: Math.max(size.columns - 2, 1) }
  const rowCountMax = Math.max(size.rows - 1, 1)
  let detail = everything
  let lines = compose(input, room, detail)
  for (const cut of cuts) {
    if (lines.length <= rowCountMax) break
    detail = { ...detail, ...cut }
    lines = compose(input, room, detail)
  }
  const { ellipsis } = glyphsOf(size)
  return lines
    .slice(0, rowCountMax)
    .map((line) => (line.length === 0 ? line : [margin, ...fitLine(line, room.columns, ellipsis)]))
}

const margin = span(' ')

function compose(input: FrameInput, size: FrameSize, detail: Detail): Line[] {
  const parts: (readonly Line[])[] = [
    [
      ...(detail.hasTitle ? [titleLine(input.facts, size)] : []),
      ...progressLines(input, size, detail),
    ],
    chartLines(input, size, detail.chartRows),
    detail.hasTimes ? timeLines(input, size, detail.hasServiceTime) : [],
    [
      ...(detail.hasCounts ? countLines(input, size, detail.hasStatuses) : []),
      ...(detail.hasErrors ? errorLines(input) : []),
    ],
    [...(detail.hasThresholds ? thresholdLines(input, size) : []), ...warningLines(input, size)],
  ]
  const filled = parts.filter((part) => part.length > 0)
  if (!detail.hasGaps) return filled.flat()
  return filled.flatMap((part, index) => (index === 0 ? part : [[], ...part]))
}

function titleLine(facts: PlanFacts, size: FrameSize): Line {
  const title: Line = [span('onager  ', 'faint'), foreign(facts.title, 'strong')]
  const load = [span(loadText(facts), 'faint')]
  const spare = size.columns - lineWidth(title) - lineWidth(load)
  return spare < GAP_COLUMNS ? title : [...title, span(' '.repeat(spare)), ...load]
}

function loadText({ load, userCount }: PlanFacts): string {
  if (load.model === 'open') {
    const arrivals = load.arrivals === 'poisson' ? 'Poisson arrivals' : 'even arrivals'
    return `open model, ${arrivals}, at most ${userCount} under way`
  }
  return `closed model, ${userCount} ${userCount === 1 ? 'user' : 'users'}`
}

/** The two figures that matter most, each over its last minute or two. */
function chartLines({ figures, facts }: FrameInput, size: FrameSize, rows: number): Line[] {
  const rate: ChartPart = {
    figure: rateFigure(figures, facts),
    values: figures.rateSeries,
    peakText: rateText,
    look: 'rate',
  }
  const { micro } = glyphsOf(size)
  const { recentResponseTime: recent } = figures
  const time: ChartPart = {
    figure: [
      span('response time p99 ', 'faint'),
      span(recent.count === 0 ? '-' : durationText(recent.p99Ns, micro), 'strong'),
    ],
    values: figures.p99Series,
    peakText: (ns) => durationText(ns, micro),
    look: 'time',
  }
  const isWide = size.columns >= WIDE_COLUMNS
  const columnsFree = isWide ? Math.floor((size.columns - GAP_COLUMNS) / 2) : size.columns
  const columns = Math.min(columnsFree, SERIES_SECOND_COUNT_MAX / VALUES_PER_CELL)
  const left = chartPart(rate, { ...size, columns, rows })
  const right = chartPart(time, { ...size, columns, rows })
  if (!isWide) return [...left, ...right]
  return left.map((line, index) => [
    ...padLine(line, columns),
    span(' '.repeat(GAP_COLUMNS)),
    ...right[index]!,
  ])
}

/** An iteration may have several requests: without their units the two could be taken for the same. */
function rateFigure(figures: LiveFigures, facts: PlanFacts): Line {
  const completed = span(unitRateText(figures.completedPerSecond, 'requests'), 'strong')
  if (facts.load.model === 'closed') return [span('completed ', 'faint'), completed]
  const offered = unitRateText(figures.offeredPerSecond, 'arrivals')
  // Half of 80 columns has room for no more words.
  return [completed, span(`  ${offered}`)]
}

interface ChartPart {
  readonly figure: Line
  readonly values: readonly (number | null)[]
  readonly peakText: (value: number) => string
  readonly look: Span['look']
}

function chartPart(part: ChartPart, size: FrameSize): Line[] {
  const { columns, rows, isUnicode } = size
  const shown = part.values.slice(-columns * VALUES_PER_CELL)
  const top = shown.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
  const peak = top > 0 ? `peak ${part.peakText(top)}` : ''
  const chart = areaChart(shown, { columns, rows, isUnicode, top })
  const label = bothEnds(part.figure, peak, columns)
  if (rows === 0) return [label]
  const drawn = chart.map((text): Line => [span(text, part.look)])
  // Without the room to say it, a row of its own is not worth it.
  if (rows < 3) return [label, ...drawn]
  const secondsText = `${columns * VALUES_PER_CELL} s ago`
  return [label, ...drawn, bothEnds([span(secondsText, 'faint')], 'now', columns)]
}

/** What stands at the right gives way. */
function bothEnds(left: Line, right: string, columns: number): Line {
  const spare = columns - lineWidth(left) - right.length
  return spare < 1 ? left : [...left, span(' '.repeat(spare) + right, 'faint')]
}
