/** Whether a run is lost already: some threshold cannot hold any more, whatever comes. */
import type { Snapshot } from '../metrics/snapshot.ts'
import { readThresholds } from '../plan/slo.ts'
import { underLoadNsOf } from '../result/measured-time.ts'
import type { PlanFacts } from '../result/run-result.ts'
import { abortingVerdicts } from '../result/verdicts.ts'

/** Asked with the counts since the start. */
export type IsLost = (snapshot: Snapshot, elapsedNs: number) => boolean

export function lossWatcher(facts: PlanFacts): IsLost {
  const { load, requestNames, checks } = facts
  const thresholds = facts.thresholds.flatMap((text) => readThresholds(text).thresholds)
  return (snapshot, elapsedNs) => {
    const underLoadNs = underLoadNsOf(elapsedNs, facts)
    const counts = { snapshot, underLoadNs, model: load.model, requestNames, checks }
    return abortingVerdicts(thresholds, counts).length > 0
  }
}
