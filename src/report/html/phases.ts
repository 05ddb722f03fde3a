/** Where the time of a request goes: shares of the mean, and each phase by itself. */
import { ratio } from '../../result/ratio.ts'
import type { Summary } from '../../result/summary.ts'
import { percentileOf, type TimeSummary } from '../../result/time-summary.ts'
import { html, type Markup, nothing } from './markup.ts'
import { percent } from './plot.ts'
import { msText, percentText, timeText } from './quantities.ts'
import { numberCell, row, tableMarkup } from './table.ts'

interface Phase {
  readonly name: string
  /** Of the styles `.ph-...`. */
  readonly style: string
  readonly time: TimeSummary
}

/** A part of the bar that is narrower has no room for its share. */
const LABELLED_SHARE_MIN = 0.1

/** Nothing without responses. */
export function phasesMarkup(summary: Summary): Markup {
  const { dns, connect, tls, firstByte, transfer } = summary.phases
  const all: readonly Phase[] = [
    { name: 'Name lookup (DNS)', style: 'dns', time: dns },
    { name: 'Connect', style: 'connect', time: connect },
    { name: 'TLS handshake', style: 'tls', time: tls },
    { name: 'Waiting for the first byte', style: 'first', time: firstByte },
    { name: 'Transfer', style: 'transfer', time: transfer },
  ]
  const phases = all.filter(({ time }) => time.count > 0)
  if (phases.length === 0) return nothing
  const sumsNs = phases.map(({ time }) => time.meanNs * time.count)
  const wholeNs = sumsNs.reduce((total, sumNs) => total + sumNs, 0)
  const shares = sumsNs.map((sumNs) => ratio(sumNs, wholeNs))
  const meanNs = ratio(wholeNs, summary.completedCount)
  const numbers = ['Share', 'Requests', 'Mean', 'p50', 'p90', 'p99', 'Max']
  return html`<section id="phases"><h2>Where the time goes</h2>
<p>The mean request spent ${timeText(meanNs)} in these phases. On a connection that was kept open
there is no lookup, connect and handshake, so each phase counts the requests that had it.</p>
${stackedBar(phases, shares)}
${tableMarkup({
  caption: 'Phases of completed requests, times in ms',
  columns: ['Phase', ...numbers.map((number) => ({ number }))],
  rows: phases.map((phase, index) => phaseRow(phase, shares[index]!)),
})}</section>
`
}

function phaseRow({ name, style, time }: Phase, share: number): Markup {
  const quantiles = ['p50', 'p90', 'p99'].map((name) => percentileOf(time, name).valueNs)
  return row(
    html`<svg class="key" width="12" height="12" aria-hidden="true">
<rect class="ph-${style}" width="12" height="12" rx="2"/></svg>${name}`,
    numberCell(percentText(share)),
    numberCell(time.count),
    ...[time.meanNs, ...quantiles, time.maxNs].map((timeNs) => numberCell(msText(timeNs))),
  )
}

/** The table says the same in figures. */
function stackedBar(phases: readonly Phase[], shares: readonly number[]): Markup {
  let end = 0
  const parts = phases.map(({ style }, index) => {
    const share = shares[index]!
    const start = end
    end += share
    const label =
      share < LABELLED_SHARE_MIN
        ? nothing
        : html`<text class="ph-text" x="${percent(start + share / 2)}"
 y="18">${percentText(share)}</text>`
    return html`<rect class="ph-${style}" x="${percent(start)}" width="${percent(share)}"
 height="28"/>${label}`
  })
  return html`<svg class="stack" width="100%" height="28" aria-hidden="true">${parts}</svg>`
}
