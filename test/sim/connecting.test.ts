/** From names to connections: what is asked, which address is tried when, and who wins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { FailureKind } from '../../src/metrics/outcome.ts'
import { TURN_NS } from './simulated-reactor.ts'
import { type Names, planOf, simulate } from './simulated-run.ts'
import { dropping, failingTls, plain, refusing, ScriptedServer } from './simulated-servers.ts'

const ATTEMPT_DELAY_NS = 250 * NS_PER_MS

const twoAddresses: Names = { 'two.test': { addresses: ['10.0.0.1', '10.0.0.2'] } }
const threeAddresses: Names = { 'two.test': { addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] } }
const targets = [{ url: 'http://two.test/' }]

test('a second address is tried beside the first one after 250 ms', async () => {
  const [first, second] = [new ScriptedServer(dropping), new ScriptedServer(plain())]
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ targets }),
    names: twoAddresses,
    servers: { '10.0.0.1': first, '10.0.0.2': second },
  })
  assert.equal(snapshot.completedCount, 1)
  assert.deepEqual([first.attemptCount, second.attemptCount], [1, 1])
  const { endNs } = exchanges[0]!
  assert.ok(endNs >= ATTEMPT_DELAY_NS && endNs <= ATTEMPT_DELAY_NS + NS_PER_MS)
})

test('a slow first address that answers after the second attempt began still wins', async () => {
  const first = new ScriptedServer(plain())
  const second = new ScriptedServer(dropping)
  const { snapshot, exchanges } = await simulate({
    plan: planOf({ targets, timeoutNs: 4 * NS_PER_S }),
    names: twoAddresses,
    servers: { '10.0.0.1': first, '10.0.0.2': second },
    // One way takes 200 ms: the answer to the first attempt comes after 400 ms.
    faults: { latencyNsMin: 2e8, latencyNsMax: 2e8, splitRatio: 0, joinRatio: 0 },
  })
  assert.equal(snapshot.completedCount, 1)
  assert.equal(second.attemptCount, 1)
  // The answer of the resolver takes a turn of the loop.
  assert.equal(exchanges[0]!.endNs, 800 * NS_PER_MS + TURN_NS)
})

test('an address that refuses is followed by the next at once', async () => {
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ targets }),
    names: threeAddresses,
    servers: {
      '10.0.0.1': new ScriptedServer(refusing),
      '10.0.0.2': new ScriptedServer(refusing),
      '10.0.0.3': new ScriptedServer(plain()),
    },
  })
  assert.equal(snapshot.completedCount, 1)
  assert.equal(snapshot.failedCount, 0)
  assert.ok(exchanges[0]!.endNs < NS_PER_MS)
})

test('when all addresses fail it is one failure, with what was said of the last', async () => {
  const { exchanges, snapshot } = await simulate({
    plan: planOf({ targets }),
    names: threeAddresses,
    servers: {
      '10.0.0.1': new ScriptedServer(refusing),
      '10.0.0.2': new ScriptedServer(refusing),
      '10.0.0.3': new ScriptedServer(refusing),
    },
  })
  assert.equal(snapshot.failedCount, 1)
  assert.deepEqual(exchanges[0]!.failure, {
    kind: FailureKind.connect,
    text: 'connection refused: 10.0.0.3',
  })
})

test('addresses that drop and refuse by turns end in one timeout', async () => {
  const { exchanges, snapshot, reactor } = await simulate({
    plan: planOf({ targets }),
    names: threeAddresses,
    servers: {
      '10.0.0.1': new ScriptedServer(dropping),
      '10.0.0.2': new ScriptedServer(refusing),
      '10.0.0.3': new ScriptedServer(dropping),
    },
  })
  assert.equal(snapshot.failedCount, 1)
  assert.equal(exchanges[0]!.failure!.kind, FailureKind.connectTimeout)
  assert.equal(reactor.openedCount, 3)
})

test('the address that won is tried first by later connections', async () => {
  const [first, second] = [new ScriptedServer(dropping), new ScriptedServer(plain())]
  const { snapshot } = await simulate({
    plan: planOf({ targets, iterationCount: 5, keepAlive: false }),
    names: twoAddresses,
    servers: { '10.0.0.1': first, '10.0.0.2': second },
  })
  assert.equal(snapshot.completedCount, 5)
  assert.deepEqual([first.attemptCount, second.attemptCount], [1, 5])
})

test('what others prefer meanwhile does not make one try a dead address twice', async () => {
  // User 1 comes to the name 100 ms after user 0: while its first attempt is under way, user 0
  // finds that the second address is the one that works.
  const [first, second] = [new ScriptedServer(dropping), new ScriptedServer(plain())]
  const slow = new ScriptedServer(plain({ delayNs: 100 * NS_PER_MS }))
  const { snapshot } = await simulate({
    plan: planOf({
      targets: [...targets, { url: 'http://10.0.0.9/' }],
      userCount: 2,
      iterationCount: 2,
    }),
    names: twoAddresses,
    servers: { '10.0.0.1': first, '10.0.0.2': second, '10.0.0.9': slow },
  })
  assert.deepEqual(snapshot.failureExamples, [])
  assert.equal(snapshot.completedCount, 4)
  assert.equal(first.attemptCount, 2)
})

test('addresses of both families are tried in turn', async () => {
  const tried: string[] = []
  const refusingAt = (address: string) => {
    const accept = () => {
      tried.push(address)
      return 'refuse' as const
    }
    return new ScriptedServer({ accept, answer: () => {} })
  }
  await simulate({
    plan: planOf({ targets }),
    names: { 'two.test': { addresses: ['fd00::1', 'fd00::2', '10.0.0.1'] } },
    servers: {
      'fd00::1': refusingAt('fd00::1'),
      'fd00::2': refusingAt('fd00::2'),
      '10.0.0.1': refusingAt('10.0.0.1'),
    },
  })
  assert.deepEqual(tried, ['fd00::1', '10.0.0.1', 'fd00::2'])
})

test('a limit of our own machine is told as such, and no other address is tried', async () => {
  const { exchanges, reactor } = await simulate({
    plan: planOf({ targets }),
    names: twoAddresses,
    servers: { '10.0.0.1': new ScriptedServer(plain()), '10.0.0.2': new ScriptedServer(plain()) },
    prepare: (run) => {
      run.reactor.openCountLimit = 0
    },
  })
  assert.equal(exchanges[0]!.failure!.kind, FailureKind.ownLimit)
  assert.equal(reactor.openedCount, 1)
})

for (const how of ['fail', 'fin'] as const) {
  test(`a handshake that ends by ${how} fails and closes the connection`, async () => {
    const server = new ScriptedServer(failingTls(how))
    const { exchanges, snapshot } = await simulate({
      plan: planOf({ targets: [{ url: 'https://10.0.0.1/' }], iterationCount: 3 }),
      servers: { '10.0.0.1': server },
    })
    assert.equal(snapshot.failureCounts[FailureKind.tls], 3)
    const text = how === 'fin' ? 'the peer closed the connection' : 'handshake failure'
    assert.equal(exchanges[0]!.failure!.text, text)
    assert.deepEqual([server.connectionCount, server.closedCount], [3, 3])
  })
}

test('SNI is sent for names and not for addresses; a Host field of the plan decides', async () => {
  const server = new ScriptedServer(plain())
  const profileOf = async (url: string, host?: string) => {
    const head = [host === undefined ? hostField : { ...fixedHost, value: host }]
    await simulate({
      plan: planOf({ targets: [{ url }], head }),
      names: { 'a.test': { addresses: ['10.0.0.1'] } },
      servers: { '10.0.0.1': server },
    })
    return server.tlsProfiles.at(-1)!.serverName
  }
  assert.equal(await profileOf('https://a.test/'), 'a.test')
  assert.equal(await profileOf('https://10.0.0.1/'), undefined)
  assert.equal(await profileOf('https://10.0.0.1/', 'b.test:8443'), 'b.test')
})

const hostField = { kind: 'host', name: 'Host' } as const
const fixedHost = { kind: 'fixed', name: 'Host' } as const

test('a name is asked for once, however many users and connections want it', async () => {
  const { questionCounts, snapshot } = await simulate({
    plan: planOf({ targets, userCount: 20, iterationCount: 5, keepAlive: false }),
    names: { 'two.test': { addresses: ['10.0.0.1'], delayNs: 30 * NS_PER_MS } },
    servers: { '10.0.0.1': new ScriptedServer(plain()) },
  })
  assert.deepEqual([...questionCounts], [['two.test', 1]])
  assert.equal(snapshot.completedCount, 100)
  // Only those who waited for the answer have a time for it.
  assert.equal(snapshot.phases.dns.totalCount, 20)
})

test('a name without address fails every exchange, after one question', async () => {
  const { questionCounts, snapshot, reactor, exchanges } = await simulate({
    plan: planOf({ targets, userCount: 25, iterationCount: 40 }),
    servers: {},
  })
  assert.deepEqual([...questionCounts], [['two.test', 1]])
  assert.equal(snapshot.failureCounts[FailureKind.dns], 1000)
  assert.equal(reactor.openedCount, 0)
  // The answer is told once in a turn of the loop: every user hears it once and asks again.
  const countsAt = new Map<number, number>()
  for (const { endNs } of exchanges) countsAt.set(endNs, (countsAt.get(endNs) ?? 0) + 1)
  assert.deepEqual([...countsAt.values()], new Array(40).fill(25))
})

test('every attempt is closed by the time its exchange has ended', async () => {
  const behaviours = [dropping, refusing, plain()]
  for (const dead of [dropping, refusing]) {
    for (const last of behaviours) {
      const { exchanges } = await simulate({
        plan: planOf({ targets, iterationCount: 3, keepAlive: false }),
        names: threeAddresses,
        servers: {
          '10.0.0.1': new ScriptedServer(dead),
          '10.0.0.2': new ScriptedServer(dropping),
          '10.0.0.3': new ScriptedServer(last),
        },
      })
      assert.deepEqual(
        exchanges.map(({ openCount }) => openCount),
        [0, 0, 0],
      )
    }
  }
})

test('a hundred thousand failures of one user neither grow the stack nor hang', async () => {
  const { snapshot } = await simulate({
    plan: planOf({ targets, iterationCount: 100_000 }),
    servers: {},
  })
  assert.equal(snapshot.failureCounts[FailureKind.dns], 100_000)
})

test('an answer that comes after the timeout serves those who ask later', async () => {
  const { exchanges, questionCounts } = await simulate({
    plan: planOf({ targets, iterationCount: 5, timeoutNs: NS_PER_S }),
    names: { 'two.test': { addresses: ['10.0.0.1'], delayNs: 2.5 * NS_PER_S } },
    servers: { '10.0.0.1': new ScriptedServer(plain()) },
  })
  assert.deepEqual(
    exchanges.map(({ failure }) => failure?.kind),
    [FailureKind.dns, FailureKind.dns, undefined, undefined, undefined],
  )
  assert.equal(exchanges[0]!.failure!.text, 'no answer for two.test within 1 s')
  assert.equal(questionCounts.get('two.test'), 1)
})

test('a name that is never answered ends with the run, not after it', async () => {
  const { result, snapshot } = await simulate({
    plan: planOf({ targets, userCount: 3, iterationCount: null, durationNs: 500 * NS_PER_MS }),
    names: { 'two.test': { delayNs: Number.POSITIVE_INFINITY } },
    servers: {},
  })
  assert.equal(result.elapsedNs, 500 * NS_PER_MS)
  assert.equal(snapshot.inFlightCount, 3)
})

test('an answer after the end of the run changes nothing', async () => {
  const { snapshot, reactor } = await simulate({
    plan: planOf({ targets, iterationCount: null, durationNs: 10 * NS_PER_MS }),
    names: { 'two.test': { addresses: ['10.0.0.1'], delayNs: 20 * NS_PER_MS } },
    servers: { '10.0.0.1': new ScriptedServer(plain()) },
  })
  assert.equal(snapshot.inFlightCount, 1)
  assert.equal(reactor.openedCount, 0)
})
