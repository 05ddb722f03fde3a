/**
 * Times of single exchanges in microseconds, one row each, as columns of numbers.
 *
 * ab's figures are made from rows, exact to the microsecond. They take memory for each exchange, so
 * there is a limit; whoever keeps rows counts in histograms beyond it (`fleet/row-keeper.ts`). It
 * knows neither engine nor report.
 */
import { NS_PER_MS, NS_PER_US } from '../base/units.ts'
import type { Exchange } from './exchange.ts'

/** Columns of equal length. A reused connection has a connect time of 0. */
export interface RowColumns {
  readonly count: number
  /** Milliseconds since the run's start; null when nobody asked for it. */
  readonly startMs: Uint32Array | null
  readonly connectUs: Uint32Array
  readonly waitUs: Uint32Array
  readonly totalUs: Uint32Array
}

/** 71 minutes, as far as 32 bits go; a longer time stands as this. */
const TIME_US_MAX = 2 ** 32 - 1

/**
 * Room for a fixed number of rows. The system gives memory for as much of it as is written to, so
 * the room may be large; and other threads see the columns without copies.
 */
export class ExchangeRows {
  readonly capacity: number
  #count = 0
  readonly #startMs: Uint32Array | null
  readonly #connectUs: Uint32Array
  readonly #waitUs: Uint32Array
  readonly #totalUs: Uint32Array

  constructor(capacity: number, keepsStart: boolean) {
    this.capacity = capacity
    this.#startMs = keepsStart ? sharedColumn(capacity) : null
    this.#connectUs = sharedColumn(capacity)
    this.#waitUs = sharedColumn(capacity)
    this.#totalUs = sharedColumn(capacity)
  }

  get count(): number {
    return this.#count
  }

  /** HOT (bench/macro/main.ts). Only while `count` is below `capacity`. */
  add(exchange: Exchange): void {
    const index = this.#count++
    this.#connectUs[index] = timeUs(connectNsOf(exchange))
    this.#waitUs[index] = timeUs(waitNsOf(exchange))
    this.#totalUs[index] = timeUs(exchange.endNs - exchange.startNs)
    if (this.#startMs !== null) this.#startMs[index] = Math.floor(exchange.startNs / NS_PER_MS)
  }

  /** Views on the columns, valid until the next `add` or `clear`. */
  columns(): RowColumns {
    const count = this.#count
    return {
      count,
      startMs: this.#startMs?.subarray(0, count) ?? null,
      connectUs: this.#connectUs.subarray(0, count),
      waitUs: this.#waitUs.subarray(0, count),
      totalUs: this.#totalUs.subarray(0, count),
    }
  }

  /** Forgets the rows and keeps the room. */
  clear(): void {
    this.#count = 0
  }
}

function sharedColumn(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))
}

/** HOT (bench/macro/main.ts). From the start until the request could be sent: name, TCP, TLS. */
export function connectNsOf(exchange: Exchange): number {
  return exchange.connectedNs < 0 ? 0 : exchange.sentNs - exchange.startNs
}

/** HOT (bench/macro/main.ts). From the request to the first byte of the answer. */
export function waitNsOf(exchange: Exchange): number {
  return exchange.firstByteNs - exchange.sentNs
}

function timeUs(ns: number): number {
  return ns <= 0 ? 0 : Math.min(Math.floor(ns / NS_PER_US), TIME_US_MAX)
}

/** The rows of several threads as one. */
export function joinRows(parts: readonly RowColumns[]): RowColumns {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const keepsStart = parts.every((part) => part.startMs !== null)
  const joined = {
    count,
    startMs: keepsStart ? new Uint32Array(count) : null,
    connectUs: new Uint32Array(count),
    waitUs: new Uint32Array(count),
    totalUs: new Uint32Array(count),
  }
  let at = 0
  for (const part of parts) {
    if (part.startMs !== null) joined.startMs?.set(part.startMs, at)
    joined.connectUs.set(part.connectUs, at)
    joined.waitUs.set(part.waitUs, at)
    joined.totalUs.set(part.totalUs, at)
    at += part.count
  }
  return joined
}

/**
 * The order of the rows by total time; equal ones stay in the order in which they ended. It stands
 * in `room`, which has a place for each row.
 */
export function rowOrderByTotal(
  totalUs: Uint32Array,
  room: Float64Array = new Float64Array(totalUs.length),
): Float64Array {
  // One sort of plain numbers instead of one with a comparison: time and place in one double.
  for (let index = 0; index < room.length; index++) room[index] = totalUs[index]! * 2 ** 21 + index
  room.sort()
  for (let place = 0; place < room.length; place++) room[place] = room[place]! % 2 ** 21
  return room
}
