/**
 * Time on a machine that may be busy with others: what a test may say about it, and how.
 *
 * Pure computation is bounded by the CPU time of this process, which nobody else can use up. What
 * whole programs do by the clock is judged by the best of three tries: a time that is wrong is wrong
 * in each, and the machine is not busy to the same degree each time.
 */
import assert from 'node:assert/strict'
import { type TestContext, type TestOptions, test } from 'node:test'

const TRY_COUNT = 3

/** How long `eventually` waits: far more than anything takes, since only a failure lasts so long. */
const EVENTUALLY_MS = 20_000

/** Milliseconds of CPU time that this process, with all its threads, spends on `work`. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * A test of times by the clock, with three tries. Only assertions are tried again: a program that
 * hangs or breaks is wrong at once. A try that failed is told in the output, so that it is seen.
 */
export function timedTest(
  name: string,
  body: (t: TestContext) => Promise<void>,
  options: TestOptions = {},
): void {
  test(name, options, async (t) => {
    for (let triesLeft = TRY_COUNT; ; triesLeft--) {
      try {
        return await body(t)
      } catch (error) {
        if (triesLeft === 1 || !(error instanceof assert.AssertionError)) throw error
        t.diagnostic(`tried again after: ${error.message}`)
      }
    }
  })
}

/** Waits until `holds`, and fails when it never does. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const deadlineMs = performance.now() + EVENTUALLY_MS
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
