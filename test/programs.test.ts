/** The joined modules of the programs, as `npm run build` makes them: whole, once each, readable. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { withSourcePlaces } from '../src/cli/source-places.ts'
import { projectRoot } from './support/files.ts'

const folder = join(projectRoot, 'dist', 'programs')

/** False where tsc alone has run. */
function areBuilt(t: TestContext): boolean {
  if (existsSync(folder)) return true
  assert.notEqual(process.env.CI, 'true', 'npm run build joins the programs')
  t.skip('the programs are not joined: npm run build')
  return false
}

function filesOf(ending: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => path.endsWith(ending))
}

/** Whole programs of their own, which share nothing with those that start them. */
const loneFiles = ['fleet/thread-main.js.map', 'fleet/html-library.js.map']

test('no module is in two files, so none is twice in a process', (t) => {
  if (!areBuilt(t)) return
  const holders = new Map<string, string>()
  for (const path of filesOf('.js.map')) {
    if (loneFiles.includes(relative(folder, path))) continue
    const { sources } = JSON.parse(readFileSync(path, 'utf8'))
    for (const source of sources as string[]) {
      const name = relative(projectRoot, join(dirname(path), source))
      assert.equal(holders.get(name), undefined, `${name} is also in ${path}`)
      holders.set(name, path)
    }
  }
  assert.ok(holders.has('src/engine/runner.ts'))
})

test('what a thread starts stands where its starter looks', (t) => {
  if (!areBuilt(t)) return
  let count = 0
  for (const path of filesOf('.js')) {
    const text = readFileSync(path, 'utf8')
    for (const [, file, ownPlace] of text.matchAll(
      /new Worker\(new URL\("([^"]+)", import\.meta\.url\.replace\([^"]*"\$1([^"]+)"/g,
    )) {
      const started = join(dirname(join(folder, ownPlace!)), file!)
      assert.ok(existsSync(started), started)
      count++
    }
  }
  assert.ok(count > 0)
})

test('withSourcePlaces() names the lines of the source in a stack trace', (t) => {
  if (!areBuilt(t)) return
  const path = join(folder, 'cli', 'run-main.js')
  const place = (text: string, file: string) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const line = lines.findIndex((one) => one.includes(text))
    return `${line + 1}:${lines[line]!.indexOf(text) + 1}`
  }
  const joined = `${pathToFileURL(path)}:${place('stack = error', path)}`
  const source = place('stack = error', join(projectRoot, 'src', 'cli', 'run-main.ts'))
  assert.equal(
    withSourcePlaces(`Error: x\n    at reportError (${joined})\n    at node:net:1:1`),
    `Error: x\n    at reportError (src/cli/run-main.ts:${source})\n    at node:net:1:1`,
  )
  assert.equal(
    withSourcePlaces('at file:///a/dist/programs/no.js:1:2'),
    'at file:///a/dist/programs/no.js:1:2',
  )
})
