/**
 * What zod finds wrong with a plan, in sentences for the person who wrote it.
 *
 * The schema's messages are the ends of sentences ("a whole number, 1 or more"); here they get
 * their beginning, and of the branches of a union the one that the person meant is looked into.
 */
import type { ZodError, ZodType } from 'zod'
import { type PlacedPlan, type PlanPath, PlanProblems } from './placed-plan.ts'
import type { PlanDraft } from './plan-draft.ts'

type Issue = ZodError['issues'][number]

/** The plan, or everything that is wrong with it. */
export function checkedDraft(
  schema: ZodType<PlanDraft>,
  plan: PlacedPlan,
): { readonly draft: PlanDraft } | { readonly problems: PlanProblems } {
  const result = schema.safeParse(plan.value)
  if (result.success) return { draft: result.data }
  const problems = new PlanProblems(plan)
  for (const issue of result.error.issues) addIssue(problems, plan.value, issue, [])
  return { problems }
}

function addIssue(problems: PlanProblems, root: unknown, issue: Issue, above: PlanPath): void {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'symbol' ? '' : part))]
  if (issue.code === 'invalid_union') {
    const meant = meantBranch(issue.errors)
    if (meant !== undefined) {
      for (const inner of meant) addIssue(problems, root, inner, path)
      return
    }
  }
  if (issue.code === 'unrecognized_keys') {
    const texts = issue.message.split('\n')
    for (const [index, key] of issue.keys.entries()) {
      problems.addAtKey([...path, key], texts[index] ?? issue.message)
    }
    return
  }
  const value = valueAt(root, path)
  const name = nameOf(path)
  if (value === undefined && typeof path.at(-1) === 'string') {
    problems.add(path.slice(0, -1), `${name} is missing; it must be ${issue.message}`)
    return
  }
  problems.add(path, `${name} must be ${issue.message}${insteadOf(value)}`)
}

/** The branch that got past the outermost kind of value, if there is one. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((issues) =>
    issues.every(
      ({ code, path }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_union'),
    ),
  )
}

function valueAt(root: unknown, path: PlanPath): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    // An object or a list, which both have their entries by name.
    value = (value as Readonly<Record<string | number, unknown>>)[part]
  }
  return value
}

/** The last name on the way: of an entry of a list, that of the list and which one it is. */
function nameOf(path: PlanPath): string {
  const last = path.at(-1)
  if (last === undefined) return 'a plan'
  if (typeof last === 'string') return last
  const list = path.at(-2)
  return typeof list === 'string' ? `${list}[${last}]` : `entry ${last + 1}`
}

const SHOWN_LENGTH_MAX = 60

function insteadOf(value: unknown): string {
  if (value === null) return '; nothing is there'
  if (Array.isArray(value)) return value.length === 0 ? ', not an empty list' : ', not a list'
  if (typeof value === 'object') return ', not a group of settings'
  // JSON has neither Infinity nor NaN, YAML has both.
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return `, not ${text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}..."` : text}`
}
