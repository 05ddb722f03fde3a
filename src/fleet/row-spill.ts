/**
 * Rows beyond memory. While the run lasts they are appended to a file as they come, which costs
 * next to nothing; when it is over the file is sorted batch by batch, each in its own place, and a
 * merge reads all batches at once, a small piece of each at a time. Ten million rows take 160 MB of
 * disk and a few megabytes of memory.
 *
 * A row is 16 bytes: start, connect, wait and total as 32-bit numbers in the machine's byte order.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { type RowColumns, rowOrderByTotal } from '../metrics/exchange-rows.ts'

const ROW_WORDS = 4
const ROW_BYTES: number = ROW_WORDS * Uint32Array.BYTES_PER_ELEMENT
const START_WORD = 0
const CONNECT_WORD = 1
const WAIT_WORD = 2
const TOTAL_WORD = 3
/** Rows that the merge reads of a batch at once. */
const PIECE_ROW_COUNT = 512
/** Rows that are written or sorted at once. */
const BATCH_ROW_COUNT = 65_536

/** A part of a file, whose rows are sorted by total time. */
export interface SpilledRows {
  readonly path: string
  readonly firstRow: number
  readonly rowCount: number
}

/** One row, used again for each that is read. */
export interface SpilledRow {
  startMs: number
  connectUs: number
  waitUs: number
  totalUs: number
}

/** Room for rows, seen as bytes and as words. */
class RowBlock {
  readonly bytes: Uint8Array
  readonly words: Uint32Array

  constructor(rowCount: number) {
    const memory = new ArrayBuffer(rowCount * ROW_BYTES)
    this.bytes = new Uint8Array(memory)
    this.words = new Uint32Array(memory)
  }

  /** Puts row `index` of `rows` at `place`. */
  put(place: number, rows: RowColumns, index: number): void {
    const word = place * ROW_WORDS
    this.words[word + START_WORD] = rows.startMs?.[index] ?? 0
    this.words[word + CONNECT_WORD] = rows.connectUs[index]!
    this.words[word + WAIT_WORD] = rows.waitUs[index]!
    this.words[word + TOTAL_WORD] = rows.totalUs[index]!
  }

  take(place: number, row: SpilledRow): void {
    const word = place * ROW_WORDS
    row.startMs = this.words[word + START_WORD]!
    row.connectUs = this.words[word + CONNECT_WORD]!
    row.waitUs = this.words[word + WAIT_WORD]!
    row.totalUs = this.words[word + TOTAL_WORD]!
  }
}

export class RowSpill {
  readonly #path: string
  readonly #block: RowBlock
  #fd = -1
  #rowCount = 0

  /** `appendedCountMax`: as many rows as are appended at once, at most. */
  constructor(folder: string, threadIndex: number, appendedCountMax: number) {
    this.#path = join(folder, `rows-${threadIndex}`)
    this.#block = new RowBlock(appendedCountMax)
  }

  /** While the run lasts: a few thousand rows at a time. */
  append(rows: RowColumns): void {
    if (this.#fd < 0) this.#fd = fs.openSync(this.#path, 'w+')
    const capacity = this.#block.words.length / ROW_WORDS
    for (let first = 0; first < rows.count; first += capacity) {
      const count = Math.min(capacity, rows.count - first)
      for (let place = 0; place < count; place++) this.#block.put(place, rows, first + place)
      writeRows(this.#fd, this.#block, { firstRow: this.#rowCount, rowCount: count })
      this.#rowCount += count
    }
  }

  /** When it is over: sorts what was appended. */
  finish(): readonly SpilledRows[] {
    if (this.#fd < 0) return []
    const batches: SpilledRows[] = []
    const sorter = new BatchSorter()
    for (let firstRow = 0; firstRow < this.#rowCount; firstRow += BATCH_ROW_COUNT) {
      const rowCount = Math.min(BATCH_ROW_COUNT, this.#rowCount - firstRow)
      sorter.sort(this.#fd, { firstRow, rowCount })
      batches.push({ path: this.#path, firstRow, rowCount })
    }
    fs.closeSync(this.#fd)
    this.#fd = -1
    return batches
  }
}

interface RowRange {
  readonly firstRow: number
  readonly rowCount: number
}

/** Sorts parts of a file one after the other, in the same memory. */
class BatchSorter {
  readonly #found: RowBlock = new RowBlock(BATCH_ROW_COUNT)
  readonly #sorted: RowBlock = new RowBlock(BATCH_ROW_COUNT)
  readonly #totals: Uint32Array = new Uint32Array(BATCH_ROW_COUNT)
  readonly #order: Float64Array = new Float64Array(BATCH_ROW_COUNT)

  sort(fd: number, range: RowRange): void {
    readRows(fd, this.#found, range)
    const from = this.#found.words
    const totals = this.#totals.subarray(0, range.rowCount)
    for (let index = 0; index < range.rowCount; index++) {
      totals[index] = from[index * ROW_WORDS + TOTAL_WORD]!
    }
    const order = rowOrderByTotal(totals, this.#order.subarray(0, range.rowCount))
    const to = this.#sorted.words
    for (let place = 0; place < range.rowCount; place++) {
      const word = order[place]! * ROW_WORDS
      for (let part = 0; part < ROW_WORDS; part++) to[place * ROW_WORDS + part] = from[word + part]!
    }
    writeRows(fd, this.#sorted, range)
  }
}

function writeRows(fd: number, block: RowBlock, { firstRow, rowCount }: RowRange): void {
  const byteCount = rowCount * ROW_BYTES
  let position = firstRow * ROW_BYTES
  for (let at = 0; at < byteCount; ) {
    const written = fs.writeSync(fd, block.bytes, at, byteCount - at, position)
    at += written
    position += written
  }
}

function readRows(fd: number, block: RowBlock, { firstRow, rowCount }: RowRange): void {
  const byteCount = rowCount * ROW_BYTES
  for (let at = 0; at < byteCount; ) {
    const position = firstRow * ROW_BYTES + at
    const read = fs.readSync(fd, block.bytes, at, byteCount - at, position)
    if (read === 0) throw new Error('a file of rows is shorter than it was')
    at += read
  }
}

/**
 * Calls `take` with every row of all batches, by ascending total time; and with those of `beside`,
 * rows that never left memory.
 */
export function readSpilled(
  batches: readonly SpilledRows[],
  take: (row: SpilledRow) => void,
  beside: readonly RowColumns[] = [],
): void {
  const fds = new Map<string, number>()
  try {
    for (const { path } of batches) if (!fds.has(path)) fds.set(path, fs.openSync(path, 'r'))
    const sources = [
      ...batches.map((batch) => new FileSource(fds.get(batch.path)!, batch)),
      ...beside.map((rows) => new MemorySource(rows)),
    ]
    mergeSources(sources, take)
  } finally {
    for (const fd of fds.values()) fs.closeSync(fd)
  }
}

/** Rows by ascending total time. */
interface RowSource {
  readonly row: SpilledRow
  /** To the next row, the first one included; false when there is none. */
  advance(): boolean
}

/** A heap: the source with the least total is the first, and no child's is less than its parent's. */
function mergeSources(all: readonly RowSource[], take: (row: SpilledRow) => void): void {
  const heap = all.filter((source) => source.advance())
  for (let index = heap.length >> 1; index >= 0; index--) sink(heap, index)
  for (let least = heap[0]; least !== undefined; least = heap[0]) {
    take(least.row)
    if (!least.advance()) {
      const last = heap.pop()!
      if (heap.length === 0) return
      heap[0] = last
    }
    sink(heap, 0)
  }
}

function sink(heap: RowSource[], from: number): void {
  for (let index = from; ; ) {
    let child = 2 * index + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && totalAt(heap, child + 1) < totalAt(heap, child)) child++
    if (totalAt(heap, index) <= totalAt(heap, child)) return
    const parent = heap[index]!
    heap[index] = heap[child]!
    heap[child] = parent
    index = child
  }
}

function totalAt(heap: readonly RowSource[], index: number): number {
  return heap[index]!.row.totalUs
}

function emptyRow(): SpilledRow {
  return { startMs: 0, connectUs: 0, waitUs: 0, totalUs: 0 }
}

class FileSource implements RowSource {
  readonly row: SpilledRow = emptyRow()
  readonly #fd: number
  readonly #piece: RowBlock = new RowBlock(PIECE_ROW_COUNT)
  #firstRow: number
  #restCount: number
  #place = 0
  #count = 0

  constructor(fd: number, { firstRow, rowCount }: RowRange) {
    this.#fd = fd
    this.#firstRow = firstRow
    this.#restCount = rowCount
  }

  advance(): boolean {
    if (this.#place === this.#count && !this.#readPiece()) return false
    this.#piece.take(this.#place++, this.row)
    return true
  }

  #readPiece(): boolean {
    const count = Math.min(PIECE_ROW_COUNT, this.#restCount)
    if (count === 0) return false
    readRows(this.#fd, this.#piece, { firstRow: this.#firstRow, rowCount: count })
    this.#firstRow += count
    this.#restCount -= count
    this.#count = count
    this.#place = 0
    return true
  }
}

class MemorySource implements RowSource {
  readonly row: SpilledRow = emptyRow()
  readonly #rows: RowColumns
  readonly #order: Float64Array
  #place = 0

  constructor(rows: RowColumns) {
    this.#rows = rows
    this.#order = rowOrderByTotal(rows.totalUs)
  }

  advance(): boolean {
    if (this.#place === this.#order.length) return false
    const index = this.#order[this.#place++]!
    this.row.startMs = this.#rows.startMs?.[index] ?? 0
    this.row.connectUs = this.#rows.connectUs[index]!
    this.row.waitUs = this.#rows.waitUs[index]!
    this.row.totalUs = this.#rows.totalUs[index]!
    return true
  }
}
