/**
 * Runs every micro bench briefly, so that none rots, and twice, so that the hash of its work is
 * known not to depend on chance: a bench that leaves work out, or does other work, is found.
 *
 * How fast they are is not looked at: `npm run bench` does that.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from './support/files.ts'

interface BenchOutcome {
  readonly hash: number
  readonly rows: readonly object[]
}

interface BenchModule {
  readonly smokeIterationCount: number
  readonly iterationCount: number
  bench(iterationCount: number): BenchOutcome | Promise<BenchOutcome>
}

const folder = join(projectRoot, 'dist', 'bench', 'micro')
const names = readdirSync(folder).filter((name) => name.endsWith('.bench.js'))

test('there are micro benches', () => {
  assert.ok(names.length >= 3, names.join(' '))
})

for (const name of names) {
  test(`${name} does the same work twice and measures something`, async () => {
    const module: BenchModule = await import(pathToFileURL(join(folder, name)).href)
    assert.ok(module.smokeIterationCount < module.iterationCount)
    const first = await module.bench(module.smokeIterationCount)
    const second = await module.bench(module.smokeIterationCount)
    assert.ok(Number.isFinite(first.hash) && first.hash !== 0, `hash ${first.hash}`)
    assert.equal(second.hash, first.hash)
    assert.ok(first.rows.length > 0)
  })
}
