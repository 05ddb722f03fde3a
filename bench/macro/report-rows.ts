/** What it costs to render the result of an hour again. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeResult } from '../../src/result/result-file.ts'
import { nodePacking } from '../../src/run/node-packing.ts'
import { longRun, richRun } from '../../test/support/rich-run.ts'
import { environment, onagerProgram } from './contenders.ts'
import type { BoundRow } from './rows.ts'

/** 216,000 requests of an hour: each second and each name has its own figures whatever the rate. */
const ARRIVALS_PER_SECOND = 60

let folder: string | undefined

/** Made when the row is run: it takes seconds. */
function folderWithHour(): string {
  if (folder !== undefined) return folder
  folder = mkdtempSync(join(tmpdir(), 'onager-hour-'))
  const hour = richRun(longRun(ARRIVALS_PER_SECOND))
  writeFileSync(join(folder, 'hour.onager.json'), encodeResult(hour, nodePacking))
  return folder
}

export const reportRows: readonly BoundRow[] = [
  {
    kind: 'bound',
    name: 'onager report: HTML of an hour with 1,000 request names',
    unit: 'ms',
    contender: {
      name: 'onager report',
      get command() {
        const file = (name: string) => join(folderWithHour(), name)
        const options = ['--format=html', '-o', file('hour.html'), file('hour.onager.json')]
        return [process.execPath, onagerProgram, 'report', ...options]
      },
      environment,
      requestCountOf: () => 0,
      rateOf: () => 0,
    },
    bound: 2000,
    figureOf: ({ elapsedMs }) => elapsedMs,
  },
]
