/**
 * `onager`: the switchboard from a command word to the program that does it.
 *
 * Each program is loaded only when it is asked for, so that none pays for the others.
 */
import { UsageError } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'
import { ONAGER_VERSION } from '../base/version.ts'
import type { Main } from './run-main.ts'

export interface Command {
  readonly usage: string
  readonly help: string
  readonly load: () => Promise<Main>
}

/** By the word that asks for it. */
export const commands: Readonly<Record<string, Command>> = {
  run: {
    usage: 'run [OPTIONS] URL ... | PLAN',
    help: 'test a server with users or at a rate, as a plan says',
    load: async () => (await import('../run/main.ts')).main,
  },
  siege: {
    usage: 'siege [OPTIONS] URL ...',
    help: 'lay siege to a server; the same as the program siege',
    load: async () => (await import('../siege/main.ts')).main,
  },
  ab: {
    usage: 'ab [OPTIONS] URL',
    help: 'measure a server with one URL; the same as the program ab',
    load: async () => (await import('../ab/main.ts')).main,
  },
  report: {
    usage: 'report [OPTIONS] FILE ...',
    help: 'render the result of a run as text, HTML, JSON, CSV ...',
    load: async () => (await import('./report.ts')).report,
  },
  serve: {
    usage: 'serve [--port N]',
    help: 'run the practice site to try all this on',
    load: async () => (await import('./serve.ts')).serve,
  },
  record: {
    usage: 'record [OPTIONS]',
    help: 'record what a browser requests as a list for siege',
    load: async () => (await import('./record.ts')).record,
  },
  'siege.config': {
    usage: 'siege.config',
    help: 'write a configuration file for siege',
    load: async () => (await import('../siege/companions/siege-config.ts')).main,
  },
  bombardment: {
    usage: 'bombardment URLFILE ...',
    help: 'lay siege again and again with more and more users',
    load: async () => (await import('../siege/companions/bombardment.ts')).main,
  },
  siege2csv: {
    usage: 'siege2csv FILE ...',
    help: 'make a table of what siege has printed',
    load: async () => (await import('../siege/companions/siege2csv.ts')).main,
  },
  completions: {
    usage: 'completions bash|zsh|fish',
    help: 'print what a shell needs to complete options',
    load: async () => (await import('./completions.ts')).completions,
  },
  man: {
    usage: 'man [PAGE]',
    help: 'show a manual page',
    load: async () => (await import('./man.ts')).man,
  },
}

export async function main(argv: string[]): Promise<number> {
  const [word, ...rest] = argv
  if (word === '--version' || word === '-V') {
    process.stdout.write(`onager ${ONAGER_VERSION}\n`)
    return 0
  }
  if (word === '--help' || word === '-h' || word === 'help') {
    process.stdout.write(helpText())
    return 0
  }
  if (word === undefined) throw new UsageError(`a command is missing\n\n${helpText().trimEnd()}`)
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command === undefined) throw new UsageError(unknownText(word))
  return (await command.load())(rest)
}

function unknownText(word: string): string {
  const nearest = nearestWord(word, [...Object.keys(commands), '--help', '--version'])
  const hint = nearest === undefined ? 'onager --help lists them' : `did you mean ${nearest}?`
  return `unknown ${word.startsWith('-') ? 'option' : 'command'} '${word}'; ${hint}`
}

function helpText(): string {
  const entries = Object.values(commands)
  const width = Math.max(...entries.map(({ usage }) => usage.length))
  const lines = entries.map(({ usage, help }) => `  onager ${usage.padEnd(width)}  ${help}`)
  return `onager puts HTTP servers under load and tells the truth about what happened.

${lines.join('\n')}

Try it out in two terminals:
  onager serve                                          a site to practise on
  onager siege -c10 -t5S http://127.0.0.1:8080/blog     ten users, for five seconds

Each command has its own --help. --version says which onager this is.
`
}
