/** What was counted: requests, errors, statuses; how thresholds stand; and what to be wary of. */
import { NS_PER_MS, secondsFromNs } from '../../base/units.ts'
import { type Snapshot, STATUS_COUNT } from '../../metrics/snapshot.ts'
import { underLoadNsOf } from '../../result/measured-time.ts'
import { ratio } from '../../result/ratio.ts'
import { bytesPerSecondText, durationText, percentText, rateText } from './format.ts'
import { type FrameInput, type FrameSize, glyphsOf } from './frame-input.ts'
import { foreign, type Line, type Look, lineWidth, padLine, span } from './spans.ts'

/** Later than that at p99, and times measured from the intended start are partly ours. */
const START_LAG_NS_MAX = NS_PER_MS
/** Room for `errors 12345, 0.04 %`. */
const CELL_COLUMNS_MIN = 19
const CELLS_PER_LINE_MAX = 4

export function countLines(input: FrameInput, size: FrameSize, hasStatuses: boolean): Line[] {
  const { figures, facts } = input
  const { snapshot, elapsedNs, inFlightCount } = figures
  const { errorCount, droppedCount, completedCount, failedCount } = snapshot
  const meanPerSecond = ratio(completedCount, secondsFromNs(underLoadNsOf(elapsedNs, facts)))
  const errorShare = percentText(ratio(errorCount, completedCount + failedCount))
  const badUnlessNone = (count: number) => (count === 0 ? 'plain' : 'bad')
  const cells = [
    cell('in flight', String(inFlightCount)),
    cell('completed', String(completedCount)),
    cell(
      'errors',
      errorCount === 0 ? '0' : `${errorCount}, ${errorShare}`,
      badUnlessNone(errorCount),
    ),
    ...(facts.load.model === 'open'
      ? [cell('dropped', String(droppedCount), badUnlessNone(droppedCount))]
      : []),
    cell('mean', rateText(meanPerSecond)),
    cell('received', bytesPerSecondText(figures.receivedBytesPerSecond)),
    ...(hasStatuses ? statusCells(snapshot) : []),
  ]
  return grid(cells, size.columns)
}

const statusLooks: readonly Look[] = ['plain', 'plain', 'good', 'rate', 'doubtful', 'bad']

/** Classes of status that occurred. */
function statusCells({ statusCounts }: Snapshot): Line[] {
  const classCounts = new Array<number>(STATUS_COUNT / 100).fill(0)
  statusCounts.forEach((count, status) => {
    classCounts[Math.floor(status / 100)]! += count
  })
  return classCounts.flatMap((count, hundreds) =>
    count === 0 ? [] : [cell(`${hundreds}xx`, String(count), statusLooks[hundreds] ?? 'plain')],
  )
}

export function errorLines({ figures: { lastError } }: FrameInput): Line[] {
  if (lastError === null) return []
  const { name, count, example } = lastError
  const line = [span('last error ', 'faint'), span(name, 'bad'), span(` (${count})`, 'faint')]
  return [example === '' ? line : [...line, span(': ', 'faint'), foreign(example)]]
}

export function thresholdLines({ thresholds }: FrameInput, size: FrameSize): Line[] {
  const { met, missed, unknown, micro } = glyphsOf(size)
  const items = thresholds.map(({ text, isMet, measured }): Line => {
    const [mark, look]: [string, Look] =
      isMet === null ? [unknown, 'faint'] : isMet ? [met, 'good'] : [missed, 'bad']
    return [span(`${mark} `, look), foreign(text), span(` ${measured(micro)}`, 'faint')]
  })
  return flow(items, size.columns)
}

export function warningLines({ figures, facts }: FrameInput, size: FrameSize): Line[] {
  const lines: Line[] = []
  const { recentStartLag, recentDroppedCount } = figures
  if (recentDroppedCount > 0) {
    const arrivals = recentDroppedCount === 1 ? 'arrival' : 'arrivals'
    lines.push(
      warning(
        `${recentDroppedCount} ${arrivals} dropped just now: ${facts.userCount} are under way, ` +
          'as many as may be',
      ),
    )
  }
  if (recentStartLag.count > 0 && recentStartLag.p99Ns > START_LAG_NS_MAX) {
    const late = durationText(recentStartLag.p99Ns, glyphsOf(size).micro)
    lines.push(warning(`requests begin ${late} late at p99, held up by the generator`))
  }
  return lines
}

function warning(text: string): Line {
  return [span('! ', 'bad'), span(text, 'doubtful')]
}

function cell(label: string, value: string, look: Look = 'plain'): Line {
  return [span(`${label} `, 'faint'), span(value, look)]
}

/** In columns of one width, so that numbers stay where they are while they grow. */
function grid(cells: readonly Line[], columns: number): Line[] {
  const fitting = Math.max(Math.floor(columns / CELL_COLUMNS_MIN), 1)
  const perLine = Math.min(fitting, CELLS_PER_LINE_MAX)
  const width = Math.floor(columns / perLine)
  const lines: Line[] = []
  for (let index = 0; index < cells.length; index += perLine) {
    lines.push(cells.slice(index, index + perLine).flatMap((one) => padLine(one, width)))
  }
  return lines
}

/** One after the other, as many on a line as it holds. */
function flow(items: readonly Line[], columns: number): Line[] {
  const lines: Line[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && lineWidth(last) + 3 + lineWidth(item) <= columns) {
      lines[lines.length - 1] = [...last, span('   '), ...item]
    } else {
      lines.push(item)
    }
  }
  return lines
}
