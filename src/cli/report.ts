/** `onager report`: renders the result of a run again, or of its parts together, and judges it. */
import { writeFileSync } from 'node:fs'
import { EnvironmentError, type Problem, UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import { helpLines } from '../plan/option-help.ts'
import { quoted } from '../plan/option-table.ts'
import { readThresholds, type Threshold, thresholdNameProblems } from '../plan/slo.ts'
import { machineZone } from '../report/local-time.ts'
import type { PlanFacts, RunResult } from '../result/run-result.ts'
import { isBroken, verdictsOf } from '../result/verdicts.ts'
import { formatOfFile, reportFormats } from '../run/report-formats.ts'
import { readResults } from '../run/result-files.ts'
import { readCommand } from './command-settings.ts'
import { REPORT_GROUPS, type ReportSettings, reportOptions } from './report-options.ts'

/** A threshold does not hold. */
const EXIT_BROKEN = 1

/** @throws {UsageError | EnvironmentError} */
export async function report(argv: readonly string[]): Promise<number> {
  const { settings, operands } = readCommand(argv, reportOptions, Number.POSITIVE_INFINITY)
  if (settings.showHelp) {
    process.stdout.write(helpText())
    return 0
  }
  if (operands.length === 0) {
    throw new UsageError('name a result: onager report FILE, as onager run --out FILE writes it')
  }
  const thresholds = readSlo(settings.thresholds)
  const { result, notes } = readResults(operands)
  checkNames(thresholds, result.plan)
  const judged = withThresholds(result, thresholds)
  const verdicts = verdictsOf(judged)
  const output = settings.output === '-' ? null : settings.output
  const isShown = output === null
  const colour = isShown && process.stdout.isTTY === true && !process.env.NO_COLOR
  // The table has checked the word.
  const format = reportFormats[formatOf(settings)]!
  const text = format.render(judged, verdicts, { colour, zone: machineZone })
  for (const note of notes) process.stderr.write(`onager: ${note}\n`)
  write(output, text)
  return isBroken(verdicts) ? EXIT_BROKEN : 0
}

function formatOf({ format, output }: ReportSettings): string {
  return format ?? (output === null ? undefined : formatOfFile(output)) ?? 'text'
}

function readSlo(texts: readonly string[]): readonly Threshold[] {
  const problems: Problem[] = []
  const thresholds = texts.flatMap((text) => {
    const read = readThresholds(text)
    for (const problem of read.problems) {
      problems.push({ text: `--slo ${quoted(text)}, column ${problem.column}: ${problem.text}` })
    }
    return read.thresholds
  })
  if (problems.length > 0) throw new UsageError(problems)
  return thresholds
}

function checkNames(thresholds: readonly Threshold[], plan: PlanFacts): void {
  const checkNames = plan.checks.map(({ name }) => name)
  const problems = thresholdNameProblems(thresholds, plan.requestNames, checkNames)
  if (problems.length === 0) return
  throw new UsageError(problems.map((text) => ({ text: `--slo ${text}` })))
}

/** As if the run had had them. */
function withThresholds(result: RunResult, further: readonly Threshold[]): RunResult {
  const thresholds = [...result.plan.thresholds, ...further.map(({ text }) => text)]
  return { ...result, plan: { ...result.plan, thresholds } }
}

function write(output: string | null, text: string): void {
  if (output === null) {
    process.stdout.write(text)
    return
  }
  try {
    writeFileSync(output, text)
  } catch (error) {
    throw new EnvironmentError(`${output} cannot be written: ${systemReason(error)}`)
  }
}

function helpText(): string {
  const formats = Object.entries(reportFormats)
  const width = Math.max(...formats.map(([word]) => word.length))
  const lines = formats.map(([word, { help }]) => `  ${word.padEnd(width)}  ${help}`)
  return `Usage: onager report [options] FILE...

Renders the result of a run, which onager run --out FILE has written. Several FILEs
are the parts of one run, from several machines, and are added up; - is standard
input.

${helpLines(reportOptions, REPORT_GROUPS).join('\n')}

Formats:
${lines.join('\n')}

Thresholds (--slo), several with commas between them:
  p99<200ms  p99.9<=1s  mean<50ms  max<2s    response times; service-p99 is without
                                             the time that requests waited to be sent
  errors<0.1%  errors<10                     of requests that ended
  rate>900/s                                 complete responses
  dropped<1%  dropped<=0                     arrivals of the open model
  checks>99%                                 that passed
  login:p95<=300ms                           of the requests with that name

Exit status: 0 fine, 1 a threshold does not hold or had nothing to be measured on,
2 wrong usage or a file that cannot be read, 3 the report cannot be written.
`
}
