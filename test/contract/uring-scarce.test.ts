/**
 * The reactor on io_uring keeps the contract when its queues overflow and its buffers run out all
 * the time, and when nobody finds bytes in a buffer that was given back.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { patternBytes } from './peers.ts'
import { openCountOf, PatternReader, reactorContract } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { eventually, play } from './stage.ts'
import { tlsContract } from './tls-contract.ts'
import { createReactor } from './uring-scarce-reactor-of.ts'

const obstacle = obstacleOf('uring')
if (obstacle === null) {
  const scope = { after }
  const harness = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
    name: 'uring',
    createReactor,
    module: new URL('./uring-scarce-reactor-of.js', import.meta.url),
  })
  reactorContract('scarce uring', () => harness)
  tlsContract('scarce uring', () => harness)

  test('scarce uring reactor: sent is told before the answer to what was sent', async () => {
    const slotCount = 200
    const roundCount = 20
    let doneCount = 0
    const { log } = await play(harness, (stage) => {
      const bytes = stage.reactor.allocate(1)
      const isSent = new Uint8Array(slotCount)
      const ask = (slot: number) => {
        isSent[slot] = 0
        stage.send(slot, bytes)
      }
      for (let slot = 0; slot < slotCount; slot++) {
        let round = 0
        stage.connect(slot, harness.endpointOf('echo'), {
          connected: () => ask(slot),
          sent() {
            isSent[slot] = 1
          },
          data() {
            assert.equal(isSent[slot], 1, `slot ${slot}, round ${round}`)
            if (++round < roundCount) ask(slot)
            else if (++doneCount === slotCount) stage.stop()
          },
        })
      }
    })
    assert.equal(log.filter((event) => event.startsWith('sent')).length, slotCount * roundCount)
    await eventually('the peer sees all closes', () => openCountOf(harness, 'echo') === 0)
  })

  test('scarce uring reactor: large answers on many connections, byte for byte', async () => {
    const slotCount = 60
    const byteCount = 300_000
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
    })
    assert.equal(doneCount, slotCount)
  })
} else test('scarce uring reactor', (t) => t.skip(obstacle))
