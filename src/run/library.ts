/**
 * onager as a library: `import { run, summarize } from 'onager'`.
 *
 * A run is the same as that of `onager run`: what goes in is a plan as in a plan file, what comes out
 * is the result that `--out` writes. Nothing here prints, and no signal is heeded but the one given.
 */
import { UsageError } from '../base/errors.ts'
import { tlsProblem } from '../engine/net/secure-context.ts'
import { htmlReport } from '../fleet/html-file.ts'
import { startPlan } from '../fleet/run-plan.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { readThresholds } from '../plan/slo.ts'
import { decodeResult, encodeResult } from '../result/result-file.ts'
import { planFacts, type RunResult } from '../result/run-result.ts'
import {
  judgedCounts,
  judge as judgeThresholds,
  type Verdict,
  verdictsOf,
} from '../result/verdicts.ts'
import { lossWatcher } from './abort-on-slo.ts'
import { nodePacking } from './node-packing.ts'
import { completed } from './plan-file/complete.ts'
import { unplacedPlan } from './plan-file/placed-plan.ts'
import type { PlanDraft } from './plan-file/plan-draft.ts'
import { planFromDraft } from './plan-file/plan-from-draft.ts'
import { checkedPlan } from './plan-file/read-plan-file.ts'
import { readBytes } from './plan-file/run-files.ts'

export { EnvironmentError, UsageError } from '../base/errors.ts'
export type { Snapshot } from '../metrics/snapshot.ts'
export { mergeResults, type RunResult } from '../result/run-result.ts'
export { type Summary, summarize } from '../result/summary.ts'
export type { Verdict } from '../result/verdicts.ts'
export { definePlan, type PlanDraft } from './plan-file/plan-draft.ts'

export interface RunOptions {
  /** Where the paths in the plan begin; absent: the current folder. */
  readonly folder?: string
  /** Ends the run early, with the result until then. */
  readonly signal?: AbortSignal
  /**
   * The counts since the start, about four times a second, with the time since then in nanoseconds;
   * `intervals` are empty, and `names` if there are more than 100.
   */
  readonly onProgress?: (snapshot: Snapshot, elapsedNs: number) => void
}

/**
 * Runs a plan to its end. Times in the result are nanoseconds since the start of the run.
 * @throws {UsageError} with everything that is wrong in the plan; nothing was sent then.
 * @throws {EnvironmentError} when the machine does not play along.
 */
export async function run(plan: PlanDraft, options: RunOptions = {}): Promise<RunResult> {
  const { folder = process.cwd(), signal, onProgress } = options
  const checked = await checkedPlan(unplacedPlan(undefined, plan), folder)
  const whole = completed(checked.value, { seed: Date.now() % 2 ** 32, title: 'onager run' })
  const runnable = planFromDraft(whole, checked, {
    read: readBytes,
    environment: (name) => process.env[name],
  })
  const tlsFault = tlsProblem(runnable.tls)
  if (tlsFault !== null) throw new UsageError(tlsFault)
  const isLost = plan['abort-on-slo'] === true ? lossWatcher(planFacts(runnable)) : () => false
  const running = startPlan(runnable, {
    lines: null,
    wire: 'nothing',
    takeLines: () => {},
    failureSeen: () => {},
    progress(snapshot, elapsedNs) {
      onProgress?.(snapshot, elapsedNs)
      if (isLost(snapshot, elapsedNs)) running.stop('now', 'threshold')
    },
  })
  const stop = () => running.stop('now', 'signal')
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  try {
    return (await running.finished).result
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** How the result stands to the thresholds of its plan and to others, such as `p99<200ms`. */
export function judge(result: RunResult, ...thresholds: readonly string[]): Verdict[] {
  const read = thresholds.map((text) => readThresholds(text))
  const problems = read.flatMap((reading) => reading.problems)
  if (problems.length > 0) throw new UsageError(problems.map(({ text }) => ({ text })))
  const further = read.flatMap((reading) => reading.thresholds)
  return [...verdictsOf(result), ...judgeThresholds(further, judgedCounts(result))]
}

/** The result as one HTML file, to be written as UTF-8. */
export function renderHtml(result: RunResult): string {
  return htmlReport(result)
}

/** The text of a result file, as `onager run --out` writes it. */
export function writeResult(result: RunResult): string {
  return encodeResult(result, nodePacking)
}

/** The result in the text of a file. @throws {UsageError} when it is none, or damaged. */
export function readResult(text: string): RunResult {
  const reading = decodeResult(text, nodePacking)
  if ('problem' in reading) throw new UsageError(reading.problem)
  return reading.result
}
