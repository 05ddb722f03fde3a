/** Whether a run is lost already: some threshold cannot hold any more, whatever comes. */
import type { Snapshot } from '../metrics/snapshot.ts'
import { readThresholds } from '../plan/slo.ts'
import type { PlanFacts } from '../result/run-result.ts'
import { abortingVerdicts, measuredNsOf } from '../result/verdicts.ts'

/** Asked with the counts since the start. */
export type IsLost = (snapshot: Snapshot, elapsedNs: number) => boolean

export function lossWatcher(facts: PlanFacts): IsLost {
  const { load, requestNames, checks } = facts
  const thresholds = facts.thresholds.flatMap((text) => readThresholds(text).thresholds)
  return (snapshot, elapsedNs) => {
    const measuredNs = measuredNsOf(elapsedNs, load.warmUpNs)
    const counts = { snapshot, measuredNs, model: load.model, requestNames, checks }
    return abortingVerdicts(thresholds, counts).length > 0
  }
}
