/**
 * A value out of a plan file, and where in the file each part of it is.
 *
 * What checks plans knows paths (`scenarios`, 0, `name`) only; a person wants a line and a column.
 */
import type { Problem } from '../../base/errors.ts'

export type PlanPath = readonly (string | number)[]

export interface Place {
  readonly line: number
  readonly column: number
}

export interface PlacedPlan {
  /** As the person knows the file; undefined when the plan comes from the command line alone. */
  readonly file: string | undefined
  readonly value: unknown
  /**
   * Where the value at `path` is, or the nearest around it; undefined: unknown. `offset` is counted
   * in characters of a text.
   */
  valuePlace(path: PlanPath, offset?: number): Place | undefined
  /** Where the name of an entry is. */
  keyPlace(path: PlanPath): Place | undefined
}

/** A plan of which only the value is known. */
export function unplacedPlan(file: string | undefined, value: unknown): PlacedPlan {
  return { file, value, valuePlace: () => undefined, keyPlace: () => undefined }
}

/** More would scroll the first ones, which explain the rest, off the screen. */
const PROBLEM_COUNT_MAX = 20

/** Problems of one plan, as they are found: the first ones and how many more there are. */
export class PlanProblems {
  readonly #plan: PlacedPlan
  readonly #shown: Problem[] = []
  #count = 0

  constructor(plan: PlacedPlan) {
    this.#plan = plan
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** `path` leads to the value that is wrong. */
  add(path: PlanPath, text: string, offset?: number): void {
    this.#add(path, this.#plan.valuePlace(path, offset), text)
  }

  addAtKey(path: PlanPath, text: string): void {
    this.#add(path, this.#plan.keyPlace(path) ?? this.#plan.valuePlace(path), text)
  }

  /** Something wrong in another file than the plan's. */
  addElsewhere(problem: Problem): void {
    this.#count++
    if (this.#shown.length < PROBLEM_COUNT_MAX) this.#shown.push(problem)
  }

  all(): readonly Problem[] {
    const moreCount = this.#count - this.#shown.length
    if (moreCount === 0) return this.#shown
    const noun = moreCount === 1 ? 'problem' : 'problems'
    return [...this.#shown, { text: `and ${moreCount} more ${noun}` }]
  }

  #add(path: PlanPath, place: Place | undefined, text: string): void {
    this.#count++
    if (this.#shown.length >= PROBLEM_COUNT_MAX) return
    const { file } = this.#plan
    // Without a line the path is all that tells two scenarios apart.
    const where = file !== undefined && place === undefined ? pathText(path) : ''
    this.#shown.push({ text: where === '' ? text : `${where}: ${text}`, file, ...place })
  }
}

/** `scenarios[0].steps[1].check`. */
export function pathText(path: PlanPath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}
