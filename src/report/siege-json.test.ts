/**
 * What holds of a report whatever happened in the run: valid JSON with siege's keys first, text
 * without NaN and in its columns. How reports look is shown by `test/golden`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIGURE_NAMES } from '../../test/cli/siege-run.ts'
import { RunScript, resultOf } from '../../test/support/fixed-runs.ts'
import { fc } from '../../test/support/property.ts'
import { FAILURE_KIND_COUNT, type FailureKindNumber } from '../metrics/outcome.ts'
import type { RunResult } from '../result/run-result.ts'
import { type SiegeFigures, siegeFigures } from '../result/siege-figures.ts'
import { summarize } from '../result/summary.ts'
import { siegeJson } from './siege-json.ts'
import { siegeStatistics } from './siege-statistics.ts'

const few = fc.nat({ max: 30 })
const timeMs = fc.double({ min: 0.001, max: 100_000, noNaN: true })
/** Anything that may happen in a run, in any order, without any of it too. */
const results: fc.Arbitrary<RunResult> = fc
  .array(
    fc.oneof(
      fc.tuple(few, fc.integer({ min: 200, max: 599 }), timeMs).map(([count, status, ms]) => {
        return (script: RunScript) => script.completed(count, status, ms)
      }),
      fc.tuple(few, fc.nat({ max: FAILURE_KIND_COUNT - 1 }), fc.string()).map(([n, kind, text]) => {
        return (script: RunScript) => script.failed(n, kind as FailureKindNumber, text)
      }),
      few.map((count) => (script: RunScript) => script.emptyBodies(count)),
      few.map((count) => (script: RunScript) => script.pages(count, 3, 1)),
    ),
    { maxLength: 6 },
  )
  .chain((steps) =>
    fc
      .record({ inFlight: few, busyRatio: fc.double({ min: 0, max: 3, noNaN: true }) })
      .map(({ inFlight, busyRatio }) => {
        const script = new RunScript()
        for (const step of steps) step(script)
        return resultOf(script.inFlight(inFlight), { busyRatio })
      }),
  )

test("siegeJson() is valid for any run, siege's keys first and in order", () => {
  fc.assert(
    fc.property(results, (result) => {
      const figures = siegeFigures(result.snapshot, result.elapsedNs)
      const text = siegeJson(figures, summarize(result))
      const parsed = JSON.parse(text) as Record<string, unknown>
      assert.deepEqual(Object.keys(parsed), [...FIGURE_NAMES, 'onager'])
      for (const key of FIGURE_NAMES) assert.ok(Number.isFinite(parsed[key]), key)
      assert.deepEqual(Object.keys(JSON.parse(siegeJson(figures, null)) as object), FIGURE_NAMES)
      assert.ok(text.endsWith('}\n'))
    }),
    { numRuns: 200 },
  )
})

test('siegeJson() writes 0 for what is no finite number', () => {
  const figures = Object.fromEntries(
    ['transactionCount', 'failedCount', 'successfulCount', 'okCount', 'elapsedS', 'dataMb'].map(
      (key, index) => [key, index % 2 === 0 ? Number.NaN : Number.POSITIVE_INFINITY],
    ),
  ) as unknown as SiegeFigures
  const summary = { ...summarize(resultOf(new RunScript())), pagesPerSecond: Number.NaN }
  const parsed = JSON.parse(siegeJson(figures, summary)) as Record<string, unknown>
  assert.equal(parsed.transactions, 0)
  assert.equal(parsed.concurrency, 0)
  assert.equal((parsed.onager as Record<string, unknown>).pages_per_second, 0)
})

test('siegeStatistics() of any run has no NaN, no control character and a tidy layout', () => {
  fc.assert(
    fc.property(results, (result) => {
      const figures = siegeFigures(result.snapshot, result.elapsedNs)
      const options = { classic: false, debug: false }
      const text = siegeStatistics(figures, summarize(result), options)
      const classic = siegeStatistics(figures, summarize(result), { ...options, classic: true })
      assert.ok(text.includes(classic))
      assert.equal(classic.split('\n').length, 15)
      const added = text.slice(text.indexOf(classic) + classic.length)
      assert.doesNotMatch(text.replace(/^ {37}.*$/gm, ''), /NaN|Infinity|undefined|null/)
      assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f]/)
      // A label, a value that ends in column 36, a unit; or more about the row above; or a note.
      for (const line of added.split('\n').filter((line) => line !== '')) {
        assert.match(
          line,
          /^(.{24} *[\d.]+( [^ ].*)?$|.{35}\d( |$)| {37}|Note: |Warning: | {6,9}[^ ])/,
        )
      }
      assert.doesNotMatch(added, /[ \t]$/m)
    }),
    { numRuns: 200 },
  )
})
