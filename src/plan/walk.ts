/**
 * Which target a user asks for next, and which users a thread runs.
 *
 * Both depend on the plan and a global user id alone, so that any number of threads or machines
 * sends the same sequence per user as one would. It refuses to know what a target is: a walk
 * yields indexes into the list.
 */
import { invariant } from '../base/errors.ts'
import type { Random } from '../base/random.ts'
import { seededRandom } from '../base/random.ts'
import type { Walk } from './plan.ts'

/** What a walk needs to know of its plan. */
export interface WalkFacts {
  readonly walk: Walk
  readonly targetCount: number
  /** Users of the whole plan, on all threads. */
  readonly userCount: number
  readonly seed: number
}

/** Where one user is in the list of targets. */
export interface TargetWalk {
  /** The index of the target to ask for next, or -1 when the user has asked for all its share. */
  next(): number
}

/**
 * The walk of one user, `userId` in 0..userCount - 1, from its start.
 *
 * - `in-order`: from `userId * floor(targetCount / userCount)`, round and round. With more users
 *   than targets everyone starts at 0, as in siege.
 * - `random`: uniform, from the user's own stream.
 * - `once`: the user's share of the whole list, so that all users together ask for each target
 *   exactly once. With more users than targets the last users get none.
 */
export function walkOf(facts: WalkFacts, userId: number): TargetWalk {
  const { targetCount, userCount } = facts
  invariant(targetCount > 0, 'a walk has at least one target')
  invariant(userId >= 0 && userId < userCount, 'a user id is below the user count')
  switch (facts.walk) {
    case 'in-order':
      return new RoundWalk(targetCount, userId * Math.floor(targetCount / userCount))
    case 'random':
      return new RandomWalk(targetCount, seededRandom(facts.seed, WALK_STREAM_FIRST + userId))
    case 'once': {
      const share = shareOf(targetCount, { index: userId, count: userCount })
      return new OnceWalk(share.first, share.first + share.count)
    }
  }
}

/**
 * Which target the arrival at `index` of the open model asks for: `once` has no more after the
 * last, -1; `random` draws from a stream that the arrivals of all threads share in turn.
 */
export function targetOfArrival(facts: WalkFacts, index: number): number {
  const { walk, targetCount } = facts
  switch (walk) {
    case 'in-order':
      return index % targetCount
    case 'once':
      return index < targetCount ? index : -1
    case 'random':
      return seededRandom(facts.seed, WALK_STREAM_FIRST + index).below(targetCount)
  }
}

/**
 * Random streams of walks start here, so that the choice of a target is independent of whatever
 * else a user draws from the stream of its plain id, such as its think time.
 */
const WALK_STREAM_FIRST = 2 ** 31

class RoundWalk implements TargetWalk {
  readonly #targetCount: number
  #next: number

  constructor(targetCount: number, first: number) {
    this.#targetCount = targetCount
    this.#next = first
  }

  /** HOT (bench/micro/url-list.bench.ts): once per iteration of a user; no allocation. */
  next(): number {
    const index = this.#next
    this.#next = index + 1 === this.#targetCount ? 0 : index + 1
    return index
  }
}

class RandomWalk implements TargetWalk {
  readonly #targetCount: number
  readonly #random: Random

  constructor(targetCount: number, random: Random) {
    this.#targetCount = targetCount
    this.#random = random
  }

  /** HOT (bench/micro/url-list.bench.ts): once per iteration of a user; no allocation. */
  next(): number {
    return this.#random.below(this.#targetCount)
  }
}

class OnceWalk implements TargetWalk {
  #next: number
  readonly #end: number

  constructor(first: number, end: number) {
    this.#next = first
    this.#end = end
  }

  /** HOT (bench/micro/url-list.bench.ts): once per iteration of a user; no allocation. */
  next(): number {
    if (this.#next === this.#end) return -1
    return this.#next++
  }
}

/** A stretch of neighbours: `first` to `first + count - 1`. */
export interface Share {
  readonly first: number
  readonly count: number
}

/** One part of several, 0-based. */
export interface Part {
  readonly index: number
  readonly count: number
}

/**
 * The global ids of the users that one of several threads runs. The threads' shares are as equal
 * as can be (the first ones get one more) and add up to the whole.
 */
export function sliceUsers(userCount: number, thread: Part): Share {
  return shareOf(userCount, thread)
}

/** The largest remainder rule for equal weights: the first `whole mod count` parts get one more. */
function shareOf(whole: number, part: Part): Share {
  invariant(part.index >= 0 && part.index < part.count, 'a part index is below the part count')
  const each = Math.floor(whole / part.count)
  const remainder = whole % part.count
  return {
    first: part.index * each + Math.min(part.index, remainder),
    count: each + (part.index < remainder ? 1 : 0),
  }
}
