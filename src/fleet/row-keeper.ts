/**
 * What ab counts of each exchange in one thread: rows of times, differing lengths, kept connections.
 *
 * Threads share one cell with the length that all others are compared with: that of the first
 * response anywhere. Rows are kept up to a limit; what comes then goes into histograms and, where
 * rows are wanted to the last one, to a file (`row-spill.ts`). Nothing is sorted or converted before
 * the run is over: it would be late meanwhile.
 */

import { NS_PER_US } from '../base/units.ts'
import type { ResponseReader } from '../engine/transport.ts'
import type { Exchange } from '../metrics/exchange.ts'
import {
  connectNsOf,
  ExchangeRows,
  joinRows,
  type RowColumns,
  waitNsOf,
} from '../metrics/exchange-rows.ts'
import { Histogram, type HistogramSnapshot } from '../metrics/histogram.ts'
import { HeaderFilter } from '../wire/header-filter.ts'
import { RowSpill, type SpilledRows } from './row-spill.ts'

/** Rows of all threads together. */
export const ROW_COUNT_MAX = 1_000_000
const LENGTH_UNKNOWN = -1n
/** Late rows that are written at once. */
const LATE_ROW_COUNT = 4096

/** What a run is asked to keep. */
export interface RowWish {
  /** Rows know their start, and every one is kept: in files of this folder beyond the limit. */
  readonly spillFolder: string | null
  /** No more exchanges than these will end. */
  readonly exchangeCountMax: number
}

/** What a thread needs for it; the cells are those of all threads. */
export interface RowTask extends RowWish {
  readonly threadIndex: number
  readonly threadCount: number
  /** Length of the first response; -1 before there is one. */
  readonly lengthCell: BigInt64Array
  /** Exchanges ended, by thread; each thread writes to its own. */
  readonly endedCells: Float64Array
}

export interface RowHistograms {
  readonly connect: HistogramSnapshot
  readonly processing: HistogramSnapshot
  readonly wait: HistogramSnapshot
  readonly total: HistogramSnapshot
}

/** Of one thread, or of all. */
export interface KeptRows {
  /** Null when there were too many; then `histograms` has their times. */
  readonly rows: RowColumns | null
  readonly histograms: RowHistograms | null
  readonly spilled: readonly SpilledRows[]
  /** Rows of threads that had few enough, where others had more. */
  readonly unspilled: readonly RowColumns[]
  readonly differingLengthCount: number
  readonly keptConnectionCount: number
  /** Body bytes of the first response; null when there was none. */
  readonly firstBodyBytes: number | null
  /** Value of the Server field, of the first response that had one. */
  readonly server: string | null
}

const serverFilter = new HeaderFilter(['server'])

export class RowKeeper implements ResponseReader {
  readonly filter: HeaderFilter = serverFilter
  readonly #task: RowTask
  readonly #rows: ExchangeRows
  readonly #spill: RowSpill | null
  /** Of what came after the last row there was room for; null until then. */
  #histograms: TimeHistograms | null = null
  readonly #late: ExchangeRows = new ExchangeRows(LATE_ROW_COUNT, true)
  #firstBodyBytes = -1
  #differingLengthCount = 0
  #keptConnectionCount = 0
  #endedCount = 0
  #server: string | null = null
  #hasHead = false

  constructor(task: RowTask) {
    this.#task = task
    const { spillFolder, threadIndex, threadCount, exchangeCountMax } = task
    const rowCountMax = Math.min(exchangeCountMax, Math.floor(ROW_COUNT_MAX / threadCount))
    this.#rows = new ExchangeRows(rowCountMax, spillFolder !== null)
    this.#spill =
      spillFolder === null ? null : new RowSpill(spillFolder, threadIndex, LATE_ROW_COUNT)
  }

  /** HOT (bench/macro/main.ts). Itself until a whole head has been seen, then nobody. */
  get reader(): ResponseReader | undefined {
    return this.#hasHead ? undefined : this
  }

  header(_name: string, value: string): void {
    this.#server ??= value
  }

  head(): boolean {
    return false
  }

  body(): void {}

  /** HOT (bench/macro/main.ts). */
  completed(exchange: Exchange): void {
    if (!this.#hasHead) this.#hasHead = true
    if (exchange.isConnectionKept) this.#keptConnectionCount++
    if (this.#firstBodyBytes < 0) this.#settleLength(exchange.bodyBytes)
    if (exchange.bodyBytes !== this.#firstBodyBytes) this.#differingLengthCount++
    if (this.#rows.count < this.#rows.capacity) this.#rows.add(exchange)
    else this.#addLate(exchange)
    this.#noteEnded()
  }

  failed(): void {
    this.#noteEnded()
  }

  #noteEnded(): void {
    this.#endedCount++
    this.#task.endedCells[this.#task.threadIndex] = this.#endedCount
  }

  #settleLength(bodyBytes: number): void {
    const { lengthCell } = this.#task
    const before = Atomics.compareExchange(lengthCell, 0, LENGTH_UNKNOWN, BigInt(bodyBytes))
    this.#firstBodyBytes = before === LENGTH_UNKNOWN ? bodyBytes : Number(before)
  }

  #addLate(exchange: Exchange): void {
    this.#histograms ??= new TimeHistograms()
    this.#histograms.add(exchange)
    if (this.#spill === null) return
    this.#late.add(exchange)
    if (this.#late.count < LATE_ROW_COUNT) return
    this.#spill.append(this.#late.columns())
    this.#late.clear()
  }

  /** Call once, at the end. */
  result(): KeptRows {
    const columns = this.#rows.columns()
    const isComplete = this.#histograms === null
    this.#histograms?.addRows(columns)
    return {
      rows: isComplete ? columns : null,
      histograms: this.#histograms?.snapshots() ?? null,
      spilled: isComplete ? [] : this.#spillAll(columns),
      unspilled: [],
      differingLengthCount: this.#differingLengthCount,
      keptConnectionCount: this.#keptConnectionCount,
      firstBodyBytes: this.#firstBodyBytes < 0 ? null : this.#firstBodyBytes,
      server: this.#server,
    }
  }

  #spillAll(rows: RowColumns): readonly SpilledRows[] {
    if (this.#spill === null) return []
    this.#spill.append(this.#late.columns())
    this.#spill.append(rows)
    return this.#spill.finish()
  }
}

class TimeHistograms {
  readonly #connect: Histogram = new Histogram(3)
  readonly #processing: Histogram = new Histogram(3)
  readonly #wait: Histogram = new Histogram(3)
  readonly #total: Histogram = new Histogram(3)

  /** HOT (bench/macro/main.ts). */
  add(exchange: Exchange): void {
    const totalNs = exchange.endNs - exchange.startNs
    const connectNs = connectNsOf(exchange)
    this.#connect.record(connectNs)
    this.#processing.record(Math.max(0, totalNs - connectNs))
    this.#wait.record(Math.max(0, waitNsOf(exchange)))
    this.#total.record(totalNs)
  }

  addRows(rows: RowColumns): void {
    for (let index = 0; index < rows.count; index++) {
      const connectUs = rows.connectUs[index]!
      const totalUs = rows.totalUs[index]!
      this.#connect.record(connectUs * NS_PER_US)
      this.#processing.record(Math.max(0, totalUs - connectUs) * NS_PER_US)
      this.#wait.record(rows.waitUs[index]! * NS_PER_US)
      this.#total.record(totalUs * NS_PER_US)
    }
  }

  addSnapshots(snapshots: RowHistograms): void {
    this.#connect.addSnapshot(snapshots.connect)
    this.#processing.addSnapshot(snapshots.processing)
    this.#wait.addSnapshot(snapshots.wait)
    this.#total.addSnapshot(snapshots.total)
  }

  snapshots(): RowHistograms {
    return {
      connect: this.#connect.snapshot(),
      processing: this.#processing.snapshot(),
      wait: this.#wait.snapshot(),
      total: this.#total.snapshot(),
    }
  }
}

/** What all threads kept, as one. */
export function mergeKeptRows(parts: readonly KeptRows[]): KeptRows {
  const whole = parts.flatMap(({ rows }) => (rows === null ? [] : [rows]))
  const isComplete = whole.length === parts.length
  return {
    rows: isComplete ? joinRows(whole) : null,
    histograms: isComplete ? null : mergedHistograms(parts),
    spilled: parts.flatMap(({ spilled }) => spilled),
    unspilled: isComplete ? [] : whole,
    differingLengthCount: sumOf(parts, ({ differingLengthCount }) => differingLengthCount),
    keptConnectionCount: sumOf(parts, ({ keptConnectionCount }) => keptConnectionCount),
    firstBodyBytes: firstKnown(parts.map(({ firstBodyBytes }) => firstBodyBytes)),
    server: firstKnown(parts.map(({ server }) => server)),
  }
}

function mergedHistograms(parts: readonly KeptRows[]): RowHistograms {
  const merged = new TimeHistograms()
  for (const { rows, histograms } of parts) {
    if (rows !== null) merged.addRows(rows)
    if (histograms !== null) merged.addSnapshots(histograms)
  }
  return merged.snapshots()
}

function sumOf(parts: readonly KeptRows[], countOf: (part: KeptRows) => number): number {
  return parts.reduce((sum, part) => sum + countOf(part), 0)
}

function firstKnown<Value>(values: readonly (Value | null)[]): Value | null {
  return values.find((value) => value !== null) ?? null
}
