/** What recording one value costs, for values spread as response times are. */
import { seededRandom } from '../../src/base/random.ts'
import { Histogram } from '../../src/metrics/histogram.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 5_000_000

export interface BenchResult {
  /** Depends on all work done, so that none can be left out unnoticed. */
  readonly hash: number
  readonly rows: { readonly name: string; readonly nsPerOp: number }[]
}

/** Values are drawn beforehand; a power of two, so that they are walked with a mask. */
const VALUE_COUNT = 1 << 16

export function bench(iterationCount: number): BenchResult {
  const random = seededRandom(1)
  const valuesNs = new Float64Array(VALUE_COUNT)
  // Exponential around 2 ms, as in dependencies.md 2.3.
  for (let i = 0; i < VALUE_COUNT; i++) {
    valuesNs[i] = Math.round(-Math.log(1 - random.uniform()) * 2_000_000)
  }
  const rows: { name: string; nsPerOp: number }[] = []
  let hash = 0
  for (const digits of [3, 2] as const) {
    const histogram = new Histogram(digits)
    recordAll(histogram, valuesNs, Math.min(iterationCount, 200_000))
    histogram.reset()
    const before = process.hrtime.bigint()
    recordAll(histogram, valuesNs, iterationCount)
    const elapsedNs = Number(process.hrtime.bigint() - before)
    rows.push({ name: `record, ${digits} digits`, nsPerOp: elapsedNs / iterationCount })
    hash = (hash * 31 + histogram.valueNsAtQuantile(0.99) + histogram.totalCount) % 2 ** 32
  }
  return { hash, rows }
}

function recordAll(histogram: Histogram, valuesNs: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) histogram.record(valuesNs[i & (VALUE_COUNT - 1)]!)
}
