/** From the load a person wrote to the engine's, and what contradicts itself in it. */
import type { ClosedLoad, Load, OpenLoad, Stage } from '../../plan/plan.ts'
import type { PlanProblems } from './placed-plan.ts'
import type { LoadDraft, PlanDraft, StageDraft } from './plan-draft.ts'
import { durationNs, ratePerSecond, thinkTime } from './quantities.ts'

/** `draft` is complete; problems are added to `problems`, and then the result is of no use. */
export function loadFromDraft(draft: PlanDraft, problems: PlanProblems): Load {
  const load = draft.load ?? {}
  const isOpen = load.rate !== undefined || load.stages?.some(({ rate }) => rate !== undefined)
  addContradictions(draft, load, isOpen === true, problems)
  const limits = limitsOf(load, problems)
  const result = isOpen === true ? openLoad(load, limits) : closedLoad(draft, load, limits)
  if (result.stages?.every(({ from, to }) => from === 0 && to === 0) === true) {
    const key = load.stages === undefined ? 'rate' : 'stages'
    problems.add(['load', key], 'nothing would ever begin, as the level stays at 0')
  }
  return result
}

type Limits = Pick<Load, 'durationNs' | 'totalCount' | 'warmUpNs' | 'drainNs'>

function openLoad(load: LoadDraft, limits: Limits): OpenLoad {
  const start = ratePerSecond(load.rate ?? '0/s') ?? 0
  const stages = load.stages
  return {
    ...limits,
    model: 'open',
    userCount: load['max-in-flight'] ?? 1,
    iterationCount: null,
    thinkTimeNsMax: 0,
    arrivals: load.arrivals ?? 'even',
    stages:
      stages === undefined
        ? [{ durationNs: null, from: start, to: start }]
        : stagesFrom(start, stages, limits, ({ rate }) => {
            return rate === undefined ? undefined : (ratePerSecond(rate) ?? 0)
          }),
  }
}

function closedLoad({ think }: PlanDraft, load: LoadDraft, limits: Limits): ClosedLoad {
  const stages =
    load.stages === undefined
      ? undefined
      : stagesFrom(load.users ?? 0, load.stages, limits, ({ users }) => users)
  const levels = (stages ?? []).flatMap(({ from, to }) => [from, to])
  const pause = think === undefined ? null : thinkTime(think)
  const isFromZero = pause?.kind === 'uniform' && pause.minNs === 0
  return {
    ...limits,
    model: 'closed',
    userCount: Math.max(1, load.users ?? 0, ...levels),
    iterationCount: null,
    thinkTimeNsMax: isFromZero ? pause.maxNs : 0,
    ...(pause === null || isFromZero ? {} : { thinkTime: pause }),
    ...(stages === undefined ? {} : { stages }),
  }
}

/** Stages without a length only set the level that the next one begins with. */
function stagesFrom(
  start: number,
  stages: readonly StageDraft[],
  { durationNs: limitNs }: Limits,
  levelOf: (stage: StageDraft) => number | undefined,
): Stage[] {
  const result: Stage[] = []
  let level = start
  let endNs = 0
  for (const stage of stages) {
    const to = levelOf(stage) ?? level
    const stageNs = durationNs(stage.duration) ?? 0
    if (stageNs > 0) result.push({ durationNs: stageNs, from: level, to })
    level = to
    endNs += stageNs
  }
  if (limitNs !== null && limitNs <= endNs) return result
  // Whatever comes behind them is at the last level.
  return [...result, { durationNs: null, from: level, to: level }]
}

function limitsOf(load: LoadDraft, problems: PlanProblems): Limits {
  const ofText = (text: string | undefined) => (text === undefined ? null : durationNs(text))
  const stagesNs = (load.stages ?? []).reduce(
    (sum, { duration }) => sum + (ofText(duration) ?? 0),
    0,
  )
  const limitNs = ofText(load.duration) ?? (load.stages === undefined ? null : stagesNs)
  const warmUpNs = ofText(load['warm-up']) ?? 0
  const drainNs = ofText(load.drain) ?? 0
  if (limitNs === 0) {
    const path = load.duration === undefined ? ['load', 'stages'] : ['load', 'duration']
    problems.add(path, 'the run would be over before it begins')
  } else if (limitNs !== null && warmUpNs >= limitNs) {
    problems.add(
      ['load', 'warm-up'],
      'the warm-up is as long as the run, so nothing is left to measure',
    )
  }
  return { durationNs: limitNs, totalCount: load.count ?? null, warmUpNs, drainNs }
}

function addContradictions(
  draft: PlanDraft,
  load: LoadDraft,
  isOpen: boolean,
  problems: PlanProblems,
): void {
  const usersAt = load.stages?.findIndex(({ users }) => users !== undefined) ?? -1
  if (isOpen && (load.users !== undefined || usersAt >= 0)) {
    const path = load.users === undefined ? ['load', 'stages', usersAt, 'users'] : ['load', 'users']
    problems.addAtKey(
      path,
      'users go on when they are done, at a rate iterations begin by the clock: give users or a rate, not both',
    )
  }
  if (!isOpen && load.arrivals !== undefined) {
    problems.addAtKey(['load', 'arrivals'], 'arrivals belong to a rate, and there is none')
  }
  if (!isOpen && load['max-in-flight'] !== undefined) {
    problems.addAtKey(
      ['load', 'max-in-flight'],
      'max-in-flight belongs to a rate; with users there are never more iterations than users',
    )
  }
  if (isOpen && draft.think !== undefined) {
    problems.addAtKey(
      ['think'],
      'at a rate iterations begin by the clock, so there is no pause between them; steps may have one',
    )
  }
  if (isOpen && draft.order === 'once') {
    problems.addAtKey(['order'], 'once shares a list out among users; at a rate use count')
  }
}
