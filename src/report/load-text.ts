/** The load that a plan means, in a clause: `500 arrivals/s for 20 s, after 5 s of warm-up`. */
import { scheduledNs } from '../plan/schedule.ts'
import type { PlanFacts } from '../result/run-result.ts'
import { countedText, rateText, spanText } from './run-numbers.ts'

export function loadText(plan: PlanFacts): string {
  const { load } = plan
  const level = load.model === 'open' ? arrivalText(plan) : userText(plan)
  const warmUp = load.warmUpNs === 0 ? '' : `, ${spanText(load.warmUpNs)} of it warm-up`
  return `${level}${lengthText(plan)}${warmUp}`
}

function arrivalText({ load }: PlanFacts): string {
  const manner = load.arrivals === 'poisson' ? ' at random' : ''
  return `${levelText(load.stages, rateText)} arrivals/s${manner}`
}

function userText({ load, userCount, thinkTimeNsMax }: PlanFacts): string {
  const think = thinkTimeNsMax === 0 ? '' : `, pausing up to ${spanText(thinkTimeNsMax)}`
  if (load.stages.length === 0) return `${countedText(userCount, 'user')}${think}`
  return `${levelText(load.stages, (level) => String(Math.round(level)))} users${think}`
}

type Stages = PlanFacts['load']['stages']

function levelText(stages: Stages, text: (level: number) => string): string {
  const levels = stages.flatMap(({ from, to }) => [from, to])
  const min = Math.min(...levels)
  const max = Math.max(...levels)
  if (levels.length === 0) return 'no'
  return min === max ? text(max) : `${text(min)} to ${text(max)}`
}

function lengthText({ load, durationNs, iterationCount }: PlanFacts): string {
  const lengthNs = durationNs ?? scheduledNs(load.stages)
  const counts = [
    ...(load.totalCount === null ? [] : [`${load.totalCount} in all`]),
    ...(iterationCount === null ? [] : [`${iterationCount} times each`]),
  ]
  // Without stages there is nothing scheduled.
  const time = lengthNs === null || lengthNs === 0 ? '' : ` for ${spanText(lengthNs)}`
  return `${time}${counts.map((count) => `, ${count}`).join('')}`
}
