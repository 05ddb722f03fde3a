/**
 * The configuration file that a person starts from: every directive explained, at its default.
 *
 * Lines that would only repeat a default that depends on the machine, or that need a value of the
 * person's own, stand behind a comment sign. Reading the file gives the defaults (tested).
 */
import { sentence } from '../plan/option-help.ts'
import { keysOf, type OptionRow } from '../plan/option-table.ts'
import { SIEGE_VERSION } from './messages.ts'
import { GROUPS, siegeOptions } from './options.ts'

const COLUMN_MAX = 78

const HEAD = `# Configuration of siege ${SIEGE_VERSION}.
#
# A line is "name = value". A "#" starts a comment; write \\# or put the value
# in quotes for a plain one. Names that siege does not know define variables,
# which $(NAME) stands for in the lines below. "siege -C" shows the result.
`

export function siegercTemplate(): string {
  return [HEAD, ...GROUPS.flatMap(groupLines)].join('\n')
}

function groupLines(group: string): string[] {
  const entries = keysOf(siegeOptions)
    // The text of a row does not depend on the type of its value.
    .map((key) => siegeOptions[key] as OptionRow<unknown>)
    .filter((row) => row.group === group && row.directives !== undefined)
    .flatMap(entryLines)
  return entries.length === 0 ? [] : [`# ${`-- ${group} `.padEnd(60, '-')}`, '', ...entries]
}

function entryLines(row: OptionRow<unknown>): string[] {
  const later = row.comesLater === undefined ? '' : ' (Not there yet in this version.)'
  const comment = wrapped(`${sentence(row.help)}${later} ${row.details ?? ''}`.trim())
  const name = row.directives![0]!
  const set = (row.template ?? '').split('\n').filter((value) => value !== '')
  const shown = row.template === undefined && row.example !== undefined ? [row.example] : []
  return [
    ...comment.map((line) => `# ${line}`),
    ...set.map((value) => `${name} = ${value}`),
    ...shown.map((value) => `# ${name} = ${value}`),
    '',
  ]
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMN_MAX) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}
