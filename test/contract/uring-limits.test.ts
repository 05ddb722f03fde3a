/** More at once than the rings of io_uring have room for: nothing is lost, nothing is mixed up. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { patternBytes } from './peers.ts'
import { openCountOf, PatternReader } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { eventually, play } from './stage.ts'
import { createReactor } from './uring-reactor-of.ts'

const obstacle = obstacleOf('uring')
const options = obstacle === null ? {} : { skip: obstacle }
const scope = { after }
const harness = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
  name: 'uring',
  createReactor,
  module: new URL('./uring-reactor-of.js', import.meta.url),
})

test('uring reactor: more submissions in one call than the queue holds', options, async () => {
  const slotCount = 600
  const roundCount = 4
  let answeredCount = 0
  await play(harness, (stage) => {
    const ask = (slot: number, isLast: boolean) =>
      stage.connect(slot, harness.endpointOf('echo'), {
        connected: () => stage.send(slot, Buffer.of(slot & 0xff)),
        data(_slot, bytes, start) {
          assert.ok(isLast, 'a connection that was closed says nothing')
          assert.equal(bytes[start], slot & 0xff)
          if (++answeredCount === slotCount) stage.stop()
        },
      })
    for (let round = 1; round <= roundCount; round++) {
      for (let slot = 0; slot < slotCount; slot++) {
        ask(slot, round === roundCount)
        if (round < roundCount) stage.close(slot)
      }
    }
  })
  assert.equal(answeredCount, slotCount)
  await eventually('the peer sees all closes', () => openCountOf(harness, 'echo') === 0)
})

test('uring reactor: more bytes at once than there are buffers for', options, async () => {
  const slotCount = 100
  const byteCount = 200_000
  const readers = Array.from({ length: slotCount }, () => new PatternReader())
  let doneCount = 0
  await play(harness, (stage) => {
    const bytes = stage.reactor.allocate(byteCount)
    bytes.set(patternBytes(byteCount))
    readers.forEach((reader, slot) => {
      stage.connect(slot, harness.endpointOf('echo'), {
        connected: () => stage.send(slot, bytes),
        data(_slot, received, start, end) {
          reader.read(received, start, end)
          if (reader.position === byteCount && ++doneCount === slotCount) stage.stop()
        },
      })
    })
    // Meanwhile the answers pile up: the kernel runs out of buffers when it is let in again.
    stage.after(1, () => {
      const untilNs = stage.reactor.refreshNowNs() + 300e6
      while (stage.reactor.refreshNowNs() < untilNs);
      stage.after(20_000, () => assert.fail('the answers come'))
    })
  })
  assert.equal(doneCount, slotCount)
})
