/**
 * What `-h` and mistakes print, every option on a line, as ab lays them out; and the reference page.
 */
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

const REFERENCE_HEAD = `# ab: options

This page is made from the option table by \`scripts/generate-docs.mjs\`; change it there.

    ab [options] [http[s]://]hostname[:port]/path

## How options are written

As POSIX has it. Options stand before the URL; the first word that is no option ends them. Flags may
share a hyphen (\`-kr\`). A value is attached or the next word (\`-n5\`, \`-n 5\`), whatever it looks
like. Options act from left to right: \`-t\` sets the number of requests to 50000, and only a later
\`-n\` sets it anew. Numbers are read up to their first character that is no digit.

Long options are not ab's. They stand among the others by their full name: \`--threads 2\` or
\`--threads=2\`. \`--\` alone ends the options, as any word with two hyphens does in ab; here an
unknown one is refused.

## Exit status

| Status | When |
| --- | --- |
| 0 | The run ended, whatever the statuses of its responses; \`-V\`. |
| 1 | A value or file is wrong, every request failed, an output file cannot be written, SIGINT. |
| 2 | The file of \`--html\` cannot be written to; nothing was sent. |
| 22 | Wrong usage; \`-h\`. |
| 50 | The name of the server was not found. |
| 104, 111, ... | Without \`-r\`: the system's number of the error that ended the run. |
| 119 | Without \`-r\`: a request had to wait for longer than \`-s\`. |
| 143 | SIGTERM. |
`

export const abReferenceText: string = [REFERENCE_HEAD, ...GROUPS.flatMap(groupLines)].join('\n')

function groupLines(group: string): string[] {
  const rows = keysOf(abOptions)
    .map((key) => abOptions[key])
    .filter((row) => row.group === group)
    .map(({ short, long, argumentName, help }) => {
      const name = short === undefined ? `--${long}` : `-${short}`
      const flag = argumentName === undefined ? name : `${name} ${argumentName}`
      return `| \`${flag}\` | ${help[0]!.toUpperCase()}${help.slice(1)}. |`
    })
  return [`## ${group}`, '', '| Option | Meaning |', '| --- | --- |', ...rows, '']
}
