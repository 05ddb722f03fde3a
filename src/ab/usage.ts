/** What `-h` and mistakes print: every option on a line, as ab lays them out. */
import { keysOf } from '../plan/option-table.ts'
import { abOptions, GROUPS } from './options.ts'

const HELP_COLUMN = 24

export const usageText: string = usage()

function usage(): string {
  const rows = keysOf(abOptions).map((key) => abOptions[key])
  const lines = GROUPS.flatMap((group) =>
    rows
      .filter((row) => row.group === group)
      .map(({ short, long, argumentName, help }) => {
        const name = short === undefined ? `--${long}` : `-${short}`
        const flag = argumentName === undefined ? name : `${name} ${argumentName}`
        return `    ${flag.padEnd(HELP_COLUMN - 4)}${help}`
      }),
  )
  const usageLine = 'Usage: ab [options] [http[s]://]hostname[:port]/path'
  return `${[usageLine, 'Options are:', ...lines].join('\n')}\n`
}
