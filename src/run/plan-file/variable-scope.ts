/**
 * Which variables there are in a plan, and which of them have a value at a step of a scenario.
 *
 * A name is a fixed text of the plan, a column of a feeder, or what a step extracts. Using one
 * before it has a value would send an empty text, so that is a mistake that is told.
 */
import type { VariableTable } from '../../script/text-template.ts'

type Names = readonly string[]

/** All names of a plan. */
export class PlanVariables {
  readonly constants: ReadonlyMap<string, string>
  /** Feeders that have a column of this name. */
  readonly feedersByColumn: ReadonlyMap<string, Names>
  readonly #indexes = new Map<string, number>()

  constructor(constants: ReadonlyMap<string, string>, feedersByColumn: ReadonlyMap<string, Names>) {
    this.constants = constants
    this.feedersByColumn = feedersByColumn
  }

  /** The position of a variable, which it gets when it is asked for first. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    this.#indexes.set(name, this.#indexes.size)
    return this.#indexes.size - 1
  }

  get names(): readonly string[] {
    return [...this.#indexes.keys()]
  }
}

/** Names of a plan whose requests never change: fixed texts only. */
export class FixedScope implements VariableTable {
  readonly names: readonly string[]
  readonly #constants: ReadonlyMap<string, string>

  constructor(constants: ReadonlyMap<string, string>) {
    this.#constants = constants
    this.names = [...constants.keys()]
  }

  find(name: string): { readonly text: string } | undefined {
    const text = this.#constants.get(name)
    return text === undefined ? undefined : { text }
  }
}

export interface ScopeFacts {
  /** As the plan says it; undefined: use decides. */
  readonly feederNames: readonly string[] | undefined
  /** What steps of this scenario extract, wherever. */
  readonly extractedNames: readonly string[]
}

/** Names at one place of a scenario; goes on from step to step. */
export class ScenarioScope implements VariableTable {
  /** Feeders that the scenario takes rows from. */
  readonly feederNames: Set<string>
  readonly #variables: PlanVariables
  /** The plan does not say which feeders, so that use decides. */
  readonly #infersFeeders: boolean
  readonly #extracted = new Set<string>()
  readonly #extractedLater: ReadonlySet<string>

  constructor(variables: PlanVariables, facts: ScopeFacts) {
    this.#variables = variables
    this.#infersFeeders = facts.feederNames === undefined
    this.feederNames = new Set(facts.feederNames)
    this.#extractedLater = new Set(facts.extractedNames)
  }

  get names(): readonly string[] {
    const { constants, feedersByColumn } = this.#variables
    return [...constants.keys(), ...this.#extracted, ...feedersByColumn.keys()]
  }

  /** From now on there is a value. */
  extracted(name: string): void {
    this.#extracted.add(name)
  }

  find(
    name: string,
  ): number | { readonly text: string } | { readonly problem: string } | undefined {
    const constant = this.#variables.constants.get(name)
    if (constant !== undefined) return { text: constant }
    if (this.#extracted.has(name)) return this.#variables.indexOf(name)
    const problem = this.#feederProblem(name)
    if (problem === null) {
      if (this.#infersFeeders) {
        for (const feeder of this.#variables.feedersByColumn.get(name) ?? []) {
          this.feederNames.add(feeder)
        }
      }
      return this.#variables.indexOf(name)
    }
    if (this.#extractedLater.has(name)) {
      return { problem: `${name} has no value yet here: a later step, or this one, extracts it` }
    }
    return problem === undefined ? undefined : { problem }
  }

  /** Why no feeder gives it a value, null when one does, undefined when none knows it. */
  #feederProblem(name: string): string | null | undefined {
    const feeders = this.#variables.feedersByColumn.get(name)
    if (feeders === undefined) return undefined
    const taken = feeders.filter((feeder) => this.feederNames.has(feeder))
    if (taken.length === 1) return null
    const list = feeders.join(' and ')
    if (taken.length > 1) return `${name} is a column of ${list}: use one of these feeders`
    if (!this.#infersFeeders)
      return `${name} is a column of ${list}, which this scenario does not use`
    if (feeders.length === 1) return null
    return `${name} is a column of ${list}: name the one to use with feeders: [${feeders[0]}]`
  }
}
