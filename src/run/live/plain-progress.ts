/**
 * Progress where there is no terminal to draw on: one line every few seconds, further apart the
 * longer the run, so that the log of an hour stays readable.
 */
import { NS_PER_S } from '../../base/units.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { durationText, unitRateText } from './format.ts'
import { runProgress } from './frame-progress.ts'
import { type LiveFigures, LiveHistory } from './history.ts'
import type { Progress } from './progress.ts'

export function createPlainProgress(write: (text: string) => unknown, facts: PlanFacts): Progress {
  const history = new LiveHistory()
  let lastLineNs = 0
  return {
    update(snapshot, elapsedNs) {
      history.add(snapshot, elapsedNs)
      if (elapsedNs - lastLineNs < distanceNs(elapsedNs)) return
      lastLineNs = elapsedNs
      write(`${progressLine(history.figures(), facts)}\n`)
    },
    say: (text) => void write(`${text}\n`),
    end() {},
  }
}

/** Five seconds in the first minute, ten in the first ten, then a minute. */
function distanceNs(elapsedNs: number): number {
  if (elapsedNs <= 60 * NS_PER_S) return 5 * NS_PER_S
  return (elapsedNs <= 600 * NS_PER_S ? 10 : 60) * NS_PER_S
}

/** The figures are those of the last seconds, the counts those of the whole run. */
export function progressLine(figures: LiveFigures, facts: PlanFacts): string {
  const { snapshot, recentResponseTime: times, elapsedNs } = figures
  const isWarmUp = elapsedNs < facts.load.warmUpNs
  const parts = [
    `${runProgress(figures, facts).text}${isWarmUp ? ' (warming up)' : ''}`,
    unitRateText(figures.completedPerSecond, 'requests'),
    ...(times.count === 0
      ? []
      : [`p50 ${durationText(times.p50Ns, 'u')}`, `p99 ${durationText(times.p99Ns, 'u')}`]),
    `${figures.inFlightCount} in flight`,
    `${snapshot.completedCount} completed`,
    `${snapshot.errorCount} errors`,
    ...(facts.load.model === 'open' ? [`${snapshot.droppedCount} dropped`] : []),
  ]
  return parts.join(', ')
}
