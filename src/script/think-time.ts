/** Draws the pauses that people make, from a distribution and a user's own random numbers. */
import type { Random } from '../base/random.ts'
import type { ThinkTimePlan } from '../plan/script-plan.ts'

/** Of the logarithmic normal distribution, whose tail has no end: nobody waits for that long. */
const MEDIAN_COUNT_MAX = 100

/** Whole nanoseconds, never below 0. */
export function thinkTimeNs(plan: ThinkTimePlan, random: Random): number {
  switch (plan.kind) {
    case 'constant':
      return plan.timeNs
    case 'uniform':
      return Math.round(plan.minNs + random.uniform() * (plan.maxNs - plan.minNs))
    case 'exponential':
      // 1 - u is never 0; the longest draw is 37 means.
      return Math.round(-plan.meanNs * Math.log(1 - random.uniform()))
    case 'lognormal': {
      const timeNs = plan.medianNs * Math.exp(plan.sigma * standardNormal(random))
      return Math.round(Math.min(timeNs, MEDIAN_COUNT_MAX * plan.medianNs))
    }
  }
}

/** Box and Muller's way; the second of its two numbers is left, so that a draw has no memory. */
function standardNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()))
  return radius * Math.cos(2 * Math.PI * random.uniform())
}
