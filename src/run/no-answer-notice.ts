/** Tells once, while a run goes on, that nothing has been answered: it may be of no use to anybody. */
import { NS_PER_S } from '../base/units.ts'
import { failureKindNames } from '../metrics/outcome.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { printable } from '../report/printable.ts'

/** A server that has just been started refuses for a moment. */
const PATIENCE_NS: number = 2 * NS_PER_S
const FAILURE_COUNT_MIN = 10

/** Asked with the counts since the start; a line for the person, or null. */
export function noAnswerNotice(): (snapshot: Snapshot, elapsedNs: number) => string | null {
  let isSettled = false
  return (snapshot, elapsedNs) => {
    if (isSettled) return null
    if (snapshot.completedCount > 0) isSettled = true
    if (isSettled || elapsedNs < PATIENCE_NS || snapshot.failedCount < FAILURE_COUNT_MIN)
      return null
    isSettled = true
    const counts = [...snapshot.failureCounts]
    const kind = counts.indexOf(Math.max(...counts))
    const example = snapshot.failureExamples.find((each) => each.kind === kind)?.text.trim() ?? ''
    const said = example === '' ? '' : ` (${printable(example)})`
    return (
      `nothing has been answered yet: ${snapshot.failedCount} requests failed, ` +
      `most by "${failureKindNames[kind]}"${said}; Ctrl-C ends the run`
    )
  }
}
