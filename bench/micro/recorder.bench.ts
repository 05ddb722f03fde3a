/** What one exchange costs in counting: started, completed with all its times, page ended. */
import { seededRandom } from '../../src/base/random.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import { Exchange } from '../../src/metrics/exchange.ts'
import { nullRecorder, type Recorder } from '../../src/metrics/recorder.ts'

export const smokeIterationCount = 1_000
export const iterationCount = 2_000_000

export interface BenchResult {
  /** Depends on all work done, so that none can be left out unnoticed. */
  readonly hash: number
  readonly rows: { readonly name: string; readonly nsPerOp: number }[]
}

const DURATION_COUNT = 1 << 16
const NS_PER_EXCHANGE = 20_000

export function bench(iterationCount: number): BenchResult {
  const random = seededRandom(1)
  const durationsNs = new Float64Array(DURATION_COUNT)
  for (let i = 0; i < DURATION_COUNT; i++) {
    durationsNs[i] = Math.round(-Math.log(1 - random.uniform()) * 2_000_000)
  }
  const variants: { name: string; isFresh: boolean; recorder: Recorder }[] = [
    { name: 'pooled connection', isFresh: false, recorder: new CountingRecorder() },
    { name: 'fresh TLS connection', isFresh: true, recorder: new CountingRecorder() },
    { name: 'nothing counted', isFresh: false, recorder: nullRecorder },
  ]
  const rows: { name: string; nsPerOp: number }[] = []
  let hash = 0
  for (const { name, isFresh, recorder } of variants) {
    const warmUpCount = Math.min(iterationCount, 200_000)
    recordExchanges(recorder, durationsNs, isFresh, 0, warmUpCount)
    const before = process.hrtime.bigint()
    recordExchanges(recorder, durationsNs, isFresh, warmUpCount, warmUpCount + iterationCount)
    const elapsedNs = Number(process.hrtime.bigint() - before)
    rows.push({ name, nsPerOp: elapsedNs / iterationCount })
    const snapshot = recorder.snapshot((warmUpCount + iterationCount) * NS_PER_EXCHANGE)
    hash = (hash * 31 + snapshot.completedCount + snapshot.responseTime.sumNs) % 2 ** 32
  }
  return { hash, rows }
}

function recordExchanges(
  recorder: Recorder,
  durationsNs: Float64Array,
  isFresh: boolean,
  from: number,
  to: number,
): void {
  const exchange = new Exchange()
  for (let i = from; i < to; i++) {
    const startNs = i * NS_PER_EXCHANGE
    const durationNs = durationsNs[i & (DURATION_COUNT - 1)]!
    exchange.reset(0, startNs)
    if (isFresh) {
      exchange.resolvedNs = startNs + 1_000
      exchange.connectedNs = startNs + 90_000
      exchange.securedNs = startNs + 800_000
    }
    exchange.sentNs = startNs
    exchange.firstByteNs = startNs + durationNs
    exchange.endNs = exchange.firstByteNs + 5_000
    exchange.status = 200
    exchange.bodyBytes = 1_000
    recorder.started(exchange)
    recorder.completed(exchange)
    recorder.pageEnded(exchange.endNs - startNs, exchange.endNs)
  }
}
