/**
 * Everybody who watches a run while it goes on: the person at the terminal, and the exporters that
 * were asked for. The exporters are loaded only then.
 */
import type { Snapshot } from '../metrics/snapshot.ts'
import type { PlanFacts } from '../result/run-result.ts'
import type { Exporter } from './exporters/exporter.ts'
import type { OtlpTarget } from './exporters/otlp.ts'
import type { ListenAddress } from './exporters/prometheus.ts'
import { type ProgressOptions, showProgress } from './live/progress.ts'

export interface WatchOptions extends ProgressOptions {
  /** Null: nothing is listened on. */
  readonly prometheus: ListenAddress | null
  /** Null: nothing is pushed. */
  readonly otlp: OtlpTarget | null
  /** Wall clock at the start of the run, ms since 1970. */
  readonly startedAtMs: number
}

export interface RunWatchers {
  /** As `RunPorts.progress` tells it. */
  progress(snapshot: Snapshot, elapsedNs: number): void
  /** A line of text on stderr that stays, whatever is drawn. */
  say(text: string): void
  /** Takes the view away, to make room for the report. */
  endView(): void
  /**
   * Gives the exporters the counts of the whole run and ends them, within two seconds or so. It
   * comes after the report, which nobody has to wait for.
   */
  close(snapshot: Snapshot, elapsedNs: number): Promise<void>
}

/** @throws {EnvironmentError} when the address for Prometheus cannot be listened on. */
export async function watchRun(options: WatchOptions): Promise<RunWatchers> {
  const { facts, isQuiet } = options
  const view = showProgress(options)
  const warn = (text: string) => view.say(`onager: ${text}`)
  const exporters = await startExporters(options, facts, warn).catch((error: unknown) => {
    view.end()
    throw error
  })
  for (const { notice } of exporters) if (notice !== null && !isQuiet) view.say(notice)

  function tellExporters(snapshot: Snapshot, elapsedNs: number): void {
    for (const { exporter } of exporters) exporter.update(snapshot, elapsedNs)
  }

  return {
    progress(snapshot, elapsedNs) {
      view.update(snapshot, elapsedNs)
      tellExporters(snapshot, elapsedNs)
    },
    say: (text) => view.say(text),
    endView: () => view.end(),
    async close(snapshot, elapsedNs) {
      view.end()
      tellExporters(snapshot, elapsedNs)
      await Promise.all(exporters.map(({ exporter }) => exporter.close()))
    },
  }
}

interface Started {
  readonly exporter: Exporter
  /** What a person has to know of it. */
  readonly notice: string | null
}

async function startExporters(
  { prometheus, otlp, startedAtMs }: WatchOptions,
  facts: PlanFacts,
  warn: (text: string) => void,
): Promise<Started[]> {
  const started: Started[] = []
  if (prometheus !== null) {
    const { startPrometheus } = await import('./exporters/prometheus.ts')
    const exporter = await startPrometheus(prometheus, facts)
    started.push({ exporter, notice: `Metrics for Prometheus: ${exporter.url}` })
  }
  if (otlp !== null) {
    const { startOtlp } = await import('./exporters/otlp.ts')
    started.push({ exporter: startOtlp({ target: otlp, facts, startedAtMs, warn }), notice: null })
  }
  return started
}
