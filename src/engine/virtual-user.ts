/**
 * One virtual user of the closed model: it asks for a page, waits until the page and what belongs
 * to it are there, thinks, and asks for the next, until its share is done or the run stops.
 *
 * One iteration is one page. A user owns its connections and as many fetches as it may have
 * exchanges under way: one, or several where a page's resources are fetched alongside.
 */
import type { Random } from '../base/random.ts'
import { DOUBLE } from '../base/units.ts'
import type { ConnectionLogin } from '../browse/auth-turn.ts'
import type { TargetWalk } from '../plan/walk.ts'
import { UserMemory } from './browsing.ts'
import type { Connection, ConnectionHolder } from './connection.ts'
import { Fetch, type FetchOwner } from './fetch.ts'
import type { PageContents } from './page-reader.ts'
import { ProxyLogin } from './proxy-login.ts'
import type { PreparedRequest } from './request-book.ts'
import type { Runner } from './runner.ts'
import type { ScriptSession } from './script-session.ts'
import type { OutgoingRequest } from './transport.ts'
import type { TunnelLogin } from './tunnel.ts'

const UNSENDABLE_PAUSE_NS = 1e6
/** Idle connections a user keeps; the one not used for longest is closed for more. */
const CONNECTION_COUNT_MAX = 8

export class VirtualUser implements ConnectionHolder, FetchOwner {
  readonly memory: UserMemory | null
  readonly session: ScriptSession | null
  /** Position in the runner's list. */
  readonly index: number
  /** Global id. */
  readonly id: number
  readonly #runner: Runner
  /** Null when the plan has a script. */
  readonly #walk: TargetWalk | null
  readonly random: Random
  readonly #connections: Connection[] = []
  readonly #fetches: Fetch[] = []
  /** How many of them have exchanges under way. */
  #busyFetchCount = 0
  /** Those that a page's resources may take; kept from the end of a page that has some. */
  readonly #idleFetches: Fetch[] = []
  /** What the page and its parts have named so far. */
  readonly #pageLists: (readonly string[])[] = []
  /** Resources of the page that wait for a fetch, the next one last. */
  #waiting: PreparedRequest[] = []
  /** Each iteration is a visitor of its own, who brings no cookies along. */
  readonly #isNewcomer: boolean
  #iterationsLeft: number
  #nextTargetIndex = -1
  #pageStartNs: number = DOUBLE
  #isPageComplete = true
  #isLoggingIn = false
  #hasStepFailed = false
  /** Waits for the next step of its script, not for the next iteration. */
  isPausing = false

  constructor(
    runner: Runner,
    place: { readonly index: number; readonly userId: number },
    share: {
      readonly walk: TargetWalk | null
      readonly session: ScriptSession | null
      readonly random: Random
      readonly iterationCount: number
      readonly isNewcomer: boolean
    },
  ) {
    this.#runner = runner
    this.index = place.index
    this.id = place.userId
    this.#walk = share.walk
    this.session = share.session
    this.random = share.random
    this.#iterationsLeft = share.iterationCount
    this.#isNewcomer = share.isNewcomer
    this.#pageStartNs = 0
    const { browsing } = runner
    this.memory = browsing === null ? null : new UserMemory(browsing, this.id, runner.nowNs())
    const fetchCount = browsing?.plan.browse.resources?.parallelCount ?? 1
    for (let index = 0; index < fetchCount; index++) {
      this.#fetches.push(new Fetch(runner, this, this.id))
    }
  }

  /** Decides what comes first. False when this user has nothing to do. */
  prepare(): boolean {
    this.#isLoggingIn = (this.#runner.browsing?.loginRequests.length ?? 0) > 0
    return this.advance()
  }

  /**
   * HOT (bench/macro/main.ts). Decides what comes next: true when there is one more iteration,
   * whose target is then `#nextTargetIndex`.
   */
  advance(): boolean {
    if (this.#iterationsLeft <= 0 || !this.#runner.takeIteration()) return false
    this.#iterationsLeft--
    if (this.#walk === null) return this.session!.begin()
    const lastTargetIndex = this.#nextTargetIndex
    this.#nextTargetIndex = this.#walk.next()
    const isWrap = lastTargetIndex >= 0 && this.#nextTargetIndex <= lastTargetIndex
    if (isWrap && this.memory !== null) this.#runner.listWrapped(this.memory)
    return this.#nextTargetIndex >= 0
  }

  /** HOT (bench/macro/main.ts). Starts the iteration that was decided on. */
  startIteration(nowNs: number, dueNs: number = nowNs): void {
    this.#pageStartNs = dueNs
    this.#isPageComplete = true
    if (this.#pageLists.length > 0) this.#pageLists.length = 0
    if (this.#isNewcomer) this.memory?.jar?.clear()
    if (this.#isLoggingIn) {
      this.#startPage(this.#runner.loginRequestOf(this.id), nowNs, dueNs)
    } else if (this.session === null) {
      this.#startPage(this.#runner.requests.requestOf(this.#nextTargetIndex), nowNs, dueNs)
    } else {
      this.#nextStep(nowNs, dueNs)
    }
  }

  /** HOT (bench/macro/main.ts). Nothing else of this user is under way. */
  #startPage(request: PreparedRequest, nowNs: number, dueNs: number): void {
    this.#busyFetchCount = 1
    this.#fetches[0]!.start(request, false, nowNs, dueNs)
  }

  /** HOT (bench/macro/main.ts). Goes on within an iteration, after a pause. */
  continueIteration(nowNs: number): void {
    this.isPausing = false
    if (this.#hasStepFailed && this.session!.step.plan.stopsOnError) this.#endIteration(nowNs)
    else this.#nextStep(nowNs, nowNs)
  }

  /** HOT (bench/macro/main.ts). */
  #nextStep(nowNs: number, dueNs: number): void {
    const step = this.session!.next()
    if (step === null) {
      this.#endIteration(nowNs)
      return
    }
    if (this.#pageLists.length > 0) this.#pageLists.length = 0
    const request = step.requestFor(this.session!.variables)
    if (!('problem' in request)) {
      this.#startPage(request, nowNs, dueNs)
      return
    }
    const { nameIndex } = step.plan
    this.#fetches[0]!.failUnsent(nameIndex, request.problem, nowNs, dueNs)
    // Not at once: a script of which nothing can be sent would never give the loop back.
    this.#isPageComplete = false
    this.#hasStepFailed = true
    this.#pause(nowNs + UNSENDABLE_PAUSE_NS)
  }

  #pause(untilNs: number): void {
    this.isPausing = true
    this.#runner.pause(this, untilNs)
  }

  /** HOT (bench/macro/main.ts). The step's exchanges have all ended. */
  #stepEnded(nowNs: number): void {
    const session = this.session!
    if (this.#hasStepFailed && session.step.plan.stopsOnError) {
      this.#endIteration(nowNs)
      return
    }
    const pauseNs = session.pauseNs()
    if (pauseNs > 0) this.#pause(nowNs + pauseNs)
    else this.#nextStep(nowNs, nowNs)
  }

  /**
   * HOT (bench/macro/main.ts). A free connection for the request; it counts as used from then on.
   * An NTLM login has to go on where it was begun.
   */
  freeConnection(request: PreparedRequest, login: ConnectionLogin): Connection | undefined {
    const connections = this.#connections
    let foundIndex = -1
    for (let index = 0; index < connections.length; index++) {
      const connection = connections[index]!
      if (connection.route !== request.route || !connection.isFree) continue
      if (connection.login === login) return this.#use(index)
      if (foundIndex < 0) foundIndex = index
    }
    return foundIndex < 0 ? undefined : this.#use(foundIndex)
  }

  /** HOT (bench/macro/main.ts). Keeps the list in the order of use; `splice` would make an array. */
  #use(index: number): Connection {
    const connections = this.#connections
    const connection = connections[index]!
    const lastIndex = connections.length - 1
    for (let at = index; at < lastIndex; at++) connections[at] = connections[at + 1]!
    connections[lastIndex] = connection
    return connection
  }

  openConnection(
    fetch: Fetch,
    request: PreparedRequest,
    outgoing: OutgoingRequest,
    nowNs: number,
  ): void {
    if (this.#connections.length >= CONNECTION_COUNT_MAX) this.#closeOldest()
    const { connector } = this.#runner
    const exchange = { user: fetch, request: outgoing }
    const connection = connector.open(this, request.route, exchange, nowNs)
    connection.login = fetch.login
    this.#connections.push(connection)
  }

  #closeOldest(): void {
    const index = this.#connections.findIndex((connection) => connection.isFree)
    if (index < 0) return
    const [oldest] = this.#connections.splice(index, 1)
    oldest!.close()
    this.#runner.connector.release(oldest!)
  }

  makeTunnelLogin(): TunnelLogin | null {
    if (this.memory === null) return null
    return new ProxyLogin(this.memory.tunnelAuth, () => this.#runner.unixMs(this.#runner.nowNs()))
  }

  connectionLost(connection: Connection): void {
    const index = this.#connections.indexOf(connection)
    if (index < 0) return
    this.#use(index)
    this.#connections.pop()
  }

  pageFound(fetch: Fetch, contents: PageContents): void {
    this.#queueResources(contents, fetch.originKey)
  }

  /** HOT (bench/macro/main.ts). */
  fetchEnded(fetch: Fetch, contents: PageContents, isSuccess: boolean, nowNs: number): void {
    if (contents.resourceUrls.length > 0) this.#queueResources(contents, fetch.originKey)
    if (!isSuccess) this.#isPageComplete = false
    if (!fetch.isResource) this.#hasStepFailed = !isSuccess
    this.#busyFetchCount--
    if (fetch.isResource) this.#idleFetches.push(fetch)
    else if (this.#waiting.length > 0) this.#freeAllFetches()
    if (this.#waiting.length > 0) this.#startWaiting(nowNs)
    if (this.#busyFetchCount > 0) return
    if (this.session === null || this.#isLoggingIn) this.#endIteration(nowNs)
    else this.#stepEnded(nowNs)
  }

  /** What a page names, or a frame or stylesheet of it; each URL once for all of the page. */
  #queueResources(contents: PageContents, originKey: string): void {
    const { requests: book } = this.#runner
    const fresh = this.#pageLists.length === 0 ? contents.resourceUrls : this.#unasked(contents)
    this.#pageLists.push(contents.resourceUrls)
    const requests = fresh.map((url) => book.resource(url, originKey))
    this.#waiting = [...requests.reverse(), ...this.#waiting]
  }

  /** Lists are kept as they came, since most pages have one; two are rare enough to be compared. */
  #unasked(contents: PageContents): string[] {
    const asked = new Set(this.#pageLists.flat())
    return contents.resourceUrls.filter((url) => !asked.has(url))
  }

  #freeAllFetches(): void {
    this.#idleFetches.length = 0
    this.#idleFetches.push(...this.#fetches)
  }

  #startWaiting(nowNs: number): void {
    const idle = this.#idleFetches
    while (this.#waiting.length > 0 && idle.length > 0) {
      const request = this.#waiting.pop()!
      if (this.#isFresh(request, nowNs)) this.#runner.resourceCached(request, this.id, nowNs)
      else {
        this.#busyFetchCount++
        idle.pop()!.start(request, true, nowNs)
      }
    }
  }

  #isFresh(request: PreparedRequest, nowNs: number): boolean {
    const cache = this.memory?.cache
    if (cache == null) return false
    return cache.lookUp(request.url, this.#runner.unixMs(nowNs)).kind === 'fresh'
  }

  /** HOT (bench/macro/main.ts). */
  #endIteration(nowNs: number): void {
    if (this.#isLoggingIn) {
      // A login is no page, and no think time follows it.
      this.#isLoggingIn = false
      this.#runner.begin(this, nowNs)
      return
    }
    if (this.#isPageComplete) {
      this.#runner.recorder.pageEnded(nowNs - this.#pageStartNs, nowNs)
    }
    this.#runner.iterationEnded(this, nowNs)
  }
}
