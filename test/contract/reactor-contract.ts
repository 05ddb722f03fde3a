/**
 * What every reactor promises (`src/engine/reactor.ts`), as tests; `tls-contract.ts` has the rest.
 *
 * Each test acts inside the reactor's own calls, so that reactors that block run it unchanged.
 * `Stage` holds every test to the order of events, on top of what the test itself is about.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ending } from '../../src/engine/reactor.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import {
  type PeerKind,
  patternByte,
  patternBytes,
  type ReactorHarness,
  SLOW_BYTES,
  SOURCE_BYTES,
} from './peers.ts'
import { eventually, play, type Stage } from './stage.ts'

/** The harness exists once the tests run. */
export type HarnessOf = () => ReactorHarness

export function reactorContract(name: string, harnessOf: HarnessOf): void {
  const promise = (what: string, check: (harness: ReactorHarness) => Promise<void>) =>
    test(`${name} reactor: ${what}`, () => check(harnessOf()))
  promiseConnections(promise)
  promiseManySlots(promise)
  promiseSends(promise)
  promiseBytes(promise)
  promiseEndings(promise)
  promiseSlots(promise)
  promiseAlarms(promise)
  promiseAlarmsBesideConnections(promise)
  promiseStop(promise)
}

export type PromiseTest = (what: string, check: (harness: ReactorHarness) => Promise<void>) => void

/** Checks that what arrives is the pattern from its start. */
export class PatternReader {
  position = 0

  read(bytes: Uint8Array, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      const expected = patternByte(this.position++)
      if (bytes[index] !== expected) assert.equal(bytes[index], expected, `byte ${this.position}`)
    }
  }
}

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString('latin1')
}

function promiseConnections(promise: PromiseTest): void {
  for (const kind of ['echo', 'echo6'] as const) {
    promise(`${kind}: connects, sends, is told, receives, closes`, async (harness) => {
      const { log } = await play(harness, (stage) => {
        let received = ''
        stage.connect(0, harness.endpointOf(kind), {
          connected: () => stage.send(0, Buffer.from('hello')),
          data(_slot, bytes, start, end) {
            received += textOf(bytes, start, end)
            if (received !== 'hello') return
            stage.close(0)
            stage.stop()
          },
        })
      })
      assert.equal(log[0], 'connected 0')
      assert.ok(log.includes('data 0'))
      const counts = harness.countsOf(kind)
      await eventually('the peer sees the close', () => openCountOf(harness, kind) === 0)
      assert.ok(counts.receivedBytes >= 0)
    })
  }

  promise('a refused connection ends without ever being connected', async (harness) => {
    let ending: Ending | undefined
    const { log } = await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('refused'), {
        ended(slot, itsEnding) {
          ending = itsEnding
          stage.close(slot)
          stage.stop()
        },
      })
    })
    assert.deepEqual(log, ['ended 0'])
    assert.equal(ending!.how, 'error')
    assert.equal(ending!.kind, FailureKind.connect)
    assert.match(ending!.text, /refused/)
  })

  promise('an attempt that nobody answers is quiet, and can be closed', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('blackHole'), {})
      stage.after(200, () => {
        stage.close(0)
        stage.after(50, () => stage.stop())
      })
    })
    assert.deepEqual(log, ['alarm', 'alarm'])
  })

  promise('a connection closed right after connect is never told of', async (harness) => {
    const { log } = await play(harness, (stage) => {
      for (let slot = 0; slot < 20; slot++) {
        stage.connect(slot, harness.endpointOf(slot % 2 === 0 ? 'echo' : 'refused'), {})
        stage.close(slot)
      }
      stage.after(50, () => stage.stop())
    })
    assert.deepEqual(log, ['alarm'])
    await eventually('the peer sees the closes', () => openCountOf(harness, 'echo') === 0)
  })
}

function promiseManySlots(promise: PromiseTest): void {
  promise('a thousand slots at once', async (harness) => {
    const slotCount = 1000
    let doneCount = 0
    const received = new Uint8Array(slotCount)
    await play(harness, (stage) => {
      for (let slot = 0; slot < slotCount; slot++) {
        stage.connect(slot, harness.endpointOf('echo'), {
          connected: () => stage.send(slot, Buffer.of(slot & 0xff)),
          data(_slot, bytes, start) {
            received[slot] = bytes[start]!
            // All stay open until the last one has its answer.
            if (++doneCount === slotCount) stage.stop()
          },
        })
      }
    })
    assert.ok(received.every((byte, slot) => byte === (slot & 0xff)))
    await eventually('the peer sees all closes', () => openCountOf(harness, 'echo') === 0)
  })
}

/** How many connections a peer has open. */
export function openCountOf(harness: ReactorHarness, kind: PeerKind): number {
  const { openedCount, closedCount } = harness.countsOf(kind)
  return openedCount - closedCount
}

function promiseSends(promise: PromiseTest): void {
  promise('sent is told once for each send, and the buffer is free then', async (harness) => {
    const pieceCount = 200
    const pieceBytes = 1000
    let sentCount = 0
    const reader = new PatternReader()
    await play(harness, (stage) => {
      const buffer = stage.reactor.allocate(pieceBytes)
      const sendNext = () => {
        buffer.set(patternBytes(pieceBytes, sentCount * pieceBytes))
        stage.send(0, buffer)
      }
      const stopAtEnd = () => {
        if (sentCount === pieceCount && reader.position === pieceCount * pieceBytes) stage.stop()
      }
      stage.connect(0, harness.endpointOf('echo'), {
        connected: sendNext,
        sent() {
          sentCount++
          buffer.fill(0xff)
          if (sentCount < pieceCount) sendNext()
          stopAtEnd()
        },
        data(_slot, bytes, start, end) {
          reader.read(bytes, start, end)
          stopAtEnd()
        },
      })
    })
    assert.equal(sentCount, pieceCount)
  })

  promise('8 MiB in one send arrive whole at a peer that reads slowly', async (harness) => {
    const before = harness.countsOf('slow').receivedBytes
    let sentCount = 0
    await play(harness, (stage) => {
      const bytes = stage.reactor.allocate(SLOW_BYTES)
      bytes.set(patternBytes(SLOW_BYTES))
      stage.connect(0, harness.endpointOf('slow'), {
        connected: () => stage.send(0, bytes),
        sent: () => sentCount++,
        data(_slot, received, start, end) {
          assert.equal(textOf(received, start, end), 'k')
          assert.equal(sentCount, 1, 'sent is told before an answer to the last byte')
          stage.stop()
        },
      })
    })
    const { receivedBytes, wrongBytes } = harness.countsOf('slow')
    assert.equal(receivedBytes - before, SLOW_BYTES)
    assert.equal(wrongBytes, 0)
  })
}

function promiseBytes(promise: PromiseTest): void {
  promise('memory that is not its own is sent as well', async (harness) => {
    const bytes = new Uint8Array(100_000).subarray(17, 90_017)
    bytes.set(patternBytes(90_000))
    const reader = new PatternReader()
    await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('echo'), {
        connected: () => stage.send(0, bytes),
        data(_slot, received, start, end) {
          reader.read(received, start, end)
          if (reader.position === bytes.length) stage.stop()
        },
      })
    })
  })

  promise('all data come in order and before the end, on many slots at a time', async (harness) => {
    const readers = Array.from({ length: 5 }, () => new PatternReader())
    const endings: Ending[] = []
    await play(harness, (stage) => {
      readers.forEach((reader, slot) => {
        stage.connect(slot, harness.endpointOf('source'), {
          data: (_slot, bytes, start, end) => reader.read(bytes, start, end),
          ended(_slot, ending) {
            assert.equal(reader.position, SOURCE_BYTES)
            endings.push(ending)
            stage.close(slot)
            if (endings.length === readers.length) stage.stop()
          },
        })
      })
    })
    assert.ok(endings.every((ending) => ending.how === 'fin'))
  })
}

function promiseEndings(promise: PromiseTest): void {
  promise('a reset ends the connection with an error', async (harness) => {
    const endings: Ending[] = []
    await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('resetter'), {
        connected: () => stage.send(0, Buffer.from('x')),
        ended(slot, ending) {
          endings.push(ending)
          stage.close(slot)
          stage.after(30, () => stage.stop())
        },
      })
    })
    assert.equal(endings.length, 1)
    assert.equal(endings[0]!.how, 'error')
    assert.equal(endings[0]!.kind, FailureKind.reset)
    assert.match(endings[0]!.text, /reset/)
  })

  promise('after its end a connection waits to be closed, and says nothing', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('source'), {
        ended: () => stage.after(50, () => stage.stop()),
      })
    })
    assert.deepEqual(log.slice(-2), ['ended 0', 'alarm'])
    await eventually('the peer sees the close', () => openCountOf(harness, 'source') === 0)
  })

  promise('a connection closed inside its own data is not told of again', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('source'), {
        data(slot) {
          stage.close(slot)
          stage.after(50, () => stage.stop())
        },
      })
    })
    assert.deepEqual(log, ['connected 0', 'data 0', 'alarm'])
    await eventually('the peer sees the close', () => openCountOf(harness, 'source') === 0)
  })

  promise('a connection closed with a send under way is not told of again', async (harness) => {
    const { log } = await play(harness, (stage) => {
      const bytes = stage.reactor.allocate(SLOW_BYTES)
      stage.connect(0, harness.endpointOf('holder'), {
        connected(slot) {
          stage.send(slot, bytes)
          stage.close(slot)
          stage.after(50, () => stage.stop())
        },
      })
    })
    assert.deepEqual(log, ['connected 0', 'alarm'])
    await eventually('the peer sees the close', () => openCountOf(harness, 'holder') === 0)
  })
}

function promiseSlots(promise: PromiseTest): void {
  promise(
    'a slot is used again at once, and old bytes never reach the new one',
    async (harness) => {
      const roundCount = 200
      await play(harness, (stage) => {
        let round = 0
        const open = () => {
          const token = round % 256
          let isAnswered = false
          stage.connect(0, harness.endpointOf('token'), {
            connected: () => stage.send(0, Buffer.of(token)),
            data(slot, bytes, start, end) {
              assert.ok(!isAnswered)
              for (let at = start; at < end; at++)
                if (bytes[at] !== token) assert.fail('an old byte')
              isAnswered = true
              // Most of the answer is still under way.
              stage.close(slot)
              if (++round === roundCount) stage.stop()
              else open()
            },
          })
        }
        open()
      })
      await eventually('the peer sees all closes', () => openCountOf(harness, 'token') === 0)
    },
  )

  promise('a slot is used again inside its own end, refused or not', async (harness) => {
    const kinds = ['refused', 'source', 'refused', 'resetter', 'source'] as const
    const { log } = await play(harness, (stage) => {
      let round = 0
      const open = () => {
        const kind = kinds[round]
        if (kind === undefined) {
          stage.stop()
          return
        }
        stage.connect(7, harness.endpointOf(kind), {
          connected: () => kind === 'resetter' && stage.send(7, Buffer.from('x')),
          ended(slot) {
            round++
            stage.close(slot)
            open()
          },
        })
      }
      open()
    })
    assert.equal(log.filter((event) => event === 'ended 7').length, kinds.length)
  })

  promise('closing a slot that is not open does nothing', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.close(3)
      stage.connect(3, harness.endpointOf('echo'), {
        connected(slot) {
          stage.close(slot)
          stage.close(slot)
          stage.after(20, () => stage.stop())
        },
      })
    })
    assert.deepEqual(log, ['connected 3', 'alarm'])
  })
}

function promiseAlarms(promise: PromiseTest): void {
  promise('the clock is whole nanoseconds and never goes back', async (harness) => {
    await play(harness, (stage) => {
      let lastNs = 0
      let turn = 0
      const look = () => {
        for (let count = 0; count < 1000; count++) {
          const nowNs = stage.reactor.nowNs()
          assert.ok(Number.isInteger(nowNs) && nowNs >= lastNs)
          lastNs = nowNs
        }
        if (++turn === 10) stage.stop()
        else stage.after(1, look)
      }
      look()
    })
  })

  promise('an alarm comes once, not before its time', async (harness) => {
    const { log } = await play(harness, (stage) => {
      const dueNs = stage.reactor.nowNs() + 20e6
      stage.setAlarm(dueNs, () => {
        const lateNs = stage.reactor.nowNs() - dueNs
        assert.ok(lateNs >= 0 && lateNs < 5e9, `${lateNs} ns late`)
        stage.connect(0, harness.endpointOf('source'), { ended: () => stage.stop() })
      })
    })
    assert.deepEqual(log.slice(0, 2), ['alarm', 'connected 0'])
    assert.equal(log.filter((event) => event === 'alarm').length, 1)
  })

  promise('a later call replaces the alarm, be it earlier or later', async (harness) => {
    await play(harness, (stage) => {
      const startNs = stage.reactor.nowNs()
      stage.setAlarm(startNs + 30e6, () => assert.fail('the replaced alarm'))
      stage.setAlarm(startNs + 60e6, () => {
        assert.ok(stage.reactor.nowNs() >= startNs + 60e6)
        const secondNs = stage.reactor.nowNs()
        stage.setAlarm(secondNs + 5e9, () => assert.fail('the replaced alarm'))
        stage.setAlarm(secondNs + 5e6, () => {
          assert.ok(stage.reactor.nowNs() < secondNs + 2e9)
          stage.stop()
        })
      })
    })
  })
}

function promiseAlarmsBesideConnections(promise: PromiseTest): void {
  promise('an alarm is taken back by Infinity', async (harness) => {
    await play(harness, (stage) => {
      let isTakenBack = false
      stage.setAlarm(stage.reactor.nowNs() + 5e6, () => assert.ok(!isTakenBack))
      stage.setAlarm(Number.POSITIVE_INFINITY, () => assert.fail('the alarm that was taken back'))
      isTakenBack = true
      // Something else keeps the time: an answer that takes longer than the alarm would.
      const { connect } = slowAnswer(stage, harness)
      connect(() => stage.stop())
    })
  })

  promise('an alarm whose time is past comes at once, but not inside the call', async (harness) => {
    await play(harness, (stage) => {
      let count = 0
      const again = () => {
        if (++count === 100) stage.stop()
        else stage.setAlarm(count % 2 === 0 ? 0 : stage.reactor.nowNs(), again)
      }
      again()
    })
  })

  promise('alarms without end do not keep connections waiting', async (harness) => {
    const { log } = await play(harness, (stage) => {
      const again = () => stage.setAlarm(0, again)
      again()
      const { connect } = slowAnswer(stage, harness)
      connect(() => stage.stop())
    })
    assert.ok(log.includes('alarm'))
  })

  promise('an alarm months away neither comes nor disturbs', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.setAlarm(stage.reactor.nowNs() + 2 ** 31 * 1e6 + 5e9, () => assert.fail('months early'))
      const { connect } = slowAnswer(stage, harness)
      connect(() => stage.after(5, () => stage.stop()))
    })
    assert.equal(log.filter((event) => event === 'alarm').length, 1)
  })

  promise('wake is told soon, also when nothing else happens', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.onWoken = () => {
        stage.onWoken = () => stage.stop()
        stage.reactor.wake()
      }
      stage.reactor.wake()
    })
    assert.deepEqual(log, ['woken', 'woken'])
  })
}

/** An exchange of megabytes: something that takes a while without an alarm. */
function slowAnswer(stage: Stage, harness: ReactorHarness) {
  const reader = new PatternReader()
  return {
    connect: (then: () => void) =>
      stage.connect(0, harness.endpointOf('source'), {
        data: (_slot, bytes, start, end) => reader.read(bytes, start, end),
        ended: then,
      }),
  }
}

function promiseStop(promise: PromiseTest): void {
  promise('stop closes every slot, whatever it is doing, and ends the run', async (harness) => {
    const heldCount = 50
    let connectedCount = 0
    await play(harness, (stage) => {
      const bytes = stage.reactor.allocate(1_000_000)
      stage.connect(900, harness.endpointOf('blackHole'), {})
      stage.connect(901, harness.endpointOf('source'), {})
      for (let slot = 0; slot < heldCount; slot++) {
        stage.connect(slot, harness.endpointOf('holder'), {
          connected() {
            stage.send(slot, bytes)
            if (++connectedCount < heldCount) return
            stage.setAlarm(0, () => {})
            stage.reactor.wake()
            stage.stop()
          },
        })
      }
    })
    await eventually('the peers see all closes', () => openCountOf(harness, 'holder') === 0)
    await eventually('the peers see all closes', () => openCountOf(harness, 'source') === 0)
  })

  promise('a run that was stopped before it began ends at once', async (harness) => {
    const { log } = await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('echo'), {})
      stage.stop()
    })
    assert.deepEqual(log, [])
  })
}
