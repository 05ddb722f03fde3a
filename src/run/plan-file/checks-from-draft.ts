/** From the checks and extractions of a step, as written, to the engine's. */
import { quoted } from '../../plan/option-table.ts'
import type { CheckFacts, CheckPlan, ExtractionPlan, TextTemplate } from '../../plan/script-plan.ts'
import { pointerTokens } from '../../script/json-pointer.ts'
import { patternProblem } from '../../script/pattern.ts'
import { VARIABLE_NAME } from '../../script/text-template.ts'
import type { PlanPath, PlanProblems } from './placed-plan.ts'
import type { CheckDraft, ExtractionDraft, ScalarDraft } from './plan-draft.ts'
import { statusRange } from './quantities.ts'

/** A text of the plan as a template of the step that it stands in. */
export type ReadTemplate = (text: string, place: 'text' | 'json', path: PlanPath) => TextTemplate

/** A check without the place it gets in the plan's list. */
type CheckBody = CheckPlan extends infer Each
  ? Each extends CheckPlan
    ? Omit<Each, 'checkIndex'>
    : never
  : never

/** Adds the step's checks to those of the plan. */
export class CheckReader {
  readonly checks: CheckPlan[] = []
  readonly #facts: CheckFacts[]
  readonly #nameIndex: number
  readonly #template: ReadTemplate
  readonly #problems: PlanProblems

  constructor(
    facts: CheckFacts[],
    nameIndex: number,
    template: ReadTemplate,
    problems: PlanProblems,
  ) {
    this.#facts = facts
    this.#nameIndex = nameIndex
    this.#template = template
    this.#problems = problems
  }

  read(draft: CheckDraft, path: PlanPath): CheckPlan[] {
    if (draft.status !== undefined) {
      const written = [draft.status].flat()
      const ranges = written.flatMap((status) => statusRange(status) ?? [])
      this.#add(`status ${written.join(' or ')}`, { kind: 'status', ranges })
    }
    for (const [name, matches] of Object.entries(draft.header ?? {})) {
      this.#checkPattern(matches, '', [...path, 'header', name])
      this.#add(`${name} matches ${matches}`, { kind: 'header', name, matches })
    }
    for (const name of [draft['has-header'] ?? []].flat()) {
      this.#add(`has ${name}`, { kind: 'header', name, matches: null })
    }
    for (const [text, at] of listed(draft['body-contains'], [...path, 'body-contains'])) {
      const template = this.#template(text, 'text', at)
      this.#add(`body contains ${quoted(text)}`, { kind: 'body-contains', text: template })
    }
    for (const [written, at] of listed(draft['body-matches'], [...path, 'body-matches'])) {
      const { regex: pattern, flags = '' } =
        typeof written === 'string' ? { regex: written } : written
      this.#checkPattern(pattern, flags, at)
      this.#add(`body matches ${pattern}`, { kind: 'body-matches', pattern, flags })
    }
    for (const [pointer, value] of Object.entries(draft.json ?? {})) {
      const at = [...path, 'json', pointer]
      this.#checkPointer(pointer, at)
      const equals = this.#template(JSON.stringify(value), 'json', at)
      this.#add(`${pointer} is ${shown(value)}`, { kind: 'json', pointer, equals })
    }
    for (const [pointer, at] of listed(draft['has-json'], [...path, 'has-json'])) {
      this.#checkPointer(pointer, at)
      this.#add(`has ${pointer}`, { kind: 'json', pointer, equals: null })
    }
    return this.checks
  }

  #add(name: string, check: CheckBody): void {
    const checkIndex = this.#facts.push({ name, nameIndex: this.#nameIndex }) - 1
    this.checks.push({ ...check, checkIndex })
  }

  #checkPattern(pattern: string, flags: string, path: PlanPath): void {
    addPatternProblem(pattern, flags, path, this.#problems)
  }

  #checkPointer(pointer: string, path: PlanPath): void {
    addPointerProblem(pointer, path, this.#problems)
  }
}

/** `variableIndex` gives a variable its position. */
export function extractionsFromDraft(
  draft: Readonly<Record<string, string | ExtractionDraft>>,
  path: PlanPath,
  variableIndex: (name: string) => number,
  problems: PlanProblems,
): ExtractionPlan[] {
  return Object.entries(draft).flatMap(([name, written]) => {
    const at = [...path, name]
    const given = typeof written === 'string' ? { json: written } : written
    if (!VARIABLE_NAME.test(name)) {
      problems.addAtKey(
        at,
        `${quoted(name)} cannot be a variable: names begin with a letter and have letters, digits, _, - and .`,
      )
    }
    const kinds = (['json', 'regex', 'header', 'cookie'] as const).filter(
      (kind) => given[kind] !== undefined,
    )
    if (kinds.length !== 1) {
      const what =
        kinds.length === 0 ? 'from where' : `from one place, not from ${kinds.join(' and ')}`
      problems.add(at, `say ${what} ${name} comes: json, regex, header or cookie`)
      return []
    }
    if (given.flags !== undefined && given.regex === undefined) {
      problems.addAtKey([...at, 'flags'], 'flags belong to a regex')
    }
    const fallback = given.default === undefined ? null : String(given.default)
    const base = { variableIndex: variableIndex(name), fallback }
    return [{ ...base, ...sourceOf(given, at, problems) }]
  })
}

type ExtractionSource =
  | { kind: 'json'; pointer: string }
  | { kind: 'regex'; pattern: string; flags: string }
  | { kind: 'header' | 'cookie'; name: string }

function sourceOf(
  { json, regex, flags = '', header, cookie }: ExtractionDraft,
  at: PlanPath,
  problems: PlanProblems,
): ExtractionSource {
  if (json !== undefined) {
    addPointerProblem(json, [...at, 'json'], problems)
    return { kind: 'json', pointer: json }
  }
  if (regex !== undefined) {
    addPatternProblem(regex, flags, [...at, 'regex'], problems)
    return { kind: 'regex', pattern: regex, flags }
  }
  if (header !== undefined) return { kind: 'header', name: header }
  return { kind: 'cookie', name: cookie ?? '' }
}

function addPatternProblem(
  pattern: string,
  flags: string,
  path: PlanPath,
  problems: PlanProblems,
): void {
  const problem = patternProblem(pattern, flags)
  if (problem !== null) problems.add(path, `this is no regular expression: ${problem}`)
}

function addPointerProblem(pointer: string, path: PlanPath, problems: PlanProblems): void {
  if (pointerTokens(pointer) !== null) return
  problems.add(
    path,
    `${quoted(pointer)} is no JSON pointer; it is like /user/0/id, with ~1 for / and ~0 for ~`,
  )
}

function listed<Value>(
  written: Value | readonly Value[] | undefined,
  path: PlanPath,
): (readonly [Value, PlanPath])[] {
  if (written === undefined) return []
  if (!Array.isArray(written)) return [[written as Value, path]]
  return written.map((value: Value, index) => [value, [...path, index]] as const)
}

function shown(value: ScalarDraft | null): string {
  return JSON.stringify(value)
}
