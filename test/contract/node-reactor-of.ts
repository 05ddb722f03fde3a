/** Makes the reactor under test in a process of its own, see `limit-main.ts`. */
import { NodeReactor } from '../../src/engine/net/node-reactor.ts'
import type { Reactor } from '../../src/engine/reactor.ts'

export function createReactor(): Reactor {
  return new NodeReactor()
}
