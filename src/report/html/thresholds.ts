/** Thresholds and what became of them. */
import type { ThresholdMetric } from '../../plan/slo.ts'
import type { Verdict } from '../../result/verdicts.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
import { digits, timeText } from './quantities.ts'
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

/**
 * What was measured, with its unit, or why nothing was. It has as many digits as it takes to be on
 * the same side of the bound as the value itself: `299.998/s` is not 300/s.
 */
export function measuredText({ threshold, measured, reason }: Verdict): string {
  if (measured === null) return `nothing: ${reason}`
  const { bound } = threshold
  let count = 3
  for (; count < 15; count++) {
    const rounded = Number(measured.toPrecision(count))
    if (Math.sign(rounded - bound) === Math.sign(measured - bound)) break
  }
  return quantityText(threshold.metric, measured, count)
}

function quantityText(metric: ThresholdMetric, value: number, digitCount: number): string {
  switch (metric.kind) {
    case 'rate':
      return `${digits(value, Math.max(digitCount, 4))}/s`
    case 'errors':
    case 'dropped':
    case 'checks':
      return metric.unit === 'ratio' ? `${digits(value * 100, digitCount)}\u00a0%` : String(value)
    default:
      return timeText(value, digitCount)
  }
}
