/** The package that npm would publish: what is in it, and that it runs without the rest. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { projectRoot, tempFolder } from './support/files.ts'
import { runProgram } from './support/run-cli.ts'

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** Everything that may be in the package, by pattern. */
const SHIPPED: readonly RegExp[] = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^bin\/[\w.]+\.js$/,
  /^dist\/programs\/[\w/-]+\.js(?:\.map)?$/,
  // The types of the library.
  /^dist\/src\/(?:base|metrics|plan|result|run)\/[\w/-]+\.d\.ts$/,
  /^docs\/man\/[\w.-]+\.[15]$/,
  /^docs\/schema\/[\w.-]+\.schema\.json$/,
  /^completions\/(?:onager\.bash|onager\.fish|_onager)$/,
]

function pack(context: TestContext, ...options: string[]): Packed {
  // npm writes to its cache and log; they go where the test's other files go.
  const cache = join(tempFolder(context), 'npm')
  const args = ['pack', '--json', '--offline', '--ignore-scripts', `--cache=${cache}`, ...options]
  const run = spawnSync('npm', args, { cwd: projectRoot, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  // What npm prints is data of its own form.
  const [packed] = JSON.parse(run.stdout) as Packed[]
  return packed!
}

test('npm pack takes what the programs need, and no tests, benches or sources', (context) => {
  const { files } = pack(context, '--dry-run')
  const paths = files.map(({ path }) => path)
  const superfluous = paths.filter((path) => !SHIPPED.some((pattern) => pattern.test(path)))
  assert.deepEqual(superfluous, [])
  for (const pattern of SHIPPED) {
    assert.ok(
      paths.some((path) => pattern.test(path)),
      String(pattern),
    )
  }
  const { bin, man } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const named: string[] = [...Object.values<string>(bin), ...man]
  for (const path of named) assert.ok(paths.includes(path.replace('./', '')), path)
})

test('the packed programs run by themselves, without anything installed beside them', async (context) => {
  const folder = tempFolder(context)
  const { filename } = pack(context, `--pack-destination=${folder}`)
  mkdirSync(join(folder, 'package'))
  const untar = spawnSync('tar', ['-xf', filename], { cwd: folder, encoding: 'utf8' })
  assert.equal(untar.status, 0, untar.stderr)
  for (const [program, args, printed] of [
    ['siege', ['--help'], /^Puts a web server under load/],
    ['onager', ['completions', 'bash'], /^complete -F _onager onager$/m],
    ['siege.config', ['--help'], /^Writes a configuration file/],
    ['bombardment', ['--help'], /^Lays siege/],
    ['siege2csv', ['--help'], /^Makes a table/],
  ] as const) {
    const script = join(folder, 'package', 'bin', `${program}.js`)
    const { status, stdout, stderr } = await runProgram(process.execPath, [script, ...args])
    assert.equal(status, 0, stderr)
    assert.match(stdout, printed)
  }
})
