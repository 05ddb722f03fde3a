/**
 * Whole runs of the engine in virtual time: builds the plan, the network and the names, lets one
 * or several runners run, and keeps what a law needs to look at afterwards.
 */
import assert from 'node:assert/strict'
import type { FailureBudget as Budget } from '../../src/engine/failure-budget.ts'
import { FailureBudget } from '../../src/engine/failure-budget.ts'
import type { ExchangeObserver } from '../../src/engine/observer.ts'
import type { Resolution, ResolveName } from '../../src/engine/resolver.ts'
import { literalFamily } from '../../src/engine/resolver.ts'
import { Runner, type RunnerResult } from '../../src/engine/runner.ts'
import type { SharedQuota } from '../../src/engine/shared-quota.ts'
import { CountingRecorder } from '../../src/metrics/counting-recorder.ts'
import type { Exchange } from '../../src/metrics/exchange.ts'
import { brokenLaws } from '../../src/metrics/laws.ts'
import type { FailureKindNumber } from '../../src/metrics/outcome.ts'
import type { Recorder } from '../../src/metrics/recorder.ts'
import type { Snapshot } from '../../src/metrics/snapshot.ts'
import { WarmUpRecorder } from '../../src/metrics/warm-up-recorder.ts'
import type { BrowsePlan, HeadField, Plan, TlsPlan, Walk } from '../../src/plan/plan.ts'
import { type Origin, TargetList, TargetListBuilder } from '../../src/plan/target-list.ts'
import type { Part, Share } from '../../src/plan/walk.ts'
import { type NetworkFaults, SimulatedReactor } from './simulated-reactor.ts'
import type { ScriptedServer } from './simulated-servers.ts'

/** A target as tests write it: `POST http://a.test/x` with so many bytes of body. */
export interface SimulatedTarget {
  readonly url: string
  readonly method?: string
  readonly bodyBytes?: number
}

/** What a test wants of a plan; the rest is a single user who asks once for `http://10.0.0.1/`. */
export interface PlanWishes {
  readonly targets?: readonly SimulatedTarget[]
  readonly userCount?: number
  readonly iterationCount?: number | null
  readonly durationNs?: number | null
  readonly thinkTimeNsMax?: number
  readonly walk?: Walk
  readonly keepAlive?: boolean
  readonly timeoutNs?: number
  readonly failureCountMax?: number | null
  readonly failEmptyBodies?: boolean
  readonly seed?: number
  readonly head?: readonly HeadField[]
}

export const defaultTargets: readonly SimulatedTarget[] = [{ url: 'http://10.0.0.1/' }]

const noTls: TlsPlan = {
  verify: false,
  ca: null,
  cert: null,
  key: null,
  ciphers: null,
  versionMin: null,
  versionMax: null,
  resume: false,
}

/** A user asks for its targets and does nothing a browser does. */
const noBrowsing: BrowsePlan = {
  followsRedirects: false,
  cookies: null,
  resources: null,
  caches: false,
  logins: [],
  loginAttemptCountMax: 3,
  loginTargets: null,
  authTargets: null,
}

export function planOf(wishes: PlanWishes): Plan {
  const { keepAlive = true } = wishes
  const head: readonly HeadField[] = wishes.head ?? [
    { kind: 'host', name: 'Host' },
    { kind: 'fixed', name: 'Connection', value: keepAlive ? 'keep-alive' : 'close' },
    { kind: 'content-type', name: 'Content-Type', fallback: 'text/plain' },
    { kind: 'content-length', name: 'Content-Length' },
  ]
  const builder = new TargetListBuilder()
  for (const target of wishes.targets ?? defaultTargets) {
    const { method = 'GET', bodyBytes } = target
    const url = new URL(target.url)
    builder.add({
      origin: originOf(url),
      method,
      requestTarget: url.pathname + url.search,
      body: bodyBytes === undefined ? null : new Uint8Array(bodyBytes).fill(0x70),
      contentType: null,
      isContentTypeExplicit: false,
      credentials: null,
    })
  }
  return {
    load: {
      model: 'closed',
      userCount: wishes.userCount ?? 1,
      iterationCount: wishes.iterationCount === undefined ? 1 : wishes.iterationCount,
      durationNs: wishes.durationNs ?? null,
      thinkTimeNsMax: wishes.thinkTimeNsMax ?? 0,
    },
    targets: builder.build(),
    walk: wishes.walk ?? 'in-order',
    request: { httpVersion: '1.1', head },
    connection: { keepAlive, timeoutNs: wishes.timeoutNs ?? 1e9 },
    tls: noTls,
    browse: noBrowsing,
    proxy: null,
    failureCountMax: wishes.failureCountMax ?? null,
    failEmptyBodies: wishes.failEmptyBodies ?? false,
    threadCount: 1,
    reactor: 'auto',
    seed: wishes.seed ?? 1,
  }
}

export function originOf(url: URL): Origin {
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  return {
    scheme,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port),
    authority: url.host,
  }
}

/** Addresses by name, or why there are none; a number before them is the delay in ns. */
export type Names = Readonly<Record<string, NameScript>>
export interface NameScript {
  readonly addresses?: readonly string[]
  readonly failureText?: string
  /** `Infinity`: never answered. */
  readonly delayNs?: number
}

/** One exchange as its user saw it. */
export interface SeenExchange {
  readonly userId: number
  readonly targetIndex: number
  readonly startNs: number
  readonly endNs: number
  readonly status: number
  readonly requestBytes: number
  readonly disqualification: number
  /** Connections that the reactor had open when the end was told. */
  readonly openCount: number
  /** Undefined: completed. */
  readonly failure: { readonly kind: FailureKindNumber; readonly text: string } | undefined
}

export interface SimulationSetup {
  readonly plan: Plan
  /** By `address` or `address:port`. */
  readonly servers: Readonly<Record<string, ScriptedServer>>
  readonly names?: Names
  readonly faults?: NetworkFaults
  readonly networkSeed?: number
  readonly users?: Share
  readonly part?: Part
  readonly failureBudget?: Budget
  /** Needed for a plan with a `totalCount`. */
  readonly quota?: SharedQuota
  readonly isObserverReady?: (nowNs: number) => boolean
  /** Called before the run starts: plans what happens from outside. */
  readonly prepare?: (run: { readonly runner: Runner; readonly reactor: SimulatedReactor }) => void
}

export interface Simulation {
  readonly result: RunnerResult
  readonly snapshot: Snapshot
  readonly reactor: SimulatedReactor
  readonly exchanges: readonly SeenExchange[]
  /** How often each name was asked for. */
  readonly questionCounts: ReadonlyMap<string, number>
  readonly failureLimitCallCount: number
}

/** One runner's run, from start to end; the laws that hold of every run are checked. */
export async function simulate(setup: SimulationSetup): Promise<Simulation> {
  const { plan, servers, names = {}, faults } = setup
  const reactor = new SimulatedReactor(
    ({ address, port }) => servers[`${address}:${port}`] ?? servers[address],
    { seed: setup.networkSeed ?? 1, ...(faults === undefined ? {} : { faults }) },
  )
  const questionCounts = new Map<string, number>()
  const observer = new LoggingObserver(reactor, setup.isObserverReady ?? (() => true))
  let failureLimitCallCount = 0
  const runner = new Runner({
    plan,
    users: setup.users ?? { first: 0, count: plan.load.userCount },
    part: setup.part,
    reactor,
    recorder: recorderFor(plan),
    resolveName: resolverOf(names, reactor, questionCounts),
    failureBudget: setup.failureBudget ?? new FailureBudget(plan.failureCountMax),
    quota: setup.quota,
    failureLimitReached: () => failureLimitCallCount++,
    observer,
  })
  setup.prepare?.({ runner, reactor })
  const result = await runner.run()
  const { snapshot } = result
  assert.deepEqual(brokenLaws(snapshot), [])
  assert.equal(reactor.openCount, 0, 'connections are open after the run')
  return {
    result,
    snapshot,
    reactor,
    exchanges: observer.exchanges,
    questionCounts,
    failureLimitCallCount,
  }
}

function recorderFor({ load, requestNames = [], script }: Plan): Recorder {
  const recorder = new CountingRecorder({
    nameCount: requestNames.length,
    checkCount: script?.checks.length ?? 0,
  })
  return load.warmUpNs === undefined ? recorder : new WarmUpRecorder(recorder, load.warmUpNs)
}

class LoggingObserver implements ExchangeObserver {
  readonly exchanges: SeenExchange[] = []
  readonly #reactor: SimulatedReactor
  readonly #isReadyAt: (nowNs: number) => boolean

  constructor(reactor: SimulatedReactor, isReadyAt: (nowNs: number) => boolean) {
    this.#reactor = reactor
    this.#isReadyAt = isReadyAt
  }

  get isReady(): boolean {
    return this.#isReadyAt(this.#reactor.nowNs())
  }

  completed(exchange: Exchange): void {
    this.#see(exchange, undefined)
  }

  failed(exchange: Exchange, kind: FailureKindNumber, text: string): void {
    this.#see(exchange, { kind, text })
  }

  cached(): void {
    assert.fail('these plans have no cache')
  }

  #see(exchange: Exchange, failure: SeenExchange['failure']): void {
    const { userId, targetIndex, startNs, endNs, status, requestBytes, disqualification } = exchange
    this.exchanges.push({
      ...{ userId, targetIndex, startNs, endNs, status, requestBytes, disqualification, failure },
      openCount: this.#reactor.openCount,
    })
  }
}

function resolverOf(
  names: Names,
  reactor: SimulatedReactor,
  questionCounts: Map<string, number>,
): ResolveName {
  return (host, answer) => {
    questionCounts.set(host, (questionCounts.get(host) ?? 0) + 1)
    const script = names[host] ?? { failureText: `no such host: ${host}` }
    const { delayNs = 0 } = script
    if (delayNs === Number.POSITIVE_INFINITY) return
    reactor.queue.plan(delayNs, () => answer(resolutionOf(script)))
  }
}

function resolutionOf({ addresses = [], failureText }: NameScript): Resolution {
  if (failureText !== undefined) return { failureText }
  return {
    addresses: addresses.map((address) => ({
      address,
      family: literalFamily(address) === 6 ? 6 : 4,
    })),
  }
}

/** What each user asked for, in order; exchanges that were in flight at the end are not in it. */
export function sequencesOf(simulations: readonly Simulation[]): Map<number, number[]> {
  const sequences = new Map<number, number[]>()
  for (const { userId, targetIndex } of simulations.flatMap((each) => each.exchanges)) {
    const sequence = sequences.get(userId)
    if (sequence === undefined) sequences.set(userId, [targetIndex])
    else sequence.push(targetIndex)
  }
  return sequences
}

/** The methods of a plan's targets. */
export function methodsOf(plan: Plan): string[] {
  const targets = new TargetList(plan.targets)
  return Array.from({ length: targets.count }, (_, index) => targets.methodOf(index))
}
