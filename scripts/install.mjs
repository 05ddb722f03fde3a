// Installs the packages of the lock file when they are not there or older than it.
// Plain JavaScript on the standard library: it runs on a clone that has nothing yet.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const NODE_VERSION_MIN = [20, 19]

/** Runs a command in the project's folder and shows what it prints; exits with its status if that is not 0. */
export function runOrExit(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    ...options,
  })
  if (error) {
    console.error(`${command}: ${error.message}`)
    process.exit(3)
  }
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1))
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = NODE_VERSION_MIN
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  console.error(
    `onager needs Node.js ${NODE_VERSION_MIN.join('.')} or newer; this is ${process.versions.node}.`,
  )
  process.exit(3)
}

export function ensureInstalled() {
  refuseOldNode()
  // A link belongs to another working tree, and npm would empty what it points to.
  const folder = lstatSync(`${root}node_modules`, { throwIfNoEntry: false })
  if (folder?.isSymbolicLink()) return
  const stamp = `${root}node_modules/.package-lock.json`
  const lock = `${root}package-lock.json`
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return
  console.error('Installing packages ...')
  runOrExit('npm', ['ci', '--silent', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
