/** How a run went, in a word and a sentence: what whoever reads no further has to know. */
import type { Summary } from '../result/summary.ts'
import type { Verdict } from '../result/verdicts.ts'
import { countedText, percentText } from './run-numbers.ts'

export interface RunVerdict {
  readonly tone: 'good' | 'bad' | 'doubtful'
  readonly word: 'PASSED' | 'FAILED' | 'DONE' | 'ERRORS' | 'NOTHING'
  readonly sentence: string
}

export function runVerdict(summary: Summary, verdicts: readonly Verdict[]): RunVerdict {
  const ending = endingText(summary)
  const { completedCount, errorCount, errorRatio } = summary
  const broken = verdicts.filter(({ outcome }) => outcome !== 'passed')
  if (broken.length > 0) {
    const sentence = `${broken.length} of ${countedText(verdicts.length, 'threshold')} broken.`
    return { tone: 'bad', word: 'FAILED', sentence: sentence + ending }
  }
  if (completedCount === 0) {
    const sentence = summary.failedCount === 0 ? 'No request ended.' : 'No request got an answer.'
    return { tone: 'bad', word: 'NOTHING', sentence: sentence + ending }
  }
  if (verdicts.length > 0) {
    const sentence = verdicts.length === 1 ? 'The threshold holds.' : allHold(verdicts.length)
    return { tone: 'good', word: 'PASSED', sentence: sentence + ending }
  }
  const droppedCount = summary.arrivals?.droppedCount ?? 0
  if (errorCount === 0) {
    const all = completedCount === 1 ? 'The only request' : `All ${completedCount} requests`
    const drops = droppedCount === 0 ? '' : `, but ${countedText(droppedCount, 'arrival')} dropped`
    const tone = droppedCount === 0 ? 'good' : 'doubtful'
    return { tone, word: 'DONE', sentence: `${all} went well${drops}.${ending}` }
  }
  const sentence = `${countedText(errorCount, 'request')} went wrong (${percentText(errorRatio)}).`
  return { tone: 'doubtful', word: 'ERRORS', sentence: sentence + ending }
}

function allHold(count: number): string {
  return count === 2 ? 'Both thresholds hold.' : `All ${count} thresholds hold.`
}

function endingText({ endedBy }: Summary): string {
  if (endedBy === 'signal') return ' The run was stopped before its end.'
  if (endedBy === 'failures') return ' The run ended early: there were too many failures.'
  if (endedBy === 'threshold') return ' The run ended early, as a threshold cannot hold any more.'
  return ''
}
