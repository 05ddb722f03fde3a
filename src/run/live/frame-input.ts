/** What a picture is made of, and the characters it may be drawn with. */
import type { PlanFacts } from '../../result/run-result.ts'
import type { LiveFigures } from './history.ts'

/** A condition on the run, and how it stands. */
export interface ThresholdState {
  /** As it was written: `p99<50ms`. */
  readonly text: string
  /** Null while there is nothing to judge. */
  readonly isMet: boolean | null
  /** What the condition is about, as it is now: `12.4 ms`; empty when unknown. */
  readonly measured: (micro: string) => string
}

export interface FrameInput {
  readonly figures: LiveFigures
  readonly facts: PlanFacts
  readonly thresholds: readonly ThresholdState[]
}

export interface FrameSize {
  readonly columns: number
  readonly rows: number
  /** Otherwise nothing but ASCII is drawn. */
  readonly isUnicode: boolean
}

export interface Glyphs {
  readonly micro: string
  readonly ellipsis: string
  readonly arrow: string
  readonly barDone: string
  readonly barLeft: string
  readonly met: string
  readonly missed: string
  readonly unknown: string
}

const unicode: Glyphs = {
  micro: 'µ',
  ellipsis: '…',
  arrow: '→',
  barDone: '━',
  barLeft: '─',
  met: '✓',
  missed: '✗',
  unknown: '·',
}

const ascii: Glyphs = {
  micro: 'u',
  ellipsis: '~',
  arrow: '->',
  barDone: '#',
  barLeft: '-',
  met: 'ok',
  missed: 'NO',
  unknown: '..',
}

export function glyphsOf({ isUnicode }: Pick<FrameSize, 'isUnicode'>): Glyphs {
  return isUnicode ? unicode : ascii
}
