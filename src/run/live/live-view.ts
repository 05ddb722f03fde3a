/** The live view: counts in, a picture of the run on a terminal, several times a second. */
import type { PlanFacts } from '../../result/run-result.ts'
import { BlockScreen } from './block-screen.ts'
import { liveFrame } from './frame.ts'
import { LiveHistory } from './history.ts'
import type { Progress } from './progress.ts'
import { thresholdStates, thresholdsOf } from './threshold-states.ts'

/** What is needed of a terminal; `process.stderr` is one. */
export interface LiveStream {
  write(text: string): unknown
  readonly columns?: number
  readonly rows?: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

export interface LiveViewOptions {
  readonly stream: LiveStream
  readonly facts: PlanFacts
  readonly isColour: boolean
  readonly isUnicode: boolean
  /** See `BlockScreenOptions`. */
  readonly doesReflow: boolean
}

/** For terminals that do not tell. */
const FALLBACK = { columns: 80, rows: 24 }

export function createLiveView(options: LiveViewOptions): Progress {
  const { stream, facts, isColour, isUnicode, doesReflow } = options
  const write = (text: string) => stream.write(text)
  const screen = new BlockScreen({ write, isColour, doesReflow })
  const history = new LiveHistory()
  const thresholds = thresholdsOf(facts)
  let hasEnded = false
  const size = () => ({
    columns: stream.columns || FALLBACK.columns,
    rows: stream.rows || FALLBACK.rows,
    isUnicode,
  })

  function draw(): void {
    const now = size()
    const figures = history.figures()
    const states = thresholdStates(thresholds, facts, figures)
    screen.draw(liveFrame({ figures, facts, thresholds: states }, now), now.columns)
  }

  stream.on('resize', draw)
  return {
    update(snapshot, elapsedNs) {
      if (hasEnded) return
      history.add(snapshot, elapsedNs)
      draw()
    },
    say(text) {
      screen.clear(size().columns)
      write(`${text}\n`)
      if (!hasEnded) draw()
    },
    end() {
      if (hasEnded) return
      hasEnded = true
      stream.off('resize', draw)
      screen.clear(size().columns)
    },
  }
}
