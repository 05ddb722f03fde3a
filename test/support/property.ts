/**
 * fast-check with one seed for all, so that the same commit tests the same inputs wherever it runs.
 *
 * `PROPERTY_SEED=random npm test` looks at inputs that nobody has seen yet, `PROPERTY_SEED=N` again
 * at those of a run that failed (its message names the seed).
 */
import fc from 'fast-check'

const FIXED_SEED = 20261201

const wanted = process.env.PROPERTY_SEED ?? String(FIXED_SEED)
if (wanted !== 'random') {
  const seed = Number(wanted)
  if (!Number.isInteger(seed)) {
    throw new Error(`PROPERTY_SEED is '${wanted}'; give a whole number or random.`)
  }
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}

export { fc }
