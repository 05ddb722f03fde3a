/**
 * Seeded random numbers: the same seed and stream give the same sequence on every machine.
 *
 * Each virtual user draws from a stream of its own, so that what it does depends on the plan and
 * its id alone and not on how users are shared out among threads.
 *
 * sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, 32-bit operations only.
 */

export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  uniform(): number
  /** Uniform whole number in [0, count). */
  below(count: number): number
}

/** A generator for one `stream` (a user's id, say) of `seed`; both are whole numbers. */
export function seededRandom(seed: number, stream = 0): Random {
  let a = seed >>> 0
  let b = Math.floor(seed / 2 ** 32) >>> 0
  let c = stream >>> 0
  let counter = 1

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  // Seeds that differ in one bit give unrelated sequences only after the state has been mixed.
  for (let round = 0; round < 16; round++) next()

  function uniform(): number {
    return (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53
  }
  return { uniform, below: (count) => Math.floor(uniform() * count) }
}
