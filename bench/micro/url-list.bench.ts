/**
 * What reading a URL list, taking a target out of it and walking it cost.
 *
 * Guards the promise that a list of a million lines is ready in well under a second. Relative
 * numbers of one machine and minute; the hash shows that the work was done and did not change.
 */
import { TargetList } from '../../src/plan/target-list.ts'
import type { UrlListResult } from '../../src/plan/url-list.ts'
import { readUrlList } from '../../src/plan/url-list.ts'
import type { WalkFacts } from '../../src/plan/walk.ts'
import { walkOf } from '../../src/plan/walk.ts'

/** Lines of each list. */
export const smokeIterationCount = 1000
export const iterationCount = 1_000_000

export interface BenchRow {
  readonly name: string
  readonly nsPerOp: number
}

export function bench(iterationCount: number): { hash: number; rows: BenchRow[] } {
  const rows: BenchRow[] = []
  let hash = 0

  function measure(name: string, work: () => number): void {
    const startMs = performance.now()
    hash = (Math.imul(hash, 31) + work()) | 0
    rows.push({ name, nsPerOp: ((performance.now() - startMs) * 1e6) / iterationCount })
  }

  const kinds: [string, (index: number) => string][] = [
    ['read a plain line', (i) => `http://127.0.0.1:8080/item/${i}?x=1`],
    ['read a plain line of 50 hosts', (i) => `http://h${i % 50}.example/item/${i}?x=1`],
    ['read a line with a body', (i) => `http://127.0.0.1:8080/item POST {"id": ${i}}`],
    ['read a line with a variable', (i) => `http://$(HOST)/item/${i}`],
  ]
  for (const [name, lineOf] of kinds) {
    const bytes = textOf(iterationCount, lineOf)
    measure(name, () => hashOf(listOf(bytes)))
  }

  const list = listOf(textOf(iterationCount, kinds[0]![1]))
  const into = new Uint8Array(64)
  measure('copy a request target', () => {
    let sum = 0
    for (let index = 0; index < list.count; index++) {
      sum = (sum + into[list.copyRequestTarget(index, into, 0) - 5]!) | 0
    }
    return sum
  })
  for (const walk of ['in-order', 'random', 'once'] as const) {
    const facts: WalkFacts = { walk, targetCount: iterationCount, userCount: 1, seed: 1 }
    measure(`next target, ${walk}`, () => {
      const steps = walkOf(facts, 0)
      let sum = 0
      for (let count = 0; count < iterationCount; count++) sum = (sum + steps.next()) | 0
      return sum
    })
  }
  return { hash, rows }
}

function textOf(lineCount: number, lineOf: (index: number) => string): Uint8Array {
  const lines = Array.from({ length: lineCount }, (_, index) => lineOf(index))
  return new TextEncoder().encode(`HOST = 127.0.0.1:8080\n${lines.join('\n')}\n`)
}

function listOf(bytes: Uint8Array): TargetList {
  const result: UrlListResult = readUrlList(
    { name: 'bench', bytes },
    { isEscaping: true, readFile: () => 'no files here', environment: () => undefined },
  )
  if ('problems' in result) throw new Error(result.problems[0]?.text)
  return new TargetList(result.targets)
}

/** Of what all lines became. */
function hashOf(list: TargetList): number {
  let hash = list.count
  for (let index = 0; index < list.count; index += 97) {
    const bytes = list.bodyByteCountOf(index) + list.requestTargetByteCountOf(index)
    hash = (Math.imul(hash, 31) + bytes) | 0
  }
  return hash
}
