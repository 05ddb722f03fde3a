/** The option table of commands that know no option but the one for help. */
import { yesOrNo } from './option-readers.ts'
import type { OptionTable } from './option-table.ts'

export interface HelpOnlySettings {
  readonly showHelp: boolean
}

export const HELP_ONLY_GROUPS: readonly string[] = ['Options']

export const helpOnlyOptions: OptionTable<HelpOnlySettings> = {
  showHelp: {
    short: 'h',
    long: 'help',
    argument: 'none',
    default: false,
    flagValue: true,
    read: yesOrNo,
    group: 'Options',
    help: 'show this',
  },
}
