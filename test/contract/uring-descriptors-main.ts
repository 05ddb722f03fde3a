/**
 * A process of its own that uses up its descriptors and then makes reactors on io_uring with none,
 * one, two left, until one is made.
 */
import { closeSync, openSync } from 'node:fs'
import { probeUring, UringReactor } from '../../src/engine/net/uring-reactor.ts'

export interface ScarcityReport {
  readonly refusals: readonly {
    readonly name: string
    readonly text: string
    /** Descriptors that are open though there is no reactor. */
    readonly keptFdCount: number
  }[]
}

/** More than any reactor needs: an end in any case. */
const FREE_COUNT_MAX = 10

/** What loads once needs descriptors as well. */
probeUring()
const refusals: ScarcityReport['refusals'][number][] = []
const fds = openAll()
for (let freeCount = 0; freeCount < FREE_COUNT_MAX; freeCount++) {
  const refusal = refusalHere()
  if (refusal === null) break
  const free = openAll()
  refusals.push({
    name: refusal.name,
    text: refusal.message,
    keptFdCount: freeCount - free.length,
  })
  for (const fd of [...free, fds.pop()!]) closeSync(fd)
}
for (const fd of fds) closeSync(fd)
process.stdout.write(JSON.stringify({ refusals } satisfies ScarcityReport))

function refusalHere(): Error | null {
  try {
    new UringReactor()
    return null
  } catch (error) {
    return error as Error
  }
}

/** Takes all descriptors there are. */
function openAll(): number[] {
  const opened: number[] = []
  for (;;) {
    try {
      opened.push(openSync('/dev/null', 'r'))
    } catch {
      return opened
    }
  }
}
