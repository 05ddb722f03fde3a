/** The lines of ab's files: percentiles for `-e`, one request each for `-g`. */
import { type AbFigures, csvPercentileUs } from '../result/ab-figures.ts'
import { ms } from './ab-text.ts'

/** All of it: 101 percentiles, each at least as large as the one before. */
export function percentileCsv(figures: AbFigures): string {
  const lines = Array.from({ length: 101 }, (_, percent) => {
    const value = (csvPercentileUs(figures, percent) / 1000).toFixed(3)
    return `${percent},${value}`
  })
  return `${['Percentage served,Time in ms', ...lines].join('\n')}\n`
}

export const GNUPLOT_HEADER = 'starttime\tseconds\tctime\tdtime\tttime\twait\n'

/** Times of one request, in microseconds. */
export interface GnuplotTimes {
  readonly connectUs: number
  readonly waitUs: number
  readonly totalUs: number
}

/** Makes lines; those of one second share the text of their start. */
export class GnuplotLines {
  #second = Number.NaN
  #startText = ''

  /** `startedAtMs`: wall clock, ms since 1970. */
  line(startedAtMs: number, { connectUs, waitUs, totalUs }: GnuplotTimes): string {
    const second = Math.floor(startedAtMs / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#startText = `${localTime(new Date(second * 1000))}\t${second}`
    }
    const processingUs = Math.max(0, totalUs - connectUs)
    const times = [connectUs, processingUs, totalUs, waitUs].map((value) => ms(value, 0))
    return `${this.#startText}\t${times.join('\t')}\n`
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
