/**
 * The whole distribution as one curve: up to which time which share of the responses had come.
 *
 * The axis is logarithmic in what is left, 1 / (1 - q), so that 99 % and 99.9 % have as much room as
 * 90 % has. Where fewer than ten responses are left above, the curve is that of single responses.
 */
import { NS_PER_US } from '../../base/units.ts'
import { Histogram, type HistogramSnapshot } from '../../metrics/histogram.ts'
import { html, type Markup, nothing } from './markup.ts'
import { coordinate, PLOT_WIDTH, plotMarkup, type Tick } from './plot.ts'
import { fittingScale, positionOn, type Scale } from './scale.ts'
import { lineKey } from './table.ts'
import { axisLabel } from './time-chart.ts'

const HEIGHT_PX = 330
const POINTS_PER_NINE = 40
const FIRM_COUNT = 10

/** Nothing without responses. */
export function percentileCurveMarkup(
  responseTime: HistogramSnapshot,
  serviceTime: HistogramSnapshot,
): Markup {
  const { totalCount } = responseTime
  if (totalCount === 0) return nothing
  const response = Histogram.from(responseTime)
  const service = Histogram.from(serviceTime)
  // At least 90 %, so that a single response has a curve; at most what is there to be told apart.
  const nineCount = Math.max(1, Math.log10(totalCount))
  const scale = fittingScale(
    Math.max(Math.min(response.minNs, service.minNs), NS_PER_US),
    response.valueNsAtQuantile(0.5),
    Math.max(response.maxNs, service.maxNs),
  )
  const isOneCurve = responseTime.sumNs === serviceTime.sumNs
  const curve = (histogram: Histogram) => curvePath(histogram, scale, nineCount)
  const note = isOneCurve
    ? 'Each request was sent as soon as it was due: response time and service time are the same here.'
    : 'Response time counts from when a request was due, service time from when it was sent: the gap between them is waiting in line.'
  return html`<figure class="chart" id="curve">
<figcaption><h3>Percentiles</h3><ul class="legend">
<li>${lineKey('p99', 'line')}response time</li>
<li>${lineKey('service', 'dashed')}service time</li>
</ul><p>${note}${scale.isLog ? ' The time axis is logarithmic.' : ''}</p></figcaption>
${plotMarkup({
  description: `Response and service time by percentile. The table beside it has the figures.`,
  heightPx: HEIGHT_PX,
  xTicks: nineTicks(nineCount),
  yTicks: scale.ticks.map((value) => ({
    at: positionOn(scale, value),
    label: axisLabel(value, 'ns'),
  })),
  ground: looseGround(totalCount, nineCount),
  body: html`<path class="s-p99 line" d="${curve(response)}"/>
<path class="s-service dashed" d="${curve(service)}"/>`,
  notes: looseNote(totalCount),
})}
</figure>`
}

function curvePath(histogram: Histogram, scale: Scale, nineCount: number): string {
  const pointCount = Math.ceil(nineCount * POINTS_PER_NINE)
  let path = ''
  let last = ''
  for (let point = 0; point <= pointCount; point++) {
    const at = point / pointCount
    const quantile = point === pointCount ? 1 : 1 - 10 ** (-at * nineCount)
    const value = histogram.valueNsAtQuantile(quantile)
    const y = coordinate((1 - positionOn(scale, value)) * HEIGHT_PX)
    // Only the ends of level stretches are needed.
    if (y === last && point < pointCount) continue
    const x = coordinate(at * PLOT_WIDTH)
    path += path === '' ? `M${x} ${y}` : y === last ? `H${x}` : `H${x}V${y}`
    last = y
  }
  return path
}

function nineTicks(nineCount: number): Tick[] {
  const marked = [
    [0, '0'],
    [0.5, '50 %'],
    [0.9, '90 %'],
    [0.99, '99 %'],
    [0.999, '99.9 %'],
    [0.9999, '99.99 %'],
    [0.99999, '99.999 %'],
    [0.999999, '99.9999 %'],
    [0.9999999, '99.99999 %'],
  ] as const
  return marked
    .map(([quantile, label]) => ({ at: -Math.log10(1 - quantile) / nineCount, label }))
    .filter(({ at }) => at <= 1 + 1e-9)
}

function looseStart(totalCount: number, nineCount: number): number {
  return Math.max(0, Math.log10(totalCount / FIRM_COUNT)) / nineCount
}

function looseGround(totalCount: number, nineCount: number): Markup {
  const x = looseStart(totalCount, nineCount) * PLOT_WIDTH
  return html`<rect class="loose" x="${coordinate(x)}" width="${coordinate(PLOT_WIDTH - x)}"
 height="${HEIGHT_PX}"/>`
}

function looseNote(totalCount: number): Markup {
  if (totalCount < FIRM_COUNT) return nothing
  const text = `fewer than ${FIRM_COUNT} slower`
  return html`<text class="note end" x="100%" dx="-6" y="${HEIGHT_PX - 10}">${text}</text>`
}
