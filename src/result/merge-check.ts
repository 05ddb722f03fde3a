/**
 * Whether results may be added up: only parts of one run may, and whoever tries with others is told
 * what differs. `mergeResults` takes that for granted.
 */
import { secondsFromNs } from '../base/units.ts'
import type { RunResult } from './run-result.ts'

export interface NamedResult {
  /** Of the file it is from. */
  readonly name: string
  readonly result: RunResult
}

export interface MergeProblem {
  /** The file that does not go with the first one. */
  readonly name: string
  readonly text: string
}

/** One sentence for each result that is no part of the first one's run. */
export function mergeProblems([first, ...others]: readonly NamedResult[]): MergeProblem[] {
  if (first === undefined) return []
  return others.flatMap(({ name, result }) => {
    const why = whyNot(result, first.result)
    if (why === null) return []
    const text = `${why} in ${first.name}: only parts of one run can be added up`
    return [{ name, text }]
  })
}

/** The part of a sentence before `in FILE`. */
function whyNot(result: RunResult, first: RunResult): string | null {
  const difference = firstDifference(result.plan, first.plan, '')
  if (difference !== null) {
    const { place, one, other } = difference
    return `it is of another plan: ${place} is ${one} here and ${other}`
  }
  const { onagerVersion } = result
  if (onagerVersion === first.onagerVersion) return null
  return `it was measured by onager ${onagerVersion}, not by ${first.onagerVersion} as`
}

/** Results whose times do not overlap: rates would be added up that never stood side by side. */
export function areApart(results: readonly RunResult[]): boolean {
  const starts = results.map(({ startedAtMs }) => startedAtMs)
  const ends = results.map(({ startedAtMs, elapsedNs }) => startedAtMs + elapsedNs / 1e6)
  return Math.max(...starts) > Math.min(...ends)
}

interface Difference {
  readonly place: string
  readonly one: string
  readonly other: string
}

function firstDifference(one: unknown, other: unknown, place: string): Difference | null {
  if (isHolder(one) && isHolder(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    for (const name of names) {
      const below = place === '' ? name : `${place}.${name}`
      const found = firstDifference(one[name], other[name], below)
      if (found !== null) return found
    }
    return null
  }
  if (Object.is(one, other)) return null
  return { place, one: shown(one, place), other: shown(other, place) }
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const SHOWN_LENGTH_MAX = 60

function shown(value: unknown, place: string): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'number' && /Ns(?:Max)?$/.test(place)) return `${secondsFromNs(value)} s`
  return JSON.stringify(value).slice(0, SHOWN_LENGTH_MAX)
}
