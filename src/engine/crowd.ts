/**
 * The users of the closed model that have not begun yet.
 *
 * They are numbers until their turn comes, so that a million of them cost nothing before that, and a
 * run of one second with a million users ends after one second.
 */

/** How many users begin in one turn of the loop, so that a large crowd does not block it. */
const BATCH_COUNT = 500
/** Users that begin by one reading of the clock. */
const CLOCK_PERIOD_COUNT = 8

export interface CrowdPorts {
  /** When the plan has a place for each, by position; it never falls. Infinity: never. */
  firstTime(index: number): number
  refreshNowNs(): number
  /** What it begins may end the run, and so dismiss the others. */
  begin(index: number, nowNs: number): void
}

export class Crowd {
  /** When the next one begins; Infinity: nobody waits. */
  nextDueNs: number = Number.POSITIVE_INFINITY
  readonly #ports: CrowdPorts
  #index = 0
  #userCount: number

  constructor(userCount: number, ports: CrowdPorts) {
    this.#userCount = userCount
    this.#ports = ports
    this.#look()
  }

  /** Users that may still begin; those without a place in the plan are among them. */
  get waitingCount(): number {
    return this.#userCount - this.#index
  }

  /** Nobody else has a place in the plan. */
  get isEmpty(): boolean {
    return this.nextDueNs === Number.POSITIVE_INFINITY
  }

  /** Lets users begin whose turn has come. */
  admit(alarmNs: number): void {
    let nowNs = alarmNs
    for (let count = 1; count <= BATCH_COUNT && this.nextDueNs <= nowNs; count++) {
      const index = this.#index++
      this.#look()
      this.#ports.begin(index, nowNs)
      if (count % CLOCK_PERIOD_COUNT === 0) nowNs = this.#ports.refreshNowNs()
    }
  }

  /** Nobody else will begin; returns how many have waited. */
  dismiss(): number {
    const count = this.waitingCount
    this.#userCount = this.#index
    this.nextDueNs = Number.POSITIVE_INFINITY
    return count
  }

  #look(): void {
    const hasMore = this.#index < this.#userCount
    this.nextDueNs = hasMore ? this.#ports.firstTime(this.#index) : Number.POSITIVE_INFINITY
  }
}
