/**
 * Reports of fixed runs, compared with the files in `test/golden`. `UPDATE_GOLDEN=1` rewrites them;
 * the difference is then read like any other change.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { siegeJson } from '../src/report/siege-json.ts'
import { siegeStatistics } from '../src/report/siege-statistics.ts'
import { siegeFigures } from '../src/result/siege-figures.ts'
import { summarize } from '../src/result/summary.ts'
import { projectRoot } from './support/files.ts'
import { fixedRuns } from './support/fixed-runs.ts'

const folder = join(projectRoot, 'test', 'golden')

function compare(name: string, text: string): void {
  const path = join(folder, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, text)
  }
  assert.ok(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`)
  assert.equal(text, readFileSync(path, 'utf8'), `${name} differs; UPDATE_GOLDEN=1 rewrites it`)
}

for (const [name, makeResult] of Object.entries(fixedRuns)) {
  test(`siegeStatistics() of the run "${name}" is as in its golden file`, () => {
    const result = makeResult()
    const options = { classic: false, debug: false }
    compare(
      `siege-${name}.txt`,
      siegeStatistics(siegeFigures(result.snapshot, result.elapsedNs), summarize(result), options),
    )
  })

  test(`siegeJson() of the run "${name}" is as in its golden file`, () => {
    const result = makeResult()
    const text = siegeJson(siegeFigures(result.snapshot, result.elapsedNs), summarize(result))
    JSON.parse(text)
    compare(`siege-${name}.json.txt`, text)
  })
}

test('siegeStatistics() classic and debug is as in its golden file', () => {
  const result = fixedRuns.mixed()
  const options = { classic: true, debug: true }
  const text = siegeStatistics(
    siegeFigures(result.snapshot, result.elapsedNs),
    summarize(result),
    options,
  )
  compare('siege-classic-debug.txt', text)
})

test('siegeJson() classic is as in its golden file', () => {
  const result = fixedRuns.mixed()
  const text = siegeJson(siegeFigures(result.snapshot, result.elapsedNs), null)
  compare('siege-classic.json.txt', text)
})
