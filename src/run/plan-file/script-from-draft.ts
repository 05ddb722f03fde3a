/** From the scenarios a person wrote to the engine's script: every name becomes a position. */
import { nearestWord } from '../../base/nearest-word.ts'
import type {
  CheckFacts,
  FeederPlan,
  ScenarioPlan,
  ScriptPlan,
  StepPlan,
} from '../../plan/script-plan.ts'
import type { Origin } from '../../plan/target-list.ts'
import { namesInTemplate } from '../../script/text-template.ts'
import { CheckReader, extractionsFromDraft } from './checks-from-draft.ts'
import { methodOf, requestName } from './complete.ts'
import type { ReadFeeder } from './feeders-from-draft.ts'
import type { PlanPath, PlanProblems } from './placed-plan.ts'
import type { ScenarioDraft, StepDraft } from './plan-draft.ts'
import { thinkTime } from './quantities.ts'
import type { RequestReader } from './request-from-draft.ts'
import { fieldProblem, type GivenField, givenFields, isSameName } from './request-head.ts'
import { PlanVariables, ScenarioScope } from './variable-scope.ts'

export interface ScriptParts {
  readonly script: ScriptPlan
  readonly requestNames: readonly string[]
  /** Those that are known before the run. */
  readonly origins: readonly Origin[]
}

export interface ScriptSurroundings {
  readonly constants: ReadonlyMap<string, string>
  readonly feeders: ReadonlyMap<string, ReadFeeder>
  readonly requests: RequestReader
  /** Fields of all requests; those with variables go to the steps where these have values. */
  readonly planHeaders: readonly GivenField[]
  readonly problems: PlanProblems
}

export function scriptFromDraft(
  scenarios: readonly ScenarioDraft[],
  surroundings: ScriptSurroundings,
): ScriptParts {
  return new ScriptBuilder(surroundings).build(scenarios)
}

/** Fields whose value is the same in every request. */
export function fixedHeaders(
  headers: readonly GivenField[],
  constants: ReadonlyMap<string, string>,
): GivenField[] {
  return headers.filter(({ value }) => namesInTemplate(value).every((name) => constants.has(name)))
}

class ScriptBuilder {
  readonly #around: ScriptSurroundings
  readonly #problems: PlanProblems
  readonly #variables: PlanVariables
  readonly #checks: CheckFacts[] = []
  readonly #requestNames: string[] = []
  readonly #origins: Origin[] = []
  readonly #dynamicHeaders: readonly GivenField[]

  constructor(surroundings: ScriptSurroundings) {
    this.#around = surroundings
    this.#problems = surroundings.problems
    const { constants, feeders, planHeaders } = surroundings
    const feedersByColumn = new Map<string, string[]>()
    for (const { name, columns } of feeders.values()) {
      for (const column of columns) {
        const others = feedersByColumn.get(column)
        if (others === undefined) feedersByColumn.set(column, [name])
        else others.push(name)
      }
    }
    this.#variables = new PlanVariables(constants, feedersByColumn)
    const fixed = new Set(fixedHeaders(planHeaders, constants))
    this.#dynamicHeaders = planHeaders.filter((field) => !fixed.has(field))
  }

  build(drafts: readonly ScenarioDraft[]): ScriptParts {
    this.#addClashes(drafts)
    this.#addStrangeHeaders(drafts)
    const scopes = drafts.map((draft, index) => this.#scopeOf(draft, index))
    const stepLists = drafts.map(({ steps }, index) =>
      steps.map((step, at) =>
        this.#step(stepDraft(step), ['scenarios', index, 'steps', at], scopes[index]!),
      ),
    )
    const feederNames = [...new Set(scopes.flatMap((scope) => [...scope.feederNames]))]
    const feeders = feederNames.flatMap((name) => this.#around.feeders.get(name) ?? [])
    const scenarios = drafts.map(
      ({ name = '', weight = 1 }, index): ScenarioPlan => ({
        name,
        weight,
        feederIndexes: [...scopes[index]!.feederNames].flatMap((feeder) => {
          const feederIndex = feeders.findIndex(({ name: other }) => other === feeder)
          return feederIndex < 0 ? [] : [feederIndex]
        }),
        steps: stepLists[index]!,
      }),
    )
    return {
      script: {
        scenarios,
        feeders: feeders.map((feeder) => this.#feeder(feeder)),
        variableNames: this.#variables.names,
        checks: this.#checks,
      },
      requestNames: this.#requestNames,
      origins: this.#origins,
    }
  }

  /** A field of the plan waits for its variables, but not for one that never comes. */
  #addStrangeHeaders(drafts: readonly ScenarioDraft[]): void {
    const known = new Set([
      ...this.#variables.constants.keys(),
      ...this.#variables.feedersByColumn.keys(),
      ...drafts.flatMap(({ steps }) =>
        steps.flatMap((step) => Object.keys(stepDraft(step).extract ?? {})),
      ),
    ])
    const table = {
      names: [...known],
      find: (name: string) => (known.has(name) ? { text: '' } : undefined),
    }
    for (const { name, value } of this.#dynamicHeaders) {
      this.#around.requests.template(value, 'field', ['headers', name], table)
    }
  }

  /** A fixed text that something else would change. */
  #addClashes(drafts: readonly ScenarioDraft[]): void {
    const { constants, feeders } = this.#around
    for (const { name, columns } of feeders.values()) {
      const column = columns.find((word) => constants.has(word))
      if (column === undefined) continue
      this.#problems.addAtKey(
        ['variables', column],
        `${column} is a column of the feeder ${name} as well; give one of them another name`,
      )
    }
    for (const [index, { steps }] of drafts.entries()) {
      for (const [at, step] of steps.entries()) {
        for (const name of Object.keys(stepDraft(step).extract ?? {})) {
          if (!constants.has(name)) continue
          this.#problems.addAtKey(
            ['scenarios', index, 'steps', at, 'extract', name],
            `${name} has a fixed value under variables; extract to another name`,
          )
        }
      }
    }
  }

  #scopeOf({ feeders, steps }: ScenarioDraft, index: number): ScenarioScope {
    const known = this.#around.feeders
    for (const [at, name] of (feeders ?? []).entries()) {
      if (known.has(name)) continue
      const nearest = nearestWord(name, known.keys())
      const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
      this.#problems.add(['scenarios', index, 'feeders', at], `there is no feeder ${name}${advice}`)
    }
    const extractedNames = steps.flatMap((step) => Object.keys(stepDraft(step).extract ?? {}))
    return new ScenarioScope(this.#variables, { feederNames: feeders, extractedNames })
  }

  #step(draft: StepDraft, path: PlanPath, scope: ScenarioScope): StepPlan {
    const { requests } = this.#around
    const nameIndex = this.#nameIndexOf(requestName(draft))
    const { template, origin } = requests.url(draft, path, scope)
    if (origin !== null) this.#origins.push(origin)
    const { body, contentType } = requests.body(draft, path, scope)
    const headers = this.#headers(draft, contentType, path, scope)
    const checks = new CheckReader(
      this.#checks,
      nameIndex,
      (text, place, at) => requests.template(text, place, at, scope),
      this.#problems,
    ).read(draft.check ?? {}, [...path, 'check'])
    const extractions = extractionsFromDraft(
      draft.extract ?? {},
      [...path, 'extract'],
      (name) => this.#variables.indexOf(name),
      this.#problems,
    )
    // What this step finds is there for the steps behind it.
    for (const name of Object.keys(draft.extract ?? {})) scope.extracted(name)
    return {
      nameIndex,
      method: methodOf(draft),
      url: template,
      headers,
      body,
      extractions,
      checks,
      thinkTime: draft.think === undefined ? null : thinkTime(draft.think),
      stopsOnError: draft['on-error'] !== 'continue',
    }
  }

  #nameIndexOf(name: string): number {
    const known = this.#requestNames.indexOf(name)
    return known >= 0 ? known : this.#requestNames.push(name) - 1
  }

  #headers(
    draft: StepDraft,
    contentType: string | null,
    path: PlanPath,
    scope: ScenarioScope,
  ): StepPlan['headers'] {
    const { requests, planHeaders } = this.#around
    const own = givenFields(draft.headers).map(({ name, value }) => {
      const at = [...path, 'headers', name]
      const problem = fieldProblem(name, value)
      if (problem !== null) this.#problems.addAtKey(at, problem)
      return { name, value: requests.template(value, 'field', at, scope) }
    })
    const isGiven = (name: string) => own.some((field) => isSameName(field.name, name))
    const inherited = this.#dynamicHeaders
      .filter(({ name, value }) => !isGiven(name) && this.#isReady(value, scope))
      .map(({ name, value }) => ({
        name,
        value: requests.template(value, 'field', ['headers', name], scope),
      }))
    const type = draft['content-type']
    const isTyped =
      isGiven('content-type') || planHeaders.some(({ name }) => isSameName(name, 'content-type'))
    const guessed = type ?? (isTyped ? null : contentType)
    const typeField =
      guessed === null
        ? []
        : [
            {
              name: 'Content-Type',
              value: requests.template(guessed, 'field', [...path, 'content-type'], scope),
            },
          ]
    return [...inherited, ...own, ...typeField]
  }

  /** Whether each of its variables has a value by now. */
  #isReady(value: string, scope: ScenarioScope): boolean {
    return namesInTemplate(value).every((name) => {
      const found = scope.find(name)
      return found !== undefined && (typeof found === 'number' || 'text' in found)
    })
  }

  #feeder({ name, columns, rows, order }: ReadFeeder): FeederPlan {
    return {
      name,
      columns: columns.map((column) => this.#variables.indexOf(column)),
      rows,
      order,
    }
  }
}

/** Complete plans have no short steps. */
function stepDraft(step: string | StepDraft): StepDraft {
  return typeof step === 'string' ? { get: step } : step
}
