/** Writes the files of `-e` and `-g`, in the second without holding all of it in memory. */
import fs from 'node:fs'
import type { KeptRows } from '../fleet/row-keeper.ts'
import { readSpilled } from '../fleet/row-spill.ts'
import { rowOrderByTotal } from '../metrics/exchange-rows.ts'
import {
  GNUPLOT_HEADER,
  GnuplotLines,
  type GnuplotTimes,
  percentileCsv,
} from '../report/ab-files.ts'
import type { AbFigures } from '../result/ab-figures.ts'
import { errorText } from './errno.ts'

const PIECE_CHARACTERS = 1 << 20

/** Null, or what went wrong, for stderr. */
export function writeCsv(path: string, figures: AbFigures): string | null {
  try {
    fs.writeFileSync(path, percentileCsv(figures))
    return null
  } catch (error) {
    return `Cannot open CSV output file: ${errorText(error)}\n`
  }
}

/** `startedAtMs`: wall clock of the run's start. Null, or what went wrong, for stderr. */
export function writeGnuplot(path: string, kept: KeptRows, startedAtMs: number): string | null {
  try {
    const fd = fs.openSync(path, 'w')
    try {
      const lines = new GnuplotLines()
      let piece = GNUPLOT_HEADER
      const take = (startUs: number, times: GnuplotTimes) => {
        piece += lines.line(startedAtMs + startUs / 1000, times)
        if (piece.length < PIECE_CHARACTERS) return
        fs.writeSync(fd, piece)
        piece = ''
      }
      eachRow(kept, take)
      fs.writeSync(fd, piece)
    } finally {
      fs.closeSync(fd)
    }
    return null
  } catch (error) {
    return `Cannot open gnuplot output file: ${errorText(error)}\n`
  }
}

/** By ascending total time. Threads that kept all theirs in memory beside others have spilled. */
function eachRow(kept: KeptRows, take: (startUs: number, times: GnuplotTimes) => void): void {
  const { rows } = kept
  if (rows === null) {
    readSpilled(kept.spilled, (row) => take(row.startUs, row))
    return
  }
  for (const index of rowOrderByTotal(rows.totalUs)) {
    take(rows.startUs![index]!, {
      connectUs: rows.connectUs[index]!,
      waitUs: rows.waitUs[index]!,
      totalUs: rows.totalUs[index]!,
    })
  }
}
