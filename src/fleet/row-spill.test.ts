/** Tests of rows in files: every row comes back, by ascending total time. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RowColumns } from '../metrics/exchange-rows.ts'
import { RowSpill, readSpilled } from './row-spill.ts'

test('readSpilled() gives every row of files and of memory in order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onager-spill-'))
  try {
    const spills = [new RowSpill(folder, 0, 5000), new RowSpill(folder, 1, 700)]
    const written: number[] = []
    const beside: RowColumns[] = []
    for (let batch = 0; batch < 5; batch++) {
      const totals = Array.from(
        { length: 5000 },
        (_, index) => (index * 7919 + batch * 31) % 100_003,
      )
      written.push(...totals)
      const rows = {
        count: totals.length,
        startMs: Uint32Array.from(totals, (total) => total + 3),
        connectUs: Uint32Array.from(totals, (total) => total + 1),
        waitUs: Uint32Array.from(totals, (total) => total + 2),
        totalUs: Uint32Array.from(totals),
      }
      if (batch < 4) spills[batch % 2]!.append(rows)
      else beside.push(rows)
    }
    const read: number[] = []
    readSpilled(
      spills.flatMap((spill) => spill.finish()),
      ({ startMs, connectUs, waitUs, totalUs }) => {
        assert.deepEqual([startMs, connectUs, waitUs], [totalUs + 3, totalUs + 1, totalUs + 2])
        read.push(totalUs)
      },
      beside,
    )
    assert.deepEqual(
      read,
      written.toSorted((a, b) => a - b),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
