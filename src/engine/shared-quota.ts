/**
 * How many iterations the users of a run have left together, over all its threads.
 *
 * Whoever is free takes the next one, so that the run makes exactly as many as were asked for,
 * however unequal its users are. Lock-free: one atomic addition for each.
 */
import { invariant } from '../base/errors.ts'

/** The counter overshoots by one for each user that finds nothing left. */
export const QUOTA_COUNT_MAX: number = 2 ** 31 - 1

export class SharedQuota {
  /** One shared cell; hand it to the quotas of the other threads. */
  readonly cell: Uint32Array
  readonly #totalCount: number

  constructor(
    totalCount: number,
    cell: Uint32Array = new Uint32Array(new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT)),
  ) {
    invariant(totalCount <= QUOTA_COUNT_MAX, 'a quota leaves room for its counter to overshoot')
    this.#totalCount = totalCount
    this.cell = cell
  }

  /** Nothing is left, on any thread. */
  get isUsedUp(): boolean {
    return Atomics.load(this.cell, 0) >= this.#totalCount
  }

  /** HOT (bench/macro/main.ts). Takes one; false when none is left. */
  take(): boolean {
    return Atomics.add(this.cell, 0, 1) < this.#totalCount
  }
}
