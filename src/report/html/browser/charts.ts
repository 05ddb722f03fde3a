/**
 * Puts an interactive chart in the place of each drawing over time: one cursor for all, values in
 * the legend, zoom by dragging, arrow keys.
 *
 * The drawings stay in the page for paper. Charts are made anew when the theme changes, as a canvas
 * keeps its colours.
 */
import type { ChartJson } from '../time-chart.ts'
import type { Page, PageElement, UPlot } from './dom.ts'

// The types of a browser are not in scope: see dom.ts.
const page = globalThis as unknown as Page
const { document } = page

/** Those of the drawings, so that nothing moves. */
const AXIS_PX = 64
const LABELS_PX = 22
const TOP_PX = 8
const RIGHT_PX = 26
/** Seconds between labels of time. */
const TIME_STEPS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
  1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
]

const COUNT_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

interface Live {
  readonly chart: ChartJson
  readonly figure: PageElement
  readonly holder: PageElement
  /** One for each series. */
  readonly outputs: readonly PageElement[]
  plot: UPlot | null
}

function start(): void {
  const text = document.getElementById('data')?.textContent ?? '{"charts":[]}'
  // Written by the same version of the same program.
  const { charts } = JSON.parse(text) as { readonly charts: readonly ChartJson[] }
  const lives = charts.flatMap((chart) => liveOf(chart) ?? [])
  const [first] = lives
  if (first === undefined) return
  const drawAll = () => lives.forEach(draw)
  drawAll()
  for (const hint of document.querySelectorAll('.hint')) hint.hidden = false
  page.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
  document.getElementById('theme')?.addEventListener('click', drawAll)
  let widthPx = first.holder.clientWidth
  const resized = new page.ResizeObserver(() => {
    if (first.holder.clientWidth === widthPx || first.holder.clientWidth === 0) return
    widthPx = first.holder.clientWidth
    for (const { plot, chart } of lives) plot?.setSize(sizeOf(chart, widthPx))
  })
  resized.observe(first.holder)
}

function liveOf(chart: ChartJson): Live | null {
  const figure = document.getElementById(chart.id)
  if (figure === null || chart.edgesS.length < 2) return null
  const holder = document.createElement('div')
  holder.className = 'live'
  holder.tabIndex = 0
  holder.setAttribute('role', 'group')
  const title = figure.querySelector('h3')?.textContent ?? ''
  holder.setAttribute('aria-label', `${title}: arrow keys read values into the legend`)
  figure.append(holder)
  const outputs = [...figure.querySelectorAll('.legend output')]
  const live: Live = { chart, figure, holder, outputs, plot: null }
  holder.addEventListener('keydown', (event) => {
    if (live.plot !== null && moveCursor(live.plot, event.key ?? '')) event.preventDefault()
  })
  return live
}

function draw(live: Live): void {
  const { chart, holder, figure } = live
  live.plot?.destroy()
  figure.classList.add('is-live')
  // A step holds to the end of the last interval.
  const columns = chart.series.map(({ values }) => [...values, values.at(-1) ?? null])
  live.plot = new page.uPlot(optionsOf(live), [chart.edgesS, ...columns], holder)
}

/** The interval that a moment is in, where uPlot offers the edge that is nearest. */
function beginBefore(edges: readonly (number | null)[], closest: number, x: number): number {
  // What a key aimed at exactly may come back a little less.
  const slack = ((edges.at(-1) ?? 0) - (edges[0] ?? 0)) * 1e-6
  const isBefore = (edges[closest] ?? 0) <= x + slack
  return Math.max(0, Math.min(isBefore ? closest : closest - 1, edges.length - 2))
}

function sizeOf(chart: ChartJson, width: number): { width: number; height: number } {
  return { width, height: chart.heightPx + LABELS_PX + TOP_PX }
}

function optionsOf(live: Live): Record<string, unknown> {
  const { chart, holder } = live
  return {
    ...sizeOf(chart, holder.clientWidth),
    padding: [TOP_PX, RIGHT_PX, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: 'run', scales: ['x', null] },
      drag: { x: true, y: false },
      points: { size: 7 },
      y: false,
      dataIdx: (plot: UPlot, _series: number, closest: number, x: number) =>
        beginBefore(plot.data[0]!, closest, x),
    },
    scales: {
      x: { time: false },
      y: chart.isLog ? { distr: 3, range: logRange } : { range: linearRange },
    },
    series: [{}, ...chart.series.map(seriesOptions)],
    bands: chart.isFan
      ? chart.series.slice(1).map(({ tone }, index) => ({
          series: [index + 2, index + 1],
          fill: faint(colour(`--${tone}`)),
        }))
      : [],
    axes: axesOf(chart),
    hooks: {
      setCursor: [(plot: UPlot) => showValues(live, plot)],
      drawClear: [(plot: UPlot) => shadeWarmUp(plot, chart.warmUpS)],
    },
  }
}

function axesOf({ unit, isLog, edgesS }: ChartJson): Record<string, unknown>[] {
  const font = `12px ${page.getComputedStyle(document.body).fontFamily}`
  const axis = { stroke: colour('--quiet'), font, ticks: { show: false } }
  return [
    {
      ...axis,
      size: LABELS_PX,
      gap: 4,
      space: 90,
      incrs: TIME_STEPS_S,
      grid: { show: false },
      values: (_: UPlot, splits: readonly number[]) =>
        splits.map((seconds) => momentLabel(seconds, edgesS.at(-1)!)),
    },
    {
      ...axis,
      size: AXIS_PX,
      gap: 8,
      space: 28,
      ...(isLog ? { splits: logTicks } : {}),
      ...(unit === 'count' ? { incrs: COUNT_STEPS } : {}),
      grid: { stroke: colour('--rule'), width: 1 },
      values: (_: UPlot, splits: readonly (number | null)[]) =>
        splits.map((value) => (value === null ? '' : valueLabel(value, unit, 3))),
    },
  ]
}

function seriesOptions({ tone, kind }: ChartJson['series'][number]): Record<string, unknown> {
  const stroke = colour(`--${tone}`)
  return {
    stroke,
    width: 1.75,
    paths: page.uPlot.paths.stepped({ align: 1 }),
    points: { show: false },
    spanGaps: false,
    ...(kind === 'area' ? { fill: faint(stroke) } : {}),
    ...(kind === 'dashed' ? { dash: [5, 3] } : {}),
  }
}

/** From 0, or below it where values are, with a little room above. */
function linearRange(_: UPlot, min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0)
  const high = Math.max(0, max ?? 0)
  return high > low ? [low, low + (high - low) * 1.06] : [low, low + 1]
}

/** Between 1, 2 or 5 times powers of ten, as in the drawing. */
function logRange(_: UPlot, min: number | null, max: number | null): [number, number] {
  const low = min === null || min <= 0 ? 0.001 : min
  const high = Math.max(max ?? 0, low * 2)
  return [niceBeside(low, -1), niceBeside(high, 1)]
}

function logTicks(_: UPlot, _axis: number, min: number, max: number): number[] {
  const all: number[] = []
  for (let power = 10 ** Math.floor(Math.log10(min) + 1e-9); power <= max; power *= 10) {
    for (const step of [1, 2, 5]) {
      const value = Number((step * power).toPrecision(6))
      if (value >= min * 0.999 && value <= max * 1.001) all.push(value)
    }
  }
  const tens = all.filter((value) => Number.isInteger(Number(Math.log10(value).toFixed(6))))
  return all.length > 6 && tens.length > 1 ? tens : all
}

function niceBeside(value: number, side: 1 | -1): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  const steps = [1, 2, 5, 10].map((step) => Number((step * power).toPrecision(6)))
  if (side === 1) return steps.find((step) => step >= value * 0.999)!
  return steps.findLast((step) => step <= value * 1.001)!
}

/** Into the legend; the moment stands with the first of them. */
function showValues({ chart, outputs }: Live, plot: UPlot): void {
  const index = plot.cursor.idxs?.[1] ?? null
  for (const [place, output] of outputs.entries()) {
    const value = index === null ? null : (plot.data[place + 1]?.[index] ?? null)
    output.textContent =
      index === null ? '' : value === null ? 'none' : valueLabel(value, chart.unit, 4)
  }
  const [first] = outputs
  if (first === undefined || index === null) return
  const moment = momentLabel(plot.data[0]![index] ?? 0, chart.edgesS.at(-1)!)
  first.textContent = `${first.textContent ?? ''} at ${moment}`
}

function shadeWarmUp(plot: UPlot, warmUpS: number): void {
  if (warmUpS <= 0) return
  const { left, top, height } = plot.bbox
  const endPx = plot.valToPos(warmUpS, 'x', true)
  if (endPx <= left) return
  plot.ctx.fillStyle = colour('--raised')
  plot.ctx.fillRect(left, top, endPx - left, height)
}

/** Whether the key meant something. */
function moveCursor(plot: UPlot, key: string): boolean {
  if (key === 'Escape') {
    plot.setCursor({ left: -10, top: -10 })
    return true
  }
  const times = plot.data[0]!
  const last = times.length - 2
  const index = plot.cursor.idxs?.[1] ?? null
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, (index ?? last + 1) - 1),
    ArrowRight: Math.min(last, (index ?? -1) + 1),
    Home: 0,
    End: last,
  }
  const place = places[key]
  if (place === undefined) return false
  plot.setCursor({ left: plot.valToPos(times[place] ?? 0, 'x'), top: 10 })
  return true
}

/** All labels of a run have one form: seconds in a short one, `m:ss` in others. */
function momentLabel(seconds: number, endS: number): string {
  if (endS < 120) return seconds === 0 ? '0' : `${Number(seconds.toFixed(2))} s`
  const two = (value: number) => String(value).padStart(2, '0')
  const whole = Math.floor(seconds)
  const minutes = Math.floor(whole / 60)
  if (endS < 3600) return `${minutes}:${two(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`
}

/** Times are in ms. */
function valueLabel(value: number, unit: ChartJson['unit'], digitCount: number): string {
  const brief = (number: number) => String(Number(number.toPrecision(digitCount)))
  if (value === 0) return '0'
  if (unit === 'ns') {
    if (value < 0.9995) return `${brief(value * 1000)} \u00b5s`
    return value < 999.5 ? `${brief(value)} ms` : `${brief(value / 1000)} s`
  }
  const size = Math.abs(value)
  const [divisor, letter] =
    size >= 1e9 ? [1e9, 'G'] : size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, '']
  const text = `${brief(value / divisor)}${letter}`
  return unit === 'per-second' ? `${text}/s` : text
}

/** A variable of the style as a canvas understands it: its value may be a function of the theme. */
function colour(variable: string): string {
  const probe = document.createElement('span')
  probe.style.setProperty('color', `var(${variable})`)
  document.body.append(probe)
  const { color } = page.getComputedStyle(probe)
  probe.remove()
  return color
}

function faint(rgb: string): string {
  return rgb.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.16)')
}

start()
