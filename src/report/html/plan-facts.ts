/** The plan in words: what load was meant, and with which settings. */
import type { PlanFacts } from '../../result/run-result.ts'
import { loadText } from '../load-text.ts'
import { foreign, html, type Markup, nothing } from './markup.ts'
import { coordinate, PLOT_WIDTH, plotMarkup } from './plot.ts'
import { counted, percentText, spanText } from './quantities.ts'
import { linearScale, positionOn } from './scale.ts'
import { factsMarkup } from './table.ts'
import { axisLabel, timeTicks } from './time-chart.ts'

export function planMarkup(plan: PlanFacts): Markup {
  const { load } = plan
  const scenarios = load.scenarios.map(({ name }) => name).filter((name) => name !== '')
  const isListed = plan.targetCount > 0
  return html`<section id="plan"><h2>Plan</h2>
${stagesMarkup(plan)}
${factsMarkup([
  ['Load', loadText(plan)],
  [
    'Model',
    load.model === 'open' ? 'open: arrivals by the clock' : 'closed: users wait for answers',
  ],
  ['Most in flight', load.model === 'open' ? String(plan.userCount) : null],
  ['Duration', plan.durationNs === null ? null : spanText(plan.durationNs)],
  ['Iterations of each user', plan.iterationCount === null ? null : String(plan.iterationCount)],
  ['Iterations in all', load.totalCount === null ? null : String(load.totalCount)],
  ['Warm-up', load.warmUpNs === 0 ? null : `${spanText(load.warmUpNs)}, not in the figures`],
  ['Drain', load.drainNs === 0 ? null : `${spanText(load.drainNs)} at most, not in the rates`],
  ['Scenarios', scenarios.length < 2 ? null : scenarioText(plan)],
  ['Targets', isListed ? `${plan.targetCount} of ${counted(plan.originCount, 'server')}` : null],
  ['Order', isListed && plan.targetCount > 1 ? walkText(plan) : null],
  [
    'Protocol',
    `HTTP/${plan.httpVersion}, ` +
      (plan.keepAlive ? 'connections kept open' : 'a connection for each request'),
  ],
  ['Timeout', plan.timeoutNs > 1e15 ? 'none' : spanText(plan.timeoutNs)],
  ['Ends after', plan.failureCountMax === null ? null : counted(plan.failureCountMax, 'failure')],
  ['Seed', String(plan.seed)],
])}</section>`
}

function walkText({ walk }: PlanFacts): string {
  return { 'in-order': 'one after the other', random: 'at random', once: 'each once' }[walk]
}

function scenarioText({ load }: PlanFacts): Markup {
  const weightSum = load.scenarios.reduce((sum, { weight }) => sum + weight, 0)
  return html`${load.scenarios.map(
    ({ name, weight }, index) =>
      html`${index > 0 ? ', ' : ''}${foreign(name)} ${percentText(weight / weightSum)}`,
  )}`
}

/** A sketch of the load over time; nothing where it never changes. */
function stagesMarkup({ load, durationNs }: PlanFacts): Markup {
  const { stages } = load
  const isFlat = stages.every(({ from, to }) => from === to && from === stages[0]!.from)
  if (isFlat) return nothing
  const stagesNs = stages.reduce((sum, stage) => sum + (stage.durationNs ?? 0), 0)
  const endNs = Math.max(durationNs ?? 0, stagesNs)
  if (endNs === 0) return nothing
  const scale = linearScale(Math.max(...stages.flatMap(({ from, to }) => [from, to])), 3)
  const heightPx = 90
  let atNs = 0
  let path = ''
  const point = (level: number) => {
    const x = (atNs / endNs) * PLOT_WIDTH
    return `${coordinate(x)} ${coordinate((1 - positionOn(scale, level)) * heightPx)}`
  }
  for (const { durationNs: stageNs, from, to } of stages) {
    path += `${path === '' ? 'M' : 'L'}${point(from)}`
    atNs = stageNs === null ? endNs : atNs + stageNs
    path += `L${point(to)}`
  }
  const unit = load.model === 'open' ? 'per-second' : 'count'
  const what = load.model === 'open' ? 'Planned arrivals per second' : 'Planned users'
  return html`<figure class="chart"><figcaption><h3>${what}</h3></figcaption>${plotMarkup({
    description: `${what} over time, in ${counted(stages.length, 'stage')}.`,
    heightPx,
    xTicks: timeTicks(endNs),
    yTicks: scale.ticks.map((value) => ({
      at: positionOn(scale, value),
      label: axisLabel(value, unit),
    })),
    body: html`<path class="s-offered line" d="${path}"/>`,
  })}</figure>`
}
