/** A terminal without a window: bytes go in, rows of characters can be read. */
import xterm from '@xterm/headless'
import type { LiveStream } from '../../src/run/live/live-view.ts'

export class TestTerminal implements LiveStream {
  readonly isTTY = true
  readonly writes: string[] = []
  readonly #terminal: xterm.Terminal
  readonly #listeners = new Set<() => void>()

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  }

  get columns(): number {
    return this.#terminal.cols
  }

  get rows(): number {
    return this.#terminal.rows
  }

  /** As a terminal driver does, it begins a new line for each line feed. */
  write(text: string): boolean {
    this.writes.push(text)
    this.#terminal.write(text.replace(/(?<!\r)\n/g, '\r\n'))
    return true
  }

  on(_event: 'resize', listener: () => void): void {
    this.#listeners.add(listener)
  }

  off(_event: 'resize', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.settled()
    this.#terminal.resize(columns, rows)
    for (const listener of this.#listeners) listener()
    await this.settled()
  }

  /** Until all that was written is on the screen. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write('', resolve))
  }

  /** What is on the screen, without blanks at the ends of rows and empty rows at the end. */
  async screen(): Promise<string[]> {
    await this.settled()
    const { baseY } = this.#terminal.buffer.active
    return this.#text(baseY, baseY + this.rows)
  }

  /** The screen and all that was scrolled out of it. */
  async everything(): Promise<string[]> {
    await this.settled()
    return this.#text(0, this.#terminal.buffer.active.length)
  }

  /** Row and column from 0. */
  async cursor(): Promise<{ row: number; column: number }> {
    await this.settled()
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return { row: cursorY, column: cursorX }
  }

  /** The colour of the palette that the cell is drawn in; -1: the usual one. */
  colourAt(row: number, column: number): number {
    const { active } = this.#terminal.buffer
    return (
      active
        .getLine(active.baseY + row)
        ?.getCell(column)
        ?.getFgColor() ?? -1
    )
  }

  #text(from: number, to: number): string[] {
    const { active } = this.#terminal.buffer
    const rows = Array.from({ length: to - from }, (_, index) => {
      return (
        active
          .getLine(from + index)
          ?.translateToString(true)
          .trimEnd() ?? ''
      )
    })
    return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1)
  }
}
