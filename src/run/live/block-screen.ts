/**
 * A block of lines at the bottom of what a terminal shows, redrawn in place. It uses no alternate
 * screen: what was there before stays above it, and once cleared it leaves nothing.
 *
 * Between two pictures the cursor rests, visible, at the start of the row below the block. It is
 * hidden only inside the bytes of one picture, so that whatever ends the program finds a terminal
 * in order. A picture is one write; a terminal that knows mode 2026 shows it all at once. Lines that
 * did not change are not sent again.
 */
import { type Line, lineText, lineWidth } from './spans.ts'

const BEGIN = '\x1b[?2026h\x1b[?25l\x1b[?7l\r'
const END = '\x1b[?7h\x1b[?25h\x1b[?2026l'
const CLEAR_BELOW = '\x1b[J'
const CLEAR_RIGHT = '\x1b[K'
const CLEAR_ROW = '\x1b[2K'
/** Unlike a line feed it never scrolls. */
const DOWN = '\x1b[B'

export interface BlockScreenOptions {
  readonly write: (text: string) => unknown
  readonly isColour: boolean
  /** A narrower window breaks lines that are too long for it, rather than cutting them off. */
  readonly doesReflow: boolean
}

interface Drawn {
  readonly texts: readonly string[]
  readonly widths: readonly number[]
  readonly columns: number
}

const nothing: Drawn = { texts: [], widths: [], columns: 0 }

export class BlockScreen {
  readonly #options: BlockScreenOptions
  #drawn: Drawn = nothing

  constructor(options: BlockScreenOptions) {
    this.#options = options
  }

  /** Every line is narrower than `columns`, and there are fewer than the terminal has rows. */
  draw(lines: readonly Line[], columns: number): void {
    const old = this.#drawn
    const isResized = old.columns !== columns
    const texts = lines.map((line) => lineText(line, this.#options.isColour))
    const parts = [BEGIN, isResized ? this.#takenAway(columns) : up(old.texts.length)]
    texts.forEach((text, index) => {
      const isSame = !isResized && old.texts[index] === text
      parts.push(isSame ? '\r\n' : `${text}${CLEAR_RIGHT}\r\n`)
    })
    // Also what a person typed meanwhile.
    parts.push(CLEAR_BELOW, END)
    this.#drawn = { texts, widths: lines.map(lineWidth), columns }
    this.#options.write(parts.join(''))
  }

  /** Takes the block away; the cursor is where it began. */
  clear(columns: number): void {
    if (this.#drawn === nothing) return
    this.#options.write(BEGIN + this.#takenAway(columns) + END)
    this.#drawn = nothing
  }

  /**
   * Back to the start of the block, with all of its rows empty. Row by row: some terminals keep
   * what was on a screen that is cleared as a whole.
   */
  #takenAway(columns: number): string {
    const { widths } = this.#drawn
    const isBroken = this.#options.doesReflow && columns > 0
    const rowCount = widths.reduce(
      (sum, width) => sum + (isBroken ? Math.max(Math.ceil(width / columns), 1) : 1),
      0,
    )
    return up(rowCount) + `${CLEAR_ROW}${DOWN}`.repeat(rowCount) + CLEAR_BELOW + up(rowCount)
  }
}

function up(rowCount: number): string {
  return rowCount === 0 ? '' : `\x1b[${rowCount}A`
}
