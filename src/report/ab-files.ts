/** The lines of ab's files: percentiles for `-e`, one request each for `-g`. */
import { type AbFigures, csvPercentileUs } from '../result/ab-figures.ts'

/** All of it: 101 percentiles, each at least as large as the one before. */
export function percentileCsv(figures: AbFigures): string {
  const lines = Array.from({ length: 101 }, (_, percent) => {
    const value = (csvPercentileUs(figures, percent) / 1000).toFixed(3)
    return `${percent},${value}`
  })
  return `${['Percentage served,Time in ms', ...lines].join('\n')}\n`
}

const GNUPLOT_HEADER = 'starttime\tseconds\tctime\tdtime\tttime\twait\n'

/** Times of one request, in microseconds. */
export interface GnuplotTimes {
  readonly connectUs: number
  readonly waitUs: number
  readonly totalUs: number
}

/** The text of a start, two tabs and four numbers of up to 10 digits, with room to spare. */
const LINE_BYTES_MAX = 128
/** Seconds whose texts are kept ready: rows by length of time jump between them. */
const START_COUNT_MAX = 4096
const TAB = 9
const LINE_FEED = 10
const DIGIT_0 = 48
/** Half up to whole milliseconds. */
const HALF_MS_US = 500
const US_PER_MS = 1000

/** Writes lines into one piece of memory, which is handed over whenever it is full. */
export class GnuplotLines {
  readonly #take: (bytes: Uint8Array) => void
  readonly #bytes: Uint8Array
  readonly #starts = new Map<number, Uint8Array>()
  readonly #encoder = new TextEncoder()
  #usedBytes = 0

  /** `take` gets bytes that are valid during the call. */
  constructor(take: (bytes: Uint8Array) => void, pieceBytes: number = 65_536) {
    this.#take = take
    this.#bytes = new Uint8Array(Math.max(pieceBytes, LINE_BYTES_MAX))
    this.#put(this.#encoder.encode(GNUPLOT_HEADER))
  }

  /** `startedAtMs`: wall clock, ms since 1970. */
  write(startedAtMs: number, { connectUs, waitUs, totalUs }: GnuplotTimes): void {
    if (this.#usedBytes + LINE_BYTES_MAX > this.#bytes.length) this.flush()
    this.#put(this.#startOf(Math.floor(startedAtMs / 1000)))
    this.#putMs(connectUs, TAB)
    this.#putMs(Math.max(0, totalUs - connectUs), TAB)
    this.#putMs(totalUs, TAB)
    this.#putMs(waitUs, LINE_FEED)
  }

  /** Call once more when all lines are written. */
  flush(): void {
    this.#take(this.#bytes.subarray(0, this.#usedBytes))
    this.#usedBytes = 0
  }

  #startOf(second: number): Uint8Array {
    const known = this.#starts.get(second)
    if (known !== undefined) return known
    if (this.#starts.size >= START_COUNT_MAX) this.#starts.clear()
    const start = this.#encoder.encode(`${localTime(new Date(second * 1000))}\t${second}\t`)
    this.#starts.set(second, start)
    return start
  }

  #put(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#usedBytes)
    this.#usedBytes += bytes.length
  }

  #putMs(timeUs: number, end: number): void {
    const value = Math.floor((timeUs + HALF_MS_US) / US_PER_MS)
    let digitCount = 1
    for (let power = 10; value >= power; power *= 10) digitCount++
    let at = this.#usedBytes + digitCount
    this.#usedBytes = at + 1
    this.#bytes[at] = end
    for (let rest = value; digitCount > 0; digitCount--) {
      this.#bytes[--at] = DIGIT_0 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** As C's `ctime` writes it: `Mon Nov 30 22:56:22 2026`. */
function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  const day = `${DAYS[date.getDay()]} ${MONTHS[date.getMonth()]} ${two(date.getDate())}`
  return `${day} ${time} ${date.getFullYear()}`
}
