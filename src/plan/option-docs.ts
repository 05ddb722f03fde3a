/**
 * What manual pages and completions need to know of a command: its option rows, whatever the type
 * of their values, and what stands for its operands. It knows no program and no format.
 */
import { keysOf, type OptionRow, type OptionTable } from './option-table.ts'

export interface CommandDocs {
  /** As it is typed. */
  readonly name: string
  /** What it does, without a full stop. */
  readonly help: string
  readonly options: readonly OptionRow<unknown>[]
  readonly operands: 'urls' | 'files' | 'urls-or-files' | 'none' | readonly string[]
  /** What follows `--` is a command line of this one. */
  readonly behindDashes?: CommandDocs
}

/** What an option's value can be completed to. */
export type ValueDocs =
  | { readonly kind: 'file' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Only the person knows. */
  | { readonly kind: 'free' }

/** The rows of a table in the order in which its groups are shown. */
export function optionRows<Settings extends object>(
  table: OptionTable<Settings>,
  groups: readonly string[],
): OptionRow<unknown>[] {
  // Texts are made from any row alike, whatever the type of its value.
  const rows = keysOf(table).map((key) => table[key] as OptionRow<unknown>)
  return groups.flatMap((group) => rows.filter((row) => row.group === group))
}

/** Rows that the command line knows. */
export function flagRows(rows: readonly OptionRow<unknown>[]): OptionRow<unknown>[] {
  return rows.filter((row) => row.argument !== undefined)
}

/** A file by its argument's name (`FILE`, `postfile`); words from the row, or as in `NUM|once`. */
export function valueDocs(row: OptionRow<unknown>): ValueDocs {
  const name = row.argumentName ?? ''
  if (/file(?:name)?$/i.test(name)) return { kind: 'file' }
  const alternatives = name.includes('|') ? name.split('|') : []
  const words = row.words ?? alternatives.filter((word) => /^[a-z][a-z0-9-]*$/.test(word))
  return words.length === 0 ? { kind: 'free' } : { kind: 'words', words }
}

/** `-c`, `--concurrent` and whatever else means the same. */
export function spellings(row: OptionRow<unknown>): string[] {
  const longs = [row.long ?? [], row.longAliases ?? []].flat().map((name) => `--${name}`)
  return row.short === undefined ? longs : [`-${row.short}`, ...longs]
}
