/** Reads the feeders of a plan: their files, or the rows written in the plan itself. */
import { BYTES_PER_MIB } from '../../base/units.ts'
import type { FeederPlan } from '../../plan/script-plan.ts'
import { VARIABLE_NAME } from '../../script/text-template.ts'
import { type FeederRows, feederFormat, readFeeder } from './feeder-rows.ts'
import type { PlanProblems } from './placed-plan.ts'
import type { FeederDraft, PlanDraft, ScalarDraft } from './plan-draft.ts'
import { type ReadBytes, textFromUtf8Bytes } from './run-files.ts'

export const FEEDER_BYTES_MAX: number = 64 * BYTES_PER_MIB

export interface ReadFeeder extends FeederRows {
  readonly name: string
  readonly order: FeederPlan['order']
}

/** Those that could be read, by name. */
export function feedersFromDraft(
  draft: PlanDraft,
  read: ReadBytes,
  problems: PlanProblems,
): ReadonlyMap<string, ReadFeeder> {
  const feeders = new Map<string, ReadFeeder>()
  for (const [name, written] of Object.entries(draft.feeders ?? {})) {
    const feeder = typeof written === 'string' ? { file: written } : written
    const rows = rowsOf(name, feeder, read, problems)
    if (rows !== null) feeders.set(name, { ...rows, name, order: feeder.order ?? 'in-order' })
  }
  return feeders
}

function rowsOf(
  name: string,
  { file, rows }: FeederDraft,
  read: ReadBytes,
  problems: PlanProblems,
): FeederRows | null {
  const path = ['feeders', name]
  if ((file === undefined) === (rows === undefined)) {
    problems.add(path, `the feeder ${name} has either a file or rows`)
    return null
  }
  if (rows !== undefined) return inlineRows(rows, [...path, 'rows'], problems)
  return file === undefined ? null : fileRows(file, [...path, 'file'], read, problems)
}

function fileRows(
  file: string,
  path: readonly string[],
  read: ReadBytes,
  problems: PlanProblems,
): FeederRows | null {
  const format = feederFormat(file)
  if (format === null) {
    problems.add(
      path,
      `${file} is no feeder by its name: it ends with .csv, .tsv, .jsonl or .ndjson`,
    )
    return null
  }
  const bytes = read(file, FEEDER_BYTES_MAX)
  const text = typeof bytes === 'string' ? { reason: bytes } : textFromUtf8Bytes(bytes)
  if ('reason' in text) {
    problems.add(path, `the feeder file ${file} cannot be read: ${text.reason}`)
    return null
  }
  const result = readFeeder(text.text, format)
  if (!('problems' in result)) return result
  for (const problem of result.problems) problems.addElsewhere({ ...problem, file })
  return null
}

function inlineRows(
  rows: readonly Readonly<Record<string, ScalarDraft>>[],
  path: readonly string[],
  problems: PlanProblems,
): FeederRows | null {
  const columns = Object.keys(rows[0] ?? {})
  const bad = columns.find((name) => !VARIABLE_NAME.test(name))
  if (columns.length === 0) problems.add(path, 'there is no row of values')
  else if (bad !== undefined) problems.add([...path, 0], `${bad} cannot be the name of a variable`)
  for (const [index, row] of rows.entries()) {
    const missing = columns.find((name) => row[name] === undefined)
    if (missing !== undefined) problems.add([...path, index], `${missing} is missing in this row`)
  }
  if (columns.length === 0) return null
  return { columns, rows: rows.map((row) => columns.map((name) => String(row[name]))) }
}
