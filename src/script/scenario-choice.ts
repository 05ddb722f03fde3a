/**
 * Which scenario the k-th iteration of all users is.
 *
 * It depends on the seed and k alone, so any thread can work it out for its own iterations. Within
 * each block of iterations the order is random; over blocks the shares are those of the weights,
 * closer than independent draws would come (their error after N draws is about the root of N, here
 * it stays below a block).
 *
 * Trick: iteration i of block b lands at (shuffled(i) + x) / BLOCK on the line from 0 to 1 that the
 * weights divide, with x the fractional part of b times the golden ratio: each block spreads evenly
 * over the line, and so do the blocks between two neighbours.
 */
import { invariant } from '../base/errors.ts'
import { seededRandom } from '../base/random.ts'

const BLOCK = 32
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2
/** Keeps these numbers apart from those that users draw with the plan's seed. */
const SEED_OFFSET = 0x5ce4a210

export class ScenarioChooser {
  /** Where each scenario's part of the line ends. */
  readonly #ends: readonly number[]
  readonly #seed: number
  readonly #offset: number
  readonly #order: Uint8Array = new Uint8Array(BLOCK)
  /** The block that `#order` is for. */
  #block = -1

  /** `weights` are above 0; at least one. */
  constructor(weights: readonly number[], seed: number) {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    invariant(weights.length > 0 && total > 0, 'there is a scenario to choose')
    let sum = 0
    this.#ends = weights.map((weight) => {
      sum += weight
      return sum / total
    })
    this.#seed = seed + SEED_OFFSET
    this.#offset = seededRandom(this.#seed).uniform()
  }

  /** The index of the scenario of iteration `iterationIndex`, counted over all users. */
  scenarioOf(iterationIndex: number): number {
    const ends = this.#ends
    if (ends.length === 1) return 0
    const block = Math.floor(iterationIndex / BLOCK)
    if (block !== this.#block) this.#shuffle(block)
    const shift = (block * GOLDEN_RATIO + this.#offset) % 1
    const position = (this.#order[iterationIndex - block * BLOCK]! + shift) / BLOCK
    let index = 0
    // The last end is 1 but for rounding, and takes what is left.
    while (index < ends.length - 1 && position >= ends[index]!) index++
    return index
  }

  #shuffle(block: number): void {
    const random = seededRandom(this.#seed, block + 1)
    const order = this.#order
    for (let index = 0; index < BLOCK; index++) {
      const other = random.below(index + 1)
      order[index] = order[other]!
      order[other] = index
    }
    this.#block = block
  }
}
