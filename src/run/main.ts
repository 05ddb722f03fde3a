/** `onager run`: command line in; live view, result file, reports and exit status out. */
import { UsageError } from '../base/errors.ts'
import { tlsProblem } from '../engine/net/secure-context.ts'
import { writeAllSync } from '../fleet/output-writer.ts'
import { loadPlan } from './load-plan.ts'

/** How long a reader of what is printed may take its time. */
const OUTPUT_WAIT_MS = 60_000
const RANDOM_SEED_COUNT = 2 ** 32

/** @throws {UsageError} for whatever is wrong with command line and plan; nothing was sent then. */
export async function main(argv: string[]): Promise<number> {
  const loaded = await loadPlan(argv, {
    folder: process.cwd(),
    environment: (name) => process.env[name],
    randomSeed: Date.now() % RANDOM_SEED_COUNT,
  })
  if (loaded.kind === 'text') {
    writeAllSync(1, loaded.text, OUTPUT_WAIT_MS)
    return 0
  }
  const { plan, wishes } = loaded
  const tlsFault = tlsProblem(plan.tls)
  if (tlsFault !== null) throw new UsageError(tlsFault)
  const { runLoad } = await import('./run-load.ts')
  return runLoad(plan, wishes)
}
