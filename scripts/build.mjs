// npm run build: installs what is missing, compiles src, test and bench to dist, and joins the
// modules of the programs, see bundle.mjs.
// `--if-stale` compiles only when a source is newer than the last build.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, root, runOrExit } from './install.mjs'

const stamp = join(root, 'dist', '.built')

function newestMtimeMs(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const mtimeMs = entry.isDirectory() ? newestMtimeMs(path) : statSync(path).mtimeMs
    newest = Math.max(newest, mtimeMs)
  }
  return newest
}

function isStale() {
  if (!existsSync(stamp)) return true
  const builtMs = statSync(stamp).mtimeMs
  const configMs = Math.max(
    statSync(join(root, 'tsconfig.json')).mtimeMs,
    statSync(join(root, 'package.json')).mtimeMs,
  )
  return configMs > builtMs || newestMtimeMs(join(root, 'src')) > builtMs
}

export async function build({ onlyIfStale = false } = {}) {
  ensureInstalled()
  if (onlyIfStale && !isStale()) return
  console.error('Building ...')
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  runOrExit(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'])
  const { bundle } = await import('./bundle.mjs')
  await bundle()
  writeFileSync(stamp, '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ onlyIfStale: process.argv.includes('--if-stale') })
}
