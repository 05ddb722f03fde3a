/**
 * Samples numbers of the server's beside a run, each once a second, in the main thread.
 *
 * A sample that is late is given up before the next one is due, so there is never more than one of
 * each, and a server that is busy being besieged cannot pile them up. Whatever happens to a sample,
 * the run goes on.
 */
import { monotonicNs } from '../engine/net/monotonic-clock.ts'
import type { TlsPlan } from '../plan/plan.ts'
import { SeriesBuilder, type WatchedSeries } from '../result/watched.ts'
import { type Sampling, startSampling, type WatchTarget } from './watch-samplers.ts'

const PERIOD_MS = 1000
/** A run that is over before its first samples are there waits so long for them. */
const FIRST_SAMPLE_WAIT_MS = 250

export interface WatchSource {
  readonly label: string
  /** As it is shown: without credentials. */
  readonly source: string
  readonly target: WatchTarget
}

export interface Watch {
  /** Ends the sampling and hands over what it gave, in the order of the sources. */
  stop(): Promise<WatchedSeries[]>
}

/** `failed` is told of the first failure of each source, for a person who waits for the end. */
export function startWatch(
  sources: readonly WatchSource[],
  tls: TlsPlan,
  failed: (label: string, reason: string) => void,
): Watch {
  const epochNs = monotonicNs()
  const watchers = sources.map((source) => new Watcher(source, tls, epochNs, failed))
  const sampleAll = () => {
    for (const watcher of watchers) watcher.sample()
  }
  sampleAll()
  const timer = setInterval(sampleAll, PERIOD_MS)
  const abortAll = () => {
    for (const watcher of watchers) watcher.stop()
  }
  // A command that is under way must not outlive the program, however that ends.
  process.on('exit', abortAll)
  return {
    async stop() {
      clearInterval(timer)
      const firsts = Promise.all(watchers.map((watcher) => watcher.first))
      let deadline: NodeJS.Timeout | undefined
      const waited = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, FIRST_SAMPLE_WAIT_MS)
      })
      await Promise.race([firsts, waited])
      clearTimeout(deadline)
      process.off('exit', abortAll)
      abortAll()
      return watchers.map((watcher) => watcher.series())
    },
  }
}

class Watcher {
  /** Resolves once there is a first sample, or it has failed. */
  first: Promise<unknown> = Promise.resolve()
  readonly #source: WatchSource
  readonly #tls: TlsPlan
  readonly #epochNs: number
  readonly #failed: (label: string, reason: string) => void
  readonly #builder = new SeriesBuilder()
  #sampling: Sampling | undefined
  #isStopped = false

  constructor(
    source: WatchSource,
    tls: TlsPlan,
    epochNs: number,
    failed: (label: string, reason: string) => void,
  ) {
    this.#source = source
    this.#tls = tls
    this.#epochNs = epochNs
    this.#failed = failed
  }

  sample(): void {
    if (this.#sampling !== undefined) return
    const done = this.#sampleOnce()
    if (this.#builder.sampleCount + this.#builder.failureCount === 0) this.first = done
  }

  stop(): void {
    this.#isStopped = true
    this.#sampling?.abort()
  }

  series(): WatchedSeries {
    return this.#builder.series(this.#source.label, this.#source.source)
  }

  async #sampleOnce(): Promise<void> {
    const atNs = monotonicNs() - this.#epochNs
    const sampling = startSampling(this.#source.target, this.#tls)
    this.#sampling = sampling
    const reading = await sampling.reading
    this.#sampling = undefined
    // What the end of the run cut off is neither a sample nor a failure.
    if (this.#isStopped) return
    if ('value' in reading) {
      this.#builder.add(atNs, reading.value)
      return
    }
    if (this.#builder.failureCount === 0) this.#failed(this.#source.label, reading.reason)
    this.#builder.fail(reading.reason)
  }
}
