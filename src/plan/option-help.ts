/**
 * Help and reference made from an option table, so that they cannot disagree with the program.
 */
import { keysOf, type OptionRow, type OptionTable } from './option-table.ts'

const TEXT_COLUMN = 28

/** The options of the command line by group: a heading, then a line for each option. */
export function helpLines<Settings extends object>(
  table: OptionTable<Settings>,
  groups: readonly string[],
): string[] {
  return groups.flatMap((group) => {
    const lines = rowsOf(table, group).flatMap((row) => helpLine(row))
    return lines.length === 0 ? [] : [`${group}:`, ...lines]
  })
}

function helpLine(row: OptionRow<unknown>): string[] {
  if (row.short === undefined && row.long === undefined) return []
  const short = row.short === undefined ? '    ' : `-${row.short}, `
  const flag = `  ${short}${longUsage(row)}`
  const later = row.comesLater === undefined || row.flagValue === false ? '' : ' (not there yet)'
  return [`${flag.padEnd(TEXT_COLUMN)} ${row.help}${later}`]
}

/** `--log[=FILE]`, `--reps=NUM|once`. */
function longUsage(row: OptionRow<unknown>): string {
  const argument = row.argumentName ?? 'VALUE'
  if (row.argument === 'none') return `--${row.long}`
  return row.argument === 'optional-attached'
    ? `--${row.long}[=${argument}]`
    : `--${row.long}=${argument}`
}

/** Every option and directive as one Markdown table for each group. */
export function referenceLines<Settings extends object>(
  table: OptionTable<Settings>,
  groups: readonly string[],
): string[] {
  return groups.flatMap((group) => [
    `## ${group}`,
    '',
    '| Command line | siegerc | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rowsOf(table, group).map(referenceRow),
    '',
  ])
}

function referenceRow(row: OptionRow<unknown>): string {
  const directives = (row.directives ?? []).map((name) => `\`${name}\``)
  const aliases = (row.longAliases ?? []).map((name) => `\`--${name}\``)
  const flags = row.argument === undefined ? [] : [...flagUsages(row), ...aliases]
  const later = row.comesLater === undefined ? '' : ' *Not there yet.*'
  const cells = [
    flags.join('<br>'),
    directives.join('<br>'),
    defaultText(row).split('\n').join('<br>'),
    meaningOf(row) + later,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** All that a row says about what it does, in sentences. */
export function meaningOf(row: OptionRow<unknown>): string {
  const sentences = [
    sentence(row.help),
    row.details ?? '',
    row.isRepeatable === true && !row.help.includes('repeatable') ? 'Repeatable.' : '',
    row.isOurs === true && row.long !== undefined ? 'The option is not one of siege.' : '',
  ]
  return sentences.filter((text) => text !== '').join(' ')
}

function flagUsages(row: OptionRow<unknown>): string[] {
  const argument = row.argumentName ?? 'VALUE'
  const after = { none: '', required: ` ${argument}`, 'optional-attached': `[${argument}]` }
  const short = row.short === undefined ? [] : [`\`-${row.short}${after[row.argument!]}\``]
  return [...short, `\`${longUsage(row)}\``]
}

/** The default as it is written in a siegerc, a line for each value; empty where there is none. */
export function defaultText(row: OptionRow<unknown>): string {
  if (row.template !== undefined) return row.template
  const value = row.default
  if (value === null || Array.isArray(value) || row.flagValue !== undefined) return ''
  return String(value)
}

/** `text` with a capital and a full stop. */
export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function rowsOf<Settings extends object>(
  table: OptionTable<Settings>,
  group: string,
): OptionRow<unknown>[] {
  // Texts are made from any row alike, whatever the type of its value.
  const rows = keysOf(table).map((key) => table[key] as OptionRow<unknown>)
  return rows.filter((row) => row.group === group)
}
