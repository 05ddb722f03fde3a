/** The option table of `onager serve`. */
import { helpRow } from '../plan/help-only-options.ts'
import { text, wholeNumber } from '../plan/option-readers.ts'
import type { OptionTable } from '../plan/option-table.ts'

export interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly showHelp: boolean
}

export const SERVE_GROUPS: readonly string[] = ['Options']

export const serveOptions: OptionTable<ServeSettings> = {
  port: {
    short: 'p',
    long: 'port',
    argument: 'required',
    argumentName: 'NUM',
    default: 8080,
    read: wholeNumber(0, 65_535),
    group: 'Options',
    help: 'listen on this port; 0 takes a free one [8080]',
  },
  host: {
    long: 'host',
    longAliases: ['bind'],
    argument: 'required',
    argumentName: 'ADDRESS',
    default: '127.0.0.1',
    read: text('an address or name of this machine'),
    group: 'Options',
    help: 'listen here; 0.0.0.0 lets other machines in [127.0.0.1]',
  },
  showHelp: helpRow('Options'),
}
