/**
 * Runs one thread's share of a plan: starts its users, hands them the reactor's events, and ends.
 *
 * All stop conditions meet here and nowhere else: count (the users' own), time, failures and a
 * call from outside. *Drain* lets exchanges under way come to their end; *now* leaves them in
 * flight.
 */
import { invariant } from '../base/errors.ts'
import { seededRandom } from '../base/random.ts'
import type { PersistentCookie } from '../browse/cookie-jar.ts'
import type { Exchange } from '../metrics/exchange.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Recorder } from '../metrics/recorder.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { Arrivals } from '../plan/arrivals.ts'
import type { Plan } from '../plan/plan.ts'
import { scheduledNs, timeAbove } from '../plan/schedule.ts'
import type { FeederUse, ThinkTimePlan } from '../plan/script-plan.ts'
import {
  type Part,
  type Share,
  type TargetWalk,
  targetOfArrival,
  type WalkFacts,
  walkOf,
} from '../plan/walk.ts'
import type { EndedBy } from '../result/run-result.ts'
import { thinkTimeNs } from '../script/think-time.ts'
import { HeaderFilter } from '../wire/header-filter.ts'
import { Browsing, type BrowsingPorts, type UserMemory } from './browsing.ts'
import { ConnectPacer } from './connect-pacer.ts'
import { Connector } from './connector.ts'
import { Crowd } from './crowd.ts'
import type { FailureBudget } from './failure-budget.ts'
import type { Fetch } from './fetch.ts'
import { type FtpPort, usesFtp } from './ftp-port.ts'
import { FtpTransfers } from './ftp-transfers.ts'
import type { ExchangeObserver, Wire } from './observer.ts'
import { arrivalWalk, OpenArrivals } from './open-arrivals.ts'
import type { Ending, Reactor, ReactorSink } from './reactor.ts'
import { type PreparedRequest, RequestBook } from './request-book.ts'
import type { ResolveName } from './resolver.ts'
import { Routes } from './route.ts'
import { ScriptBook, scriptRandom } from './script-book.ts'
import { type DecodeBody, ScriptSession } from './script-session.ts'
import type { SharedQuota } from './shared-quota.ts'
import { TimerHeap } from './timer-heap.ts'
import { VirtualUser } from './virtual-user.ts'

/** How many users begin in one turn of the loop, so that a large crowd does not block it. */
const START_BATCH_COUNT = 500
const TICK_PERIOD_NS = 25e6

const onlyPart: Part = { index: 0, count: 1 }

export interface RunnerOptions {
  readonly plan: Plan
  /** Global ids of the users that run here. */
  readonly users: Share
  /** Which of how many threads this is; absent: the only one. */
  readonly part?: Part | undefined
  readonly reactor: Reactor
  readonly recorder: Recorder
  readonly resolveName: ResolveName
  readonly failureBudget: FailureBudget
  /** What all threads' users together may still begin; absent: as much as they like. */
  readonly quota?: SharedQuota | undefined
  /** Needed for plans that ask for what a browser does, see `Browsing.isNeeded`. */
  readonly browsing?: BrowsingPorts | undefined
  /** Needed for plans with a script that looks into bodies. */
  readonly decodeBody?: DecodeBody | undefined
  /** Needed for plans that use FTP, see `usesFtp`. */
  readonly ftp?: FtpPort | undefined
  readonly observer?: ExchangeObserver | undefined
  readonly wire?: Wire | undefined
  /**
   * Called about every `TICK_PERIOD_NS` while the run lasts, with how late it is: for what would
   * be an interval timer in a thread that has an event loop.
   */
  readonly tick?: ((lateNs: number) => void) | undefined
  /** Somebody woke the reactor: there is news from outside. */
  readonly woken?: (() => void) | undefined
  /** Called once when this thread finds the limit of failures reached, or a fatal failure. */
  readonly failureLimitReached?: (() => void) | undefined
}

export interface RunnerResult {
  readonly snapshot: Snapshot
  readonly elapsedNs: number
  readonly endedBy: EndedBy
  readonly feederUses: readonly FeederUse[]
}

const asItCame: DecodeBody = (bytes) => bytes

export class Runner implements ReactorSink {
  readonly recorder: Recorder
  readonly observer: ExchangeObserver | undefined
  readonly requests: RequestBook
  readonly connector: Connector
  /** Null when the plan asks for nothing a browser does. */
  readonly browsing: Browsing | null
  /** Null: connections are opened whenever they are needed. */
  readonly #pacer: ConnectPacer | null
  /** Fields of responses that somebody looks at. */
  readonly filter: HeaderFilter
  readonly #script: ScriptBook | null
  readonly #options: RunnerOptions
  readonly #reactor: Reactor
  readonly #transfers: FtpTransfers | null
  readonly #users: VirtualUser[] = []
  /** Users of the closed model that have not begun. */
  readonly #crowd: Crowd
  /** Users that wait for their due time: think time, or a place in the plan. */
  readonly #timers = new TimerHeap()
  /** Users that wait for the observer. */
  #parked: VirtualUser[] = []
  /** Null in the closed model. */
  readonly #open: OpenArrivals | null
  #endNs: number
  /** How long what is under way may go on after the end; 0 once that time has begun. */
  #drainNs: number
  readonly #thinkTimeNsMax: number
  /** Of another kind than uniform from 0. */
  readonly #thinkTime: ThinkTimePlan | null
  #alarmNs = Number.POSITIVE_INFINITY
  #sweepDueNs = Number.POSITIVE_INFINITY
  #tickDueNs = Number.POSITIVE_INFINITY
  #activeUserCount = 0
  #isDraining = false
  #isStopped = false
  #endedBy: EndedBy = 'count'
  #elapsedNs = 0

  constructor(options: RunnerOptions) {
    const { plan, reactor } = options
    this.#options = options
    this.#reactor = reactor
    this.recorder = options.recorder
    this.observer = options.observer
    const { durationNs, stages = [], drainNs = 0 } = plan.load
    const stagesNs = stages.length === 0 ? null : scheduledNs(stages)
    this.#endNs = durationNs ?? stagesNs ?? Number.POSITIVE_INFINITY
    this.#drainNs = drainNs
    this.#thinkTimeNsMax = plan.load.thinkTimeNsMax
    this.#thinkTime = plan.load.model === 'closed' ? (plan.load.thinkTime ?? null) : null
    const { connectRatePerS } = plan.connection
    this.#pacer =
      connectRatePerS === undefined
        ? null
        : new ConnectPacer(connectRatePerS, options.part ?? onlyPart)
    const routes = new Routes(plan)
    this.requests = new RequestBook(plan, routes, (byteCount) => this.allocate(byteCount))
    this.#script = this.#makeScript()
    this.browsing = this.#makeBrowsing()
    this.filter = this.browsing?.filter ?? new HeaderFilter(this.#script?.fieldNames ?? [])
    this.connector = new Connector({
      reactor,
      recorder: options.recorder,
      resolveName: options.resolveName,
      keepAlive: plan.connection.keepAlive,
      keepsUntold: plan.request.httpVersion === '1.1',
      timeoutNs: plan.connection.timeoutNs,
      wire: options.wire,
      requestSweep: (dueNs) => this.#requestSweep(dueNs),
    })
    this.#transfers = this.#makeTransfers()
    this.#open = this.#makeArrivals()
    const crowdCount = this.#open === null ? options.users.count : 0
    this.#crowd = new Crowd(crowdCount, {
      firstTime: (index) => this.#timeForUser(index, 0),
      refreshNowNs: () => this.refreshNowNs(),
      begin: (index, nowNs) => this.#admit(index, nowNs),
    })
    this.#activeUserCount = crowdCount
  }

  #makeArrivals(): OpenArrivals | null {
    const { plan, users, part = onlyPart } = this.#options
    if (plan.load.model === 'closed') return null
    const arrivals = new Arrivals(plan.load, plan.seed, part)
    const open = new OpenArrivals(arrivals, users.count, {
      refreshNowNs: () => this.refreshNowNs(),
      makeUser: (index) => this.#makeUser(index, walk),
      arrived: (dueNs, nowNs) => {
        this.#activeUserCount++
        this.recorder.arrived(dueNs, nowNs)
      },
      dropped: (dueNs, isOverdue) => this.recorder.dropped(dueNs, isOverdue),
    })
    const facts = this.#walkFacts()
    const walk =
      this.#script === null ? arrivalWalk((index) => targetOfArrival(facts, index), open) : null
    return open
  }

  #makeScript(): ScriptBook | null {
    const { plan, part = onlyPart } = this.#options
    if (plan.script === undefined) return null
    return new ScriptBook(plan.script, plan, this.requests, part)
  }

  #makeTransfers(): FtpTransfers | null {
    const { plan, ftp } = this.#options
    if (!usesFtp(plan)) return null
    invariant(ftp !== undefined, 'a plan that uses FTP comes with the means for it')
    return new FtpTransfers(plan, this.connector, ftp)
  }

  #makeBrowsing(): Browsing | null {
    const { plan, browsing } = this.#options
    if (!Browsing.isNeeded(plan)) return null
    invariant(browsing !== undefined, 'a plan that browses comes with the means for it')
    const { loginTargets, authTargets } = plan.browse
    return new Browsing(
      plan,
      browsing,
      {
        logins: loginTargets === null ? [] : this.requests.requestsOf(loginTargets),
        auth: authTargets === null ? [] : this.requests.requestsOf(authTargets),
      },
      this.#script?.fieldNames ?? [],
    )
  }

  nowNs(): number {
    return this.#reactor.nowNs()
  }

  /** After work of our own, such as reading a page. */
  refreshNowNs(): number {
    return this.#reactor.refreshNowNs()
  }

  allocate(byteCount: number): Uint8Array {
    return this.#reactor.allocate(byteCount)
  }

  /** Milliseconds since 1970 of a moment of the run; only for plans that browse. */
  unixMs(atNs: number): number {
    return this.browsing!.ports.unixMs(atNs)
  }

  /** Runs to the end. A blocking reactor blocks inside this call. */
  async run(): Promise<RunnerResult> {
    this.start()
    await this.#reactor.run()
    return this.result()
  }

  /** Everything up to the loop itself. */
  start(): void {
    this.#reactor.attach(this)
    const nowNs = this.#reactor.nowNs()
    if (this.#options.tick !== undefined) this.#tickDueNs = nowNs + TICK_PERIOD_NS
    this.alarm()
  }

  #admit(index: number, nowNs: number): void {
    const userId = this.#options.users.first + index
    const walk = this.#script === null ? walkOf(this.#walkFacts(), userId) : null
    const user = this.#makeUser(index, walk)
    if (user.prepare()) this.begin(user, nowNs)
    else this.userDone(user)
  }

  /** The first time from then on at which the plan has a place for this user; Infinity: never. */
  #timeForUser(userIndex: number, fromNs: number): number {
    const { plan, part = onlyPart } = this.#options
    const { model, stages } = plan.load
    if (model === 'open' || stages === undefined) return fromNs
    // Users of all threads take their places in turn.
    return timeAbove(stages, userIndex * part.count + part.index, fromNs)
  }

  result(): RunnerResult {
    return {
      snapshot: this.recorder.snapshot(this.#elapsedNs),
      elapsedNs: this.#elapsedNs,
      endedBy: this.#endedBy,
      feederUses: this.#script?.feederUses() ?? [],
    }
  }

  /** Persistent cookies at the end, by global id of every user that has a jar. */
  storedCookies(): Map<number, readonly PersistentCookie[]> {
    const stored = new Map<number, readonly PersistentCookie[]>()
    for (const { id, memory } of this.#users) {
      if (memory?.jar != null) stored.set(id, memory.storedCookies(this.#elapsedNs))
    }
    return stored
  }

  #walkFacts(): WalkFacts {
    const { plan } = this.#options
    return {
      walk: plan.walk,
      targetCount: this.requests.targets.count,
      userCount: plan.load.userCount,
      seed: plan.seed,
    }
  }

  #makeUser(index: number, walk: TargetWalk | null): VirtualUser {
    const { plan, users, decodeBody = asItCame } = this.#options
    const userId = users.first + index
    const iterationCount = plan.load.iterationCount ?? Number.POSITIVE_INFINITY
    const session =
      this.#script === null
        ? null
        : new ScriptSession(this.#script, scriptRandom(plan.seed, userId), decodeBody)
    const random = seededRandom(plan.seed, userId)
    const isNewcomer = session !== null || this.#open !== null
    const share = { walk, session, random, iterationCount, isNewcomer }
    const user = new VirtualUser(this, { index, userId }, share)
    this.#users.push(user)
    return user
  }

  /** Ends the run: `now` leaves exchanges in flight, `drain` waits for them. Any thread's call. */
  stop(how: 'now' | 'drain', endedBy: EndedBy): void {
    if (this.#isStopped) return
    if (how === 'now') {
      this.#finish(endedBy)
      return
    }
    if (this.#isDraining) return
    this.#isDraining = true
    this.#endedBy = endedBy
    this.#open?.end()
    this.#retireWaiting()
  }

  /** The observer is ready again. */
  resume(): void {
    const parked = this.#parked
    this.#parked = []
    const nowNs = this.#reactor.nowNs()
    for (const user of parked) this.#timers.push(nowNs, user.index)
    this.#setAlarm()
  }

  /** Users that are between iterations have nothing more to do in a drain. */
  #retireWaiting(): void {
    let retiredCount = this.#parked.length + this.#crowd.dismiss()
    this.#parked = []
    while (this.#timers.pop() >= 0) retiredCount++
    this.#usersDone(retiredCount)
  }

  #finish(endedBy: EndedBy): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#crowd.dismiss()
    // A drain was begun for a reason, and that stays the reason, however the drain ends.
    if (!this.#isDraining) this.#endedBy = endedBy
    // A user whose exchange ended the run begins no other.
    this.#isDraining = true
    this.#elapsedNs = this.#reactor.nowNs()
    this.#transfers?.stop()
    this.#reactor.stop()
  }

  // From virtual users.

  /** Of a target of ftp://. */
  startTransfer(fetch: Fetch, request: PreparedRequest, nowNs: number): void {
    this.#transfers!.start(fetch, request, nowNs)
  }

  exchangeFailed(exchange: Exchange, kind: FailureKindNumber, text: string): void {
    this.recorder.failed(exchange, kind, () => text)
    this.observer?.failed(exchange, kind, text)
    if (this.#isStopped) return
    if (this.#options.plan.fatalFailureKinds?.includes(kind) === true) {
      this.stop('now', 'failures')
      this.#options.failureLimitReached?.()
      return
    }
    if (!this.#options.failureBudget.spend() || this.#isDraining) return
    this.stop('drain', 'failures')
    this.#options.failureLimitReached?.()
  }

  /** HOT (bench/macro/main.ts). */
  exchangeCompleted(exchange: Exchange): void {
    this.recorder.completed(exchange)
    this.observer?.completed(exchange)
  }

  get isPacing(): boolean {
    return this.#pacer !== null
  }

  /** Whether the fetch may open a connection now; otherwise it is told when it may. */
  mayConnect(fetch: Fetch, nowNs: number, dueNs: number): boolean {
    if (this.#pacer === null || this.#pacer.mayConnect(fetch, nowNs, dueNs)) return true
    this.#setAlarm()
    return false
  }

  /** HOT (bench/macro/main.ts). Whether a user may begin another iteration, which then is its. */
  takeIteration(): boolean {
    const { quota } = this.#options
    if (quota === undefined || quota.take()) return true
    // The caller is done as well, and tells.
    this.#activeUserCount -= this.#crowd.dismiss()
    return false
  }

  failsEmptyBody(exchange: Exchange, request: PreparedRequest): boolean {
    if (!this.#options.plan.failEmptyBodies || request.isHead) return false
    return exchange.status !== 204 && exchange.status !== 304
  }

  /** A user has been through its list and begins anew. */
  listWrapped(memory: UserMemory): void {
    if (this.#options.plan.browse.cookies?.expiresAtWrap === true) memory.jar?.clear()
  }

  /** The login that a user begins with: the plan's, in turn. */
  loginRequestOf(userId: number): PreparedRequest {
    const { loginRequests } = this.browsing!
    return loginRequests[userId % loginRequests.length]!
  }

  /** A page's resource is still fresh and is not asked for. */
  resourceCached(request: PreparedRequest, userId: number, nowNs: number): void {
    this.observer?.cached(request.facts, userId, nowNs)
  }

  /**
   * HOT (bench/macro/main.ts). The user may have another iteration: now, after its think time, when
   * the load has a place for it, or never in a drain.
   */
  iterationEnded(user: VirtualUser, nowNs: number): void {
    if (this.#open !== null || this.#isDraining) {
      this.userDone(user)
      return
    }
    const dueNs = this.#timeForUser(user.index, nowNs + this.#pauseNs(user))
    // Whoever has no place any more leaves its next iteration to the others.
    if (dueNs === Number.POSITIVE_INFINITY || !user.advance()) this.userDone(user)
    else if (dueNs <= nowNs) this.begin(user, nowNs)
    else {
      this.#timers.push(dueNs, user.index)
      this.#setAlarm()
    }
  }

  /** HOT (bench/macro/main.ts). */
  #pauseNs(user: VirtualUser): number {
    if (this.#thinkTime !== null) return thinkTimeNs(this.#thinkTime, user.random)
    return this.#thinkTimeNsMax === 0 ? 0 : user.random.uniform() * this.#thinkTimeNsMax
  }

  /** HOT (bench/macro/main.ts). The user goes on with its iteration then, or never in a drain. */
  pause(user: VirtualUser, untilNs: number): void {
    if (this.#isDraining) {
      this.userDone(user)
      return
    }
    this.#timers.push(untilNs, user.index)
    this.#setAlarm()
  }

  /** HOT (bench/macro/main.ts). */
  begin(user: VirtualUser, nowNs: number): void {
    if (this.#isDraining) {
      this.userDone(user)
      return
    }
    if (nowNs >= this.#endNs) {
      this.#timeOver(nowNs)
      if (!this.#isStopped) this.userDone(user)
      return
    }
    if (this.observer !== undefined && !this.observer.isReady) {
      this.#parked.push(user)
      return
    }
    user.startIteration(nowNs)
  }

  /** The user has nothing more to do, or waits for an arrival. */
  userDone(user: VirtualUser): void {
    this.#open?.release(user)
    this.#usersDone(1)
  }

  #usersDone(count: number): void {
    this.#activeUserCount -= count
    if (this.#activeUserCount > 0 || !(this.#open?.isUsedUp ?? true)) return
    this.#finish(this.#endedBy)
  }

  /** Nothing begins any more; what is under way ends now, or has some time to end by itself. */
  #timeOver(nowNs: number): void {
    if (this.#open !== null && !this.#isDraining) {
      // A generator that is late still owes what was due in time.
      this.#open.begin(nowNs)
      if (this.#isStopped) return
      this.#open.dropDue(nowNs)
    }
    if (this.#drainNs === 0) {
      this.#finish('time')
      return
    }
    this.#endNs = nowNs + this.#drainNs
    this.#drainNs = 0
    this.stop('drain', 'time')
  }

  // From the reactor. After the end nothing is told any more; the checks guard the same turn.

  connected(slot: number): void {
    this.connector.connected(slot)
  }

  secured(slot: number): void {
    this.connector.secured(slot)
  }

  /** HOT (bench/macro/main.ts). */
  data(slot: number, bytes: Uint8Array, start: number, end: number): void {
    this.connector.data(slot, bytes, start, end)
  }

  /** HOT (bench/macro/main.ts). */
  sent(slot: number): void {
    this.connector.sent(slot)
  }

  ended(slot: number, ending: Ending): void {
    this.connector.ended(slot, ending)
  }

  woken(): void {
    this.#options.woken?.()
  }

  alarm(): void {
    this.#alarmNs = Number.POSITIVE_INFINITY
    const nowNs = this.#reactor.nowNs()
    if (nowNs >= this.#endNs) {
      this.#timeOver(nowNs)
      if (this.#isStopped) return
    }
    if (nowNs >= this.#tickDueNs) {
      this.#options.tick?.(nowNs - this.#tickDueNs)
      this.#tickDueNs = nowNs + TICK_PERIOD_NS
      if (this.#options.quota?.isUsedUp === true) this.#usersDone(this.#crowd.dismiss())
      if (this.#isStopped) return
    }
    if (nowNs >= this.#sweepDueNs) {
      this.#sweepDueNs = Number.POSITIVE_INFINITY
      this.#transfers?.sweep(nowNs)
      this.#requestSweep(this.connector.sweep(nowNs))
    }
    for (let count = 0; count < START_BATCH_COUNT && this.#timers.nextDueNs <= nowNs; count++) {
      if (this.#isStopped) return
      const user = this.#users[this.#timers.pop()]!
      if (user.isPausing) user.continueIteration(nowNs)
      else this.begin(user, nowNs)
    }
    this.#pacer?.takeTurns(nowNs)
    this.#crowd.admit(nowNs)
    this.#open?.begin(nowNs)
    // Users without a place in the plan need not be waited for.
    this.#usersDone(this.#crowd.isEmpty ? this.#crowd.dismiss() : 0)
    if (this.#isStopped) return
    if (this.connector.openConnectionCount > 0 || (this.#transfers?.openCount ?? 0) > 0) {
      this.#sweepDueNs = Math.min(this.#sweepDueNs, nowNs + this.connector.sweepPeriodNs)
    }
    this.#setAlarm()
  }

  #requestSweep(dueNs: number): void {
    this.#sweepDueNs = Math.min(this.#sweepDueNs, dueNs)
    this.#setAlarm()
  }

  #setAlarm(): void {
    if (this.#isStopped) return
    const dueNs = Math.min(
      this.#timers.nextDueNs,
      this.#crowd.nextDueNs,
      this.#open?.nextDueNs ?? Number.POSITIVE_INFINITY,
      this.#pacer?.nextDueNs ?? Number.POSITIVE_INFINITY,
      this.#sweepDueNs,
      this.#tickDueNs,
      this.#endNs,
    )
    if (dueNs >= this.#alarmNs) return
    this.#alarmNs = dueNs
    this.#reactor.setAlarm(dueNs)
  }
}
