/** When the progress of several threads is told, as one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginExchange } from '../../test/support/exchanges.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import { ProgressWatcher } from './progress-watcher.ts'

function counted(startedCount: number) {
  const recorder = new CountingRecorder()
  for (let count = 0; count < startedCount; count++) beginExchange(recorder, 0)
  return recorder.progress(0, true)
}

test('ProgressWatcher adds threads up once all have told, and does not wait for an ended one', () => {
  const seen: [number, number][] = []
  const watcher = new ProgressWatcher(2, (snapshot, atNs) =>
    seen.push([snapshot.startedCount, atNs]),
  )
  const [first, second] = [watcher.portOf(0), watcher.portOf(1)]
  first(counted(1), 10)
  assert.deepEqual(seen, [])
  second(counted(2), 11)
  assert.deepEqual(seen, [[3, 11]])
  first(counted(5), 20)
  second(counted(6), 19)
  assert.deepEqual(seen.slice(1), [[11, 20]])
  // The first thread has ended.
  second(counted(7), 30)
  second(counted(8), 40)
  assert.deepEqual(seen.slice(2), [[13, 40]])
})
