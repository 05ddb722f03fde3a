/**
 * `onager serve`: starts the practice site, says where it is and keeps it until told to stop.
 *
 * A parent that started it with an IPC channel (`npm start`) is sent the address, and the site
 * ends with that parent even if the parent had no time to say goodbye.
 */
import { helpLines } from '../plan/option-help.ts'
import { type PracticeSite, startPracticeSite } from '../practice/site.ts'
import { readCommand } from './command-settings.ts'
import { SERVE_GROUPS, serveOptions } from './serve-options.ts'

export async function serve(argv: string[]): Promise<number> {
  const { settings } = readCommand(argv, serveOptions, 0)
  if (settings.showHelp) {
    process.stdout.write(helpText())
    return 0
  }
  const site = await startPracticeSite({ port: settings.port, host: settings.host })
  const stopped = toldToStop()
  process.stdout.write(listing(site))
  process.send?.({ url: site.url })
  await stopped
  await site.close()
  return 0
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      process.off('disconnect', stop)
      // An open channel would keep this process alive.
      if (process.connected) process.disconnect()
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    process.on('disconnect', stop)
  })
}

function listing(site: PracticeSite): string {
  const width = Math.max(...site.pages.map(({ example }) => example.length))
  const lines = site.pages.map(({ example, summary }) => `  ${example.padEnd(width)}  ${summary}`)
  return `Practice site at ${site.url}/

${lines.join('\n')}

Try: siege -c10 -t5S ${site.url}/blog
Ctrl-C stops the site.
`
}

function helpText(): string {
  return `Usage: onager serve [options]

Runs a small web site that is made to be load-tested: pages, a JSON API, a login,
redirects, slow and failing answers. The site lists its pages at / and here, and
counts what it has answered at /counts.

${helpLines(serveOptions, SERVE_GROUPS).join('\n')}
`
}
