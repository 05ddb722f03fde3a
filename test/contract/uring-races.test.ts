/**
 * Connections that are closed while the kernel works for them, on io_uring: with the usual room in
 * its queues and with hardly any. Nothing of an old connection reaches the next one on its slot,
 * and nothing is left behind.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { type Random, seededRandom } from '../../src/base/random.ts'
import type { Reactor } from '../../src/engine/reactor.ts'
import { makeCertificate } from '../support/certificate.ts'
import { findPart } from '../support/real-parts.ts'
import { obstacleOf } from '../support/siege-run.ts'
import { type PeerKind, patternBytes, peerKinds, type ReactorHarness, SLOW_BYTES } from './peers.ts'
import { openCountOf } from './reactor-contract.ts'
import { startRealPeers } from './real-peers.ts'
import { eventually, play, type Stage } from './stage.ts'
import { createReactor } from './uring-reactor-of.ts'
import { createReactor as createScarceReactor } from './uring-scarce-reactor-of.ts'

const SLOT_COUNT = 40
/** At least so many of each in a run. */
const CLOSE_COUNT = 500
const ANSWER_COUNT = 50
const RUN_COUNT = 4
/** How often a send is taken back. */
const RETURN_COUNT = 60

/** Ones of all tempers: quick, endless, silent, refusing, resetting, never answering. */
const racedKinds = [
  'token',
  'source',
  'echo',
  'holder',
  'resetter',
  'refused',
  'blackHole',
] as const

const obstacle = obstacleOf('uring')
if (obstacle === null) {
  const scope = { after }
  const usual = await startRealPeers(scope, makeCertificate(scope, findPart('openssl')!), {
    name: 'uring',
    createReactor,
    module: new URL('./uring-reactor-of.js', import.meta.url),
  })
  racesOf('uring', usual)
  racesOf('scarce uring', { ...usual, createReactor: createScarceReactor })
} else test('uring races', (t) => t.skip(obstacle))

function racesOf(name: string, harness: ReactorHarness): void {
  test(`${name} reactor: closes at any moment never mix up connections`, async () => {
    const fdsBefore = descriptorCount()
    const madeReactors: Reactor[] = []
    for (let run = 0; run < RUN_COUNT; run++) {
      const { reactor } = await play(harness, (stage) => new Racer(harness, run).begin(stage))
      madeReactors.push(reactor)
    }
    for (const kind of peerKinds) {
      // Its thread has stopped, so it counts nothing.
      if (kind === 'blackHole') continue
      await eventually(`${kind} sees all closes`, () => openCountOf(harness, kind) === 0)
    }
    // Each keeps the descriptor that wakes it.
    assert.equal(descriptorCount() - fdsBefore, madeReactors.length)
  })

  test(`${name} reactor: what was to be sent may be written over once it is closed`, async () => {
    const before = harness.countsOf('slow')
    await play(harness, (stage) => {
      const bytes = stage.reactor.allocate(SLOW_BYTES)
      bytes.set(patternBytes(SLOW_BYTES))
      const first = bytes.slice(0, 100_000)
      let leftCount = RETURN_COUNT
      const next = (): void => {
        bytes.set(first)
        stage.connect(0, harness.endpointOf('slow'), {
          connected() {
            // Sometimes few bytes, which are gone at once, sometimes more than the peer takes.
            stage.send(0, bytes.subarray(0, leftCount % 2 === 0 ? 1000 : SLOW_BYTES))
            if (leftCount % 3 === 0) stage.after(2, closeAndOpen)
            else closeAndOpen()
          },
        })
      }
      const closeAndOpen = () => {
        stage.close(0)
        bytes.fill(0xff, 0, first.length)
        if (--leftCount > 0) next()
        else stage.after(20, () => stage.stop())
      }
      next()
    })
    await eventually('the peer sees all closes', () => openCountOf(harness, 'slow') === 0)
    const counts = harness.countsOf('slow')
    assert.equal(counts.wrongBytes - before.wrongBytes, 0)
    assert.ok(counts.openedCount > before.openedCount)
  })
}

function descriptorCount(): number {
  return readdirSync('/proc/self/fd').length
}

/** Opens connections of all kinds on few slots and closes them when chance says so. */
class Racer {
  #answerCount = 0
  readonly #harness: ReactorHarness
  readonly #random: Random
  #stage!: Stage
  #closeCount = 0
  #openedCount = 0

  constructor(harness: ReactorHarness, seed: number) {
    this.#harness = harness
    this.#random = seededRandom(seed)
  }

  begin(stage: Stage): void {
    this.#stage = stage
    for (let slot = 0; slot < SLOT_COUNT; slot++) this.#open(slot)
    stage.setAlarm(0, () => this.#strike())
  }

  /** Closes a few whatever they are doing, and comes again; later only answers are waited for. */
  #strike(): void {
    if (this.#closeCount < CLOSE_COUNT) {
      for (let count = 0; count < 5; count++) this.#reopen(this.#random.below(SLOT_COUNT))
    } else if (this.#answerCount >= ANSWER_COUNT) {
      // In the middle of everything.
      this.#stage.stop()
      return
    }
    this.#stage.after(this.#random.below(2) * 3 * this.#random.uniform(), () => this.#strike())
  }

  #reopen(slot: number): void {
    this.#closeCount++
    this.#stage.close(slot)
    this.#open(slot)
  }

  #open(slot: number): void {
    const kind: PeerKind = racedKinds[this.#random.below(racedKinds.length)]!
    const token = this.#openedCount++ % 251
    const isOwn = (byte: number, position: number) =>
      byte === (kind === 'source' ? position % 251 : token)
    let position = 0
    this.#stage.connect(slot, this.#harness.endpointOf(kind), {
      connected: () => {
        if (kind !== 'source') this.#stage.send(slot, Uint8Array.of(token))
        if (this.#random.uniform() < 0.1) this.#reopen(slot)
      },
      data: (_slot, bytes, start, end) => {
        for (let at = start; at < end; at++) {
          if (!isOwn(bytes[at]!, position++)) assert.fail(`${kind}: a byte of another connection`)
        }
        this.#answerCount++
        if (this.#random.uniform() < 0.3) this.#reopen(slot)
      },
      sent: () => {
        if (this.#random.uniform() < 0.1) this.#reopen(slot)
      },
      ended: () => this.#reopen(slot),
    })
  }
}
