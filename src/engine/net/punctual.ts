/**
 * Being in time to the tenth of a millisecond, for arrivals that are due at a moment of their own.
 *
 * A sleeping thread is woken late by the kernel: by its timer slack, which can be taken away, and
 * by the time it takes to run again, tens of microseconds. So a punctual reactor sleeps until a
 * little before and looks at what comes in without sleeping until the moment is there.
 */

import type { Libc } from './libc.ts'

/** What is left of a wait that is not slept through. */
export const WATCH_NS = 60_000

const PR_SET_TIMERSLACK = 29

/** Takes the slack away that the kernel has for waking this thread: 50 us unless told. */
export function dropTimerSlack(libc: Pick<Libc, 'prctl'>): void {
  libc.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
}

/** How long to sleep for an alarm at `dueNs`: 0 is not at all. */
export function sleepNs(dueNs: number, nowNs: number, isPunctual: boolean): number {
  const leftNs = dueNs - nowNs
  return Math.max(0, isPunctual ? leftNs - WATCH_NS : leftNs)
}
