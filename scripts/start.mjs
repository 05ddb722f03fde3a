// npm start: lays siege to the practice site for five seconds, from a fresh clone if need be.
// npm start -- ARGS: runs siege with these arguments instead.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from './build.mjs'
import { root } from './install.mjs'

const PAGES = ['/', '/blog', '/blog/2', '/api/articles', '/slow?ms=50']

// Ctrl-C reaches siege too, which ends with its report; this process waits for that. A second one
// makes siege stop at once.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})

await build({ onlyIfStale: true })
const args = process.argv.slice(2)
process.exitCode = args.length > 0 ? await siege(args) : await siegePracticeSite()

async function siegePracticeSite() {
  const { child, url } = await startSite()
  console.error(`Practice site at ${url}/ for the next five seconds; yours: npm start -- URL\n`)
  try {
    const rc = join(root, 'scripts', 'practice.siegerc')
    return await siege(['-R', rc, '-c25', '-t5S', ...PAGES.map((page) => url + page)])
  } finally {
    child.disconnect()
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** The site ends when the channel to it is closed, also when this process is killed. */
async function startSite() {
  const child = spawn(process.execPath, [join(root, 'bin', 'onager.js'), 'serve', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In a process group of its own Ctrl-C does not end the site in the middle of the siege.
    detached: true,
  })
  const first = await Promise.race([once(child, 'message'), once(child, 'exit')])
  const { url } = first[0] ?? {}
  // It has said on stderr why it could not start.
  if (url === undefined) process.exit(3)
  return { child, url }
}

async function siege(siegeArgs) {
  const child = spawn(process.execPath, [join(root, 'bin', 'siege.js'), ...siegeArgs], {
    stdio: 'inherit',
    // File names in ARGS are meant from where npm was called.
    cwd: process.env.INIT_CWD ?? process.cwd(),
  })
  const forward = () => child.kill('SIGTERM')
  process.on('SIGTERM', forward)
  const [status] = await once(child, 'exit')
  process.off('SIGTERM', forward)
  return status ?? 1
}
