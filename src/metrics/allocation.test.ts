/**
 * How much heap the recorder takes per exchange: hot code that allocates shows here and not in
 * timings. A file of its own, and so a process of its own, in which nothing else allocates.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CountingRecorder } from './counting-recorder.ts'
import { Exchange } from './exchange.ts'

/** Few enough that what they might allocate fits into the young generation and is not collected. */
const BATCH_SIZE = 20_000
const BATCH_COUNT_MAX = 200
/** A batch lasts four seconds, so that sealed intervals are part of the price. */
const NS_PER_EXCHANGE = 200_000

test('CountingRecorder takes less than a byte of heap per exchange, intervals included', () => {
  setFlagsFromString('--expose-gc')
  // The flag gives a `gc` to contexts made from now on, and only to them.
  const collectGarbage = runInNewContext('gc') as () => void
  const recorder = new CountingRecorder()
  const exchange = new Exchange()

  function recordBatch(batch: number): void {
    for (let i = batch * BATCH_SIZE; i < (batch + 1) * BATCH_SIZE; i++) {
      const startNs = i * NS_PER_EXCHANGE
      exchange.reset(0, startNs)
      exchange.status = 200
      exchange.bodyBytes = 1234
      exchange.sentNs = startNs + 1_000
      exchange.firstByteNs = startNs + 20_000 + (i % 1_000) * 100
      exchange.endNs = exchange.firstByteNs + 10_000
      recorder.started(startNs)
      recorder.completed(exchange)
      recorder.pageEnded(exchange.endNs - startNs, exchange.endNs)
    }
  }

  // Before they are compiled, functions allocate a number here and there; how long that takes
  // depends on what else the machine does. What allocates by its nature does so in every batch.
  let leastBytes = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCH_COUNT_MAX && leastBytes >= 1; batch++) {
    collectGarbage()
    const before = usedBytes()
    recordBatch(batch)
    leastBytes = Math.min(leastBytes, (usedBytes() - before) / BATCH_SIZE)
  }
  assert.ok(leastBytes >= 0 && leastBytes < 1, `${leastBytes} bytes per exchange`)
})

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
