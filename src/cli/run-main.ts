/**
 * What all programs do around their main function: exit statuses, messages, last words.
 *
 * Exit statuses of the kinds of error are listed here and nowhere else; what a finished run
 * returns is each front end's own business.
 */
import { EnvironmentError, problemText, UsageError } from '../base/errors.ts'
import { ONAGER_VERSION } from '../base/version.ts'
import { withSourcePlaces } from './source-places.ts'

export const EXIT_USAGE = 2
export const EXIT_ENVIRONMENT = 3
export const EXIT_BUG = 70
/** What a shell reports for a program that SIGPIPE ended, as it would end siege. */
const EXIT_BROKEN_PIPE = 141

export type Main = (argv: string[]) => Promise<number>

/** Runs `main` on the arguments of the command line and leaves its result as the exit status. */
export async function runMain(program: string, main: Main): Promise<void> {
  process.on('uncaughtException', (error) => {
    // A bug leaves the rest in an unknown state: it must not go on, nor wait for what is open.
    process.exit(reportError(program, error))
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A program that listens itself has decided what to do without this output.
      if (stream.listenerCount('error') === 1) endOnLostOutput(program, error)
    })
  }
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    process.exitCode = reportError(program, error)
  }
}

/** Says on stderr what went wrong and returns the exit status for it. */
export function reportError(program: string, error: unknown): number {
  if (error instanceof UsageError) {
    say(error.problems.map((problem) => `${program}: ${problemText(problem)}`))
    return EXIT_USAGE
  }
  if (error instanceof EnvironmentError) {
    const hint = error.hint === undefined ? [] : [`  ${error.hint}`]
    say([`${program}: ${error.message}`, ...hint])
    return EXIT_ENVIRONMENT
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { platform, arch, version } = process
  say([
    withSourcePlaces(stack),
    '',
    `${program}: this is a bug in onager, not a fault of yours or of the server.`,
    'Please report it with the command line, the lines above and this one:',
    `onager ${ONAGER_VERSION}, Node.js ${version}, ${platform} ${arch}`,
  ])
  return EXIT_BUG
}

function say(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}

function endOnLostOutput(program: string, error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(EXIT_BROKEN_PIPE)
  const lost = new EnvironmentError(`cannot write the output: ${error.message}`, { cause: error })
  process.exit(reportError(program, lost))
}
