/** The machine that made the load: whether it could, and with what. */
import type { Summary } from '../../result/summary.ts'
import { percentileOf } from '../../result/time-summary.ts'
import { foreign, html, type Markup, shown } from './markup.ts'
import { counted, msText, percentText, timeText } from './quantities.ts'
import { factsMarkup, numberCell, row, tableMarkup } from './table.ts'

export function generatorMarkup(summary: Summary): Markup {
  const { generator, startLag } = summary
  const { loopLagNsP99, loopLagNsMax, reactorName, reactorReason } = generator
  const lateNsP99 = percentileOf(startLag, 'p99').valueNs
  const numbers = ['Busy', 'CPU user', 'CPU system', 'Loop lag p99, ms', 'Loop lag max, ms']
  const table = tableMarkup({
    caption: 'Threads, the busiest first',
    columns: ['Thread', ...numbers.map((number) => ({ number }))],
    rows: generator.threads.map((thread, index) =>
      row(
        index + 1,
        numberCell(percentText(thread.busyRatio)),
        numberCell(timeText(thread.cpuUserNs)),
        numberCell(timeText(thread.cpuSystemNs)),
        ...[thread.loopLagNsP99, thread.loopLagNsMax].map((lagNs) =>
          numberCell(lagNs === null ? '\u2013' : msText(lagNs)),
        ),
      ),
    ),
  })
  return html`<section id="generator"><h2>Load generator</h2>
${factsMarkup([
  ['Threads', counted(generator.threadCount, 'thread')],
  ['Busiest thread', `${percentText(generator.busyRatioMax)} busy`],
  [
    'Late starts',
    startLag.count === 0 ? null : `p99 ${timeText(lateNsP99)}, most ${timeText(startLag.maxNs)}`,
  ],
  [
    'Late events',
    loopLagNsP99 === null
      ? null
      : `p99 ${timeText(loopLagNsP99)}, most ${timeText(loopLagNsMax ?? loopLagNsP99)}`,
  ],
  ['In flight, mean', summary.inFlightMean.toFixed(2)],
  ['Connections opened', String(summary.connectionCount)],
  ['Requests sent again', summary.retryCount === 0 ? null : String(summary.retryCount)],
  ['Sockets', foreign(reactorName)],
  ['Why not a faster way', reactorReason === null ? null : foreign(reactorReason)],
  ['Program', `onager ${shown(summary.onagerVersion)}`],
])}
${table}</section>`
}
