/**
 * The frame of every drawing: axes, grid and labels, as SVG that fits any width.
 *
 * Labels keep their size while the drawing stretches: they stand at percentages of the width, and
 * what is drawn lies in a box of its own, `PLOT_WIDTH` units wide, that is pulled to size.
 */
import { html, type Markup, nothing } from './markup.ts'

/** Units of the stretched box; a unit is about a pixel of a wide screen. */
export const PLOT_WIDTH = 1000
const LABELS_PX = 22
const AXIS_PX = 64

export interface Tick {
  /** 0 at the left or the foot, 1 at the right or the top. */
  readonly at: number
  readonly label: string
}

export interface Plot {
  /** What a screen reader says in its place. */
  readonly description: string
  readonly heightPx: number
  readonly xTicks: readonly Tick[]
  readonly yTicks: readonly Tick[]
  /** In a box of `PLOT_WIDTH` by `heightPx`, y downwards. */
  readonly body: Markup
  /** Over it, at percentages of the width and in pixels of the height. */
  readonly notes?: Markup
  /** Behind it, in the same box. */
  readonly ground?: Markup
}

export function plotMarkup(plot: Plot): Markup {
  const { description, heightPx, body, ground = nothing, notes = nothing, xTicks, yTicks } = plot
  const wholePx = heightPx + LABELS_PX
  const y = (tick: Tick) => coordinate((1 - tick.at) * heightPx)
  const labels = yTicks.map(
    (tick) => html`<text x="${AXIS_PX - 8}" y="${y(tick)}" dy=".35em">${tick.label}</text>`,
  )
  const grid = yTicks.map(
    (tick) => html`<line class="grid" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>`,
  )
  return html`<div class="plot" role="img" aria-label="${description}">
<svg class="axis" width="${AXIS_PX}" height="${wholePx}" aria-hidden="true">${labels}</svg>
<svg class="area" width="100%" height="${wholePx}" aria-hidden="true">
${ground === nothing ? nothing : box(ground, heightPx)}${grid}${box(body, heightPx)}
${xTicks.map((tick, index) => xTickMarkup(tick, index, heightPx))}${notes}</svg></div>`
}

function box(content: Markup, heightPx: number): Markup {
  return html`<svg viewBox="0 0 ${PLOT_WIDTH} ${heightPx}" width="100%" height="${heightPx}"
 preserveAspectRatio="none">${content}</svg>`
}

/** Every other label makes room on a narrow screen. */
function xTickMarkup({ at, label }: Tick, index: number, heightPx: number): Markup {
  const x = percent(at)
  const place = at < 0.02 ? ' start' : at > 0.98 ? ' end' : ''
  const odd = index % 2 === 1 ? ' odd' : ''
  return html`<line class="tick" x1="${x}" x2="${x}" y1="${heightPx}" y2="${heightPx + 4}"/>
<text class="x${place}${odd}" x="${x}" y="${heightPx + 17}">${label}</text>`
}

export function percent(ratio: number): string {
  return `${coordinate(ratio * 100)}%`
}

/** One decimal is a tenth of a pixel. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10)
}
