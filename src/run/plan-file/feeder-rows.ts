/**
 * Reads the rows of a feeder: CSV with names in its first line, or a JSON object on each line.
 *
 * It is pure and gives either all rows or what is wrong with the first few; rows that lack a value
 * are mistakes, not empty texts. Quotes in CSV are those of RFC 4180.
 */
import { numberTextAt } from '../../script/json-pointer.ts'
import { VARIABLE_NAME } from '../../script/text-template.ts'

export interface FeederRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface FeederProblem {
  readonly text: string
  /** 1-based. */
  readonly line: number
}

/** Each value is a text in memory of every thread. */
export const FEEDER_VALUE_COUNT_MAX = 2_000_000

const PROBLEM_COUNT_MAX = 5

export type FeederFormat = 'csv' | 'tsv' | 'json-lines'

/** By the extension of the file's name; null: it says nothing. */
export function feederFormat(path: string): FeederFormat | null {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.tsv$/i.test(path)) return 'tsv'
  return /\.(?:jsonl|ndjson)$/i.test(path) ? 'json-lines' : null
}

export function readFeeder(
  text: string,
  format: FeederFormat,
): FeederRows | { readonly problems: readonly FeederProblem[] } {
  const reader = format === 'json-lines' ? readJsonLines(text) : readCsv(text, format)
  if (reader.problems.length > 0) return { problems: reader.problems.slice(0, PROBLEM_COUNT_MAX) }
  return { columns: reader.columns, rows: reader.rows }
}

class Rows {
  columns: readonly string[] = []
  readonly rows: (readonly string[])[] = []
  readonly problems: FeederProblem[] = []

  get isFull(): boolean {
    const isTooLarge = this.rows.length * this.columns.length > FEEDER_VALUE_COUNT_MAX
    return isTooLarge || this.problems.length >= PROBLEM_COUNT_MAX
  }

  problem(line: number, text: string): void {
    this.problems.push({ line, text })
  }

  end(): this {
    if (this.rows.length * this.columns.length > FEEDER_VALUE_COUNT_MAX) {
      this.problem(1, `there are more than ${FEEDER_VALUE_COUNT_MAX} values; use a shorter list`)
    } else if (this.rows.length === 0 && this.problems.length === 0) {
      this.problem(1, 'there is no row of values')
    }
    return this
  }
}

function columnProblem(columns: readonly string[]): string | null {
  for (const [index, name] of columns.entries()) {
    if (!VARIABLE_NAME.test(name)) {
      return `${JSON.stringify(name)} cannot be a variable: names have letters, digits, _, - and ., and begin with a letter`
    }
    if (columns.indexOf(name) !== index) return `there are two columns ${name}`
  }
  return null
}

function readCsv(text: string, format: 'csv' | 'tsv'): Rows {
  const result = new Rows()
  const lines = new CsvLines(text, format === 'tsv' ? '\t' : separatorOf(text))
  for (let fields = lines.next(); fields !== null && !result.isFull; fields = lines.next()) {
    const { line } = lines
    if (typeof fields === 'string') result.problem(line, fields)
    else if (result.columns.length === 0) {
      result.columns = fields.map((name) => name.trim())
      const problem = columnProblem(result.columns)
      if (problem !== null) result.problem(line, problem)
    } else if (fields.length === result.columns.length) result.rows.push(fields)
    else result.problem(line, countText(fields.length, result.columns))
  }
  return result.end()
}

function countText(count: number, columns: readonly string[]): string {
  const values = count === 1 ? 'is 1 value' : `are ${count} values`
  const missing = count < columns.length ? `; ${columns[count]} is missing` : ''
  return `there ${values} for ${columns.length} columns${missing}`
}

/** A comma, unless the first line has semicolons only, as spreadsheets write in half of Europe. */
function separatorOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)![0]
  return first.includes(';') && !first.includes(',') ? ';' : ','
}

const QUOTE = '"'

class CsvLines {
  /** Where the last one began. */
  line = 0
  readonly #text: string
  readonly #separator: string
  readonly #fieldEnd: RegExp
  #at = 0
  #lineAt = 1

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
    this.#fieldEnd = new RegExp(`[${separator}\\n]`, 'g')
  }

  /** The fields of the next line that is not empty, what is wrong with it, or null: no more. */
  next(): string[] | string | null {
    while (this.#at < this.#text.length) {
      this.line = this.#lineAt
      const fields = this.#fields()
      if (typeof fields === 'string' || fields.length > 1 || fields[0] !== '') return fields
    }
    return null
  }

  #fields(): string[] | string {
    const fields: string[] = []
    for (;;) {
      const field = this.#text[this.#at] === QUOTE ? this.#quoted() : this.#plain()
      if (field === null) return this.#badQuote()
      fields.push(field)
      const sign = this.#text[this.#at]
      this.#at++
      if (sign === this.#separator) continue
      this.#lineAt++
      return fields
    }
  }

  #plain(): string {
    this.#fieldEnd.lastIndex = this.#at
    const end = this.#fieldEnd.exec(this.#text)?.index ?? this.#text.length
    const isLineEnd = this.#text[end] !== this.#separator
    const field = this.#text.slice(this.#at, end)
    this.#at = end
    return isLineEnd && field.endsWith('\r') ? field.slice(0, -1) : field
  }

  /** Null when no quote ends it, or something stands behind that quote. */
  #quoted(): string | null {
    let from = this.#at + 1
    let field = ''
    for (;;) {
      const quote = this.#text.indexOf(QUOTE, from)
      if (quote < 0) return null
      field += this.#text.slice(from, quote)
      if (this.#text[quote + 1] !== QUOTE) {
        this.#at = quote + 1
        break
      }
      field += QUOTE
      from = quote + 2
    }
    for (let feed = field.indexOf('\n'); feed >= 0; feed = field.indexOf('\n', feed + 1)) {
      this.#lineAt++
    }
    if (this.#text.startsWith('\r\n', this.#at)) this.#at++
    const sign = this.#text[this.#at]
    return sign === undefined || sign === '\n' || sign === this.#separator ? field : null
  }

  /** Goes on behind the line, since what is left of it would only give more complaints. */
  #badQuote(): string {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 1
    this.#lineAt++
    return 'a value in quotes does not end with one, or something follows it'
  }
}

function readJsonLines(text: string): Rows {
  const result = new Rows()
  let start = 0
  for (let line = 1; start < text.length && !result.isFull; line++) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    const json = text.slice(start, end).trim()
    start = end + 1
    if (json === '') continue
    const object = parsedObject(json)
    if (object === null) {
      result.problem(line, 'this is no JSON object, such as {"user": "ann"}')
      continue
    }
    if (result.columns.length === 0) {
      result.columns = Object.keys(object)
      const problem = columnProblem(result.columns)
      if (problem !== null) result.problem(line, problem)
    }
    const missing = result.columns.find((name) => !Object.hasOwn(object, name))
    if (missing !== undefined) result.problem(line, `${missing} is missing`)
    else result.rows.push(result.columns.map((name) => textOf(object[name], json, name)))
  }
  return result.end()
}

function parsedObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return null
  }
}

/** Numbers that a double cannot hold stay as they are written. */
function textOf(value: unknown, json: string, name: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return numberTextAt(json, [name])
  return JSON.stringify(value)
}
