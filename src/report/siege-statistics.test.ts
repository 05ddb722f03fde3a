/** siege's own block of statistics, as text and JSON, laid out as real siege lays it out. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '../../test/support/files.ts'
import { requirePart } from '../../test/support/real-parts.ts'
import { runProgram } from '../../test/support/run-cli.ts'
import type { SiegeFigures } from '../result/siege-figures.ts'
import { siegeJson } from './siege-json.ts'
import { classicBlock } from './siege-statistics.ts'

const figures: SiegeFigures = {
  transactionCount: 2,
  availabilityPercent: 100,
  elapsedS: 0.014,
  dataMb: 0.002,
  responseTimeS: 0.003,
  transactionsPerSecond: 142.857,
  mbPerSecond: 0.142,
  concurrency: 0.428,
  successfulCount: 2,
  okCount: 2,
  failedCount: 0,
  longestS: 0.006,
  shortestS: 0.001,
}

test('classicBlock() keeps its columns for numbers wider than siege planned for', () => {
  const block = classicBlock({ ...figures, transactionCount: 12_345_678_901_234 }, false)
  assert.match(block, /^\nTransactions:\t\t12345678901234 hits\n/)
})

test('classicBlock() never prints what is not a finite number', () => {
  const broken = Object.fromEntries(
    Object.keys(figures).map((key, index) => [key, index % 2 === 0 ? Number.NaN : -1 / 0]),
  ) as unknown as SiegeFigures
  assert.doesNotMatch(classicBlock(broken, true), /NaN|Infinity/)
})

test('classicBlock() has the layout of real siege, line by line', async (t) => {
  const lines = await realSiege(t, [])
  if (lines === null) return
  assert.deepEqual(masked(classicBlock(figures, false)), masked(lines.stderrBlock))
})

test('classicBlock() with debug has the layout of real siege', async (t) => {
  const lines = await realSiege(t, ['-D'])
  if (lines === null) return
  assert.deepEqual(masked(classicBlock(figures, true)), masked(lines.stderrBlock))
})

test('siegeJson() begins with what real siege prints', async (t) => {
  const lines = await realSiege(t, ['-j'])
  if (lines === null) return
  // siege 4.0.7 has the first key beside the brace; ours is the form of 4.0.9 and later.
  const real = lines.stdout.replace(/^\{\t/, '{\n\t')
  assert.deepEqual(masked(siegeJson(figures, null)), masked(real))
})

/** Numbers of the same width become the same: what is left is the layout. */
function masked(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/ *\d+/g, (found) => '#'.repeat(found.length)))
}

/** Two requests by real siege to a server of ours, or null where siege is not installed. */
async function realSiege(
  t: TestContext,
  args: readonly string[],
): Promise<{ stdout: string; stderrBlock: string } | null> {
  const siege = requirePart(t, 'siege')
  if (siege === undefined) return null
  const server = createServer((_request, response) => response.end('hello'))
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const home = tempFolder(t)
  const configFile = join(home, 'siege.conf')
  writeFileSync(configFile, 'json_output = false\n')
  const url = `http://127.0.0.1:${port}/`
  const run = await runProgram(siege, ['-R', configFile, '-r2', '-c1', ...args, url], { home })
  const { stderr } = run
  // The first run in a new home directory is announced on stdout, in front of the JSON.
  const stdout = run.stdout.slice(Math.max(run.stdout.indexOf('{'), 0))
  return { stdout, stderrBlock: stderr.slice(Math.max(stderr.indexOf('\nTransactions:'), 0)) }
}
