/** Tests of rows in files: every row comes back, by ascending total time. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RowColumns } from '../metrics/exchange-rows.ts'
import { RowSpill, readSpilled } from './row-spill.ts'

test('readSpilled() gives every row of all files in order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onager-spill-'))
  try {
    const spills = [new RowSpill(folder, 0), new RowSpill(folder, 1)]
    const written: number[] = []
    const kept: RowColumns[] = []
    for (let batch = 0; batch < 5; batch++) {
      const totals = Array.from(
        { length: 5000 },
        (_, index) => (index * 7919 + batch * 31) % 100_003,
      )
      written.push(...totals)
      const rows = {
        count: totals.length,
        startUs: Float64Array.from(totals, (total) => total + 0.5),
        connectUs: Uint32Array.from(totals, (total) => total + 1),
        waitUs: Uint32Array.from(totals, (total) => total + 2),
        totalUs: Uint32Array.from(totals),
      }
      if (batch < 3) spills[batch % 2]!.append(rows)
      else kept.push(rows)
    }
    const read: number[] = []
    readSpilled(
      spills.flatMap((spill, index) => spill.finish(kept[index]!)),
      ({ startUs, connectUs, waitUs, totalUs }) => {
        assert.deepEqual([startUs, connectUs, waitUs], [totalUs + 0.5, totalUs + 1, totalUs + 2])
        read.push(totalUs)
      },
    )
    assert.deepEqual(
      read,
      written.toSorted((a, b) => a - b),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
