/** What every reactor promises of TLS. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ending, TlsProfile } from '../../src/engine/reactor.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import type { TlsPlan } from '../../src/plan/plan.ts'
import { type PeerKind, patternBytes, type ReactorHarness, SOURCE_BYTES } from './peers.ts'
import {
  type HarnessOf,
  openCountOf,
  PatternReader,
  type PromiseTest,
  textOf,
} from './reactor-contract.ts'
import { eventually, play } from './stage.ts'

export function tlsContract(name: string, harnessOf: HarnessOf): void {
  const promise: PromiseTest = (what, check) =>
    test(`${name} reactor, TLS: ${what}`, () => check(harnessOf()))
  promiseTraffic(promise)
  promiseNames(promise)
  promiseTrust(promise)
  promiseTrouble(promise)
  promiseCloses(promise)
}

const unverified: TlsPlan = {
  verify: false,
  ca: null,
  cert: null,
  key: null,
  ciphers: null,
  versionMin: null,
  versionMax: null,
  resume: false,
}

function profileOf(name: string, settings: TlsPlan = unverified): TlsProfile {
  const isAddress = /^[\d.]+$|:/.test(name)
  return { serverName: isAddress ? undefined : name, verifiedName: name, settings }
}

/** One handshake and what became of it: what an echo came back as, or why there was none. */
async function handshake(
  harness: ReactorHarness,
  kind: PeerKind,
  profile: TlsProfile,
): Promise<{ readonly answer?: string; readonly ending?: Ending }> {
  let answer: string | undefined
  let ending: Ending | undefined
  await play(harness, (stage) => {
    stage.connect(0, harness.endpointOf(kind), {
      connected: () => stage.startTls(0, profile),
      secured: () => stage.send(0, Buffer.from('hello\n')),
      data(_slot, bytes, start, end) {
        answer = (answer ?? '') + textOf(bytes, start, end)
        if (answer.endsWith('\n')) stage.stop()
      },
      ended(_slot, itsEnding) {
        ending = itsEnding
        stage.close(0)
        stage.after(20, () => stage.stop())
      },
    })
  })
  await eventually('the peer sees the close', () => openCountOf(harness, kind) === 0)
  return {
    ...(answer === undefined ? {} : { answer: answer.trimEnd() }),
    ...(ending === undefined ? {} : { ending }),
  }
}

function assertTlsFailure(ending: Ending | undefined, text?: RegExp): void {
  assert.equal(ending?.how, 'error')
  assert.equal(ending?.kind, FailureKind.tls)
  if (text !== undefined) assert.match(ending!.text, text)
}

function promiseTraffic(promise: PromiseTest): void {
  for (const kind of ['tlsEcho', 'tls12', 'tls13'] as const) {
    promise(`${kind}: secures the connection and carries bytes`, async (harness) => {
      const { answer } = await handshake(harness, kind, profileOf('localhost'))
      assert.equal(answer, 'hello')
    })
  }

  promise('megabytes go both ways', async (harness) => {
    const bytes = patternBytes(2_000_000)
    const reader = new PatternReader()
    let sentCount = 0
    await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('tlsEcho'), {
        connected: () => stage.startTls(0, profileOf('localhost')),
        secured: () => stage.send(0, bytes),
        sent: () => sentCount++,
        data(_slot, received, start, end) {
          reader.read(received, start, end)
          if (reader.position === bytes.length) stage.stop()
        },
      })
    })
    assert.equal(sentCount, 1)
  })

  promise('all data come before the end', async (harness) => {
    const reader = new PatternReader()
    let ending: Ending | undefined
    await play(harness, (stage) => {
      stage.connect(0, harness.endpointOf('tlsSource'), {
        connected: () => stage.startTls(0, profileOf('localhost')),
        data: (_slot, bytes, start, end) => reader.read(bytes, start, end),
        ended(_slot, itsEnding) {
          ending = itsEnding
          stage.stop()
        },
      })
    })
    assert.equal(reader.position, SOURCE_BYTES)
    assert.equal(ending!.how, 'fin')
  })

  promise('many handshakes at once, on slots used again', async (harness) => {
    const [slotCount, roundCount] = [20, 5]
    let doneCount = 0
    await play(harness, (stage) => {
      const open = (slot: number, round: number) =>
        stage.connect(slot, harness.endpointOf('tlsEcho'), {
          connected: () => stage.startTls(slot, profileOf('localhost')),
          secured: () => stage.send(slot, Buffer.of(slot)),
          data(_slot, bytes, start) {
            assert.equal(bytes[start], slot)
            stage.close(slot)
            if (round < roundCount) open(slot, round + 1)
            else if (++doneCount === slotCount) stage.stop()
          },
        })
      for (let slot = 0; slot < slotCount; slot++) open(slot, 1)
    })
    await eventually('the peer sees all closes', () => openCountOf(harness, 'tlsEcho') === 0)
  })
}

function promiseNames(promise: PromiseTest): void {
  promise('the name is sent if it is one, and an address never', async (harness) => {
    const named = await handshake(harness, 'tlsName', profileOf('localhost'))
    assert.equal(named.answer, 'localhost')
    const other = await handshake(harness, 'tlsName', profileOf('other.test'))
    assert.equal(other.answer, 'other.test')
    const address = await handshake(harness, 'tlsName', profileOf('127.0.0.1'))
    assert.equal(address.answer, '-')
  })
}

function promiseTrust(promise: PromiseTest): void {
  promise('without verification any certificate will do', async (harness) => {
    for (const name of ['localhost', 'wrong.test', '127.0.0.1']) {
      assert.equal((await handshake(harness, 'tlsEcho', profileOf(name))).answer, 'hello')
    }
  })

  promise('with verification a stranger is turned away', async (harness) => {
    const settings = { ...unverified, verify: true }
    const { answer, ending } = await handshake(harness, 'tlsEcho', profileOf('localhost', settings))
    assert.equal(answer, undefined)
    assertTlsFailure(ending)
  })

  promise('with its authority a certificate is taken, for names and addresses', async (harness) => {
    const settings = { ...unverified, verify: true, ca: harness.ca }
    for (const name of ['localhost', '127.0.0.1', '::1']) {
      assert.equal((await handshake(harness, 'tlsEcho', profileOf(name, settings))).answer, 'hello')
    }
  })

  promise('a certificate for another name or address is turned away', async (harness) => {
    const settings = { ...unverified, verify: true, ca: harness.ca }
    for (const name of ['wrong.test', '127.0.0.2']) {
      const { answer, ending } = await handshake(harness, 'tlsEcho', profileOf(name, settings))
      assert.equal(answer, undefined)
      assertTlsFailure(ending)
    }
  })

  promise('the versions asked for are the versions used', async (harness) => {
    const old = { ...unverified, versionMax: 'TLSv1.2' }
    assertTlsFailure((await handshake(harness, 'tls13', profileOf('localhost', old))).ending)
    const { answer } = await handshake(harness, 'tls12', profileOf('localhost', old))
    assert.equal(answer, 'hello')
  })
}

function promiseTrouble(promise: PromiseTest): void {
  promise('a peer that speaks no TLS is a failure of TLS', async (harness) => {
    const { ending } = await handshake(harness, 'notTls', profileOf('localhost'))
    assertTlsFailure(ending)
  })

  promise('a peer that closes or resets in the handshake is a failure of TLS', async (harness) => {
    for (const kind of ['tlsCloser', 'resetter'] as const) {
      const { ending } = await handshake(harness, kind, profileOf('localhost'))
      assertTlsFailure(ending)
    }
  })
}

function promiseCloses(promise: PromiseTest): void {
  promise('a handshake that hangs can be closed, and leaves nothing behind', async (harness) => {
    const { log } = await play(harness, (stage) => {
      for (let slot = 0; slot < 10; slot++) {
        stage.connect(slot, harness.endpointOf('holder'), {
          connected: () => stage.startTls(slot, profileOf('localhost')),
        })
      }
      stage.after(100, () => {
        for (let slot = 0; slot < 10; slot++) stage.close(slot)
        stage.after(50, () => stage.stop())
      })
    })
    assert.equal(log.length, 12)
    await eventually('the peer sees all closes', () => openCountOf(harness, 'holder') === 0)
  })

  promise(
    'a connection closed at any moment of the handshake says nothing more',
    async (harness) => {
      const slotCount = 40
      await play(harness, (stage) => {
        let openCount = slotCount
        const closeNext = () => {
          if (openCount === 0) stage.stop()
          else {
            stage.close(--openCount)
            stage.after(0.3, closeNext)
          }
        }
        for (let slot = 0; slot < slotCount; slot++) {
          stage.connect(slot, harness.endpointOf('tlsEcho'), {
            connected() {
              stage.startTls(slot, profileOf('localhost'))
              if (slot === slotCount - 1) closeNext()
            },
          })
        }
      })
      await eventually('the peer sees all closes', () => openCountOf(harness, 'tlsEcho') === 0)
    },
  )

  promise('stop in the middle of handshakes leaves nothing behind', async (harness) => {
    await play(harness, (stage) => {
      let connectedCount = 0
      for (let slot = 0; slot < 20; slot++) {
        stage.connect(slot, harness.endpointOf(slot % 2 === 0 ? 'tlsEcho' : 'holder'), {
          connected() {
            stage.startTls(slot, profileOf('localhost'))
            if (++connectedCount === 20) stage.stop()
          },
        })
      }
    })
    await eventually('the peers see all closes', () => openCountOf(harness, 'tlsEcho') === 0)
    await eventually('the peers see all closes', () => openCountOf(harness, 'holder') === 0)
  })
}
