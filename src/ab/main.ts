/** `ab`: command line in, report and exit status out. */
import { readFileSync } from 'node:fs'
import { ONAGER_VERSION } from '../base/version.ts'
import { abBanner } from '../report/ab-banner.ts'
import { readAbCommandLine } from './command-line.ts'
import { usageText } from './usage.ts'

export async function main(argv: string[]): Promise<number> {
  const commandLine = readAbCommandLine(argv, (path) => readFileSync(path))
  switch (commandLine.kind) {
    case 'refused':
      process.stderr.write(commandLine.text)
      return commandLine.status
    case 'version':
      process.stdout.write(abBanner(ONAGER_VERSION, commandLine.isHtml))
      return 0
    case 'help':
      process.stdout.write(usageText)
      return 0
    case 'run': {
      const { runBenchmark } = await import('./benchmark.ts')
      return runBenchmark(commandLine.job)
    }
  }
}
