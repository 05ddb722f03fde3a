/** Thresholds and what became of them. */
import type { Verdict } from '../../result/verdicts.ts'
import { measuredText } from '../run-numbers.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
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
