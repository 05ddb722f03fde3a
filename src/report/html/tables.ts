/** Tables of the report: requests by name, percentiles, statuses and failures, checks. */
import type { NameSummary } from '../../result/name-summary.ts'
import type { ArrivalSummary } from '../../result/offered.ts'
import { ratio } from '../../result/ratio.ts'
import type { Summary } from '../../result/summary.ts'
import { percentileOf, type TimeSummary } from '../../result/time-summary.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
import { percent } from './plot.ts'
import { counted, msText, percentText, rateText } from './quantities.ts'
import { badCountCell, exampleMarkup, mark, numberCell, row, tableMarkup } from './table.ts'

const NONE = '\u2013'

/** Nothing for a plan without names. */
export function namesMarkup({ names }: Summary): Markup {
  if (names.length === 0) return nothing
  const columns = [
    ...['Requests', 'Per second', 'Errors', 'Error share', 'Mean', 'p50', 'p90', 'p99', 'Max'],
    ...['Service p99', 'Mean KiB'],
  ]
  const table = tableMarkup({
    caption: 'Requests by name: counts, and times in ms',
    columns: ['Name', ...columns.map((number) => ({ number }))],
    rows: names.map(nameRow),
    isLong: true,
  })
  return html`<section id="names"><h2>Requests by name</h2>
<div class="tools" hidden><label>Filter <input type="search" id="filter"
 placeholder="part of a name" autocomplete="off" spellcheck="false"></label>
<span id="shown-count" role="status">${counted(names.length, 'name')}</span></div>
${table}</section>
`
}

function nameRow(summary: NameSummary): Markup {
  const { name, startedCount, completedCount, failedCount, errorCount, errorRatio } = summary
  const { responseTime, serviceTime, bodyBytes, completedPerSecond } = summary
  const endedCount = completedCount + failedCount
  const times = [
    responseTime.meanNs,
    ...['p50', 'p90', 'p99'].map((percentile) => percentileOf(responseTime, percentile).valueNs),
    responseTime.maxNs,
    percentileOf(serviceTime, 'p99').valueNs,
  ]
  return row(
    foreign(name),
    numberCell(startedCount),
    numberCell(rateText(completedPerSecond)),
    badCountCell(errorCount),
    numberCell(endedCount === 0 ? NONE : percentText(errorRatio)),
    ...times.map((timeNs) => numberCell(completedCount === 0 ? NONE : msText(timeNs))),
    numberCell(endedCount === 0 ? NONE : (bodyBytes / endedCount / 1024).toFixed(1)),
  )
}

/** Each percentile of the run, response and service time side by side. */
export function percentileTableMarkup(summary: Summary): Markup {
  const { responseTime, serviceTime, arrivals } = summary
  if (responseTime.count === 0) return nothing
  const line = (name: string, timeOf: (time: TimeSummary) => number, isFirm = true) =>
    row(
      isFirm ? name : html`${name} <small>(few)</small>`,
      ...[responseTime, serviceTime].map((time) => numberCell(msText(timeOf(time)))),
    )
  const isLowerBound = arrivals !== null && arrivals.droppedCount > 0
  const bound = isLowerBound ? '; lower bounds, as arrivals were dropped' : ''
  return tableMarkup({
    caption: `Times of ${counted(responseTime.count, 'response')}, in ms${bound}`,
    columns: ['Percentile', { number: 'Response' }, { number: 'Service' }],
    rows: [
      line('min', ({ minNs }) => minNs),
      line('mean', ({ meanNs }) => meanNs),
      ...responseTime.percentiles.map(({ name, isFirm }, index) =>
        line(name, ({ percentiles }) => percentiles[index]!.valueNs, isFirm),
      ),
      line('max', ({ maxNs }) => maxNs),
      line('std. dev.', ({ stdevNs }) => stdevNs),
    ],
  })
}

export function outcomesMarkup(summary: Summary): Markup {
  const { startedCount, completedCount, failedCount, inFlightCount, arrivals, warmUp } = summary
  const parts = [
    `${counted(startedCount, 'request')} begun`,
    `${completedCount} completed`,
    `${failedCount} failed`,
    `${inFlightCount} in flight at the end`,
    ...(warmUp.startedCount === 0 ? [] : [`and ${warmUp.startedCount} more in the warm-up`]),
  ]
  return html`<section id="outcomes"><h2>Outcomes</h2>
${arrivals === null ? nothing : html`<p>${arrivalText(arrivals)}</p>`}
<p>${parts.join(', ')}. Completed is a whole response of any status; failed is none.</p>
<div class="pair">${[
    statusTable(summary),
    failureTable(summary),
    disqualificationTable(summary),
  ]}</div></section>
`
}

function arrivalText(arrivals: ArrivalSummary): string {
  const { dueCount, begunCount, droppedCount, plannedPerSecond, begunPerSecond } = arrivals
  return (
    `${counted(dueCount, 'arrival')} due, ${begunCount} begun, ${droppedCount} dropped: ` +
    `${rateText(begunPerSecond)} per second were offered, ${rateText(plannedPerSecond)} planned.`
  )
}

const statusNames: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [204, 'No Content'],
  [206, 'Partial Content'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [413, 'Content Too Large'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

function statusTable({ statuses, completedCount }: Summary): Markup {
  if (statuses.length === 0) return nothing
  return tableMarkup({
    caption: 'Responses by status',
    columns: ['Status', { number: 'Responses' }, { number: 'Share' }, { bar: 'Share as a bar' }],
    rows: statuses.map(({ status, count }) => {
      const share = ratio(count, completedCount)
      const isError = status >= 400
      return row(
        html`${status} <span class="quiet">${statusNames.get(status)}</span>`,
        isError ? badCountCell(count) : numberCell(count),
        numberCell(percentText(share)),
        html`<td class="bar">${shareBar(share, isError ? 'error' : 'done')}`,
      )
    }),
  })
}

function shareBar(share: number, tone: 'done' | 'error'): Markup {
  return html`<svg width="100%" height="10" aria-hidden="true">
<rect class="bar-${tone}" width="${percent(share)}" height="10" rx="2"/></svg>`
}

function failureTable({ failures, startedCount, completedCount }: Summary): Markup {
  if (failures.length === 0) {
    if (completedCount === 0) return nothing
    return html`<p class="card">${mark('pass', 'no request failed')}</p>`
  }
  return tableMarkup({
    caption: 'Failures by kind, with the first of each',
    columns: ['What happened', { number: 'Requests' }, { number: 'Of all' }],
    rows: failures.map(({ name, count, example }) =>
      row(
        html`${name}${exampleMarkup(example)}`,
        badCountCell(count),
        numberCell(percentText(ratio(count, startedCount))),
      ),
    ),
  })
}

function disqualificationTable({ disqualifications }: Summary): Markup {
  if (disqualifications.length === 0) return nothing
  return tableMarkup({
    caption: 'Complete responses that count as errors',
    columns: ['Why', { number: 'Responses' }],
    rows: disqualifications.map(({ name, count }) => row(name, badCountCell(count))),
  })
}

/** Nothing for a plan without checks. */
export function checksMarkup({ checks }: Summary): Markup {
  if (checks.length === 0) return nothing
  const rows = checks.map(({ name, requestName, passedCount, failedCount, passedRatio }) =>
    row(
      foreign(name),
      html`<td>${foreign(requestName)}`,
      html`<td>${checkMark(passedCount, failedCount)}`,
      numberCell(passedCount),
      badCountCell(failedCount),
      numberCell(passedCount + failedCount === 0 ? NONE : percentText(passedRatio)),
    ),
  )
  const numbers = ['Passed', 'Failed', 'Passed share'].map((number) => ({ number }))
  return html`<section id="checks"><h2>Checks</h2>
${tableMarkup({
  caption: 'Checks of responses',
  columns: ['Check', 'Request', 'Result', ...numbers],
  rows,
})}</section>
`
}

function checkMark(passedCount: number, failedCount: number): Markup {
  if (failedCount > 0) return mark('fail', 'failed')
  return passedCount > 0 ? mark('pass', 'passed') : mark('none', 'never made')
}
