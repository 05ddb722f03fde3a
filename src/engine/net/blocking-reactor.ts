/** What a reactor that blocks in its own loop has on top of the seam, for the thread around it. */
import type { Reactor } from '../reactor.ts'

export interface BlockingReactor extends Reactor {
  readonly name: 'epoll' | 'uring'
  /** The eventfd that wakes it. Whoever knows that nobody will write to it any more closes it. */
  readonly wakeFd: number
  /** From now on alarms come in time to the tenth of a millisecond, at the price of CPU time. */
  bePunctual(): void
  /** Time spent waiting for events, ns, once `run` has returned: the rest the thread was busy. */
  readonly waitedNs: number
}
