/**
 * Times of single exchanges in microseconds, one row each, as columns of numbers.
 *
 * ab's figures are made from rows, exact to the microsecond. They take memory for each exchange, so
 * there is a limit; whoever keeps rows counts in histograms beyond it (`fleet/row-keeper.ts`). It
 * knows neither engine nor report.
 */
import { NS_PER_US } from '../base/units.ts'
import type { Exchange } from './exchange.ts'

/** Columns of equal length. A reused connection has a connect time of 0. */
export interface RowColumns {
  readonly count: number
  /** Microseconds since the run's start; null when nobody asked for it. */
  readonly startUs: Float64Array | null
  readonly connectUs: Uint32Array
  readonly waitUs: Uint32Array
  readonly totalUs: Uint32Array
}

const ROW_COUNT_AT_FIRST = 4096
/** 71 minutes, as far as 32 bits go; a longer time stands as this. */
const TIME_US_MAX = 2 ** 32 - 1

export class ExchangeRows {
  #count = 0
  #startUs: Float64Array | null
  #connectUs: Uint32Array
  #waitUs: Uint32Array
  #totalUs: Uint32Array

  constructor(keepsStart: boolean) {
    this.#startUs = keepsStart ? new Float64Array(ROW_COUNT_AT_FIRST) : null
    this.#connectUs = new Uint32Array(ROW_COUNT_AT_FIRST)
    this.#waitUs = new Uint32Array(ROW_COUNT_AT_FIRST)
    this.#totalUs = new Uint32Array(ROW_COUNT_AT_FIRST)
  }

  get count(): number {
    return this.#count
  }

  /** HOT (bench/macro/main.ts). Takes no memory of its own but when the columns double. */
  add(exchange: Exchange): void {
    const index = this.#count
    if (index === this.#totalUs.length) this.#grow()
    this.#count = index + 1
    this.#connectUs[index] = timeUs(connectNsOf(exchange))
    this.#waitUs[index] = timeUs(waitNsOf(exchange))
    this.#totalUs[index] = timeUs(exchange.endNs - exchange.startNs)
    if (this.#startUs !== null) this.#startUs[index] = Math.floor(exchange.startNs / NS_PER_US)
  }

  #grow(): void {
    const length = 2 * this.#totalUs.length
    this.#connectUs = grown(this.#connectUs, new Uint32Array(length))
    this.#waitUs = grown(this.#waitUs, new Uint32Array(length))
    this.#totalUs = grown(this.#totalUs, new Uint32Array(length))
    if (this.#startUs !== null) this.#startUs = grown(this.#startUs, new Float64Array(length))
  }

  /** Views on the columns, valid until the next `add` or `clear`. */
  columns(): RowColumns {
    const count = this.#count
    return {
      count,
      startUs: this.#startUs?.subarray(0, count) ?? null,
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

function grown<Column extends Uint32Array | Float64Array>(old: Column, column: Column): Column {
  column.set(old)
  return column
}

/** The rows of several threads as one. */
export function joinRows(parts: readonly RowColumns[]): RowColumns {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const keepsStart = parts.every((part) => part.startUs !== null)
  const joined = {
    count,
    startUs: keepsStart ? new Float64Array(count) : null,
    connectUs: new Uint32Array(count),
    waitUs: new Uint32Array(count),
    totalUs: new Uint32Array(count),
  }
  let at = 0
  for (const part of parts) {
    if (part.startUs !== null) joined.startUs?.set(part.startUs, at)
    joined.connectUs.set(part.connectUs, at)
    joined.waitUs.set(part.waitUs, at)
    joined.totalUs.set(part.totalUs, at)
    at += part.count
  }
  return joined
}

/** The order of the rows by total time; equal ones stay in the order in which they ended. */
export function rowOrderByTotal(totalUs: Uint32Array): Uint32Array {
  // One sort of plain numbers instead of one with a comparison: time and place in one double.
  const keys = new Float64Array(totalUs.length)
  for (let index = 0; index < keys.length; index++) keys[index] = totalUs[index]! * 2 ** 21 + index
  keys.sort()
  return Uint32Array.from(keys, (key) => key % 2 ** 21)
}
