/** How a run went, in a word and a sentence: what whoever reads no further has to know. */
import type { Summary } from '../result/summary.ts'
import { isBroken, type Verdict } from '../result/verdicts.ts'
import { countedText, percentText } from './run-numbers.ts'

export interface RunVerdict {
  readonly tone: 'good' | 'bad' | 'doubtful'
  readonly word: 'PASSED' | 'FAILED' | 'DONE' | 'ERRORS' | 'NOTHING'
  readonly sentence: string
  /** A sentence on an end that came early; empty: it did not. */
  readonly ending: string
}

/** That nothing was measured goes before thresholds, and they go before errors. */
export function runVerdict(summary: Summary, verdicts: readonly Verdict[]): RunVerdict {
  const found =
    summary.completedCount === 0
      ? nothingVerdict(summary)
      : verdicts.length > 0
        ? thresholdVerdict(verdicts)
        : errorVerdict(summary)
  const ending = endingText(summary)
  // Whatever came until then is no answer to what was asked.
  const tone = found.tone === 'good' && ending !== '' ? 'doubtful' : found.tone
  return { ...found, tone, ending }
}

type Finding = Omit<RunVerdict, 'ending'>

function nothingVerdict({ startedCount, failedCount }: Summary): Finding {
  const sentence =
    startedCount === 0
      ? 'No request was begun.'
      : failedCount === 0
        ? 'No request ended.'
        : 'No request got an answer.'
  return { tone: 'bad', word: 'NOTHING', sentence }
}

function thresholdVerdict(verdicts: readonly Verdict[]): Finding {
  const { length } = verdicts
  if (isBroken(verdicts)) {
    const brokenCount = verdicts.filter(({ outcome }) => outcome !== 'passed').length
    const sentence = `${brokenCount} of ${countedText(length, 'threshold')} broken.`
    return { tone: 'bad', word: 'FAILED', sentence }
  }
  const all = length === 2 ? 'Both thresholds hold.' : `All ${length} thresholds hold.`
  return { tone: 'good', word: 'PASSED', sentence: length === 1 ? 'The threshold holds.' : all }
}

function errorVerdict(summary: Summary): Finding {
  const { completedCount, failedCount, errorCount, errorRatio } = summary
  const droppedCount = summary.arrivals?.droppedCount ?? 0
  if (errorCount === 0) {
    const all = completedCount === 1 ? 'The only request' : `All ${completedCount} requests`
    const drops = droppedCount === 0 ? '' : `, but ${countedText(droppedCount, 'arrival')} dropped`
    const tone = droppedCount === 0 ? 'good' : 'doubtful'
    return { tone, word: 'DONE', sentence: `${all} went well${drops}.` }
  }
  if (errorCount === completedCount + failedCount) {
    const all = errorCount === 1 ? 'The only request' : `All ${errorCount} requests`
    return { tone: 'bad', word: 'ERRORS', sentence: `${all} went wrong.` }
  }
  const sentence = `${countedText(errorCount, 'request')} went wrong (${percentText(errorRatio)}).`
  return { tone: 'doubtful', word: 'ERRORS', sentence }
}

function endingText({ endedBy }: Summary): string {
  switch (endedBy) {
    case 'signal':
      return 'The run was stopped before its end.'
    case 'failures':
      return 'The run ended early: there were too many failures.'
    case 'threshold':
      return 'The run ended early, as a threshold cannot hold any more.'
    default:
      return ''
  }
}
