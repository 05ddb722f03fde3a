/** `siege`: command line in, report and exit status out. */
import { createRequire } from 'node:module'
import { readSiegeCommandLine } from './command-line.ts'
import { readTextFile } from './files.ts'
import { noticeLine, shouldColor, versionLine, versionText } from './messages.ts'

const require = createRequire(import.meta.url)

/** @throws {UsageError} for whatever is wrong with command line, configuration and targets. */
export async function main(argv: string[]): Promise<number> {
  const commandLine = readSiegeCommandLine(argv, process.env, readTextFile)
  switch (commandLine.action) {
    case 'help': {
      const { helpText } = await import('./help.ts')
      process.stderr.write(versionLine)
      process.stdout.write(helpText)
      return 0
    }
    case 'version':
      process.stderr.write(versionText)
      return 0
    case 'config': {
      const { configDump } = await import('./config-dump.ts')
      process.stdout.write(configDump(commandLine))
      return 0
    }
  }
  const isColored = shouldColor(process.stderr, commandLine.settings, process.env)
  for (const notice of commandLine.notices) process.stderr.write(noticeLine(notice, isColored))
  const { laySiege } = loadLaySiege()
  return laySiege(commandLine)
}

/** One file after the other: see `bin/launch.js`. */
function loadLaySiege(): typeof import('./lay-siege.ts') {
  return require('./lay-siege.js')
}
