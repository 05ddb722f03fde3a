/**
 * Which reactor a run gets: the fastest that works here and fits the plan, or the one asked for.
 */
import { EnvironmentError } from '../base/errors.ts'
import { usesFtp } from '../engine/ftp-port.ts'
import { loadLibc } from '../engine/net/libc.ts'
import { loadOpenSsl } from '../engine/net/openssl.ts'
import type { Plan, ReactorWish } from '../plan/plan.ts'

export type ReactorName = 'node' | 'epoll'

export interface ReactorChoice {
  readonly name: ReactorName
  /** Why not a faster one; null when it is the fastest or was asked for. */
  readonly reason: string | null
}

/** A run of fewer requests is over before a thread of its own has started. */
const SHORT_RUN_ITERATION_COUNT = 100

/**
 * `needsMainThread`: something of the run has to happen in the main thread's event loop.
 * @throws {EnvironmentError} when the reactor that was asked for does not work here.
 */
export function chooseReactor(plan: Plan, wish: ReactorWish): ReactorChoice {
  if (wish === 'node') return { name: 'node', reason: null }
  const obstacle = planObstacle(plan) ?? machineObstacle(plan)
  if (obstacle === null) {
    const isShort = wish === 'auto' && isShortRun(plan)
    return isShort ? { name: 'node', reason: null } : { name: 'epoll', reason: null }
  }
  if (wish === 'epoll') {
    throw new EnvironmentError(`the epoll reactor cannot be used: ${obstacle}`, {
      hint: 'Leave --reactor out, or say --reactor node.',
    })
  }
  return { name: 'node', reason: obstacle }
}

function isShortRun({ load, threadCount }: Plan): boolean {
  if (threadCount > 1) return false
  if (load.totalCount != null) return load.totalCount <= SHORT_RUN_ITERATION_COUNT
  if (load.iterationCount === null) return false
  return load.iterationCount * load.userCount <= SHORT_RUN_ITERATION_COUNT
}

function planObstacle(plan: Plan): string | null {
  if (plan.connection.localAddress !== undefined) return 'a local address needs the node reactor'
  return usesFtp(plan) ? 'ftp:// targets need the node reactor' : null
}

function machineObstacle({ targets }: Plan): string | null {
  try {
    loadLibc()
    if (targets.origins.some((origin) => origin.scheme === 'https')) loadOpenSsl()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
    throw error
  }
}
