/**
 * One virtual user of the closed model: it asks for a target, waits for the end of the exchange,
 * thinks, and asks for the next, until its share is done or the run stops.
 *
 * One iteration is one page; a user has at most one exchange under way.
 */
import type { Random } from '../base/random.ts'
import { Exchange } from '../metrics/exchange.ts'
import { Disqualification, type FailureKindNumber } from '../metrics/outcome.ts'
import type { TargetWalk } from '../plan/walk.ts'
import type { Connection, ConnectionUser } from './connection.ts'
import type { PreparedRequest } from './request-book.ts'
import type { Runner } from './runner.ts'

/**
 * Open connections a user keeps, one an origin; the one not used for longest is closed for more.
 */
const CONNECTION_COUNT_MAX = 8

const STATUS_UNAUTHORIZED = 401
const STATUS_PROXY_AUTHENTICATION_REQUIRED = 407

export class VirtualUser implements ConnectionUser {
  readonly exchange: Exchange = new Exchange()
  /** Position in the runner's list; the global id is `exchange.userId`. */
  readonly index: number
  readonly #runner: Runner
  readonly #walk: TargetWalk
  readonly #random: Random
  readonly #connections: Connection[] = []
  #iterationsLeft: number
  #nextTargetIndex = -1
  #pageStartNs = 0

  constructor(
    runner: Runner,
    place: { readonly index: number; readonly userId: number },
    share: { readonly walk: TargetWalk; readonly random: Random; readonly iterationCount: number },
  ) {
    this.#runner = runner
    this.index = place.index
    this.exchange.userId = place.userId
    this.#walk = share.walk
    this.#random = share.random
    this.#iterationsLeft = share.iterationCount
  }

  /** Decides what comes first. False when this user has nothing to do. */
  prepare(): boolean {
    return this.#advance()
  }

  /** True when there is one more iteration; its target is then `#nextTargetIndex`. */
  #advance(): boolean {
    if (this.#iterationsLeft <= 0) return false
    this.#iterationsLeft--
    this.#nextTargetIndex = this.#walk.next()
    return this.#nextTargetIndex >= 0
  }

  /** HOT (bench/macro/main.ts). Starts the iteration that `prepare` or the end of the last one has decided on. */
  startIteration(nowNs: number): void {
    this.#pageStartNs = nowNs
    const request = this.#runner.requests.requestOf(this.#nextTargetIndex)
    this.exchange.reset(this.#nextTargetIndex, nowNs)
    this.#runner.recorder.started(nowNs)
    const { originIndex } = request
    for (const connection of this.#connections) {
      if (connection.originIndex === originIndex && connection.isFree) {
        connection.submit(request, nowNs)
        return
      }
    }
    this.#open(originIndex, request, nowNs)
  }

  #open(originIndex: number, request: PreparedRequest, nowNs: number): void {
    if (this.#connections.length === CONNECTION_COUNT_MAX) {
      const oldest = this.#connections.shift()!
      oldest.close()
      this.#runner.connector.release(oldest)
    }
    this.#connections.push(this.#runner.connector.open(this, originIndex, request, nowNs))
  }

  connectionLost(connection: Connection): void {
    const index = this.#connections.indexOf(connection)
    if (index >= 0) this.#connections.splice(index, 1)
  }

  /** HOT (bench/macro/main.ts). */
  exchangeCompleted(): void {
    const { exchange } = this
    const { status } = exchange
    if (status === STATUS_UNAUTHORIZED || status === STATUS_PROXY_AUTHENTICATION_REQUIRED) {
      exchange.disqualification = Disqualification.rejected
    } else if (exchange.bodyBytes === 0 && this.#runner.failsEmptyBody(exchange)) {
      exchange.disqualification = Disqualification.emptyBody
    }
    this.#runner.recorder.completed(exchange)
    this.#runner.observer?.completed(exchange)
    this.#runner.recorder.pageEnded(exchange.endNs - this.#pageStartNs, exchange.endNs)
    this.#endIteration(exchange.endNs)
  }

  exchangeFailed(kind: FailureKindNumber, text: string): void {
    const { exchange } = this
    this.#runner.exchangeFailed(exchange, kind, text)
    this.#endIteration(exchange.endNs)
  }

  /** HOT (bench/macro/main.ts). */
  #endIteration(nowNs: number): void {
    if (this.#advance()) this.#runner.iterationEnded(this, this.#random, nowNs)
    else this.#runner.userDone()
  }
}
