/** How a plan's thresholds stand while the run goes on, as the view shows them. */
import type { Snapshot } from '../../metrics/snapshot.ts'
import { readThresholds, type Threshold } from '../../plan/slo.ts'
import { underLoadNsOf } from '../../result/measured-time.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { judge, type Verdict } from '../../result/verdicts.ts'
import { durationText, percentText, rateText } from './format.ts'
import type { ThresholdState } from './frame-input.ts'

export function thresholdsOf(facts: PlanFacts): readonly Threshold[] {
  return facts.thresholds.flatMap((text) => readThresholds(text).thresholds)
}

export function thresholdStates(
  thresholds: readonly Threshold[],
  facts: PlanFacts,
  counts: { readonly snapshot: Snapshot; readonly elapsedNs: number },
): ThresholdState[] {
  if (thresholds.length === 0) return []
  const verdicts = judge(thresholds, {
    snapshot: counts.snapshot,
    underLoadNs: underLoadNsOf(counts.elapsedNs, facts),
    model: facts.load.model,
    requestNames: facts.requestNames,
    checks: facts.checks,
  })
  return verdicts.map((verdict) => ({
    text: verdict.threshold.text,
    isMet: verdict.outcome === 'unknown' ? null : verdict.outcome === 'passed',
    measured: measuredOf(verdict),
  }))
}

function measuredOf({ threshold: { metric }, measured }: Verdict): ThresholdState['measured'] {
  if (measured === null) return () => ''
  switch (metric.kind) {
    case 'rate':
      return () => rateText(measured)
    case 'errors':
    case 'dropped':
    case 'checks':
      return () => (metric.unit === 'ratio' ? percentText(measured) : String(measured))
    default:
      return (micro) => durationText(measured, micro)
  }
}
