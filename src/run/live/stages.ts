/** Where a run is in the stages of its load, and the shape that they have. */
import type { Stage } from '../../plan/plan.ts'

export interface StagePosition {
  readonly index: number
  readonly stage: Stage
  /** Since the stage began. */
  readonly elapsedNs: number
  /** Users or arrivals per second that are meant to be now. */
  readonly level: number
}

/** Null where there are no stages, or all of them are over. */
export function stageAt(stages: readonly Stage[], elapsedNs: number): StagePosition | null {
  let startNs = 0
  for (const [index, stage] of stages.entries()) {
    const durationNs = stage.durationNs ?? Number.POSITIVE_INFINITY
    const sinceNs = elapsedNs - startNs
    if (sinceNs < durationNs) {
      const share = stage.durationNs === null ? 0 : Math.max(sinceNs, 0) / durationNs
      const level = stage.from + (stage.to - stage.from) * share
      return { index, stage, elapsedNs: Math.max(sinceNs, 0), level }
    }
    startNs += durationNs
  }
  return null
}

/** The sum of all stages; null when one of them has no end of its own, or there is none. */
export function stagesDurationNs(stages: readonly Stage[]): number | null {
  if (stages.length === 0) return null
  let sumNs = 0
  for (const { durationNs } of stages) {
    if (durationNs === null) return null
    sumNs += durationNs
  }
  return sumNs
}

/** Levels at the middles of so many equal parts of the run. */
export function loadProfile(stages: readonly Stage[], durationNs: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    return stageAt(stages, ((index + 0.5) / count) * durationNs)?.level ?? 0
  })
}
