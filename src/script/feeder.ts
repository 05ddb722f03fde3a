/**
 * Which row of a feeder an iteration gets.
 *
 * Rows are counted by takes: the k-th iteration that takes a row, over all users. Thread t of n
 * hands out the takes t, t + n, t + 2n ... by itself, so threads never talk to each other and
 * together give each row as often as one thread would.
 */
import { invariant } from '../base/errors.ts'
import type { Random } from '../base/random.ts'
import type { FeederPlan, FeederUse } from '../plan/script-plan.ts'
import type { Part } from '../plan/walk.ts'

/** No row is left of a `unique` feeder. */
export const USED_UP = -1

/** The row of take `take`, or `USED_UP`. */
export function feederRow(
  feeder: { readonly order: FeederPlan['order']; readonly rowCount: number },
  take: number,
  random: Random,
): number {
  switch (feeder.order) {
    case 'in-order':
      return take % feeder.rowCount
    case 'unique':
      return take < feeder.rowCount ? take : USED_UP
    case 'random':
      return random.below(feeder.rowCount)
  }
}

/** The place of one thread in a feeder. */
export class FeederCursor {
  readonly #plan: FeederPlan
  readonly #facts: { readonly order: FeederPlan['order']; readonly rowCount: number }
  readonly #takeStride: number
  #take: number
  #rowCount = 0
  #isUsedUp = false

  constructor(plan: FeederPlan, thread: Part) {
    invariant(plan.rows.length > 0, 'a feeder has at least one row')
    this.#plan = plan
    this.#facts = { order: plan.order, rowCount: plan.rows.length }
    this.#takeStride = thread.count
    this.#take = thread.index
  }

  /**
   * Puts the texts of the next row into `variables`. `random` is the user's own stream. False when
   * this thread's rows are used up.
   */
  feed(variables: string[], random: Random): boolean {
    const rowIndex = feederRow(this.#facts, this.#take, random)
    if (rowIndex === USED_UP) {
      this.#isUsedUp = true
      return false
    }
    this.#take += this.#takeStride
    this.#rowCount++
    const { columns, rows } = this.#plan
    const row = rows[rowIndex]!
    for (let index = 0; index < columns.length; index++) variables[columns[index]!] = row[index]!
    return true
  }

  use(): FeederUse {
    return { name: this.#plan.name, rowCount: this.#rowCount, isUsedUp: this.#isUsedUp }
  }
}
