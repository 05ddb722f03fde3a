/**
 * Rows beyond memory. While the run lasts they are appended to a file as they come, which costs
 * next to nothing; when it is over they are sorted batch by batch into files of their own, and a
 * merge reads these back in order, a small piece of each at a time.
 *
 * A row is 24 bytes: start as a double, then connect, wait and total as 32-bit numbers, and 4 bytes
 * unused, all in the machine's own byte order.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { type RowColumns, rowOrderByTotal } from '../metrics/exchange-rows.ts'

const ROW_BYTES = 24
const ROW_WORDS = ROW_BYTES / 4
const ROW_DOUBLES = ROW_BYTES / 8
const CONNECT_WORD = 2
const WAIT_WORD = 3
const TOTAL_WORD = 4
const PIECE_ROW_COUNT = 4096
/** Rows that are sorted at once. */
const BATCH_ROW_COUNT = 131_072

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

/** Room for rows, seen as bytes, doubles and words. */
class RowBlock {
  readonly bytes: Uint8Array
  readonly doubles: Float64Array
  readonly words: Uint32Array

  constructor(rowCount: number) {
    const memory = new ArrayBuffer(rowCount * ROW_BYTES)
    this.bytes = new Uint8Array(memory)
    this.doubles = new Float64Array(memory)
    this.words = new Uint32Array(memory)
  }

  /** Puts row `index` of `rows` at `place`. */
  put(place: number, rows: RowColumns, index: number): void {
    this.doubles[place * ROW_DOUBLES] = rows.startUs?.[index] ?? 0
    const word = place * ROW_WORDS
    this.words[word + CONNECT_WORD] = rows.connectUs[index]!
    this.words[word + WAIT_WORD] = rows.waitUs[index]!
    this.words[word + TOTAL_WORD] = rows.totalUs[index]!
  }

  columns(count: number): RowColumns {
    const column = (word: number) =>
      Uint32Array.from({ length: count }, (_, place) => this.words[place * ROW_WORDS + word]!)
    return {
      count,
      startUs: Float64Array.from(
        { length: count },
        (_, place) => this.doubles[place * ROW_DOUBLES]!,
      ),
      connectUs: column(CONNECT_WORD),
      waitUs: column(WAIT_WORD),
      totalUs: column(TOTAL_WORD),
    }
  }
}

export class RowSpill {
  readonly #folder: string
  readonly #threadIndex: number
  readonly #files: SpilledRows[] = []
  #fd = -1
  #block: RowBlock | undefined

  constructor(folder: string, threadIndex: number) {
    this.#folder = folder
    this.#threadIndex = threadIndex
  }

  /** While the run lasts: a few thousand rows at a time. */
  append(rows: RowColumns): void {
    if (this.#fd < 0) this.#fd = fs.openSync(this.#pathOf('late'), 'w+')
    const block = this.#blockFor(rows.count)
    for (let index = 0; index < rows.count; index++) block.put(index, rows, index)
    fs.writeSync(this.#fd, block.bytes, 0, rows.count * ROW_BYTES)
  }

  /** When it is over: sorts what was appended, and `rows` besides. */
  finish(rows: RowColumns): readonly SpilledRows[] {
    for (let start = 0; start < rows.count; start += BATCH_ROW_COUNT) {
      this.#writeSorted(sliceOf(rows, start, Math.min(start + BATCH_ROW_COUNT, rows.count)))
    }
    if (this.#fd >= 0) this.#sortAppended(this.#fd)
    return this.#files
  }

  #sortAppended(fd: number): void {
    const block = new RowBlock(BATCH_ROW_COUNT)
    for (let position = 0; ; ) {
      const readBytes = fs.readSync(fd, block.bytes, 0, block.bytes.length, position)
      if (readBytes === 0) break
      position += readBytes
      this.#writeSorted(block.columns(readBytes / ROW_BYTES))
    }
    fs.closeSync(fd)
    fs.rmSync(this.#pathOf('late'))
  }

  #writeSorted(rows: RowColumns): void {
    const block = this.#blockFor(rows.count)
    const order = rowOrderByTotal(rows.totalUs)
    for (let place = 0; place < rows.count; place++) block.put(place, rows, order[place]!)
    const path = this.#pathOf(String(this.#files.length))
    fs.writeFileSync(path, block.bytes.subarray(0, rows.count * ROW_BYTES))
    this.#files.push({ path, rowCount: rows.count })
  }

  #blockFor(rowCount: number): RowBlock {
    if (this.#block === undefined || this.#block.bytes.length < rowCount * ROW_BYTES) {
      this.#block = new RowBlock(Math.max(rowCount, PIECE_ROW_COUNT))
    }
    return this.#block
  }

  #pathOf(name: string): string {
    return join(this.#folder, `rows-${this.#threadIndex}-${name}`)
  }
}

function sliceOf(rows: RowColumns, start: number, end: number): RowColumns {
  return {
    count: end - start,
    startUs: rows.startUs?.subarray(start, end) ?? null,
    connectUs: rows.connectUs.subarray(start, end),
    waitUs: rows.waitUs.subarray(start, end),
    totalUs: rows.totalUs.subarray(start, end),
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
  readonly #piece: RowBlock = new RowBlock(PIECE_ROW_COUNT)
  #place = 0
  #count = 0

  constructor({ path }: SpilledRows) {
    this.#fd = fs.openSync(path, 'r')
    this.advance()
  }

  /** To the next row. */
  advance(): void {
    const { row } = this
    const { bytes, doubles, words } = this.#piece
    if (this.#place === this.#count) {
      this.#count = fs.readSync(this.#fd, bytes, 0, bytes.length, null) / ROW_BYTES
      this.#place = 0
    }
    if (this.#count === 0) {
      this.isEmpty = true
      return
    }
    const word = this.#place * ROW_WORDS
    row.startUs = doubles[this.#place * ROW_DOUBLES]!
    row.connectUs = words[word + CONNECT_WORD]!
    row.waitUs = words[word + WAIT_WORD]!
    row.totalUs = words[word + TOTAL_WORD]!
    this.#place++
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}
