/**
 * Reports of fixed runs, compared with the files in `test/golden`. `UPDATE_GOLDEN=1` rewrites them;
 * the difference is then read like any other change.
 */
import { test } from 'node:test'
import { siegeJson } from '../src/report/siege-json.ts'
import { siegeStatistics } from '../src/report/siege-statistics.ts'
import { siegeFigures } from '../src/result/siege-figures.ts'
import { summarize } from '../src/result/summary.ts'
import { fixedRuns } from './support/fixed-runs.ts'
import { assertGolden } from './support/golden.ts'

for (const [name, makeResult] of Object.entries(fixedRuns)) {
  test(`siegeStatistics() of the run "${name}" is as in its golden file`, () => {
    const result = makeResult()
    const options = { classic: false, debug: false }
    assertGolden(
      `siege-${name}.txt`,
      siegeStatistics(siegeFigures(result.snapshot, result.elapsedNs), summarize(result), options),
    )
  })

  test(`siegeJson() of the run "${name}" is as in its golden file`, () => {
    const result = makeResult()
    const text = siegeJson(siegeFigures(result.snapshot, result.elapsedNs), summarize(result))
    JSON.parse(text)
    assertGolden(`siege-${name}.json.txt`, text)
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
  assertGolden('siege-classic-debug.txt', text)
})

test('siegeJson() classic is as in its golden file', () => {
  const result = fixedRuns.mixed()
  const text = siegeJson(siegeFigures(result.snapshot, result.elapsedNs), null)
  assertGolden('siege-classic.json.txt', text)
})
