/** Reads result files, several as one run, and says of each what is wrong with it. */
import { readFileSync } from 'node:fs'
import { type Problem, UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import { brokenLaws } from '../metrics/laws.ts'
import { areApart, mergeProblems, type NamedResult } from '../result/merge-check.ts'
import { decodeResult } from '../result/result-file.ts'
import { mergeResults, type RunResult } from '../result/run-result.ts'
import { nodePacking } from './node-packing.ts'

export interface ReadResults {
  readonly result: RunResult
  /** Sentences for people that do not stand against a report. */
  readonly notes: readonly string[]
}

/** `-` is standard input. @throws {UsageError} with all that is wrong with any of the files. */
export function readResults(names: readonly string[]): ReadResults {
  const problems: Problem[] = []
  const read: NamedResult[] = []
  for (const name of names) {
    const file = name === '-' ? 'standard input' : name
    const reading = readText(name)
    const found = 'text' in reading ? decodeResult(reading.text, nodePacking) : reading
    if ('problem' in found) problems.push({ file, text: found.problem })
    else read.push({ name: file, result: found.result })
  }
  for (const { name, text } of problems.length > 0 ? [] : mergeProblems(read)) {
    problems.push({ file: name, text })
  }
  if (problems.length > 0) throw new UsageError(problems)
  const results = read.map(({ result }) => result)
  const result = results.length === 1 ? results[0]! : mergeResults(results)
  return { result, notes: [...lawNotes(read), ...apartNotes(results)] }
}

function readText(name: string): { text: string } | { problem: string } {
  try {
    return { text: readFileSync(name === '-' ? process.stdin.fd : name, 'utf8') }
  } catch (error) {
    const isTooLarge =
      error instanceof Error && /ERR_STRING_TOO_LONG|ERR_FS_FILE_TOO/.test(codeOf(error))
    const reason = isTooLarge ? 'it is far too large for a result' : systemReason(error)
    return { problem: `this file cannot be read: ${reason}` }
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** A file that was changed by hand is shown all the same, but not in silence. */
function lawNotes(read: readonly NamedResult[]): string[] {
  return read.flatMap(({ name, result: { snapshot } }) => {
    // A run that broke down leaves its counts behind, but no series that they would agree with.
    const hasSeries = snapshot.intervals.intervals.length > 0
    const law = brokenLaws(snapshot).find((each) => hasSeries || !/interval/.test(each))
    if (law !== undefined) return [`${name}: its numbers do not add up: ${law}`]
    return hasSeries ? [] : [`${name}: the run broke down, and left no course over time`]
  })
}

function apartNotes(results: readonly RunResult[]): string[] {
  if (results.length < 2 || !areApart(results)) return []
  return ['these runs did not take place at the same time: their rates are added up as if they had']
}
