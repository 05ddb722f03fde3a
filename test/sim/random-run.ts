/** A random plan with servers, names and a network to run it on, all from one seed. */
import { type Random, seededRandom } from '../../src/base/random.ts'
import { NS_PER_MS, NS_PER_S } from '../../src/base/units.ts'
import { RequestBook } from '../../src/engine/request-book.ts'
import { Routes } from '../../src/engine/route.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { calmNetwork, roughNetwork } from './simulated-reactor.ts'
import { type Names, planOf, type SimulatedTarget, type SimulationSetup } from './simulated-run.ts'
import { goodMix, ScriptedServer, wildMix } from './simulated-servers.ts'

export interface RandomRun {
  readonly plan: Plan
  readonly servers: readonly ScriptedServer[]
  /** A stop from outside, if there is one. */
  readonly stop: { readonly how: 'now' | 'drain'; readonly atNs: number } | undefined
  requestBytesOf(targetIndex: number): number
  setup(): SimulationSetup
  /** Nothing but the count ends it: time and failures come differently to each slice. */
  uncutSetup(): SimulationSetup
}

const SERVER_COUNT = 6

export function randomRun(seed: number): RandomRun {
  const random = seededRandom(seed, 0x5eed)
  const chance = (ratio: number) => random.uniform() < ratio
  const isWild = chance(0.7)
  const servers = Array.from({ length: SERVER_COUNT }, (_, index) => {
    const behaviour = isWild ? wildMix(seed + index) : goodMix(seed + index)
    return new ScriptedServer({ ...behaviour, isEarly: isWild && chance(0.2) })
  })
  const names = randomNames(random, isWild)
  const plan = randomPlan(random, seed, Object.keys(names))
  const stop = chance(0.2)
    ? { how: chance(0.5) ? ('now' as const) : ('drain' as const), atNs: random.below(NS_PER_S) }
    : undefined
  const holdsUp = chance(0.2)
  const byAddress = Object.fromEntries(servers.map((server, index) => [addressOf(index), server]))
  const requests = new RequestBook(plan, new Routes(plan), (byteCount) => new Uint8Array(byteCount))
  const setupOf = (runPlan: Plan): SimulationSetup => ({
    plan: runPlan,
    names,
    servers: byAddress,
    faults: seed % 2 === 0 ? calmNetwork : roughNetwork,
    networkSeed: seed,
  })
  return {
    plan,
    servers,
    stop,
    requestBytesOf: (targetIndex) => requests.requestOf(targetIndex).bytes.length,
    uncutSetup: () =>
      setupOf({ ...plan, load: { ...plan.load, durationNs: null }, failureCountMax: null }),
    setup: () => ({
      ...setupOf(plan),
      // Every other stretch of 10 ms the observer is behind.
      isObserverReady: (nowNs) => !holdsUp || Math.floor(nowNs / (10 * NS_PER_MS)) % 2 === 0,
      prepare({ runner, reactor }) {
        if (stop !== undefined) reactor.queue.plan(stop.atNs, () => runner.stop(stop.how, 'signal'))
        const resume = () => {
          runner.resume()
          if (!reactor.isStopped) reactor.queue.plan(20 * NS_PER_MS, resume)
        }
        if (holdsUp) reactor.queue.plan(20 * NS_PER_MS, resume)
      },
    }),
  }
}

function addressOf(index: number): string {
  return `10.0.0.${index}`
}

/** Names with one or several addresses, some of them not there; in wild runs also bad ones. */
function randomNames(random: Random, isWild: boolean): Names {
  const names: Record<string, Names[string]> = {}
  const nameCount = 1 + random.below(12)
  for (let index = 0; index < nameCount; index++) {
    const addresses = [addressOf(random.below(SERVER_COUNT))]
    if (random.uniform() < 0.3) addresses.push(addressOf(random.below(SERVER_COUNT)))
    // Nobody is there: the attempt is refused and the other address is tried.
    if (random.uniform() < 0.2) addresses.unshift(`10.9.9.${index}`)
    if (random.uniform() < 0.2) addresses.push(`fd00::${index}`)
    names[`name${index}.test`] =
      isWild && random.uniform() < 0.1
        ? { failureText: 'no such host' }
        : { addresses, delayNs: random.below(30 * NS_PER_MS) }
  }
  return names
}

function randomPlan(random: Random, seed: number, hosts: readonly string[]): Plan {
  const chance = (ratio: number) => random.uniform() < ratio
  const schemes = chance(0.3) ? ['http', 'https'] : ['http']
  const targets = Array.from({ length: 1 + random.below(30) }, (_, index): SimulatedTarget => {
    const host = hosts[random.below(hosts.length)]!
    const url = `${schemes[random.below(schemes.length)]}://${host}/${index}`
    const choice = random.uniform()
    if (choice < 0.15) return { url, method: 'HEAD' }
    if (choice < 0.3) return { url, method: 'POST', bodyBytes: random.below(2000) }
    // Sent in two pieces.
    if (choice < 0.32) return { url, method: 'PUT', bodyBytes: 300_000 }
    return { url }
  })
  const isTimed = chance(0.35)
  const walk = chance(0.2) ? 'once' : chance(0.5) ? 'random' : 'in-order'
  return planOf({
    targets,
    walk,
    // A timed run of many users without think time makes too many exchanges for a test.
    userCount: 1 + random.below(isTimed ? 12 : 50),
    iterationCount: (isTimed && chance(0.7)) || walk === 'once' ? null : 1 + random.below(8),
    durationNs: isTimed ? 1 + random.below(0.6 * NS_PER_S) : null,
    thinkTimeNsMax: chance(0.4) ? random.below(200 * NS_PER_MS) : 0,
    keepAlive: chance(0.7),
    timeoutNs: chance(0.5) ? 50 * NS_PER_MS : 500 * NS_PER_MS,
    failureCountMax: chance(0.25) ? 1 + random.below(20) : null,
    failEmptyBodies: chance(0.3),
    seed,
  })
}
