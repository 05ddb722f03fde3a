/** Rows and JSON of what was watched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeriesBuilder } from '../result/watched.ts'
import { watchedJson, watchedLines } from './siege-watched.ts'

function seriesOf(label: string, values: readonly number[], failures: readonly string[] = []) {
  const builder = new SeriesBuilder()
  for (const [index, value] of values.entries()) builder.add(index * 1e9, value)
  for (const reason of failures) builder.fail(reason)
  return builder.series(label, 'a command')
}

test('watchedLines() aligns labels, and shows numbers of any size', () => {
  const watched = [
    seriesOf('load', [0.1, 0.9, 0.26]),
    seriesOf('bytes', [1e9, 2e9]),
    seriesOf('tiny', [0.000123456, 1e300]),
  ]
  assert.deepEqual(watchedLines(watched, 9, 'Watched:'), [
    'Watched: load   min 0.10  mean 0.42  max 0.90  last 0.26',
    '         bytes  min 1000000000  mean 1500000000  max 2000000000  last 2000000000',
    '         tiny   min 0.000123  mean 5e+299  max 1e+300  last 1e+300',
  ])
})

test('watchedLines() tells of failures with an example, made safe for a terminal', () => {
  const lines = watchedLines(
    [seriesOf('a\x1b', [1], ['no\x07', 'x']), seriesOf('b', [], ['y'])],
    2,
    '',
  )
  assert.deepEqual(lines, [
    '  a\\x1b  min 1  mean 1  max 1  last 1',
    '  2 of 3 samples failed: no\\x07',
    '  b      no sample',
    '  1 of 1 samples failed: y',
  ])
})

test('watchedJson() has null where nothing was sampled, and the series', () => {
  const empty = watchedJson(seriesOf('a', []))
  assert.deepEqual([empty.value_min, empty.value_last, empty.failure_example], [null, null, null])
  const { series } = watchedJson(seriesOf('a', [3, 4]))
  assert.deepEqual(series, [
    { at_s: 0, value: 3 },
    { at_s: 1, value: 4 },
  ])
})
