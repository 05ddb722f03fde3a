/**
 * Series of numbers as filled areas of characters. In braille a cell shows two values, each in four
 * steps; without braille a cell shows the larger of the two.
 *
 * What is not zero is at least one step high: it never looks like nothing.
 */

/** How many values a cell shows. */
export const VALUES_PER_CELL = 2
const STEPS_PER_CELL = 4

/** From the bottom up, of the left and the right half of a cell. */
const leftDots = [0x40, 0x04, 0x02, 0x01]
const rightDots = [0x80, 0x20, 0x10, 0x08]
const asciiLevels = [' ', '.', ':', '|', '#']

export interface ChartSize {
  readonly columns: number
  readonly rows: number
  readonly isUnicode: boolean
  /** The value at the upper edge; 0: everything is. */
  readonly top: number
}

/**
 * Rows from the top down, of `columns` cells each. The last value is at the right edge; what is
 * too old falls off at the left, and what is missing there is blank. A null is a gap.
 */
export function areaChart(values: readonly (number | null)[], size: ChartSize): string[] {
  const { columns, rows } = size
  const shown = values.slice(-columns * VALUES_PER_CELL)
  const missing = columns * VALUES_PER_CELL - shown.length
  const steps = (index: number) => stepsOf(shown[index - missing] ?? 0, size)
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * STEPS_PER_CELL
    return Array.from({ length: columns }, (_, column) => {
      const left = filled(steps(column * VALUES_PER_CELL) - below)
      const right = filled(steps(column * VALUES_PER_CELL + 1) - below)
      return size.isUnicode ? brailleCell(left, right) : asciiLevels[Math.max(left, right)]!
    }).join('')
  })
}

function stepsOf(value: number, { rows, top }: ChartSize): number {
  if (value <= 0 || top <= 0) return 0
  const most = rows * STEPS_PER_CELL
  return Math.min(Math.max(Math.round((value / top) * most), 1), most)
}

function filled(steps: number): number {
  return Math.min(Math.max(steps, 0), STEPS_PER_CELL)
}

/** A blank rather than the empty braille pattern, which some fonts draw as eight rings. */
function brailleCell(left: number, right: number): string {
  if (left === 0 && right === 0) return ' '
  let dots = 0
  for (let step = 0; step < left; step++) dots |= leftDots[step]!
  for (let step = 0; step < right; step++) dots |= rightDots[step]!
  return String.fromCharCode(0x2800 + dots)
}
