/**
 * Which reactor a run gets: the fastest proven one that works here and fits the plan, or the one
 * asked for.
 */
import { EnvironmentError } from '../base/errors.ts'
import { usesFtp } from '../engine/ftp-port.ts'
import { loadLibc } from '../engine/net/libc.ts'
import { loadOpenSsl } from '../engine/net/openssl.ts'
import { probeUring } from '../engine/net/uring-reactor.ts'
import type { Plan, ReactorWish } from '../plan/plan.ts'

export type ReactorName = 'node' | 'epoll' | 'uring'

export interface ReactorChoice {
  readonly name: ReactorName
  /** Why not a faster one; null when it is the fastest or was asked for. */
  readonly reason: string | null
}

/** A run of fewer requests is over before a thread of its own has started. */
const SHORT_RUN_ITERATION_COUNT = 100

/** Each throws an EnvironmentError where its reactor does not work. */
const probes: Readonly<Record<'uring' | 'epoll', () => void>> = {
  uring: probeUring,
  epoll: loadLibc,
}

/** Those that node's own comes after. */
const fastestFirst = ['uring', 'epoll'] as const

/** @throws {EnvironmentError} when the reactor that was asked for does not work here. */
export function chooseReactor(plan: Plan, wish: ReactorWish): ReactorChoice {
  if (wish === 'node') return { name: 'node', reason: null }
  const planReason = planObstacle(plan)
  if (wish !== 'auto') {
    const obstacle = planReason ?? machineObstacle(plan, probes[wish])
    if (obstacle === null) return { name: wish, reason: null }
    throw new EnvironmentError(`the ${wish} reactor cannot be used: ${obstacle}`, {
      hint: 'Leave --reactor out, or say --reactor node.',
    })
  }
  if (planReason !== null || isShortRun(plan)) return { name: 'node', reason: planReason }
  const reasons = new Set<string>()
  for (const name of fastestFirst) {
    const obstacle = machineObstacle(plan, probes[name])
    if (obstacle === null) return { name, reason: reasonOf(reasons) }
    reasons.add(obstacle)
  }
  return { name: 'node', reason: reasonOf(reasons) }
}

function reasonOf(obstacles: ReadonlySet<string>): string | null {
  return obstacles.size === 0 ? null : [...obstacles].join('; ')
}

function isShortRun({ load, connection, threadCount }: Plan): boolean {
  // The node reactor cannot set buffers.
  if (threadCount > 1 || connection.bufferBytes !== undefined) return false
  if (load.totalCount != null) return load.totalCount <= SHORT_RUN_ITERATION_COUNT
  if (load.iterationCount === null) return false
  return load.iterationCount * load.userCount <= SHORT_RUN_ITERATION_COUNT
}

function planObstacle(plan: Plan): string | null {
  return usesFtp(plan) ? 'ftp:// targets need the node reactor' : null
}

function machineObstacle({ targets }: Plan, probe: () => void): string | null {
  try {
    probe()
    if (targets.origins.some((origin) => origin.scheme === 'https')) loadOpenSsl()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
    throw error
  }
}
