/** What of a response a step looks at, so that nothing else is collected. */
import type { StepPlan } from '../plan/script-plan.ts'

export interface StepInterest {
  /** In lower case. */
  readonly fieldNames: readonly string[]
  readonly readsBody: boolean
}

export function interestOf(step: Pick<StepPlan, 'extractions' | 'checks'>): StepInterest {
  const fieldNames = new Set<string>()
  let readsBody = false
  for (const part of [...step.extractions, ...step.checks]) {
    if (part.kind === 'header') fieldNames.add(part.name.toLowerCase())
    else if (part.kind === 'cookie') fieldNames.add('set-cookie')
    else if (part.kind !== 'status') readsBody = true
  }
  // What they say is needed to make text of the bytes.
  if (readsBody) fieldNames.add('content-type').add('content-encoding')
  return { fieldNames: [...fieldNames], readsBody }
}
