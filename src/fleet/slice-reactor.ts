/**
 * The reactor of one thread, as it was chosen for the run; or the next best one, where the machine
 * refuses this thread what it gave to the probe: memory and descriptors run out.
 */
import { EnvironmentError } from '../base/errors.ts'
import type { BlockingReactor } from '../engine/net/blocking-reactor.ts'
import { EpollReactor } from '../engine/net/epoll-reactor.ts'
import { NodeReactor } from '../engine/net/node-reactor.ts'
import { UringReactor } from '../engine/net/uring-reactor.ts'
import type { ConnectionSettings, ReactorWish } from '../plan/plan.ts'
import type { ReactorName } from './reactor-choice.ts'

export interface ReactorTask {
  readonly plan: { readonly connection: ConnectionSettings; readonly reactor: ReactorWish }
  readonly reactorName: ReactorName
  readonly epochNs: number
}

export interface SliceReactor {
  readonly reactor: BlockingReactor | NodeReactor
  /** Why this thread has not the one that was chosen; null when it has. */
  readonly reason: string | null
}

/** How each is made. @throws {EnvironmentError} where the machine refuses it. */
export type ReactorMakers = Readonly<
  Record<ReactorName, (task: ReactorTask) => BlockingReactor | NodeReactor>
>

const makers: ReactorMakers = {
  uring: ({ epochNs, plan }) => new UringReactor(epochNs, plan.connection),
  epoll: ({ epochNs, plan }) => new EpollReactor(epochNs, plan.connection),
  node: ({ epochNs, plan }) => new NodeReactor(epochNs, plan.connection.sourceAddresses),
}

/** @throws {EnvironmentError} when a reactor that somebody asked for by name cannot be made. */
export function makeReactor(task: ReactorTask, how: ReactorMakers = makers): SliceReactor {
  if (task.reactorName !== 'uring' || task.plan.reactor !== 'auto') {
    return { reactor: how[task.reactorName](task), reason: null }
  }
  try {
    return { reactor: how.uring(task), reason: null }
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    return { reactor: how.epoll(task), reason: error.message }
  }
}

export function isBlocking(reactor: BlockingReactor | NodeReactor): reactor is BlockingReactor {
  return reactor.name !== 'node'
}
