/**
 * The connections of one thread: their slots, their origins' addresses and their deadlines.
 *
 * Hands reactor events to the connection that owns the slot. Deadlines are numbers in the
 * connections, looked at by a coarse sweep, so that no exchange sets a timer.
 */
import type { Recorder } from '../metrics/recorder.ts'
import { Connection, type ConnectionHolder } from './connection.ts'
import type { Wire } from './observer.ts'
import type { Ending, Endpoint, Reactor } from './reactor.ts'
import type { OriginAddresses, ResolveName } from './resolver.ts'
import type { Route } from './route.ts'
import type { ExchangeUser, OutgoingRequest } from './transport.ts'

/** Whoever needs an origin's addresses. */
export interface AddressWaiter {
  addressesSettled(addresses: OriginAddresses, nowNs: number): void
}

export interface ConnectorOptions {
  readonly reactor: Reactor
  readonly recorder: Recorder
  readonly resolveName: ResolveName
  readonly keepAlive: boolean
  /**
   * Connections are kept unless the server says otherwise; if not, only those of which it says so.
   * Whoever asks by HTTP/1.0 may be answered by HTTP/1.1 and still find the connection closed.
   */
  readonly keepsUntold: boolean
  readonly timeoutNs: number
  readonly wire: Wire | undefined
  /** Asks for a call of `sweep` no later than `dueNs`. */
  readonly requestSweep: (dueNs: number) => void
}

/** How late a timeout may be noticed, as a share of the timeout, within bounds. */
const SWEEP_PERIOD_SHARE = 1 / 40
const SWEEP_PERIOD_NS_MIN = 5e6
const SWEEP_PERIOD_NS_MAX = 100e6

export class Connector {
  readonly reactor: Reactor
  readonly recorder: Recorder
  readonly keepAlive: boolean
  readonly keepsUntold: boolean
  readonly timeoutNs: number
  readonly wire: Wire | undefined
  readonly #options: ConnectorOptions
  readonly #sweepPeriodNs: number
  readonly #waiting = new Map<OriginAddresses, Set<AddressWaiter>>()
  /** Names whose answer is known and whose waiters are to be told. */
  #settled: OriginAddresses[] = []
  readonly #connections: Connection[] = []
  readonly #free: Connection[] = []
  readonly #slotOwners: (Connection | undefined)[] = []
  readonly #slotEndpointIndexes: number[] = []
  readonly #freeSlots: number[] = []

  constructor(options: ConnectorOptions) {
    this.#options = options
    this.reactor = options.reactor
    this.recorder = options.recorder
    this.keepAlive = options.keepAlive
    this.keepsUntold = options.keepsUntold
    this.timeoutNs = options.timeoutNs
    this.wire = options.wire
    this.#sweepPeriodNs = Math.min(
      Math.max(options.timeoutNs * SWEEP_PERIOD_SHARE, SWEEP_PERIOD_NS_MIN),
      SWEEP_PERIOD_NS_MAX,
    )
  }

  get sweepPeriodNs(): number {
    return this.#sweepPeriodNs
  }

  get openConnectionCount(): number {
    return this.#connections.length - this.#free.length
  }

  /**
   * Opens a connection for an exchange of `user`, who is told its end, never in this call. The
   * connection belongs to `holder`.
   */
  open(
    holder: ConnectionHolder,
    route: Route,
    exchange: { readonly user: ExchangeUser; readonly request: OutgoingRequest },
    nowNs: number,
  ): Connection {
    let connection = this.#free.pop()
    if (connection === undefined) {
      connection = new Connection(this)
      this.#connections.push(connection)
    }
    connection.open(holder, route, exchange, nowNs)
    return connection
  }

  /** Takes a closed connection back. */
  release(connection: Connection): void {
    this.#free.push(connection)
  }

  /** It is told by `addressesSettled` when the addresses are known. */
  awaitAddresses(waiter: AddressWaiter, addresses: OriginAddresses): void {
    const waiting = this.#waiting.get(addresses)
    if (waiting !== undefined) {
      // The question is under way, or its answer is about to be told to all who wait.
      waiting.add(waiter)
      return
    }
    this.#waiting.set(addresses, new Set([waiter]))
    if (addresses.state !== 'unknown') {
      this.#settle(addresses)
      return
    }
    addresses.state = 'asked'
    this.#options.resolveName(addresses.host, (resolution) => {
      addresses.settle(resolution)
      this.#settle(addresses)
    })
  }

  #settle(addresses: OriginAddresses): void {
    this.#settled.push(addresses)
    this.#options.requestSweep(0)
  }

  /** Asks for a sweep no later than `dueNs`, where its usual period is too coarse. */
  requestSweep(dueNs: number): void {
    this.#options.requestSweep(dueNs)
  }

  takeSlot(owner: Connection): number {
    const slot = this.#freeSlots.pop() ?? this.#slotOwners.length
    this.#slotOwners[slot] = owner
    return slot
  }

  giveSlot(slot: number): void {
    this.reactor.close(slot)
    this.#slotOwners[slot] = undefined
    this.#freeSlots.push(slot)
  }

  connectSlot(slot: number, endpoint: Endpoint, endpointIndex: number): void {
    this.#slotEndpointIndexes[slot] = endpointIndex
    this.reactor.connect(slot, endpoint)
  }

  endpointIndexOf(slot: number): number {
    return this.#slotEndpointIndexes[slot]!
  }

  connected(slot: number): void {
    this.#slotOwners[slot]?.connected(slot, this.reactor.nowNs())
  }

  secured(slot: number): void {
    this.#slotOwners[slot]?.secured(this.reactor.nowNs())
  }

  /** HOT (bench/macro/main.ts). */
  data(slot: number, bytes: Uint8Array, start: number, end: number): void {
    this.#slotOwners[slot]?.receive(bytes, start, end, this.reactor.nowNs())
  }

  /** HOT (bench/macro/main.ts). */
  sent(slot: number): void {
    this.#slotOwners[slot]?.sent()
  }

  ended(slot: number, ending: Ending): void {
    this.#slotOwners[slot]?.ended(slot, ending, this.reactor.nowNs())
  }

  /**
   * Tells what has become known and times out what has waited too long. Returns when a next
   * address is due to be tried; Infinity for never.
   */
  sweep(nowNs: number): number {
    const settled = this.#settled
    if (settled.length > 0) {
      this.#settled = []
      for (const addresses of settled) this.#tellWaiting(addresses, nowNs)
    }
    let nextAttemptNs = Number.POSITIVE_INFINITY
    for (const connection of this.#connections) {
      if (connection.deadlineNs <= nowNs) connection.timedOut(nowNs)
      else if (connection.nextAttemptNs <= nowNs) connection.attemptAlongside(nowNs)
      nextAttemptNs = Math.min(nextAttemptNs, connection.nextAttemptNs)
    }
    return nextAttemptNs
  }

  #tellWaiting(addresses: OriginAddresses, nowNs: number): void {
    const waiting = this.#waiting.get(addresses)
    this.#waiting.delete(addresses)
    for (const waiter of waiting ?? []) waiter.addressesSettled(addresses, nowNs)
  }
}
