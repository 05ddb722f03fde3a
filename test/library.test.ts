/** onager as a library: the example of docs/library.md runs, and its types hold. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPracticeSite } from '../src/practice/site.ts'
import { projectRoot, tempFolder } from './support/files.ts'
import { runProgram } from './support/run-cli.ts'
import type { Scope } from './support/scope.ts'

const [example = ''] = [
  ...readFileSync(join(projectRoot, 'docs', 'library.md'), 'utf8').matchAll(/```js\n(.*?)```/gs),
].map(([, code]) => code)

/** A folder in which `onager` is installed, as far as Node can tell. */
function projectWith(scope: Scope): string {
  const folder = tempFolder(scope)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(projectRoot, join(folder, 'node_modules', 'onager'))
  return folder
}

async function startedSite(scope: Scope) {
  const site = await startPracticeSite({ port: 0 })
  scope.after(() => site.close())
  return site
}

test('the example of docs/library.md runs and says what it says', async (t) => {
  const folder = projectWith(t)
  const site = await startedSite(t)
  writeFileSync(join(folder, 'example.mjs'), example)
  const { status, stdout, stderr } = await runProgram(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: { SITE: site.url },
  })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^100 responses, p99 [\d.]+ ms\np99<500ms: passed\nerrors<1%: passed\n$/)
  assert.match(stderr, /^\d\.\d s: \d+ done, \d+ under way$/m)
  assert.ok(existsSync(join(folder, 'articles.html')))
})

test('a plan that is wrong is refused with everything that is wrong in it', async (t) => {
  const folder = projectWith(t)
  const code = `import { run, UsageError } from 'onager'
    try { await run({ load: { users: 0, duration: '5' }, urls: ['http://127.0.0.1:9/'] }) }
    catch (error) { console.log(error instanceof UsageError, error.problems.length) }`
  writeFileSync(join(folder, 'wrong.mjs'), code)
  const { stdout } = await runProgram(process.execPath, ['wrong.mjs'], { cwd: folder })
  assert.equal(stdout, 'true 2\n')
})

test('an aborted run gives what was counted until then', async (t) => {
  const folder = projectWith(t)
  const site = await startedSite(t)
  const code = `import { run, summarize } from 'onager'
    const plan = { load: { users: 2, duration: '1m' }, urls: ['${site.url}'] }
    const stop = new AbortController()
    const onProgress = ({ completedCount }) => { if (completedCount > 0) stop.abort() }
    const result = await run(plan, { signal: stop.signal, onProgress })
    console.log(result.endedBy, result.elapsedNs < 30e9, summarize(result).completedCount > 0)`
  writeFileSync(join(folder, 'aborted.mjs'), code)
  const { stdout, stderr } = await runProgram(process.execPath, ['aborted.mjs'], { cwd: folder })
  assert.equal(stdout, 'signal true true\n', stderr)
})

test('the types of the library are there for a program in TypeScript', (t) => {
  const folder = projectWith(t)
  const code = `import { definePlan, mergeResults, run, summarize, type RunResult } from 'onager'
const plan = definePlan({ load: { users: 1, count: 1 }, urls: ['http://127.0.0.1:9/'] })
const result: RunResult = await run(plan)
const seconds: number = summarize(mergeResults([result])).elapsedNs / 1e9
// @ts-expect-error: a misspelt key is found.
definePlan({ lood: {} })
export { seconds }
`
  writeFileSync(join(folder, 'typed.ts'), code)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const types = ['--types', 'node', '--typeRoots', join(projectRoot, 'node_modules', '@types')]
  const run = spawnSync(process.execPath, [tsc, ...options, ...types, 'typed.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(run.status, 0, run.stdout)
})
