/**
 * How response times were spread, and how that changed: time from left to right, response time
 * upwards on a logarithmic axis, the stronger the colour the more responses.
 *
 * Cells of one shade are a single path, and neighbours in a column are one rectangle of it: a whole
 * map takes some tens of kilobytes.
 */
import { NS_PER_US } from '../../base/units.ts'
import { highestValueUs } from '../../metrics/histogram.ts'
import type { IntervalSeries } from '../../metrics/intervals.ts'
import { coarseIntervals, drawnIntervals } from './interval-columns.ts'
import { html, type Markup, nothing } from './markup.ts'
import { coordinate, PLOT_WIDTH, plotMarkup } from './plot.ts'
import { counted, timeText } from './quantities.ts'
import { logScale, positionOn, type Scale } from './scale.ts'
import { axisLabel, timeTicks, warmUpGround, warmUpNote } from './time-chart.ts'

const COLUMN_COUNT_MAX = 180
const ROW_COUNT = 36
const ROW_PX = 6
/** Styles `.h1` to `.h7`. */
const SHADE_COUNT = 7

interface Grid {
  readonly scale: Scale
  readonly edgesNs: readonly number[]
  /** Responses per cell, a row after the other in each column. */
  readonly columns: readonly Float64Array[]
  readonly countMax: number
}

/** Nothing where there is no response. */
export function heatMapMarkup(series: IntervalSeries, warmUpNs: number): Markup {
  const grid = gridOf(series)
  if (grid === null) return nothing
  const { scale, edgesNs, countMax } = grid
  const endNs = edgesNs.at(-1)!
  const heightPx = ROW_COUNT * ROW_PX
  const description =
    `Each column is ${columnText(edgesNs)}; ` +
    `the strongest colour stands for up to ${counted(countMax, 'response')}.`
  return html`<figure class="chart" id="heat">
<figcaption><h3>Spread of response times</h3><div class="legend" aria-hidden="true"><span>1</span><svg width="${SHADE_COUNT * 14}" height="10">${Array.from(
    { length: SHADE_COUNT },
    (_, shade) => html`<rect class="h${shade + 1}" x="${shade * 14}" width="14" height="10"/>`,
  )}</svg><span>${countMax} responses</span></div><p>${description}</p></figcaption>
${plotMarkup({
  description: `Heat map of response times over the run. ${description}`,
  heightPx,
  xTicks: timeTicks(endNs),
  yTicks: scale.ticks.map((value) => ({
    at: positionOn(scale, value),
    label: axisLabel(value, 'ns'),
  })),
  ground: warmUpGround(warmUpNs, endNs, heightPx),
  body: html`<g shape-rendering="crispEdges">${cellPaths(grid, endNs)}</g>`,
  notes: warmUpNote(warmUpNs, endNs),
})}
</figure>`
}

function columnText(edgesNs: readonly number[]): string {
  return `${timeText(edgesNs[1]! - edgesNs[0]!)} of the run`
}

function gridOf(series: IntervalSeries): Grid | null {
  const intervals = coarseIntervals(drawnIntervals(series), COLUMN_COUNT_MAX)
  const filled = intervals.filter(({ responseTime }) => responseTime.totalCount > 0)
  if (filled.length === 0) return null
  // A microsecond is the least that is told apart.
  const minNs = Math.max(Math.min(...filled.map((one) => one.responseTime.minNs)), NS_PER_US)
  const maxNs = Math.max(...filled.map((one) => one.responseTime.maxNs), minNs)
  const scale = logScale(minNs, maxNs)
  let countMax = 0
  const columns = intervals.map(({ responseTime }) => {
    const column = new Float64Array(ROW_COUNT)
    const { digits, indexes, counts } = responseTime
    for (const [at, index] of indexes.entries()) {
      const place = positionOn(scale, highestValueUs(digits, index) * NS_PER_US)
      const row = Math.min(ROW_COUNT - 1, Math.floor(place * ROW_COUNT))
      column[row] = column[row]! + counts[at]!
      countMax = Math.max(countMax, column[row]!)
    }
    return column
  })
  const edgesNs = intervals.map(({ startNs }) => startNs)
  const last = intervals.at(-1)!
  edgesNs.push(last.startNs + last.durationNs)
  return { scale, edgesNs, columns, countMax }
}

function cellPaths({ columns, edgesNs, countMax }: Grid, endNs: number): Markup[] {
  const paths = new Array<string>(SHADE_COUNT).fill('')
  for (const [at, column] of columns.entries()) {
    const left = coordinate((edgesNs[at]! / endNs) * PLOT_WIDTH)
    const right = coordinate((edgesNs[at + 1]! / endNs) * PLOT_WIDTH)
    for (let row = 0; row < ROW_COUNT; ) {
      const shade = shadeOf(column[row]!, countMax)
      let end = row + 1
      while (end < ROW_COUNT && shadeOf(column[end]!, countMax) === shade) end++
      const top = (ROW_COUNT - end) * ROW_PX
      if (shade > 0) paths[shade - 1] += `M${left} ${top}H${right}v${(end - row) * ROW_PX}H${left}z`
      row = end
    }
  }
  return paths.map((path, index) =>
    path === '' ? nothing : html`<path class="h${index + 1}" d="${path}"/>`,
  )
}

/** 0 for none. Logarithmic: a single slow response is to be seen beside thousands of quick ones. */
function shadeOf(count: number, countMax: number): number {
  if (count === 0) return 0
  if (countMax <= 1) return SHADE_COUNT
  return 1 + Math.round(((SHADE_COUNT - 1) * Math.log(count)) / Math.log(countMax))
}
