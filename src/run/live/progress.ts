/** How a run is shown while it goes on, by what it is shown on. */
import type { Snapshot } from '../../metrics/snapshot.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import { createLiveView, type LiveStream } from './live-view.ts'
import { createPlainProgress } from './plain-progress.ts'

export interface Progress {
  /** The counts of all threads since the start, several times a second. */
  update(snapshot: Snapshot, elapsedNs: number): void
  /** A line of text that stays, whatever is drawn. */
  say(text: string): void
  /** Makes way for the report; updates after it are ignored. */
  end(): void
}

export interface ProgressOptions {
  /** Where it is shown: `process.stderr`, so that stdout is left to reports. */
  readonly stream: LiveStream & { readonly isTTY?: boolean }
  readonly facts: PlanFacts
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isQuiet: boolean
}

/** A live view on a terminal, lines elsewhere, and nothing but what is said when quiet. */
export function showProgress(options: ProgressOptions): Progress {
  const { stream, facts, env, isQuiet } = options
  const write = (text: string) => stream.write(text)
  if (isQuiet) return { update() {}, say: (text) => void write(`${text}\n`), end() {} }
  if (stream.isTTY !== true || env.TERM === 'dumb') return createPlainProgress(write, facts)
  return createLiveView({
    stream,
    facts,
    isColour: !env.NO_COLOR,
    isUnicode: knowsUnicode(env),
    doesReflow: doesReflow(env),
  })
}

/**
 * Containers often have no locale at all, on terminals that know everything. The console of Linux
 * speaks UTF-8 and yet has no braille in its font.
 */
function knowsUnicode(env: ProgressOptions['env']): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8'
  return /utf-?8/i.test(locale) && env.TERM !== 'linux'
}

/** Nearly every terminal does by now; these are known to cut lines off. */
function doesReflow(env: ProgressOptions['env']): boolean {
  if (env.TMUX !== undefined) return true
  return env.XTERM_VERSION === undefined && !/^(?:linux|screen)/.test(env.TERM ?? '')
}
