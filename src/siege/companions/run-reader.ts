/**
 * Finds finished runs in whatever siege, the original or ours, has printed or logged.
 *
 * Four forms, all mixed as they come: the block of statistics (4.0 in seconds, 4.1.7 in
 * milliseconds), our addition below it, JSON objects, and lines of the log file. Everything else,
 * such as verbose lines, is passed over. A figure that is no number (siege logs `inf` and `-nan`)
 * counts as not told.
 */
import { BYTES_PER_MIB, MS_PER_S } from '../../base/units.ts'
import type { Figure, RunRow } from './run-rows.ts'

/** The runs of a text in the order in which they stand there. */
export function readRuns(text: string): RunRow[] {
  const reader = new RunReader()
  let at = 0
  for (const found of jsonObjects(text)) {
    reader.readLines(text.slice(at, found.start))
    reader.addJson(found.value)
    at = found.end
  }
  reader.readLines(text.slice(at))
  return reader.rows
}

interface BlockLine {
  readonly figure: Figure
  readonly pattern: RegExp
}

/** The lines of siege's block; the second group is the unit where it may be one of several. */
const BLOCK_LINES: readonly BlockLine[] = [
  { figure: 'availabilityPercent', pattern: /^Availability:\s+([\d.]+)\s*%/ },
  { figure: 'elapsedS', pattern: /^Elapsed time:\s+([\d.]+)\s*(secs|ms)/ },
  { figure: 'dataMb', pattern: /^Data transferred:\s+([\d.]+)\s*(MB|bytes)/ },
  { figure: 'responseTimeS', pattern: /^Response time:\s+([\d.]+)\s*(secs|ms)/ },
  { figure: 'transactionsPerSecond', pattern: /^Transaction rate:\s+([\d.]+)/ },
  { figure: 'mbPerSecond', pattern: /^Throughput:\s+([\d.]+)\s*(MB|bytes)?/ },
  { figure: 'concurrency', pattern: /^Concurrency:\s+([\d.]+)/ },
  { figure: 'successfulCount', pattern: /^Successful transactions:\s*(\d+)/ },
  { figure: 'failedCount', pattern: /^Failed transactions:\s+(\d+)/ },
  { figure: 'longestS', pattern: /^Longest transaction:\s+([\d.]+)\s*(ms)?/ },
  { figure: 'shortestS', pattern: /^Shortest transaction:\s+([\d.]+)\s*(ms)?/ },
  { figure: 'inFlightCount', pattern: /^In flight at the end:\s+(\d+)/ },
]

const PREPARING = /Preparing (\d+) concurrent users/
const TRANSACTIONS = /^Transactions:\s+(\d+)\s+hits/
/** A row of our addition: a label, or blanks where that of the row above goes on. */
const LABEL = /^([A-Z][\w -]*):/
const PERCENTILE = /^(?:[A-Z][^:]*:)?\s+(p[\d.]+)\s+([\d.]+) ms/
const STATUS = /^(?:[A-Z][^:]*:)?\s+([1-5])\d\d\s+(\d+)/
const MARK = /^\*{4} (.*) \*{4}$/
const LOG_LINE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),((?:[^,]*,){8}[^,]*)$/
/** As they stand in the log, behind date and time. */
const LOG_FIGURES: readonly Figure[] = [
  'transactionCount',
  'elapsedS',
  'dataMb',
  'responseTimeS',
  'transactionsPerSecond',
  'mbPerSecond',
  'concurrency',
  'successfulCount',
  'failedCount',
]
const COLOR = /\x1b\[[\d;]*m/g

class RunReader {
  readonly rows: RunRow[] = []
  /** The run whose block is being read. */
  #block: RunRow | null = null
  /** The label that rows without one belong to. */
  #label = ''
  /** Said before the figures of a run, and told with them. */
  #before: RunRow = {}

  readLines(text: string): void {
    for (const line of text.split(/\r\n|\n|\r/)) this.#readLine(line.replace(COLOR, '').trimEnd())
  }

  addJson(value: Readonly<Record<string, unknown>>): void {
    this.#add(rowOfJson(value))
  }

  #add(row: RunRow): void {
    this.rows.push({ ...this.#before, ...row })
    this.#before = {}
    this.#block = null
  }

  #readLine(line: string): void {
    const users = PREPARING.exec(line)
    if (users !== null) {
      this.#before.userCount = Number(users[1])
      this.#block = null
      return
    }
    const transactions = TRANSACTIONS.exec(line)
    if (transactions !== null) {
      this.#add({ transactionCount: Number(transactions[1]) })
      this.#block = this.rows.at(-1) ?? null
      this.#label = ''
    } else if (!this.#readLogLine(line) && this.#block !== null) {
      this.#label = LABEL.exec(line)?.[1] ?? (line.startsWith(' ') ? this.#label : '')
      readBlockLine(line, this.#label, this.#block)
    }
  }

  #readLogLine(line: string): boolean {
    const mark = MARK.exec(line)
    if (mark !== null) {
      this.#before.mark = mark[1] ?? ''
      return true
    }
    const [, startedAt, rest] = LOG_LINE.exec(line) ?? []
    if (startedAt === undefined || rest === undefined) return false
    const row: RunRow = { startedAt }
    for (const [index, field] of rest.split(',').entries()) {
      setNumber(row, LOG_FIGURES[index]!, field.trim() === '' ? null : Number(field))
    }
    this.#add(row)
    return true
  }
}

function readBlockLine(line: string, label: string, row: RunRow): void {
  for (const { figure, pattern } of BLOCK_LINES) {
    const found = pattern.exec(line)
    if (found === null || row[figure] !== undefined) continue
    setNumber(row, figure, Number(found[1]) / divisorOf(found[2]))
    return
  }
  if (label === 'Percentiles') {
    const [, name = '', ms] = PERCENTILE.exec(line) ?? []
    const figure = percentileFigures.get(name)
    if (figure !== undefined) setNumber(row, figure, Number(ms) / MS_PER_S)
  } else if (label === 'Status') {
    const status = STATUS.exec(line)
    if (status !== null) addStatus(row, Number(status[1]), Number(status[2]))
  }
}

function divisorOf(unit: string | undefined): number {
  if (unit === 'ms') return MS_PER_S
  return unit === 'bytes' ? BYTES_PER_MIB : 1
}

const percentileFigures: ReadonlyMap<string, Figure> = new Map([
  ['p50', 'p50S'],
  ['p75', 'p75S'],
  ['p90', 'p90S'],
  ['p95', 'p95S'],
  ['p99', 'p99S'],
  ['p99.9', 'p99_9S'],
])

function addStatus(row: RunRow, hundred: number, count: number): void {
  const figure = statusFigures[hundred]
  if (figure !== undefined) row[figure] = Number(row[figure] ?? 0) + count
}

const statusFigures: readonly (Figure | undefined)[] = [
  undefined,
  'status1xxCount',
  'status2xxCount',
  'status3xxCount',
  'status4xxCount',
  'status5xxCount',
]

function setNumber(row: RunRow, figure: Figure, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) row[figure] = value
}

/** siege's names for what has a column of its own. */
const JSON_FIGURES: Readonly<Record<string, Figure>> = {
  transactions: 'transactionCount',
  availability: 'availabilityPercent',
  elapsed_time: 'elapsedS',
  data_transferred: 'dataMb',
  response_time: 'responseTimeS',
  transaction_rate: 'transactionsPerSecond',
  throughput: 'mbPerSecond',
  concurrency: 'concurrency',
  successful_transactions: 'successfulCount',
  failed_transactions: 'failedCount',
  longest_transaction: 'longestS',
  shortest_transaction: 'shortestS',
}

/** Where ours says the same more precisely than siege's two decimals, ours is taken. */
function rowOfJson(value: Readonly<Record<string, unknown>>): RunRow {
  const row: RunRow = {}
  for (const [name, figure] of Object.entries(JSON_FIGURES)) setNumber(row, figure, value[name])
  const ours = recordOf(value.onager)
  if (ours === null) return row
  setNumber(row, 'userCount', ours.users)
  setNumber(row, 'elapsedS', ours.elapsed_time_s)
  setNumber(row, 'inFlightCount', ours.in_flight_at_end)
  setNumber(row, 'timeoutCount', ours.timeouts)
  if (typeof ours.started_at === 'string') row.startedAt = ours.started_at
  if (typeof ours.ended_by === 'string') row.endedBy = ours.ended_by
  const times = recordOf(ours.response_time_ms)
  if (times === null) {
    // Nothing was answered: siege's zeros would read as very fast.
    for (const figure of ['responseTimeS', 'longestS', 'shortestS'] as const) delete row[figure]
  }
  const setTime = (figure: Figure, ms: unknown) => {
    if (typeof ms === 'number') setNumber(row, figure, ms / MS_PER_S)
  }
  setTime('responseTimeS', times?.mean)
  setTime('longestS', times?.max)
  setTime('shortestS', times?.min)
  for (const [name, figure] of percentileFigures) setTime(figure, times?.[name.replace('.', '_')])
  for (const [status, count] of Object.entries(recordOf(ours.statuses) ?? {})) {
    if (typeof count === 'number') addStatus(row, Math.floor(Number(status) / 100), count)
  }
  return row
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  // An object that is neither null nor an array has string keys.
  return value as Readonly<Record<string, unknown>>
}

interface FoundObject {
  readonly start: number
  readonly end: number
  readonly value: Readonly<Record<string, unknown>>
}

/** The objects that begin as siege's do, wherever they stand. */
function jsonObjects(text: string): FoundObject[] {
  const objects: FoundObject[] = []
  const starts = [...text.matchAll(/\{\s*"transactions"\s*:/g)].map(({ index }) => index)
  for (const [number, start] of starts.entries()) {
    // One that is cut off ends where the next begins.
    const whole = text.slice(start, starts[number + 1])
    const end = objectEnd(whole)
    const value = end === -1 ? null : parsed(whole.slice(0, end))
    if (value !== null) objects.push({ start, end: start + end, value })
  }
  return objects
}

/** Behind the brace that closes the first one of `text`, or -1. */
function objectEnd(text: string): number {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}]/g
  let depth = 0
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') depth++
    else if (token[0] === '}' && --depth === 0) return tokens.lastIndex
  }
  return -1
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return recordOf(JSON.parse(text.replace(/:\s*-?(?:nan|inf)\b/g, ': null')))
  } catch {
    // Cut off or garbled: no run that could be told.
    return null
  }
}
