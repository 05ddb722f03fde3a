/**
 * Puts what each thread tells of its progress together: one call for each round in which all of
 * them have told something new.
 */
import type { Snapshot } from '../metrics/snapshot.ts'
import { mergeSnapshots } from '../metrics/snapshot-merge.ts'

export type TakeProgress = (snapshot: Snapshot, atNs: number) => void

export class ProgressWatcher {
  readonly #latest: (Snapshot | undefined)[]
  readonly #hasNews: boolean[]
  readonly #take: TakeProgress | undefined
  #atNs = 0

  constructor(threadCount: number, take: TakeProgress | undefined) {
    this.#latest = new Array(threadCount).fill(undefined)
    this.#hasNews = new Array(threadCount).fill(false)
    this.#take = take
  }

  /** Where the thread with this index tells its counts. */
  portOf(threadIndex: number): TakeProgress {
    return (snapshot, atNs) => {
      this.#latest[threadIndex] = snapshot
      this.#atNs = Math.max(this.#atNs, atNs)
      const isNewRound = this.#hasNews[threadIndex]!
      this.#hasNews[threadIndex] = true
      // A thread that tells twice is not held up by one that has ended.
      if (!isNewRound && this.#hasNews.includes(false)) return
      this.#hasNews.fill(false)
      const known = this.#latest.filter((each) => each !== undefined)
      this.#take?.(mergeSnapshots(known), this.#atNs)
    }
  }
}
