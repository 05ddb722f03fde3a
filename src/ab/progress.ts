/**
 * ab's lines about progress, on stderr: at every tenth of the requests, but at least 100 apart.
 *
 * The count is looked at now and then; each line that became due meanwhile is printed.
 */

const REQUEST_COUNT_MIN = 151
const INTERVAL_MIN = 100
const PERIOD_MS = 50

/** Whether a run of so many tells its progress. */
export function tellsProgress(requestCount: number, quiet: boolean): boolean {
  return requestCount >= REQUEST_COUNT_MIN && !quiet
}

export class Progress {
  readonly #interval: number
  readonly #endedCount: () => number
  readonly #say: (text: string) => void
  readonly #timer: NodeJS.Timeout
  #nextCount: number

  constructor(requestCount: number, endedCount: () => number, say: (text: string) => void) {
    this.#interval = Math.max(INTERVAL_MIN, Math.floor(requestCount / 10))
    this.#nextCount = this.#interval
    this.#endedCount = endedCount
    this.#say = say
    this.#timer = setInterval(() => this.#tell(), PERIOD_MS)
  }

  #tell(): void {
    const count = this.#endedCount()
    for (; this.#nextCount <= count; this.#nextCount += this.#interval) {
      this.#say(`Completed ${this.#nextCount} requests\n`)
    }
  }

  end(): void {
    clearInterval(this.#timer)
    this.#tell()
  }
}
