/**
 * How much room a ring has, and whether its buffers are poisoned. Programs leave it alone; tests
 * make everything scarce.
 */

export interface UringTuning {
  /** A power of two. */
  readonly submissionCount: number
  /** A power of two, not fewer than the submissions. */
  readonly completionCount: number
  /** A power of two. */
  readonly bufferCount: number
  /** So many are handed over before any has run out. */
  readonly firstBufferCount: number
  /** A buffer is written over when it is given back, so that who still reads it is found out. */
  readonly isPoisoned: boolean
}

export const usualTuning: UringTuning = {
  submissionCount: 1024,
  // Many times the submissions: one receive, submitted once, completes many times.
  completionCount: 8192,
  bufferCount: 1024,
  firstBufferCount: 64,
  isPoisoned: false,
}
