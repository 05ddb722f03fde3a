/** Completions for fish: one `complete` for each option of each program. */
import { type CommandDocs, flagRows, valueDocs } from '../plan/option-docs.ts'
import type { OptionRow } from '../plan/option-table.ts'
import { onagerCommands, programs, URL_STARTS } from './completions-commands.ts'

const HEAD = `# Completions of siege, its companions and onager for fish.
# Made from the option tables by scripts/generate-docs.mjs; change it there.
`

export function fishCompletions(): string {
  const asked = `complete -c onager -n __fish_use_subcommand`
  const onager = [
    'complete -c onager -f',
    `${asked} -l help -d 'show this'`,
    `${asked} -l version -d 'say which onager this is'`,
    ...onagerCommands.map(({ name, help }) => `${asked} -a ${name} -d ${quoted(help)}`),
  ]
  const own = programs.map((command) =>
    [
      `complete -c ${command.name} -f`,
      ...commandLines(command, `complete -c ${command.name}`),
    ].join('\n'),
  )
  const below = onagerCommands.map((command) => {
    const condition = quoted(`__fish_seen_subcommand_from ${command.name}`)
    return commandLines(command, `complete -c onager -n ${condition}`).join('\n')
  })
  return `${[HEAD, ...own, onager.join('\n'), ...below].join('\n\n')}\n`
}

function commandLines(command: CommandDocs, start: string): string[] {
  return [
    ...flagRows(command.options).map((row) => optionLine(row, start)),
    ...operandLines(command, start),
  ]
}

function optionLine(row: OptionRow<unknown>, start: string): string {
  const short = row.short === undefined ? '' : ` -s ${row.short}`
  const longs = [row.long ?? [], row.longAliases ?? []].flat().map((long) => ` -l ${long}`)
  return `${start}${short}${longs.join('')}${valuePart(row)} -d ${quoted(row.help)}`
}

/** `-x`: needs a value that is no file; `-r -F`: needs a file; `-F` alone: may have one. */
function valuePart(row: OptionRow<unknown>): string {
  if (row.argument === 'none') return ''
  const value = valueDocs(row)
  if (value.kind === 'file') return row.argument === 'required' ? ' -r -F' : ' -F'
  const words = value.kind === 'words' ? ` -a ${quoted(value.words.join(' '))}` : ''
  return row.argument === 'required' ? ` -x${words}` : words
}

function operandLines({ operands }: CommandDocs, start: string): string[] {
  if (operands === 'none') return []
  if (operands === 'files') return [`${start} -F`]
  if (operands === 'urls-or-files') return [`${start} -F -a ${quoted(URL_STARTS.join(' '))}`]
  const words = operands === 'urls' ? URL_STARTS : operands
  return [`${start} -a ${quoted(words.join(' '))}`]
}

/** Between single quotes fish knows an escaped quote and an escaped backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
