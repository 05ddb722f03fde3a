/**
 * Holds new connections to a rate, so that a server's queue of them is not what is measured.
 *
 * Whoever would open one too early waits here for its turn; its exchange has not begun until then,
 * so that the wait is in no figure of the target. Turns come in the order of asking.
 */
import { NS_PER_S } from '../base/units.ts'
import type { Part } from '../plan/walk.ts'
import type { Fetch } from './fetch.ts'

interface Waiting {
  readonly fetch: Fetch
  readonly turnNs: number
  /** Null: due when its turn comes. */
  readonly dueNs: number | null
}

export class ConnectPacer {
  readonly #periodNs: number
  #nextTurnNs: number
  /** In the order of their turns; those before `#first` have had theirs. */
  #waiting: Waiting[] = []
  #first = 0

  /** `ratePerS`: of all threads together, which take turns. */
  constructor(ratePerS: number, part: Part) {
    this.#periodNs = (NS_PER_S * part.count) / ratePerS
    this.#nextTurnNs = (NS_PER_S * part.index) / ratePerS
  }

  /** When somebody who waits has a turn; Infinity: nobody waits. */
  get nextDueNs(): number {
    return this.#waiting[this.#first]?.turnNs ?? Number.POSITIVE_INFINITY
  }

  /** Whether the fetch may open a connection now; otherwise it is told when it may. */
  mayConnect(fetch: Fetch, nowNs: number, dueNs: number): boolean {
    const turnNs = Math.max(this.#nextTurnNs, nowNs)
    this.#nextTurnNs = turnNs + this.#periodNs
    if (turnNs <= nowNs) return true
    this.#waiting.push({ fetch, turnNs, dueNs: dueNs < nowNs ? dueNs : null })
    return false
  }

  /** Lets those go on whose turn has come. */
  takeTurns(nowNs: number): void {
    while (this.nextDueNs <= nowNs) {
      const { fetch, dueNs } = this.#waiting[this.#first++]!
      fetch.connectInTurn(nowNs, dueNs ?? nowNs)
    }
    if (this.#first > 1024 && this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first)
      this.#first = 0
    }
  }
}
