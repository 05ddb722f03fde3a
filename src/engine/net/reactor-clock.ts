/**
 * A reactor's clock: nanoseconds since the run's start, read when the reactor says so.
 *
 * Readings are `performance.now`'s, which makes no BigInt; its distance to the system's monotonic
 * clock, on which all threads agree, is taken once.
 */
import { DOUBLE } from '../../base/units.ts'
import { monotonicNs } from './monotonic-clock.ts'

/** Of its module, nothing else is needed; as a constant it is read without a getter. */
const { performance } = globalThis

export class ReactorClock {
  readonly #offsetNs: number
  nowNs: number = DOUBLE

  /** `epochNs`: the run's start on the system's monotonic clock. */
  constructor(epochNs: number) {
    this.#offsetNs = monotonicNs() - performance.now() * 1e6 - epochNs
    this.read()
  }

  /** HOT (bench/macro/main.ts). */
  read(): number {
    this.nowNs = Math.round(performance.now() * 1e6 + this.#offsetNs)
    return this.nowNs
  }
}
