/** How far a run is: the bar, the clock, the stage of its load, and what it is doing just now. */
import { NS_PER_S } from '../../base/units.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { areaChart, VALUES_PER_CELL } from './charts.ts'
import { clockText, rateText } from './format.ts'
import { type FrameInput, type FrameSize, glyphsOf } from './frame-input.ts'
import type { LiveFigures } from './history.ts'
import { type Line, lineWidth, type Span, span } from './spans.ts'
import { loadProfile, stageAt, stagesDurationNs } from './stages.ts'

/** How a run ends, and how much of it is over. */
export interface RunProgress {
  /** 0..1; null for a run that goes on until it is stopped. */
  readonly doneRatio: number | null
  /** Null when unknown. */
  readonly leftNs: number | null
  /** `leftNs` is reckoned from the speed so far. */
  readonly isEstimate: boolean
  /** `0:52 of 2:00`, `33412 of 50000`. */
  readonly text: string
}

const PROFILE_ROWS = 2
const TEXT_GAP = '  '
/** A shorter bar gets a line of its own. */
const BAR_COLUMNS_MIN = 24

export function progressLines(
  input: FrameInput,
  size: FrameSize,
  { hasBar, hasStage }: { readonly hasBar: boolean; readonly hasStage: boolean },
): Line[] {
  const { figures, facts } = input
  const progress = runProgress(figures, facts)
  const words = progressWords(input, progress)
  const { doneRatio } = progress
  if (doneRatio === null || !hasBar) return [words]
  const besideColumns = size.columns - lineWidth(words) - TEXT_GAP.length
  const isBeside = besideColumns >= BAR_COLUMNS_MIN
  const columns = isBeside ? besideColumns : size.columns
  const bar = barSpans(columns, doneRatio, size)
  const lines: Line[] = isBeside ? [[...bar, span(TEXT_GAP), ...words]] : [bar, words]
  const stage = hasStage ? stageLine(input, size) : null
  if (stage === null) return lines
  return [...profileLines(facts, { ...size, columns }, doneRatio), ...lines, stage]
}

export function planDurationNs({ durationNs, load }: PlanFacts): number | null {
  return durationNs ?? stagesDurationNs(load.stages)
}

export function runProgress(figures: LiveFigures, facts: PlanFacts): RunProgress {
  const { elapsedNs } = figures
  const durationNs = planDurationNs(facts)
  const timeRatio = durationNs === null || durationNs <= 0 ? null : elapsedNs / durationNs
  const totalCount = iterationTotal(facts)
  const countRatio =
    totalCount === null || totalCount <= 0 ? null : figures.snapshot.pageCount / totalCount
  if (countRatio !== null && totalCount !== null && countRatio >= (timeRatio ?? 0)) {
    const doneRatio = Math.min(countRatio, 1)
    const isKnown = doneRatio > 0.01
    return {
      doneRatio,
      leftNs: isKnown ? elapsedNs * (1 / doneRatio - 1) : null,
      isEstimate: true,
      text: `${clockText(elapsedNs)}  ${figures.snapshot.pageCount} of ${totalCount}`,
    }
  }
  if (timeRatio === null || durationNs === null) {
    return { doneRatio: null, leftNs: null, isEstimate: false, text: clockText(elapsedNs) }
  }
  return {
    doneRatio: Math.min(timeRatio, 1),
    leftNs: Math.max(durationNs - elapsedNs, 0),
    isEstimate: false,
    text: `${clockText(Math.min(elapsedNs, durationNs))} of ${clockText(durationNs)}`,
  }
}

/** Iterations of all users; null where nothing limits them. */
function iterationTotal({ iterationCount, userCount, load }: PlanFacts): number | null {
  if (load.totalCount !== null) return load.totalCount
  return load.model === 'closed' && iterationCount !== null ? iterationCount * userCount : null
}

/** As wide as it will be later, so that the bar beside it keeps its length. */
function progressWords({ figures, facts }: FrameInput, progress: RunProgress): Line {
  const clock = span(progress.text, 'strong')
  const warmUpLeftNs = facts.load.warmUpNs - figures.elapsedNs
  if (warmUpLeftNs > 0) {
    const seconds = Math.ceil(warmUpLeftNs / NS_PER_S)
    return [clock, span(TEXT_GAP), span(`warming up for ${seconds} s more`, 'doubtful')]
  }
  if (progress.doneRatio === null) return [clock, span('  until it is stopped', 'faint')]
  if (progress.leftNs === null) return [clock]
  if (progress.leftNs === 0) {
    return [clock, span(TEXT_GAP), span(`ending, ${figures.inFlightCount} in flight`, 'doubtful')]
  }
  // Rounded up: `0:00 left` is never said of a run that goes on.
  const left = clockText(Math.ceil(progress.leftNs / NS_PER_S) * NS_PER_S)
  const about = progress.isEstimate ? 'about ' : ''
  return [clock, span(`${TEXT_GAP}${about}${left} left`, 'faint')]
}

function barSpans(columns: number, doneRatio: number, size: FrameSize): Span[] {
  const { barDone, barLeft } = glyphsOf(size)
  const done = Math.round(columns * doneRatio)
  return [span(barDone.repeat(done), 'good'), span(barLeft.repeat(columns - done), 'faint')]
}

/** The shape of the load above the bar: what is over in colour, what is to come faint. */
function profileLines(facts: PlanFacts, size: FrameSize, doneRatio: number): Line[] {
  const { columns, isUnicode } = size
  const durationNs = planDurationNs(facts)
  if (durationNs === null || columns === 0) return []
  const levels = loadProfile(facts.load.stages, durationNs, columns * VALUES_PER_CELL)
  const top = Math.max(...levels)
  const done = Math.round(columns * doneRatio)
  return areaChart(levels, { columns, rows: PROFILE_ROWS, isUnicode, top }).map((text) => [
    span(text.slice(0, done), 'good'),
    span(text.slice(done), 'faint'),
  ])
}

/** Null where the load is the same all the time, or all stages are over. */
function stageLine({ figures, facts }: FrameInput, size: FrameSize): Line | null {
  const { stages, model } = facts.load
  const position = stageAt(stages, figures.elapsedNs)
  if (position === null || stages.length === 0) return null
  const { stage, index } = position
  const isSteady = stage.from === stage.to
  if (stages.length === 1 && isSteady) return null
  const level = (value: number) =>
    model === 'open' ? rateText(value) : `${Math.round(value)} users`
  const { arrow } = glyphsOf(size)
  const meant = isSteady
    ? level(stage.to)
    : `${level(stage.from)} ${arrow} ${level(stage.to)}, now ${level(position.level)}`
  const clock =
    stage.durationNs === null
      ? clockText(position.elapsedNs)
      : `${clockText(position.elapsedNs)} of ${clockText(stage.durationNs)}`
  return [
    span(`stage ${index + 1} of ${stages.length}: `, 'faint'),
    span(meant),
    span(`  ${clock}`, 'faint'),
  ]
}
