/**
 * Reads a plan file of any kind and holds it to the schema.
 *
 * The paths in it are those of files beside it, wherever onager is started from.
 */
import path from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { type PlacedPlan, type PlanPath, PlanProblems } from './placed-plan.ts'
import type { PlanDraft, RequestDraft, StepDraft } from './plan-draft.ts'
import { planSchema } from './plan-schema.ts'
import { PLAN_BYTES_MAX, readDocument } from './read-document.ts'
import { readModule } from './read-module.ts'
import { readBytes } from './run-files.ts'
import { checkedDraft } from './schema-problems.ts'

/** A plan of the right shape, with absolute paths. */
export interface ReadPlan extends PlacedPlan {
  readonly value: PlanDraft
}

const DOCUMENT_NAME = /\.(?:ya?ml|json)$/i
const MODULE_NAME = /\.(?:[cm]?js|[cm]?ts)$/i

/** By its extension; a URL is none, whatever it ends with, nor is `localhost:8080/data.json`. */
export function isPlanFile(operand: string): boolean {
  if (/^(?:[^/]*:\/\/|[\w.-]+:\d+\/)/.test(operand)) return false
  return DOCUMENT_NAME.test(operand) || MODULE_NAME.test(operand)
}

/** `name` is for messages. @throws {UsageError} with everything that is wrong in the file. */
export async function readPlanFile(name: string, file: string): Promise<ReadPlan> {
  const bytes = readBytes(file, PLAN_BYTES_MAX)
  if (typeof bytes === 'string') {
    const advice = name.includes('/') && /no such/.test(bytes) ? '; a URL begins with http://' : ''
    throw new UsageError([{ text: `the plan cannot be read: ${bytes}${advice}`, file: name }])
  }
  const placed = MODULE_NAME.test(name)
    ? await readModule(name, file)
    : readDocument(await import('yaml'), name, bytes)
  return checkedPlan(placed, path.dirname(file))
}

/**
 * Paths in the plan are those of files in `folder`. @throws {UsageError} with everything that is
 * wrong in it.
 */
export async function checkedPlan(placed: PlacedPlan, folder: string): Promise<ReadPlan> {
  const plan = withoutExtensions(placed)
  const { z } = await import('zod')
  const checked = checkedDraft(planSchema(z), plan)
  if ('problems' in checked) throw new UsageError(checked.problems.all())
  refuseTwoForms(checked.draft, plan)
  return {
    file: plan.file,
    value: withWholePaths(checked.draft, folder),
    valuePlace: (at, offset) => {
      const written = asWritten(checked.draft, at)
      // In `DELETE /cart` the URL does not begin with the text.
      const isShifted = typeof written.value === 'string' && /\s/.test(written.value)
      return plan.valuePlace(written.path, isShifted && written.isShort ? 0 : offset)
    },
    keyPlace: (at) => plan.keyPlace(asWritten(checked.draft, at).path),
  }
}

/** What begins with `x-` is a person's own, such as parts to refer to by `*name`. */
function withoutExtensions(plan: PlacedPlan): PlacedPlan {
  const { value } = plan
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plan
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('x-'))
  return {
    file: plan.file,
    value: Object.fromEntries(entries),
    valuePlace: (at, offset) => plan.valuePlace(at, offset),
    keyPlace: (at) => plan.keyPlace(at),
  }
}

function refuseTwoForms(draft: PlanDraft, plan: PlacedPlan): void {
  const forms = (['steps', 'scenarios', 'urls'] as const).filter((key) => draft[key] !== undefined)
  if (forms.length < 2) return
  const problems = new PlanProblems(plan)
  problems.addAtKey([forms[1] ?? ''], `a plan has ${forms.join(' or ')}, not both`)
  throw new UsageError(problems.all())
}

/**
 * Where a part of the complete plan is in the file: the steps of an only scenario are at the top, and
 * a step or feeder may be a text.
 */
function asWritten(
  draft: PlanDraft,
  at: PlanPath,
): { readonly path: PlanPath; readonly value: unknown; readonly isShort: boolean } {
  const path = draft.steps !== undefined && at[0] === 'scenarios' ? at.slice(2) : at
  let value: unknown = draft
  for (const [index, part] of path.entries()) {
    if (typeof value === 'string') return { path: path.slice(0, index), value, isShort: true }
    if (typeof value !== 'object' || value === null) break
    // An object or a list, which both have their entries by name.
    value = (value as Readonly<Record<string | number, unknown>>)[part]
  }
  return { path, value, isShort: false }
}

function withWholePaths(draft: PlanDraft, folder: string): PlanDraft {
  const whole = (name: string) => path.resolve(folder, name)
  const step = (entry: string | StepDraft) => withWholeBody(entry, whole)
  return {
    ...draft,
    ...withPaths(draft, ['ca', 'cert', 'key'], whole),
    ...(draft.feeders === undefined ? {} : { feeders: feedersWithPaths(draft.feeders, whole) }),
    ...(draft.steps === undefined ? {} : { steps: draft.steps.map(step) }),
    ...(draft.scenarios === undefined
      ? {}
      : {
          scenarios: draft.scenarios.map((scenario) => ({
            ...scenario,
            steps: scenario.steps.map(step),
          })),
        }),
    ...(draft.urls === undefined
      ? {}
      : {
          urls:
            typeof draft.urls === 'string'
              ? whole(draft.urls)
              : draft.urls.map((entry) => withWholeBody(entry, whole)),
        }),
  }
}

function withPaths<Key extends string>(
  draft: { readonly [Name in Key]?: string | undefined },
  keys: readonly Key[],
  whole: (name: string) => string,
): { readonly [Name in Key]?: string } {
  const entries = keys.flatMap((key) => {
    const name = draft[key]
    return name === undefined ? [] : [[key, whole(name)] as const]
  })
  // Made of the keys of the draft that have a value.
  return Object.fromEntries(entries) as { readonly [Name in Key]?: string }
}

function feedersWithPaths(
  feeders: NonNullable<PlanDraft['feeders']>,
  whole: (name: string) => string,
): NonNullable<PlanDraft['feeders']> {
  return Object.fromEntries(
    Object.entries(feeders).map(([name, feeder]) => {
      if (typeof feeder === 'string') return [name, whole(feeder)]
      return [name, feeder.file === undefined ? feeder : { ...feeder, file: whole(feeder.file) }]
    }),
  )
}

function withWholeBody<Entry extends string | RequestDraft>(
  entry: Entry,
  whole: (name: string) => string,
): Entry {
  const file = typeof entry === 'string' ? undefined : entry['body-file']
  return file === undefined ? entry : Object.assign({}, entry, { 'body-file': whole(file) })
}
