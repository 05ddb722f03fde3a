/**
 * The arrivals of the open model that one of several threads begins: every n-th of one sequence,
 * which each thread computes by itself, so that together they are the whole.
 */
import { type Random, seededRandom } from '../base/random.ts'
import type { OpenLoad } from './plan.ts'
import { ArrivalClock, scheduledNs } from './schedule.ts'
import type { Part } from './walk.ts'

/** Far from the streams of users, see `walk.ts`. */
const ARRIVAL_STREAM = 2 ** 32 - 1

export class Arrivals {
  /** When the next one is due, whole nanoseconds since the start; Infinity: there is none. */
  nextDueNs = 0
  /** The next one's position in the whole sequence. */
  nextIndex = -1
  readonly #part: Part
  readonly #clock: ArrivalClock
  readonly #countMax: number
  readonly #endNs: number
  /** Null: even arrivals. */
  readonly #random: Random | null
  /** Index of the last arrival computed, and where it is on the scale of the integrated rate. */
  #index = -1
  #position = 0
  #isEnded = false

  constructor(load: OpenLoad, seed: number, part: Part) {
    this.#part = part
    this.#clock = new ArrivalClock(load.stages)
    this.#countMax = load.totalCount ?? Number.POSITIVE_INFINITY
    this.#endNs = load.durationNs ?? scheduledNs(load.stages) ?? Number.POSITIVE_INFINITY
    this.#random = load.arrivals === 'poisson' ? seededRandom(seed, ARRIVAL_STREAM) : null
    this.advance()
  }

  /** HOT (bench/micro/arrivals.bench.ts). Goes on to the next one. */
  advance(): void {
    const { index, count } = this.#part
    const target = this.nextIndex < 0 ? index : this.nextIndex + count
    while (this.#index < target) this.#step()
    this.nextIndex = target
    const dueNs =
      target < this.#countMax ? this.#clock.timeOf(this.#position) : Number.POSITIVE_INFINITY
    this.nextDueNs = dueNs < this.#endNs ? Math.round(dueNs) : Number.POSITIVE_INFINITY
  }

  /**
   * Even arrivals come at positions 0, 1, 2 ... of the integrated rate; Poisson arrivals at the sums
   * of exponential gaps of mean 1 (a Poisson process under a change of time is one of that rate).
   */
  #step(): void {
    this.#index++
    if (this.#random === null) this.#position = this.#index
    else this.#position -= Math.log(1 - this.#random.uniform())
  }

  /** All that were asked for by number have been: the run need not wait for its time to be over. */
  get isUsedUp(): boolean {
    return this.#isEnded || this.nextIndex >= this.#countMax
  }

  /** There are no more from now on. */
  end(): void {
    this.#isEnded = true
    this.nextDueNs = Number.POSITIVE_INFINITY
  }
}
