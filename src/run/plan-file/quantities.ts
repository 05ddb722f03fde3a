/**
 * Times, rates, pauses, statuses and stages as a person writes them in plans and options.
 *
 * Each reader gives null for what is none, and each has the pattern that an editor can check by
 * itself and the words for the end of "... must be".
 */
import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../../base/units.ts'
import type { ThinkTimePlan } from '../../plan/script-plan.ts'
import type { StageDraft } from './plan-draft.ts'

const DURATION = '(?:\\d+(?:\\.\\d+)?(?:us|ms|s|m|h) *)+'
const RATE = '\\d+(?:\\.\\d+)? */ *(?:s|m|h)'

export const DURATION_PATTERN: RegExp = new RegExp(`^ *${DURATION}$`)
export const RATE_PATTERN: RegExp = new RegExp(`^ *${RATE} *$`)
export const STATUS_PATTERN: RegExp = /^(?:[1-5]xx|[1-5]\d\d(?: *- *[1-5]\d\d)?)$/

export const durationWords = 'a time with its unit, such as 30s, 5m, 1h30m or 250ms'
export const rateWords = 'a number per second, minute or hour, such as 500/s, 90/m or 3600/h'
export const thinkWords =
  'a time such as 1s, a range such as 1s..3s, "exponential 2s" (the mean) or "lognormal 2s 0.5" (median and sigma)'
export const statusWords = 'a status such as 200, a class such as 2xx, or a range such as 200-299'
export const stagesWords =
  'a list of TIME:RATE or TIME:USERS, such as 30s:100/s,2m:1000/s; TIME alone stays where it is'

const NS_PER_UNIT: Readonly<Record<string, number>> = {
  us: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_S,
  m: 60 * NS_PER_S,
  h: 3600 * NS_PER_S,
}
/** Beyond it nanoseconds in a double are no longer exact. */
const DURATION_NS_MAX = 100 * 24 * NS_PER_UNIT.h!

/** Whole nanoseconds. Larger units come first, each once. */
export function durationNs(text: string): number | null {
  if (!DURATION_PATTERN.test(text)) return null
  let sumNs = 0
  let unitNsBefore = Number.POSITIVE_INFINITY
  for (const [, digits, unit] of text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g)) {
    const unitNs = NS_PER_UNIT[unit!]!
    if (unitNs >= unitNsBefore) return null
    unitNsBefore = unitNs
    sumNs += Math.round(Number(digits) * unitNs)
  }
  return sumNs <= DURATION_NS_MAX ? sumNs : null
}

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const PER_SECOND_MAX = 1e8

export function ratePerSecond(text: string): number | null {
  const [, digits, unit] = /^ *(\d+(?:\.\d+)?) *\/ *(s|m|h) *$/.exec(text) ?? []
  if (digits === undefined || unit === undefined) return null
  const perSecond = Number(digits) / SECONDS_PER_UNIT[unit]!
  return perSecond <= PER_SECOND_MAX ? perSecond : null
}

const SIGMA_MAX = 10

export function thinkTime(text: string): ThinkTimePlan | null {
  const [first = '', second, third, ...more] = text.trim().split(/ +/)
  if (more.length > 0) return null
  if (first === 'exponential') {
    const meanNs = second === undefined || third !== undefined ? null : durationNs(second)
    return meanNs === null ? null : { kind: 'exponential', meanNs }
  }
  if (first === 'lognormal') {
    const medianNs = second === undefined ? null : durationNs(second)
    const sigma = /^\d+(?:\.\d+)?$/.test(third ?? '') ? Number(third) : Number.NaN
    return medianNs === null || !(sigma <= SIGMA_MAX)
      ? null
      : { kind: 'lognormal', medianNs, sigma }
  }
  const [from = '', to, ...rest] = text.split('..')
  const minNs = from.trim() === '0' ? 0 : durationNs(from.trim())
  if (rest.length > 0 || minNs === null) return null
  if (to === undefined) return from.trim() === '0' ? null : { kind: 'constant', timeNs: minNs }
  const maxNs = durationNs(to.trim())
  return maxNs === null || maxNs < minNs ? null : { kind: 'uniform', minNs, maxNs }
}

export interface StatusRange {
  readonly from: number
  readonly to: number
}

export function statusRange(written: string | number): StatusRange | null {
  const text = String(written).trim().toLowerCase()
  if (!STATUS_PATTERN.test(text)) return null
  if (text.endsWith('xx')) {
    const first = Number(text[0]) * 100
    return { from: first, to: first + 99 }
  }
  const [from = 0, to = from] = text.split('-').map(Number)
  return from <= to ? { from, to } : null
}

/** `30s:100/s,2m:1000/s,1m`; `TIME:50` is for users. */
export function stagesFromText(text: string): readonly StageDraft[] | null {
  const stages: StageDraft[] = []
  for (const part of text.split(',')) {
    const [duration = '', level, ...rest] = part.trim().split(':')
    if (rest.length > 0 || durationNs(duration) === null) return null
    if (level === undefined) stages.push({ duration })
    else if (/^\d{1,7}$/.test(level)) stages.push({ duration, users: Number(level) })
    else if (ratePerSecond(level) !== null) stages.push({ duration, rate: level })
    else return null
  }
  return stages
}
