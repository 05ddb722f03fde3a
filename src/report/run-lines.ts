/** Text in columns for a terminal of 80. */
import { printable } from './printable.ts'

export const TEXT_WIDTH = 80

/** A cell is set to the right unless its column is `left`. */
export interface Column {
  readonly head: string
  readonly align: 'left' | 'right'
  /** Gives way where the table would be too wide. */
  readonly isCut?: boolean
}

const CUT_WIDTH_MIN = 16

/** Lines, all but the heads set in by two; columns are as wide as their widest cell. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const cells = rows.map((row) => row.map(printable))
  const heads = columns.map(({ head }) => head)
  const hasHeads = heads.some((head) => head !== '')
  // A first head stands as far left as headings do.
  const all = hasHeads ? [heads, ...cells] : cells
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => widthOf(row[index]!) + (index === 0 ? 2 : 0))),
  )
  const excess = widths.reduce((sum, width) => sum + width + 2, -2) - TEXT_WIDTH
  return all.map((row, rowIndex) => {
    const indent = hasHeads && rowIndex === 0 ? '' : '  '
    const texts = row.map((cell, index) => {
      const { align, isCut } = columns[index]!
      const width =
        isCut === true && excess > 0
          ? Math.max(widths[index]! - excess, CUT_WIDTH_MIN)
          : widths[index]!
      const start = index === 0 ? indent : ''
      const text = shortened(cell, width - start.length)
      const blanks = ' '.repeat(width - start.length - widthOf(text))
      return align === 'left' ? start + text + blanks : start + blanks + text
    })
    return texts.join('  ').trimEnd()
  })
}

/** A paragraph; all lines but the first are set in as far as its text. */
export function wrappedLines(head: string, text: string): string[] {
  const lines: string[] = []
  let line = head
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && widthOf(line) + 1 + widthOf(word) > TEXT_WIDTH) {
      lines.push(line)
      line = ' '.repeat(widthOf(head))
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  lines.push(line)
  return lines
}

/** Begin and end of what is too long: of names with much in common the end tells them apart. */
export function shortened(text: string, widthMax: number): string {
  const characters = [...text]
  if (characters.length <= widthMax) return text
  const endCount = Math.floor((widthMax - 3) / 2)
  const begin = characters.slice(0, widthMax - 3 - endCount)
  return `${begin.join('')}...${characters.slice(characters.length - endCount).join('')}`
}

function widthOf(text: string): number {
  return [...text].length
}
