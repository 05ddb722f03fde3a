/**
 * How much heap the recorder takes per exchange: hot code that allocates shows here and not in
 * timings.
 *
 * The file runs itself once more in a process in which nothing else happens, with a young
 * generation so large that nothing is collected while it is measured, and with the compiler in the
 * foreground, so that what is inlined is not a matter of chance on a busy machine.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { collectGarbage, usedBytes } from '../../test/support/heap.ts'
import { CountingRecorder } from './counting-recorder.ts'
import { Exchange } from './exchange.ts'

/**
 * V8 boxes a double, in 16 bytes, when it hands it to a function that it did not inline: room for
 * two of them and an exchange's share of a sealed interval, and not for the smallest object.
 */
const BYTES_MAX = 40
const BATCH_COUNT = 60
const BATCH_SIZE = 20_000
/** A batch lasts four seconds, so that sealed intervals are part of the price. */
const NS_PER_EXCHANGE = 200_000

const quietHeap = ['--min-semi-space-size=64', '--max-semi-space-size=64']

if (process.argv[2] === 'measure') {
  console.log(bytesPerExchange())
} else {
  test('CountingRecorder allocates no object per exchange', () => {
    const self = fileURLToPath(import.meta.url)
    const args = [...quietHeap, '--no-concurrent-recompilation', self, 'measure']
    const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    assert.ok(bytes >= 0 && bytes < BYTES_MAX, `${bytes} bytes per exchange`)
  })
}

/**
 * The median of the later batches: the first ones are interpreted, and interpreters box numbers.
 */
function bytesPerExchange(): number {
  const recorder = new CountingRecorder()
  const exchange = new Exchange()
  const batches: number[] = []
  for (let batch = 0; batch < BATCH_COUNT; batch++) {
    collectGarbage()
    const before = usedBytes()
    recordExchanges(recorder, exchange, batch * BATCH_SIZE)
    batches.push((usedBytes() - before) / BATCH_SIZE)
  }
  const settled = batches.slice(BATCH_COUNT / 2).sort((a, b) => a - b)
  return settled[settled.length >> 1]!
}

function recordExchanges(recorder: CountingRecorder, exchange: Exchange, from: number): void {
  for (let i = from; i < from + BATCH_SIZE; i++) {
    const startNs = i * NS_PER_EXCHANGE
    exchange.reset(0, startNs)
    exchange.status = 200
    exchange.bodyBytes = 1234
    exchange.sentNs = startNs + 1_000
    exchange.firstByteNs = startNs + 20_000 + (i % 1_000) * 100
    exchange.endNs = exchange.firstByteNs + 10_000
    recorder.started(exchange)
    recorder.completed(exchange)
    recorder.pageEnded(exchange.endNs - startNs, exchange.endNs)
  }
}
