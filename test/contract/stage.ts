/**
 * A sink that plays a test's part inside a reactor and holds the reactor to the order of events.
 *
 * Everything a test does while the reactor runs happens in handlers, so that the same test drives
 * a reactor that blocks. What breaks the seam is noted and thrown when the run is over: an
 * exception inside a reactor's call would be the reactor's to handle.
 */
import assert from 'node:assert/strict'
import type {
  Ending,
  Endpoint,
  Reactor,
  ReactorSink,
  TlsProfile,
} from '../../src/engine/reactor.ts'
import type { ReactorHarness } from './peers.ts'

export interface Handlers {
  connected?(slot: number): void
  secured?(slot: number): void
  data?(slot: number, bytes: Uint8Array, start: number, end: number): void
  sent?(slot: number): void
  ended?(slot: number, ending: Ending): void
}

interface OpenSlot {
  readonly handlers: Handlers
  stage: 'connecting' | 'connected' | 'securing' | 'secured' | 'ended'
  isSending: boolean
}

/** A run that takes longer hangs. */
const GUARD_NS = 20e9

export class Stage implements ReactorSink {
  readonly reactor: Reactor
  readonly breaches: string[] = []
  /** Every event so far, as `connected 3`. */
  readonly log: string[] = []
  onAlarm: () => void = () => this.#breach('the test does not come to its end')
  onWoken: () => void = () => {}
  #isInside = false
  #isStopped = false
  readonly #slots = new Map<number, OpenSlot>()

  constructor(reactor: Reactor) {
    this.reactor = reactor
    reactor.attach(this)
    reactor.setAlarm(GUARD_NS)
  }

  connect(slot: number, endpoint: Endpoint, handlers: Handlers): void {
    this.#slots.set(slot, { handlers, stage: 'connecting', isSending: false })
    this.#calling(() => this.reactor.connect(slot, endpoint))
  }

  startTls(slot: number, profile: TlsProfile): void {
    this.#slots.get(slot)!.stage = 'securing'
    this.#calling(() => this.reactor.startTls(slot, profile))
  }

  send(slot: number, bytes: Uint8Array): void {
    this.#slots.get(slot)!.isSending = true
    this.#calling(() => this.reactor.send(slot, bytes))
  }

  close(slot: number): void {
    this.#slots.delete(slot)
    this.#calling(() => this.reactor.close(slot))
  }

  stop(): void {
    this.#isStopped = true
    this.#calling(() => this.reactor.stop())
  }

  setAlarm(dueNs: number, onAlarm: () => void): void {
    this.onAlarm = onAlarm
    this.#calling(() => this.reactor.setAlarm(dueNs))
  }

  /** After so much time; only one thing can be waited for. */
  after(delayMs: number, then: () => void): void {
    this.setAlarm(this.reactor.nowNs() + delayMs * 1e6, then)
  }

  connected(slot: number): void {
    this.#told('connected', slot, ['connecting'], 'connected', (handlers) =>
      handlers.connected?.(slot),
    )
  }

  secured(slot: number): void {
    this.#told('secured', slot, ['securing'], 'secured', (handlers) => handlers.secured?.(slot))
  }

  data(slot: number, bytes: Uint8Array, start: number, end: number): void {
    if (!(start >= 0 && start < end && end <= bytes.length)) {
      this.#breach(`data from ${start} to ${end} of ${bytes.length}`)
    }
    this.#told('data', slot, ['connected', 'secured'], undefined, (handlers) =>
      handlers.data?.(slot, bytes, start, end),
    )
  }

  sent(slot: number): void {
    this.#told('sent', slot, ['connected', 'secured'], undefined, (handlers, state) => {
      if (!state.isSending) this.#breach(`sent is told of slot ${slot} without a send`)
      state.isSending = false
      handlers.sent?.(slot)
    })
  }

  ended(slot: number, ending: Ending): void {
    if (ending.how === 'error' && ending.text === '') this.#breach('an error without a text')
    const stages = ['connecting', 'connected', 'securing', 'secured'] as const
    this.#told('ended', slot, stages, 'ended', (handlers) => handlers.ended?.(slot, ending))
  }

  alarm(): void {
    this.#enter('alarm', () => this.onAlarm())
  }

  woken(): void {
    this.#enter('woken', () => this.onWoken())
  }

  #told(
    event: string,
    slot: number,
    allowedStages: readonly OpenSlot['stage'][],
    nextStage: OpenSlot['stage'] | undefined,
    tell: (handlers: Handlers, state: OpenSlot) => void,
  ): void {
    const state = this.#slots.get(slot)
    if (state === undefined) {
      this.#breach(`${event} is told of slot ${slot}, which is closed`)
      return
    }
    if (!allowedStages.includes(state.stage)) {
      this.#breach(`${event} is told of slot ${slot}, which is ${state.stage}`)
    }
    if (nextStage !== undefined) state.stage = nextStage
    this.#enter(`${event} ${slot}`, () => tell(state.handlers, state))
  }

  #enter(event: string, run: () => void): void {
    this.log.push(event)
    if (this.#isStopped) this.#breach(`${event} is told after stop`)
    if (this.#isInside) this.#breach(`${event} is told inside a call`)
    this.#isInside = true
    try {
      run()
    } catch (error) {
      // A failed assertion of a handler: the run must still end to be reported.
      this.#breach(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    this.#isInside = false
  }

  /** A call into the reactor: nothing may be told until it returns. */
  #calling(call: () => void): void {
    const wasInside = this.#isInside
    this.#isInside = true
    call()
    this.#isInside = wasInside
  }

  #breach(what: string): void {
    this.breaches.push(what)
    if (!this.#isStopped) this.stop()
  }
}

/** Runs a test's part to its end, which is when it calls `stop`, and a little beyond. */
export async function play(harness: ReactorHarness, part: (stage: Stage) => void): Promise<Stage> {
  const problems: unknown[] = []
  const note = (problem: unknown) => problems.push(problem)
  process.on('uncaughtException', note).on('unhandledRejection', note).on('warning', note)
  const stage = new Stage(harness.createReactor())
  part(stage)
  await stage.reactor.run()
  await harness.settle()
  process.off('uncaughtException', note).off('unhandledRejection', note).off('warning', note)
  assert.deepEqual(stage.breaches, [])
  assert.deepEqual(problems, [], 'errors that nobody caught, and warnings of Node')
  assert.deepEqual(harness.leftovers(), [], 'what closed connections left behind')
  return stage
}

/** Waits until what another thread counts has come true. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 20_000
  while (!holds()) {
    assert.ok(performance.now() < deadlineMs, `never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
