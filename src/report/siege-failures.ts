/**
 * siege's `[error]` lines: what went wrong, while it goes wrong.
 *
 * A dead server fails thousands of times a second. The first failures of each kind are told in
 * full, then one line says that the rest is only counted; the report has the numbers.
 */
import { FAILURE_KIND_COUNT, type FailureKindNumber, failureKindNames } from '../metrics/outcome.ts'
import { printable } from './printable.ts'

export type DiagnosticWord = 'debug' | 'error' | 'alert' | 'fatal' | 'notice'

const LINE_COUNT_MAX = 10
const colourOfWord = { fatal: 1, alert: 2, error: 3, debug: 4, notice: 6 } as const

/** A line as siege marks its diagnostics: `[error] text`. */
export function diagnosticLine(word: DiagnosticWord, text: string, colour: boolean): string {
  const mark = colour ? `\x1b[1;3${colourOfWord[word]}m${word}\x1b[0m` : word
  return `[${mark}] ${printable(text)}\n`
}

/** Decides which failures get a line. One for the whole run, whatever the number of threads. */
export class FailureLines {
  readonly #colour: boolean
  readonly #lineCountMax: number
  readonly #counts = new Float64Array(FAILURE_KIND_COUNT)

  constructor(options: { readonly colour: boolean; readonly lineCountMax?: number }) {
    this.#colour = options.colour
    this.#lineCountMax = options.lineCountMax ?? LINE_COUNT_MAX
  }

  /** Whether `lineFor` would give a line, for a caller to whom the text is dear. */
  wants(kind: FailureKindNumber): boolean {
    return this.#counts[kind]! <= this.#lineCountMax
  }

  /** The line of one more failure of this kind, or null when there is nothing new to say. */
  lineFor(kind: FailureKindNumber, detail: () => string): string | null {
    const count = this.#counts[kind]! + 1
    this.#counts[kind] = count
    if (count <= this.#lineCountMax) return diagnosticLine('error', detail(), this.#colour)
    if (count > this.#lineCountMax + 1) return null
    const text = `${failureKindNames[kind]}: more of these are counted, no longer shown`
    return diagnosticLine('error', text, this.#colour)
  }
}
