/**
 * `siege2csv`: turns what siege has printed or logged into a table for a spreadsheet.
 *
 * All files are read before anything is written; one in which there is no run stops the whole,
 * since a table that lacks it would look complete.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { type Problem, UsageError } from '../../base/errors.ts'
import { systemReason } from '../../base/system-reason.ts'
import { getoptGnu } from '../../plan/getopt-gnu.ts'
import { helpRow } from '../../plan/help-only-options.ts'
import { helpLines } from '../../plan/option-help.ts'
import { text } from '../../plan/option-readers.ts'
import { type OptionTable, SettingsDraft } from '../../plan/option-table.ts'
import { readRuns } from './run-reader.ts'
import { csvHeader, csvRows, type RunRow } from './run-rows.ts'

export interface Siege2csvSettings {
  readonly output: string | null
  readonly showHelp: boolean
}

export const SIEGE2CSV_GROUPS: readonly string[] = ['Options']
const STDIO = '-'

export const siege2csvOptions: OptionTable<Siege2csvSettings> = {
  output: {
    short: 'o',
    long: 'output',
    argument: 'required',
    argumentName: 'FILE',
    default: null,
    read: text('the name of a file, or - for standard output'),
    group: 'Options',
    help: 'write all runs into this file; - is standard output',
  },
  showHelp: helpRow('Options'),
}

const HELP = `Makes a table (CSV) of what siege has printed: a heading, then one row for each run.

Usage: siege2csv [options] FILE...

A FILE may hold the statistics that siege prints at its end (siege's own of any
version, or ours), its JSON (-j), or be its log file, with any number of runs.
The table goes to FILE.csv. Times are in seconds, data in MB.

  siege -c10 -t1M http://host/ 2> run.txt; siege2csv run.txt    writes run.txt.csv
  siege2csv -o all.csv monday.json tuesday.json                 several into one
  siege2csv -o - /var/log/siege.log | column -s, -t             look at a log
  siege -j http://host/ | siege2csv -                           - is standard input

${helpLines(siege2csvOptions, SIEGE2CSV_GROUPS).join('\n')}
`

/** `argv` is without the program's name. @throws {UsageError} with all that is wrong. */
export async function main(argv: readonly string[]): Promise<number> {
  const line = getoptGnu(argv, siege2csvOptions)
  const draft = new SettingsDraft(siege2csvOptions)
  for (const { key, spelling, raw } of line.flags) {
    draft.read(key, spelling, raw, { kind: 'flag', spelling })
  }
  const settings = draft.settings()
  if (settings.showHelp) {
    process.stdout.write(HELP)
    return 0
  }
  const names = line.operands.map((operand) => operand.text)
  const problems: Problem[] = [...line.problems, ...draft.problems]
  if (names.length === 0) problems.push({ text: 'name a file that siege wrote: siege2csv FILE' })
  const tables = names.map((name) => readTable(name, problems))
  if (problems.length > 0) throw new UsageError(problems)

  if (settings.output === null) {
    for (const { name, rows } of tables) writeTable(name === STDIO ? STDIO : `${name}.csv`, rows)
  } else {
    const rows = tables.flatMap((table) => table.rows)
    writeTable(settings.output, rows)
  }
  return 0
}

interface Table {
  readonly name: string
  readonly rows: readonly RunRow[]
}

function readTable(name: string, problems: Problem[]): Table {
  const shown = name === STDIO ? 'standard input' : name
  try {
    const rows = readRuns(readFileSync(name === STDIO ? 0 : name, 'utf8'))
    if (rows.length === 0) problems.push({ text: `there is no run of siege in ${shown}` })
    return { name, rows }
  } catch (error) {
    problems.push({ text: `cannot read ${shown}: ${systemReason(error)}` })
    return { name, rows: [] }
  }
}

function writeTable(name: string, rows: readonly RunRow[]): void {
  const table = csvHeader + csvRows(rows)
  if (name === STDIO) {
    process.stdout.write(table)
    return
  }
  try {
    writeFileSync(name, table)
  } catch (error) {
    throw new UsageError(`cannot write ${name}: ${systemReason(error)}`)
  }
}
