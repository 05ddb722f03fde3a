/**
 * A reactor without sockets: whatever is sent has been taken, and its answer is there, in the next
 * turn. What is left of a request is the engine's own work, which this makes measurable.
 *
 * Time is counted, not read: a fixed number of nanoseconds an event.
 */
import type { Reactor, ReactorSink } from '../../src/engine/reactor.ts'

const NS_PER_EVENT = 10_000

export class InstantReactor implements Reactor {
  readonly name = 'simulated'
  readonly #answer: Uint8Array
  readonly #connecting: number[] = []
  readonly #waiting: Int32Array
  #waitingCount = 0
  #sink!: ReactorSink
  #nowNs = 0
  #alarmNs = Number.POSITIVE_INFINITY
  #isStopped = false
  /** Folds what was sent into a number that shows whether the same was sent again. */
  hash = 0

  constructor(answer: Uint8Array, slotCount: number) {
    this.#answer = answer
    this.#waiting = new Int32Array(slotCount)
  }

  nowNs(): number {
    return this.#nowNs
  }

  refreshNowNs(): number {
    return this.#nowNs
  }

  attach(sink: ReactorSink): void {
    this.#sink = sink
  }

  allocate(byteCount: number): Uint8Array {
    return new Uint8Array(byteCount)
  }

  connect(slot: number): void {
    this.#connecting.push(slot)
  }

  startTls(): void {}

  send(slot: number, bytes: Uint8Array): void {
    this.hash = (this.hash * 31 + bytes.length) | 0
    this.#waiting[this.#waitingCount++] = slot
  }

  close(): void {}

  setAlarm(dueNs: number): void {
    this.#alarmNs = dueNs
  }

  wake(): void {}

  stop(): void {
    this.#isStopped = true
  }

  run(): void {
    while (!this.#isStopped) this.#turn()
  }

  #turn(): void {
    if (this.#nowNs >= this.#alarmNs) {
      this.#alarmNs = Number.POSITIVE_INFINITY
      this.#sink.alarm()
    }
    for (let slot = this.#connecting.pop(); slot !== undefined; slot = this.#connecting.pop()) {
      this.#sink.connected(slot)
    }
    const count = this.#waitingCount
    // Answers lead to new requests, which come behind these.
    for (let index = 0; index < count && !this.#isStopped; index++) {
      this.#nowNs += NS_PER_EVENT
      const slot = this.#waiting[index]!
      this.#sink.sent(slot)
      this.#sink.data(slot, this.#answer, 0, this.#answer.length)
    }
    this.#waiting.copyWithin(0, count, this.#waitingCount)
    this.#waitingCount -= count
    if (count === 0) this.#nowNs += NS_PER_EVENT
  }
}
