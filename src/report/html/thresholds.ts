/** Thresholds and what became of them. */
import type { ThresholdMetric } from '../../plan/slo.ts'
import type { Verdict } from '../../result/verdicts.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
import { percentText, rateText, timeText } from './quantities.ts'
import { mark, row, tableMarkup } from './table.ts'

/** Nothing for a plan without thresholds. */
export function thresholdsMarkup(verdicts: readonly Verdict[]): Markup {
  if (verdicts.length === 0) return nothing
  const table = tableMarkup({
    caption: 'What the run is judged by',
    columns: ['Threshold', 'Result', 'Measured'],
    rows: verdicts.map((verdict) =>
      row(
        html`<code>${foreign(verdict.threshold.text)}</code>`,
        html`<td>${verdict.outcome === 'passed' ? mark('pass', 'passed') : mark('fail', 'failed')}`,
        html`<td>${foreign(measuredText(verdict))}${
          verdict.isFirm ? nothing : html` <small>of few responses</small>`
        }`,
      ),
    ),
  })
  return html`<section id="thresholds"><h2>Thresholds</h2>
${table}</section>
`
}

/** What was measured, with its unit, or why nothing was. */
export function measuredText({ threshold, measured, reason }: Verdict): string {
  return measured === null ? `nothing: ${reason}` : quantityText(threshold.metric, measured)
}

function quantityText(metric: ThresholdMetric, value: number): string {
  switch (metric.kind) {
    case 'rate':
      return `${rateText(value)}/s`
    case 'errors':
    case 'dropped':
    case 'checks':
      return metric.unit === 'ratio' ? percentText(value) : String(value)
    default:
      return timeText(value)
  }
}
