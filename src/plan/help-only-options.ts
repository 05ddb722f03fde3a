/** The option that every command knows, and the table of those that know no other. */
import { yesOrNo } from './option-readers.ts'
import type { OptionRow, OptionTable } from './option-table.ts'

export interface HelpOnlySettings {
  readonly showHelp: boolean
}

export const HELP_ONLY_GROUPS: readonly string[] = ['Options']

export function helpRow(group: string): OptionRow<boolean> {
  return {
    short: 'h',
    long: 'help',
    argument: 'none',
    default: false,
    flagValue: true,
    read: yesOrNo,
    group,
    help: 'show this',
  }
}

export const helpOnlyOptions: OptionTable<HelpOnlySettings> = { showHelp: helpRow('Options') }
