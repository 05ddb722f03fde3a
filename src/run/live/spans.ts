/**
 * Lines of a terminal as pieces of text, each with a look: what is written is decided apart from
 * how it is coloured, and a line is cut to a width before there are escape sequences in it.
 *
 * Widths are in cells. Text from elsewhere goes through `printable` first, so that no control
 * character is ever in a span.
 */
import { printable } from '../../report/printable.ts'

export type Look = 'plain' | 'faint' | 'strong' | 'good' | 'doubtful' | 'bad' | 'rate' | 'time'

export interface Span {
  readonly text: string
  readonly look: Look
}

export type Line = readonly Span[]

/** Colours out of the 16 that every theme chooses for its own background. */
const codes: Readonly<Record<Look, string>> = {
  plain: '',
  faint: '2',
  strong: '1',
  good: '32',
  doubtful: '33',
  bad: '1;31',
  rate: '36',
  time: '35',
}

export function span(text: string, look: Look = 'plain'): Span {
  return { text, look }
}

/** Text that somebody else chose. */
export function foreign(text: string, look: Look = 'plain'): Span {
  return span(printable(text), look)
}

/** The line as it is sent, with every colour ended where its piece ends. */
export function lineText(line: Line, isColour: boolean): string {
  return line
    .map(({ text, look }) => {
      const code = codes[look]
      return isColour && code !== '' && text !== '' ? `\x1b[${code}m${text}\x1b[m` : text
    })
    .join('')
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0)
}

/** The line in at most `columns` cells; what had to be cut ends in `mark`, of one cell. */
export function fitLine(line: Line, columns: number, mark: string): Line {
  if (lineWidth(line) <= columns) return line
  const fitted: Span[] = []
  let left = columns - 1
  for (const piece of line) {
    const text = cutText(piece.text, left)
    fitted.push({ ...piece, text: text === piece.text ? text : text + mark })
    left -= textWidth(text)
    if (text !== piece.text) return fitted
  }
  return fitted
}

function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  if (onlyNarrow.test(text)) return text.slice(0, columns)
  let cut = ''
  let left = columns
  for (const { segment } of segmenter.segment(text)) {
    left -= clusterWidth(segment)
    if (left < 0) break
    cut += segment
  }
  return cut
}

/** Blanks up to `columns` cells. */
export function padLine(line: Line, columns: number): Line {
  const missing = columns - lineWidth(line)
  return missing > 0 ? [...line, span(' '.repeat(missing))] : line
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** ASCII, Latin and what pictures are drawn with: one cell for each unit of the string. */
const onlyNarrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2026\u2190-\u2193\u2500-\u259f\u2713\u2717\u2800-\u28ff]*$/
const wideRanges =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const wideEmoji = /\p{Emoji_Presentation}|\ufe0f/u
const noWidth = /^[\p{Mark}\p{Format}]+$/u

/** How many cells a terminal gives the text. */
export function textWidth(text: string): number {
  if (onlyNarrow.test(text)) return text.length
  let columns = 0
  for (const { segment } of segmenter.segment(text)) columns += clusterWidth(segment)
  return columns
}

function clusterWidth(cluster: string): number {
  if (onlyNarrow.test(cluster)) return cluster.length
  if (noWidth.test(cluster)) return 0
  return wideRanges.test(cluster) || wideEmoji.test(cluster) ? 2 : 1
}
