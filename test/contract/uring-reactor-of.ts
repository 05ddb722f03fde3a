/** Makes the reactor under test in a process of its own, see `limit-main.ts`. */
import { UringReactor } from '../../src/engine/net/uring-reactor.ts'
import type { Reactor } from '../../src/engine/reactor.ts'

export function createReactor(): Reactor {
  return new UringReactor()
}
