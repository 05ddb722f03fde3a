/**
 * The stretches of a run that figures are over.
 *
 * Means over time (in flight, traffic) are over all that was measured. Rates of requests are over
 * the time in which requests were begun: a drain at the end, in which the last of them are waited
 * for, would make any rate as low as the slowest response is slow.
 */
import type { PlanFacts } from './run-result.ts'

/** Without the warm-up. */
export function measuredNsOf(elapsedNs: number, { load }: Pick<PlanFacts, 'load'>): number {
  return Math.max(elapsedNs - load.warmUpNs, 0)
}

/** Without the warm-up and the drain. */
export function underLoadNsOf(
  elapsedNs: number,
  plan: Pick<PlanFacts, 'load' | 'durationNs'>,
): number {
  const { load, durationNs } = plan
  const hasDrained = load.drainNs > 0 && durationNs !== null
  return measuredNsOf(hasDrained ? Math.min(elapsedNs, durationNs) : elapsedNs, plan)
}
