/** Stands where `ab` will be: says that it is not there yet and what to use meanwhile. */
import { EXIT_USAGE } from './run-main.ts'

export async function main(_argv: string[]): Promise<number> {
  process.stderr.write('ab is not there yet; siege (or onager siege) can be used meanwhile.\n')
  return EXIT_USAGE
}
