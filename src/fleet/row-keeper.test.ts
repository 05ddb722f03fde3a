/** Tests of the keeper of rows: lengths compared over threads, and what lies beyond the limit. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Exchange } from '../metrics/exchange.ts'
import { mergeKeptRows, ROW_COUNT_MAX, RowKeeper, type RowTask } from './row-keeper.ts'
import { readSpilled } from './row-spill.ts'

function tasksOf(threadCount: number, spillFolder: string | null = null): RowTask[] {
  const lengthCell = new BigInt64Array(1).fill(-1n)
  const endedCells = new Float64Array(threadCount)
  return Array.from({ length: threadCount }, (_, threadIndex) => ({
    spillFolder,
    exchangeCountMax: 20_000,
    threadIndex,
    threadCount,
    lengthCell,
    endedCells,
  }))
}

function exchangeOf(totalUs: number, bodyBytes: number): Exchange {
  const exchange = new Exchange()
  exchange.reset(0, 1000)
  exchange.sentNs = 1000
  exchange.firstByteNs = 2000
  exchange.endNs = 1000 + totalUs * 1000
  exchange.bodyBytes = bodyBytes
  return exchange
}

test('RowKeeper compares all lengths with that of the first response of any thread', () => {
  const tasks = tasksOf(2)
  const [a, b] = tasks.map((task) => new RowKeeper(task))
  a!.completed(exchangeOf(5, 10))
  b!.completed(exchangeOf(6, 11))
  b!.completed(exchangeOf(7, 10))
  b!.failed()
  const merged = mergeKeptRows([a!.result(), b!.result()])
  assert.equal(merged.firstBodyBytes, 10)
  assert.equal(merged.differingLengthCount, 1)
  assert.deepEqual([...merged.rows!.totalUs], [5, 6, 7])
  assert.deepEqual([...tasks[0]!.endedCells], [1, 3])
})

test('RowKeeper loses no time and no row beyond its limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onager-keeper-'))
  try {
    // A share so small that a few thousand rows are beyond it.
    const [task] = tasksOf(1, folder)
    const keeper = new RowKeeper({ ...task!, threadCount: ROW_COUNT_MAX / 1000 })
    const totals = Array.from({ length: 10_000 }, (_, index) => 1 + ((index * 7919) % 1999))
    for (const total of totals) keeper.completed(exchangeOf(total, 1))
    const { rows, histograms, spilled } = keeper.result()
    assert.equal(rows, null)
    assert.equal(histograms!.total.totalCount, 10_000)
    assert.equal(histograms!.total.maxNs, 1999_000)
    const read: number[] = []
    readSpilled(spilled, ({ totalUs }) => read.push(totalUs))
    assert.deepEqual(
      read,
      totals.toSorted((x, y) => x - y),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
