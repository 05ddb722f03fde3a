// npm test: installs, builds afresh, checks format and lint, runs every test.
// npm test -- WORD ...: runs only the test files whose path contains one of the words.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from './build.mjs'
import { root, runOrExit } from './install.mjs'

/** A file that takes longer hangs: the slowest take a minute, and ten on a machine that is busy. */
const FILE_TIMEOUT_MS = 900_000

// What is left over in dist would be tested as if it were still there.
await build()
runOrExit(process.execPath, [
  join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'),
  'check',
  '.',
])

const words = process.argv.slice(2)
const files = readdirSync(join(root, 'dist'), { recursive: true })
  .map((name) => relative(root, join(root, 'dist', name)))
  .filter((path) => path.endsWith('.test.js'))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  .sort()
if (files.length === 0) {
  console.error(`No test file has ${words.map((word) => `'${word}'`).join(' or ')} in its path.`)
  process.exit(2)
}

// The runner's counts are the last thing printed; skipped tests stand there with their number, and
// each with its reason where it would have run.
runOrExit(process.execPath, [
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
  `--test-timeout=${FILE_TIMEOUT_MS}`,
  ...files,
])
