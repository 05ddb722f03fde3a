/** What completions know of the programs of the package and of onager's commands. */
import { GROUPS as AB_GROUPS, abOptions } from '../ab/options.ts'
import { HELP_ONLY_GROUPS, helpOnlyOptions } from '../plan/help-only-options.ts'
import { type CommandDocs, optionRows } from '../plan/option-docs.ts'
import { RUN_GROUPS, runOptions } from '../run/options.ts'
import { BOMBARDMENT_GROUPS, bombardmentOptions } from '../siege/companions/bombardment-options.ts'
import { SIEGE2CSV_GROUPS, siege2csvOptions } from '../siege/companions/siege2csv.ts'
import { GROUPS, siegeOptions } from '../siege/options.ts'
import { commands } from './main.ts'
import { manPages } from './man-pages.ts'
import { RECORD_GROUPS, recordOptions } from './record-options.ts'
import { REPORT_GROUPS, reportOptions } from './report-options.ts'
import { SERVE_GROUPS, serveOptions } from './serve-options.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

type What = Omit<CommandDocs, 'name' | 'help'>

const siege: What = { options: optionRows(siegeOptions, GROUPS), operands: 'urls' }
const helpOnly = optionRows(helpOnlyOptions, HELP_ONLY_GROUPS)

const known: Readonly<Record<string, What>> = {
  siege,
  ab: { options: optionRows(abOptions, AB_GROUPS), operands: 'urls' },
  run: { options: optionRows(runOptions, RUN_GROUPS), operands: 'urls-or-files' },
  report: { options: optionRows(reportOptions, REPORT_GROUPS), operands: 'files' },
  serve: { options: optionRows(serveOptions, SERVE_GROUPS), operands: 'none' },
  record: { options: optionRows(recordOptions, RECORD_GROUPS), operands: 'none' },
  'siege.config': { options: helpOnly, operands: 'none' },
  bombardment: {
    options: optionRows(bombardmentOptions, BOMBARDMENT_GROUPS),
    operands: 'files',
    behindDashes: { ...siege, name: 'siege', help: commands.siege!.help },
  },
  siege2csv: { options: optionRows(siege2csvOptions, SIEGE2CSV_GROUPS), operands: 'files' },
  completions: { options: helpOnly, operands: SHELLS },
  man: { options: helpOnly, operands: manPages.map(({ name }) => name) },
}

/** A command of which no more is known than that it is there. */
const UNKNOWN: What = { options: [], operands: 'none' }

/** What `onager COMMAND` completes to. */
export const onagerCommands: readonly CommandDocs[] = Object.entries(commands).map(
  ([name, { help }]) => ({ ...(known[name] ?? UNKNOWN), name, help }),
)

const PROGRAMS: readonly string[] = ['siege', 'ab', 'siege.config', 'bombardment', 'siege2csv']

/** Programs that are called by themselves, onager aside. */
export const programs: readonly CommandDocs[] = onagerCommands.filter(({ name }) =>
  PROGRAMS.includes(name),
)

export const URL_STARTS: readonly string[] = ['http://', 'https://']
