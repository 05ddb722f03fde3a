/**
 * From the command line of `onager run` to the plan that will run and what becomes of its result.
 *
 * Whatever is wrong with either is found here, before anything is sent. Libraries for plan files are
 * loaded only when there is one.
 */
import fs from 'node:fs'
import path from 'node:path'
import { type Problem, UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import type { WatchSource } from '../fleet/watch.ts'
import { type CommandLine, getoptGnu } from '../plan/getopt-gnu.ts'
import { quoted, SettingsDraft } from '../plan/option-table.ts'
import type { Plan } from '../plan/plan.ts'
import { REQUEST_METHODS } from '../plan/url-line.ts'
import type { VariableLookup } from '../plan/variables.ts'
import { draftWithOptions } from './draft-with-options.ts'
import { type ListenAddress, type RunSettings, runOptions } from './options.ts'
import { completed } from './plan-file/complete.ts'
import { jsonSchemaText } from './plan-file/json-schema.ts'
import { unplacedPlan } from './plan-file/placed-plan.ts'
import type { PlanDraft } from './plan-file/plan-draft.ts'
import { planFromDraft } from './plan-file/plan-from-draft.ts'
import { planSchema } from './plan-file/plan-schema.ts'
import { printedPlan } from './plan-file/print-plan.ts'
import { isPlanFile, type ReadPlan, readPlanFile } from './plan-file/read-plan-file.ts'
import { readBytes } from './plan-file/run-files.ts'
import { withoutCredentials } from './plan-file/targets-from-draft.ts'
import { runHelpText } from './usage.ts'

/** What is to become of the result, and what is to be seen meanwhile. */
export interface RunWishes {
  readonly out: string | null
  readonly html: string | null
  readonly json: boolean
  readonly quiet: boolean
  /** End the run as soon as a threshold of the plan cannot hold. */
  readonly abortOnSlo: boolean
  readonly watches: readonly WatchSource[]
  readonly prometheus: ListenAddress | null
  readonly otlp: string | null
}

export type LoadedPlan =
  | { readonly kind: 'run'; readonly plan: Plan; readonly wishes: RunWishes }
  /** For stdout; nothing is sent. */
  | { readonly kind: 'text'; readonly text: string }

export interface LoadSurroundings {
  /** Paths of the command line begin here. */
  readonly folder: string
  readonly environment: VariableLookup
  /** Used unless somebody names a seed. */
  readonly randomSeed: number
}

/** @throws {UsageError} with everything that is wrong. */
export async function loadPlan(
  argv: readonly string[],
  surroundings: LoadSurroundings,
): Promise<LoadedPlan> {
  const line = getoptGnu(argv, runOptions)
  const draft = new SettingsDraft(runOptions)
  for (const { key, spelling, raw } of line.flags) {
    draft.read(key, spelling, raw, { kind: 'flag', spelling })
  }
  const settings = draft.settings()
  if (settings.showHelp) return { kind: 'text', text: runHelpText }
  if (settings.printSchema) {
    const { z } = await import('zod')
    return { kind: 'text', text: jsonSchemaText(z) }
  }
  const problems = [...line.problems, ...draft.problems, ...operandProblems(line, settings)]
  if (problems.length > 0) throw new UsageError(problems)

  const { folder } = surroundings
  const operands = line.operands.map(({ text }) => text)
  const planFile = operands.find(isPlanFile)
  const urls = planFile === undefined ? operands : []
  const placed: ReadPlan =
    planFile === undefined
      ? { ...unplacedPlan(undefined, {}), value: {} }
      : await readPlanFile(planFile, path.resolve(folder, planFile))
  const whole = completed(draftWithOptions(placed.value, settings, urls, folder), {
    seed: surroundings.randomSeed,
    title: titleOf(planFile, urls, settings),
  })
  const plan = planFromDraft(whole, placed, {
    read: readBytes,
    environment: surroundings.environment,
  })
  if (settings.printPlan) {
    const [yaml, { z }] = await Promise.all([import('yaml'), import('zod')])
    return { kind: 'text', text: printedPlan(yaml, planSchema(z), whole) }
  }
  refuseUnwritable(settings, folder)
  return { kind: 'run', plan, wishes: wishesOf(settings, whole, folder) }
}

function wishesOf(settings: RunSettings, plan: PlanDraft, folder: string): RunWishes {
  const { out, html, json, quiet, watches, prometheus, otlp } = settings
  return {
    out: out === null ? null : path.resolve(folder, out),
    html: html === null ? null : path.resolve(folder, html),
    json,
    quiet,
    abortOnSlo: plan['abort-on-slo'] === true,
    watches,
    prometheus,
    otlp,
  }
}

function operandProblems(line: CommandLine<keyof RunSettings>, settings: RunSettings): Problem[] {
  const operands = line.operands.map(({ text }) => text)
  const plans = operands.filter(isPlanFile)
  const problems: string[] = []
  if (operands.some((operand) => operand.trim() === '')) problems.push('a URL is empty: ""')
  for (const word of operands) {
    if (!REQUEST_METHODS.includes(word.toUpperCase())) continue
    const example = `'${operands.find((operand) => operand !== word) ?? 'URL'} ${word} ...'`
    problems.push(`${word} is a method, not a URL; they belong into one pair of quotes: ${example}`)
  }
  if (plans.length > 1) problems.push(`one plan at a time, not ${plans.join(' and ')}`)
  else if (plans.length === 1 && operands.length > 1) {
    const other = operands.find((operand) => !isPlanFile(operand)) ?? ''
    problems.push(
      `${quoted(other)} beside the plan ${plans[0]}: a plan has its URLs itself; --base-url sends it to another server`,
    )
  }
  if (settings.urlsFile !== null && operands.length > 0) {
    problems.push(`--file gives the URLs, so there is no use for ${quoted(operands[0] ?? '')}`)
  }
  const isUrlRun = plans.length === 0 && operands.length > 0
  for (const [key, name] of requestFlags) {
    if (settings[key] !== null && !isUrlRun) {
      problems.push(`--${name} is for URLs of the command line; a plan or a list says it itself`)
    }
  }
  return problems.map((text) => ({ text }))
}

const requestFlags = [
  ['method', 'method'],
  ['body', 'body'],
  ['contentType', 'content-type'],
] as const

/** What a report calls a run that has no name: its file or its URLs. */
function titleOf(
  planFile: string | undefined,
  urls: readonly string[],
  { urlsFile }: RunSettings,
): string {
  if (planFile !== undefined) return path.basename(planFile)
  if (urlsFile !== null) return path.basename(urlsFile)
  const [first = 'onager run', ...more] = urls
  const shown = withoutCredentials(first)
  return more.length === 0 ? shown : `${shown} and ${more.length} more`
}

const STDOUT_TAKEN = 'standard output carries the report; give the name of a file'

/** A run of an hour whose result cannot be kept is found out now. */
function refuseUnwritable(settings: RunSettings, folder: string): void {
  const problems = [['--out', settings.out] as const, ['--html', settings.html] as const].flatMap(
    ([option, file]) => {
      if (file === '-') return [{ text: `${option} -: ${STDOUT_TAKEN}` }]
      const reason = file === null ? null : unwritableReason(path.resolve(folder, file))
      return reason === null ? [] : [{ text: `${file} cannot be written: ${reason}` }]
    },
  )
  if (settings.out !== null && settings.out !== '-' && settings.out === settings.html) {
    problems.push({ text: `--out and --html would both write ${settings.out}` })
  }
  if (problems.length > 0) throw new UsageError(problems)
}

function unwritableReason(file: string): string | null {
  try {
    if (fs.existsSync(file)) {
      if (fs.statSync(file).isDirectory()) return 'it is a folder'
      fs.accessSync(file, fs.constants.W_OK)
    } else {
      fs.readdirSync(path.dirname(file))
      fs.accessSync(path.dirname(file), fs.constants.W_OK)
    }
    return null
  } catch (error) {
    return systemReason(error)
  }
}
