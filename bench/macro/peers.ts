/** The other programs that a run is compared with, and how to get them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Debian's package of each program. */
export const debianPackages: Readonly<Record<string, string>> = {
  ab: 'apache2-utils',
  cc: 'gcc',
  h2load: 'nghttp2-client',
  hey: 'hey',
  nginx: 'nginx-core',
  openssl: 'openssl',
  siege: 'siege',
  taskset: 'util-linux',
  wrk: 'wrk',
  '/usr/bin/time': 'time',
}
/** Without these there is no benchmark. */
const needed = ['cc', 'nginx', 'openssl', 'taskset', '/usr/bin/time']

/** Of npm, and no dependency of the project's: beside its own packages, where git does not look. */
const npmFolder = join(root, 'node_modules', '.cache', 'onager-bench')
const AUTOCANNON = 'autocannon@8.0.0'
export const autocannonProgram: string = join(npmFolder, 'node_modules/autocannon/autocannon.js')

export function isThere(program: string): boolean {
  if (program.endsWith('.js')) return existsSync(program)
  try {
    execFileSync('sh', ['-c', `command -v "$1"`, 'sh', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function installAutocannon(): void {
  mkdirSync(npmFolder, { recursive: true })
  const words = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    npmFolder,
    AUTOCANNON,
  ]
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Says which programs are missing, or installs them where it may; false when it cannot go on.
 */
export function makeReady(mayInstall: boolean): boolean {
  if (!isThere(autocannonProgram)) {
    if (mayInstall) installAutocannon()
    else console.error('Not here: autocannon of npm (run this with --install)')
  }
  const missing = Object.keys(debianPackages).filter((program) => !isThere(program))
  if (missing.length === 0) return true
  const packages = missing.map((program) => debianPackages[program]!)
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages]
  if (mayInstall && process.getuid?.() === 0) {
    execFileSync(install[0]!, install.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
    return needed.every(isThere)
  }
  console.error(`Not here: ${missing.join(', ')}. On Debian, as root: ${install.join(' ')}`)
  console.error('(or run this as root with --install)')
  return needed.every(isThere)
}
