/**
 * A chart over the time of the run, in two forms from one description: drawn here as SVG, for
 * readers without scripts and for print, and as data for the script that makes it interactive.
 *
 * Lines are steps, as a value holds for its whole interval; so a run of a single second has a line,
 * too. Where there is no value there is a gap.
 */
import { NS_PER_MS, NS_PER_S } from '../../base/units.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
import { coordinate, PLOT_WIDTH, percent, plotMarkup, type Tick } from './plot.ts'
import { digits, momentText, timeText } from './quantities.ts'
import { positionOn, type Scale, timeTicksS } from './scale.ts'
import { lineKey } from './table.ts'

export type Tone =
  | 'done'
  | 'offered'
  | 'p50'
  | 'p90'
  | 'p99'
  | 'flight'
  | 'error'
  | 'dropped'
  | 'watched'

export interface ChartSeries {
  readonly name: string
  readonly tone: Tone
  readonly kind: 'line' | 'area' | 'dashed'
  readonly values: readonly (number | null)[]
}

/** What values are: numbers of ns, of things a second, of things, or anything. */
export type ChartUnit = 'ns' | 'per-second' | 'count' | 'number'

export interface ChartData {
  /** One more than there are values. */
  readonly edgesNs: readonly number[]
  readonly series: readonly ChartSeries[]
}

export interface TimeChart {
  readonly id: string
  readonly title: string
  /** From elsewhere, and so kept apart. */
  readonly isTitleForeign?: boolean
  /** What is to be seen, in a sentence. */
  readonly description: string
  readonly unit: ChartUnit
  readonly heightPx: number
  readonly scale: Scale
  /** Whole, for the script. */
  readonly data: ChartData
  /** The same in fewer pieces, for the drawing. */
  readonly drawn: ChartData
  /** The areas between neighbouring series are filled. */
  readonly isFan?: boolean
  /** Shaded from the begin of the run to here. */
  readonly warmUpNs: number
}

export function timeChartMarkup(chart: TimeChart): Markup {
  const { id, title, description, data } = chart
  const heading = chart.isTitleForeign === true ? foreign(title) : title
  return html`<figure class="chart" id="${id}" data-chart="${id}">
<figcaption><h3>${heading}</h3><ul class="legend">${data.series.map(
    ({ name, tone, kind }) => html`<li>${lineKey(tone, kind)}${name} <output></output></li>`,
  )}</ul><p>${description}</p></figcaption>
<div class="still">${still(chart)}</div>
</figure>`
}

function still(chart: TimeChart): Markup {
  const { scale, unit, heightPx, drawn, warmUpNs } = chart
  const endNs = drawn.edgesNs.at(-1) ?? NS_PER_S
  const path = new PathMaker(drawn.edgesNs, endNs, scale, heightPx)
  const [first] = drawn.series
  return plotMarkup({
    description: `${chart.title}. ${chart.description}`,
    heightPx,
    xTicks: timeTicks(endNs),
    yTicks: scale.ticks.map((value) => ({
      at: positionOn(scale, value),
      label: axisLabel(value, unit),
    })),
    ground: warmUpGround(warmUpNs, endNs, heightPx),
    body: html`${chart.isFan === true ? fan(chart, path) : nothing}${drawn.series.map((series) => [
      series.kind === 'area'
        ? html`<path class="f-${series.tone}" d="${path.area(series.values)}"/>`
        : nothing,
      html`<path class="s-${series.tone} ${series.kind}" d="${path.line(series.values)}"/>`,
    ])}`,
    notes: html`${warmUpNote(warmUpNs, endNs)}${
      first === undefined || drawn.edgesNs.length === 0
        ? html`<text class="empty" x="50%" y="${heightPx / 2}">nothing to show</text>`
        : nothing
    }`,
  })
}

function fan({ drawn }: TimeChart, path: PathMaker): Markup[] {
  return drawn.series.slice(1).map((upper, index) => {
    const lower = drawn.series[index]!
    return html`<path class="f-${upper.tone}" d="${path.between(lower.values, upper.values)}"/>`
  })
}

export function warmUpGround(warmUpNs: number, endNs: number, heightPx: number): Markup {
  if (warmUpNs <= 0) return nothing
  const width = coordinate(Math.min(1, warmUpNs / endNs) * PLOT_WIDTH)
  return html`<rect class="warm-up" width="${width}" height="${heightPx}"/>`
}

export function warmUpNote(warmUpNs: number, endNs: number): Markup {
  // Too narrow for a word it stays without; the section says what is shaded.
  if (warmUpNs < endNs / 10) return nothing
  const middle = percent(Math.min(1, warmUpNs / endNs) / 2)
  return html`<text class="note" x="${middle}" y="14">warm-up</text>`
}

export function timeTicks(endNs: number): Tick[] {
  const endS = endNs / NS_PER_S
  return timeTicksS(endS, 10).map((atS) => ({
    at: atS / endS,
    label: momentText(atS * NS_PER_S, endNs),
  }))
}

export function axisLabel(value: number, unit: ChartUnit): string {
  if (unit === 'ns') return value === 0 ? '0' : timeText(value)
  const text = compactNumber(value)
  return unit === 'per-second' && value !== 0 ? `${text}/s` : text
}

/** `950`, `12k`, `1.5M`: for axes, where three digits are enough. */
function compactNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${digits(value / 1e9, 3)}G`
  if (size >= 1e6) return `${digits(value / 1e6, 3)}M`
  if (size >= 1e4) return `${digits(value / 1e3, 3)}k`
  return digits(value, 4)
}

/** What the script draws from: times in ms, all with as many digits as can be seen. */
export interface ChartJson {
  readonly id: string
  readonly unit: ChartUnit
  readonly isLog: boolean
  readonly isFan: boolean
  readonly heightPx: number
  readonly warmUpS: number
  readonly edgesS: readonly number[]
  readonly series: readonly {
    readonly name: string
    readonly tone: Tone
    readonly kind: ChartSeries['kind']
    readonly values: readonly (number | null)[]
  }[]
}

export function chartJson(chart: TimeChart): ChartJson {
  const divisor = chart.unit === 'ns' ? NS_PER_MS : 1
  const brief = (value: number | null) =>
    value === null ? null : Number((value / divisor).toPrecision(4))
  return {
    id: chart.id,
    unit: chart.unit,
    isLog: chart.scale.isLog,
    isFan: chart.isFan === true,
    heightPx: chart.heightPx,
    warmUpS: chart.warmUpNs / NS_PER_S,
    edgesS: chart.data.edgesNs.map((edgeNs) => Math.round(edgeNs / NS_PER_MS) / 1000),
    series: chart.data.series.map(({ name, tone, kind, values }) => ({
      name,
      tone,
      kind,
      values: values.map(brief),
    })),
  }
}

/** Makes paths of steps in the stretched box. */
class PathMaker {
  readonly #edges: readonly string[]
  readonly #scale: Scale
  readonly #heightPx: number

  constructor(edgesNs: readonly number[], endNs: number, scale: Scale, heightPx: number) {
    this.#edges = edgesNs.map((edgeNs) => coordinate((edgeNs / endNs) * PLOT_WIDTH))
    this.#scale = scale
    this.#heightPx = heightPx
  }

  line(values: readonly (number | null)[]): string {
    return this.#runs(values)
      .map(({ from, to }) => `M${this.#edges[from]!} ${this.#steps(values, from, to)}`)
      .join('')
  }

  area(values: readonly (number | null)[]): string {
    return this.#runs(values)
      .map(({ from, to }) => {
        const start = this.#edges[from]!
        return `M${start} ${this.#steps(values, from, to)}V${this.#heightPx}H${start}Z`
      })
      .join('')
  }

  /** Both have values at the same places. */
  between(lower: readonly (number | null)[], upper: readonly (number | null)[]): string {
    return this.#runs(upper)
      .map(({ from, to }) => {
        const there = this.#steps(upper, from, to)
        let back = ''
        for (let index = to - 1; index >= from; index--) {
          back += `V${this.#y(lower[index]!)}H${this.#edges[index]!}`
        }
        return `M${this.#edges[from]!} ${there}${back}Z`
      })
      .join('')
  }

  #steps(values: readonly (number | null)[], from: number, to: number): string {
    let path = ''
    let last = ''
    for (let index = from; index < to; index++) {
      const y = this.#y(values[index]!)
      // The first y belongs to the M before it; one that does not change needs no command.
      if (index === from) path += y
      else if (y !== last) path += `H${this.#edges[index]!}V${y}`
      last = y
    }
    return `${path}H${this.#edges[to]!}`
  }

  #runs(values: readonly (number | null)[]): { from: number; to: number }[] {
    const runs: { from: number; to: number }[] = []
    for (let index = 0; index < values.length; index++) {
      if (values[index] === null) continue
      if (index > 0 && values[index - 1] !== null) runs.at(-1)!.to = index + 1
      else runs.push({ from: index, to: index + 1 })
    }
    return runs
  }

  #y(value: number): string {
    return coordinate((1 - positionOn(this.#scale, value)) * this.#heightPx)
  }
}
