/** `onager man`: opens a manual page of the package, wherever that is installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EnvironmentError, UsageError } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'
import { HELP_ONLY_GROUPS, helpOnlyOptions } from '../plan/help-only-options.ts'
import { helpLines } from '../plan/option-help.ts'
import { readCommand } from './command-settings.ts'
import { manFileName, manPages } from './man-pages.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/man/', import.meta.url))
const PAGE_DEFAULT = 'onager'

/** @throws {UsageError | EnvironmentError} */
export async function man(argv: readonly string[]): Promise<number> {
  const { settings, operands } = readCommand(argv, helpOnlyOptions, 1)
  if (settings.showHelp) {
    process.stdout.write(helpText())
    return 0
  }
  const name = operands[0] ?? PAGE_DEFAULT
  // `onager man record` and `onager man siege.1` are what one would type as well.
  const page = manPages.find((candidate) =>
    [candidate.name, manFileName(candidate), candidate.name.replace('onager-', '')].includes(name),
  )
  if (page === undefined) {
    const nearest = nearestWord(
      name,
      manPages.map((candidate) => candidate.name),
    )
    const hint = nearest === undefined ? 'onager man --help lists them' : `did you mean ${nearest}?`
    throw new UsageError(`there is no page '${name}'; ${hint}`)
  }
  return show(FOLDER + manFileName(page))
}

async function show(path: string): Promise<number> {
  // A name with a slash is a file to every `man`.
  const child = spawn('man', [path], { stdio: 'inherit' })
  try {
    const [status] = await once(child, 'close')
    return typeof status === 'number' ? status : 0
  } catch (error) {
    const options = { hint: `the page is ${path}`, cause: error }
    throw new EnvironmentError('the program man, which shows manual pages, cannot be run', options)
  }
}

function helpText(): string {
  const width = Math.max(...manPages.map(({ name }) => name.length))
  const lines = manPages.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: onager man [PAGE]

Shows a manual page [${PAGE_DEFAULT}]:

${lines.join('\n')}

${helpLines(helpOnlyOptions, HELP_ONLY_GROUPS).join('\n')}
`
}
