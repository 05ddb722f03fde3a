/**
 * Rows beyond memory: each full batch goes to a file of its own, sorted by total time, and a merge
 * reads all of them back in order, a small piece of each at a time.
 *
 * A row is 24 bytes: start as a double, connect, wait and total as 32-bit numbers, 4 bytes unused.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { type RowColumns, rowOrderByTotal } from '../metrics/exchange-rows.ts'

const ROW_BYTES = 24
const PIECE_ROW_COUNT = 4096

/** A file of rows that are sorted by total time. */
export interface SpilledRows {
  readonly path: string
  readonly rowCount: number
}

/** One row, used again for each that is read. */
export interface SpilledRow {
  startUs: number
  connectUs: number
  waitUs: number
  totalUs: number
}

export class RowSpill {
  readonly #folder: string
  readonly #threadIndex: number
  readonly #files: SpilledRows[] = []

  constructor(folder: string, threadIndex: number) {
    this.#folder = folder
    this.#threadIndex = threadIndex
  }

  write(rows: RowColumns): void {
    if (rows.count === 0) return
    const order = rowOrderByTotal(rows.totalUs)
    const bytes = Buffer.alloc(rows.count * ROW_BYTES)
    for (let place = 0; place < rows.count; place++) {
      const index = order[place]!
      const at = place * ROW_BYTES
      bytes.writeDoubleLE(rows.startUs?.[index] ?? 0, at)
      bytes.writeUInt32LE(rows.connectUs[index]!, at + 8)
      bytes.writeUInt32LE(rows.waitUs[index]!, at + 12)
      bytes.writeUInt32LE(rows.totalUs[index]!, at + 16)
    }
    const path = join(this.#folder, `rows-${this.#threadIndex}-${this.#files.length}`)
    fs.writeFileSync(path, bytes)
    this.#files.push({ path, rowCount: rows.count })
  }

  finish(): readonly SpilledRows[] {
    return this.#files
  }
}

/** Calls `take` with every row of all files, by ascending total time. */
export function readSpilled(files: readonly SpilledRows[], take: (row: SpilledRow) => void): void {
  const readers = files.map((file) => new SpillReader(file)).filter((reader) => !reader.isEmpty)
  try {
    while (readers.length > 0) {
      let least = 0
      for (let index = 1; index < readers.length; index++) {
        if (readers[index]!.row.totalUs < readers[least]!.row.totalUs) least = index
      }
      const reader = readers[least]!
      take(reader.row)
      reader.advance()
      if (reader.isEmpty) readers.splice(least, 1)[0]!.close()
    }
  } finally {
    for (const reader of readers) reader.close()
  }
}

class SpillReader {
  readonly row: SpilledRow = { startUs: 0, connectUs: 0, waitUs: 0, totalUs: 0 }
  isEmpty = false
  readonly #fd: number
  readonly #piece: Buffer = Buffer.alloc(PIECE_ROW_COUNT * ROW_BYTES)
  #at = 0
  #end = 0

  constructor({ path }: SpilledRows) {
    this.#fd = fs.openSync(path, 'r')
    this.advance()
  }

  /** To the next row. */
  advance(): void {
    if (this.#at === this.#end) {
      this.#end = fs.readSync(this.#fd, this.#piece, 0, this.#piece.length, null)
      this.#at = 0
    }
    if (this.#end === 0) {
      this.isEmpty = true
      return
    }
    const { row } = this
    row.startUs = this.#piece.readDoubleLE(this.#at)
    row.connectUs = this.#piece.readUInt32LE(this.#at + 8)
    row.waitUs = this.#piece.readUInt32LE(this.#at + 12)
    row.totalUs = this.#piece.readUInt32LE(this.#at + 16)
    this.#at += ROW_BYTES
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}
