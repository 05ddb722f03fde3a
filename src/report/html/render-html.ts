/**
 * A run as one HTML file: it asks nothing of any network, opens from a disk, and can be read
 * without scripts, on paper and on a phone.
 *
 * Everything is drawn here as SVG and tables. The scripts, written into the file, only add to it:
 * charts with a cursor, a table that sorts and filters, a button for the theme. The policy in the
 * head allows these scripts and styles by their hashes and nothing else, so that no text from a plan
 * or a server can ever run.
 */

import type { RunResult } from '../../result/run-result.ts'
import { type Summary, summarize } from '../../result/summary.ts'
import { type Verdict, verdictsOf } from '../../result/verdicts.ts'
import { localTimeText, type ZoneOffset } from '../local-time.ts'
import { generatorMarkup } from './generator.ts'
import { headlineMarkup } from './headline.ts'
import { heatMapMarkup } from './heat-map.ts'
import { foreign, html, json, type Markup, nothing, raw, shown } from './markup.ts'
import { percentileCurveMarkup } from './percentile-curve.ts'
import { phasesMarkup } from './phases.ts'
import { planMarkup } from './plan-facts.ts'
import { counted, spanText } from './quantities.ts'
import { runCharts, watchedChart } from './run-charts.ts'
import { pageStyle } from './style.ts'
import { checksMarkup, namesMarkup, outcomesMarkup, percentileTableMarkup } from './tables.ts'
import { thresholdsMarkup } from './thresholds.ts'
import { chartJson, type TimeChart, timeChartMarkup } from './time-chart.ts'

/** What the page is made of that is not made here; `fleet/html-file.ts` brings it. */
export interface HtmlAssets {
  /** uPlot for browsers, as a script that defines `uPlot`. */
  readonly chartLibrary: string
  readonly chartStyle: string
  /** Ours, each a module without imports. */
  readonly pageScripts: readonly string[]
  /** SHA-256 of a text in UTF-8, in base64. */
  readonly hash: (text: string) => string
}

export interface HtmlOptions {
  /** In whose local time the run began. */
  readonly zone: ZoneOffset
  /** Absent: those on the thresholds of the plan. */
  readonly verdicts?: readonly Verdict[]
}

/** The whole file, to be written as UTF-8. */
export function renderHtml(result: RunResult, assets: HtmlAssets, options: HtmlOptions): string {
  const summary = summarize(result)
  const charts = runCharts(result)
  const watched = (result.watched ?? []).map((series, index) => ({
    series,
    chart: series.points.length === 0 ? null : watchedChart(series, index, result.elapsedNs),
  }))
  const watchedCharts = watched.flatMap(({ chart }) => (chart === null ? [] : [chart]))
  const title = titleOf(result)
  const { verdicts = verdictsOf(result) } = options
  const sections: readonly Section[] = [
    { id: 'thresholds', name: 'Thresholds', content: thresholdsMarkup(verdicts) },
    { id: 'over-time', name: 'Over time', content: overTime(result, charts) },
    { id: 'distribution', name: 'Distribution', content: distribution(result, summary) },
    { id: 'phases', name: 'Phases', content: phasesMarkup(summary) },
    {
      id: 'names',
      name: 'Requests',
      content: namesMarkup(summary),
    },
    { id: 'outcomes', name: 'Outcomes', content: outcomesMarkup(summary) },
    { id: 'checks', name: 'Checks', content: checksMarkup(summary) },
    { id: 'watched', name: 'Watched', content: watchedMarkup(watched) },
    { id: 'plan', name: 'Plan', content: planMarkup(result.plan) },
    { id: 'generator', name: 'Generator', content: generatorMarkup(summary) },
  ]
  const there = sections.filter(({ content }) => content !== nothing)
  const data = { charts: [...charts, ...watchedCharts].map(chartJson) }
  const styles = [assets.chartStyle, pageStyle]
  const scripts = [assets.chartLibrary, ...assets.pageScripts]
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(assets, styles, scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="onager ${shown(summary.onagerVersion)}">
<title>${shown(title)} \u2013 onager</title>
<link rel="icon" href="data:,">
${styles.map((style) => html`<style>${raw(style)}</style>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${topMarkup(there)}
<main id="main">
${titleMarkup(title, summary, options)}
${headlineMarkup(summary, verdicts)}
${there.map(({ content }) => content)}
</main>
${footerMarkup(summary)}
<script type="application/json" id="data">${json(data)}</script>
<script>${raw(assets.chartLibrary)}</script>
${assets.pageScripts.map((script) => html`<script type="module">${raw(script)}</script>\n`)}</body>
</html>
`
  return page.text
}

interface Section {
  readonly id: string
  readonly name: string
  readonly content: Markup
}

/** No network at all: what is not named here is forbidden. */
function policy(
  { hash }: HtmlAssets,
  styles: readonly string[],
  scripts: readonly string[],
): string {
  const sources = (texts: readonly string[]) =>
    texts.map((text) => `'sha256-${hash(text)}'`).join(' ')
  return [
    "default-src 'none'",
    `script-src ${sources(scripts)}`,
    `style-src ${sources(styles)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function titleOf({ plan }: RunResult): string {
  if (plan.title !== '') return plan.title
  return `${counted(plan.targetCount, 'target')} of ${counted(plan.originCount, 'server')}`
}

function topMarkup(sections: readonly Section[]): Markup {
  return html`<header class="top"><div class="bar-inside">
<span class="brand"><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path fill="none" stroke="var(--accent)" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" d="M2 17 8 8l4 5 6-10M13.5 3H18v4.5"/></svg>onager</span>
<nav aria-label="Sections"><ul>${sections.map(
    ({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>
<button type="button" id="theme" hidden>
<span class="wide">Theme: </span><span id="theme-name"></span></button>
</div></header>`
}

function titleMarkup(title: string, summary: Summary, { zone }: HtmlOptions): Markup {
  const { startedAtMs, elapsedNs } = summary
  const local = `${localTimeText(startedAtMs, zone)} ${zoneText(zone(startedAtMs))}`
  return html`<div class="title"><p>Load test report</p><h1>${foreign(title)}</h1>
<p><time datetime="${new Date(startedAtMs).toISOString()}">${local}</time>,
${spanText(elapsedNs)}, onager ${shown(summary.onagerVersion)}</p></div>`
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC'
  const minutes = Math.abs(offsetMinutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function overTime({ snapshot, plan }: RunResult, charts: readonly TimeChart[]): Markup {
  if (charts.length === 0) {
    return html`<section id="over-time"><h2>Over time</h2>
<p>Charts over time have a point for each second; this run was too short for them.</p></section>`
  }
  const { warmUpNs } = plan.load
  const warmUp = `The first ${spanText(warmUpNs)}, shaded, are warm-up and in none of the figures.`
  const heatMap = heatMapMarkup(snapshot.intervals, warmUpNs)
  return html`<section id="over-time"><h2>Over time</h2>
${warmUpNs === 0 ? nothing : html`<p>${warmUp}</p>`}
<p class="hint" hidden>Move over a chart to read all of them at that moment; drag to zoom in,
double-click to zoom out. With a keyboard: arrow keys, and Escape to leave.</p>
<div class="stacked">${charts.map(timeChartMarkup)}${heatMap}</div></section>
`
}

function distribution({ snapshot }: RunResult, summary: Summary): Markup {
  if (summary.responseTime.count === 0) return nothing
  const curve = percentileCurveMarkup(snapshot.responseTime, snapshot.serviceTime)
  return html`<section id="distribution"><h2>Distribution of times</h2>
<div class="split">${curve}${percentileTableMarkup(summary)}</div></section>
`
}

function watchedMarkup(
  watched: readonly {
    readonly series: NonNullable<RunResult['watched']>[number]
    readonly chart: TimeChart | null
  }[],
): Markup {
  if (watched.length === 0) return nothing
  return html`<section id="watched"><h2>Watched beside the run</h2>
<div class="stacked">${watched.map(({ series, chart }) => {
    if (chart !== null) return timeChartMarkup(chart)
    const reason = series.failureCount === 0 ? '' : `: ${shown(series.failureExample)}`
    return html`<p class="card">${foreign(series.label)}: no sample${reason}.</p>`
  })}</div></section>`
}

function footerMarkup({ onagerVersion, startedAtMs }: Summary): Markup {
  const day = new Date(startedAtMs).toISOString().slice(0, 10)
  return html`<footer><h2>Words</h2><dl>
<dt>Response time</dt>
<dd>from when a request was due to the last byte of its response: what a user waits for</dd>
<dt>Service time</dt><dd>from when it was really sent: what the server took</dd>
<dt>p99</dt><dd>99 of 100 responses were at least as fast</dd>
<dt>Error</dt>
<dd>no whole response, a status of 400 or above that was not expected, or a check that says no</dd>
<dt>Dropped arrival</dt>
<dd>due, but as many were under way as may be: never begun, and missing from all times</dd>
</dl><p>Made by onager ${shown(onagerVersion)} from a run of ${day}. This file is complete in itself
and asks nothing of any network. Charts by uPlot (MIT licence, Leon Sorokin).</p></footer>`
}
