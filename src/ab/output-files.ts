/** Writes the files of `-e` and `-g`, the second without holding all of it in memory. */
import fs from 'node:fs'
import type { KeptRows } from '../fleet/row-keeper.ts'
import { readSpilled } from '../fleet/row-spill.ts'
import { GnuplotLines, percentileCsv } from '../report/ab-files.ts'
import type { AbFigures } from '../result/ab-figures.ts'
import { errorText } from './errno.ts'

/** Null, or what went wrong, for stderr. */
export function writeCsv(path: string, figures: AbFigures): string | null {
  return writeFile(path, 'CSV output', (fd) => fs.writeFileSync(fd, percentileCsv(figures)))
}

/** `startedAtMs`: wall clock of the run's start. Null, or what went wrong, for stderr. */
export function writeGnuplot(path: string, kept: KeptRows, startedAtMs: number): string | null {
  return writeFile(path, 'gnuplot output', (fd) => {
    const lines = new GnuplotLines((bytes) => fs.writeFileSync(fd, bytes))
    const inMemory = kept.rows === null ? kept.unspilled : [kept.rows]
    readSpilled(kept.spilled, (row) => lines.write(startedAtMs + row.startMs, row), inMemory)
    lines.flush()
  })
}

/** Both words are ab's where ab has any: it does not notice when a disk is full. */
function writeFile(path: string, what: string, write: (fd: number) => void): string | null {
  let fd: number
  try {
    fd = fs.openSync(path, 'w')
  } catch (error) {
    return `Cannot open ${what} file: ${errorText(error)}\n`
  }
  try {
    write(fd)
    return null
  } catch (error) {
    return `Cannot write ${what} file: ${errorText(error)}\n`
  } finally {
    fs.closeSync(fd)
  }
}
