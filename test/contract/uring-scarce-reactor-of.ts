/**
 * A reactor on io_uring in which everything is scarce: queues of four, eight buffers, which are
 * written over as soon as they are given back.
 */
import { monotonicNs } from '../../src/engine/net/monotonic-clock.ts'
import { UringReactor } from '../../src/engine/net/uring-reactor.ts'
import type { UringTuning } from '../../src/engine/net/uring-tuning.ts'
import type { Reactor } from '../../src/engine/reactor.ts'

export const scarceTuning: UringTuning = {
  submissionCount: 4,
  completionCount: 4,
  bufferCount: 8,
  firstBufferCount: 1,
  isPoisoned: true,
}

export function createReactor(): Reactor {
  return new UringReactor(monotonicNs(), {}, scarceTuning)
}
