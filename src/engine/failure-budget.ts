/**
 * How many transport failures a run may have, counted over all its threads.
 *
 * The count lives in shared memory and is touched only when an exchange fails.
 */
export class FailureBudget {
  /** One shared cell; hand it to the budgets of the other threads. */
  readonly cell: Int32Array
  readonly #failureCountMax: number

  /** `failureCountMax` null: no limit. */
  constructor(
    failureCountMax: number | null,
    cell: Int32Array = new Int32Array(new SharedArrayBuffer(4)),
  ) {
    this.#failureCountMax = failureCountMax ?? Number.POSITIVE_INFINITY
    this.cell = cell
  }

  get isSpent(): boolean {
    return Atomics.load(this.cell, 0) >= this.#failureCountMax
  }

  /** Notes one failure; true when the limit is reached with it or was before. */
  spend(): boolean {
    return Atomics.add(this.cell, 0, 1) + 1 >= this.#failureCountMax
  }
}
