/**
 * The open model: begins an iteration whenever one is due, on whichever user is free.
 *
 * Users are made as they are needed, up to the plan's bound; the one that was used last is taken
 * first, so that its connections are warm. An arrival that finds every user busy is dropped and
 * counted: it is never begun late instead.
 */
import type { Arrivals } from '../plan/arrivals.ts'
import type { TargetWalk } from '../plan/walk.ts'
import type { VirtualUser } from './virtual-user.ts'

/** Arrivals begun in one turn of the loop, so that what comes in is read in between. */
const BATCH_COUNT = 500
/** Arrivals looked at in one turn: dropping one costs next to nothing. */
const DUE_COUNT_MAX = 20_000
/** Arrivals begun by one reading of the clock. */
const CLOCK_PERIOD_COUNT = 8

/** What is needed of the runner. */
export interface ArrivalPorts {
  refreshNowNs(): number
  makeUser(index: number): VirtualUser
  arrived(dueNs: number, nowNs: number): void
  dropped(dueNs: number, isOverdue: boolean): void
}

export class OpenArrivals {
  readonly #arrivals: Arrivals
  readonly #ports: ArrivalPorts
  readonly #userCountMax: number
  readonly #idle: VirtualUser[] = []
  #userCount = 0
  /** Of the arrival that is being begun. */
  #index = 0

  constructor(arrivals: Arrivals, userCountMax: number, ports: ArrivalPorts) {
    this.#arrivals = arrivals
    this.#userCountMax = userCountMax
    this.#ports = ports
  }

  get nextDueNs(): number {
    return this.#arrivals.nextDueNs
  }

  /** Nothing more will begin, and the run need not wait for its time to be over. */
  get isUsedUp(): boolean {
    return this.#arrivals.isUsedUp
  }

  /** Position in the whole plan's sequence of the arrival that is being begun. */
  get index(): number {
    return this.#index
  }

  /** HOT (bench/macro/main.ts). Begins what is due; what it begins may end the run. */
  begin(nowNs: number): void {
    const arrivals = this.#arrivals
    let clockNs = nowNs
    let begunCount = 0
    for (let count = 1; count <= DUE_COUNT_MAX && arrivals.nextDueNs <= clockNs; count++) {
      if (begunCount === BATCH_COUNT) return
      const dueNs = arrivals.nextDueNs
      this.#index = arrivals.nextIndex
      arrivals.advance()
      const user = this.#idle.pop() ?? this.#another()
      if (user === undefined) this.#ports.dropped(dueNs, false)
      else if (user.advance()) {
        begunCount++
        this.#ports.arrived(dueNs, clockNs)
        user.startIteration(clockNs, dueNs)
      } else {
        // Nothing is left to be asked for.
        this.#idle.push(user)
        arrivals.end()
      }
      if (count % CLOCK_PERIOD_COUNT === 0) clockNs = this.#ports.refreshNowNs()
    }
  }

  /** The time is over: what is due by now and not begun will not be. */
  dropDue(nowNs: number): void {
    const arrivals = this.#arrivals
    for (; arrivals.nextDueNs <= nowNs; arrivals.advance()) {
      this.#ports.dropped(arrivals.nextDueNs, true)
    }
  }

  #another(): VirtualUser | undefined {
    if (this.#userCount >= this.#userCountMax) return undefined
    return this.#ports.makeUser(this.#userCount++)
  }

  /** HOT (bench/macro/main.ts). The user's iteration is over. */
  release(user: VirtualUser): void {
    this.#idle.push(user)
  }

  end(): void {
    this.#arrivals.end()
  }
}

/** Targets by the arrival's position, whichever user it falls to. */
export function arrivalWalk(walkAt: (index: number) => number, open: OpenArrivals): TargetWalk {
  return { next: () => walkAt(open.index) }
}
