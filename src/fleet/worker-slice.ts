/** The main thread's end of a slice that runs in a worker thread. */
import { closeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { EnvironmentError } from '../base/errors.ts'
import { wakeUp } from '../engine/net/wake-up.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import type { EndedBy } from '../result/run-result.ts'
import type { SlicePorts, SliceResult, SliceTask } from './slice.ts'
import type { MessageToMain, MessageToThread } from './thread-messages.ts'
import { ThreadMeter } from './thread-meter.ts'

export interface WorkerSlice {
  readonly finished: Promise<SliceResult>
  stop(how: 'now' | 'drain', endedBy: EndedBy): void
  resume(): void
  /** The thread is up and waits for `begin`. */
  readonly ready: Promise<void>
  begin(epochNs: number): void
}

/** @throws {EnvironmentError} by `ready` and `finished`, when the thread cannot start or dies. */
export function startWorkerSlice(
  task: Omit<SliceTask, 'epochNs'>,
  ports: Omit<SlicePorts, 'blocking' | 'woken'>,
): WorkerSlice {
  const worker = new Worker(new URL('./thread-main.js', import.meta.url), { workerData: task })
  /** Of a reactor that blocks; -1 while there is none. It is this side's to close. */
  let wakeFd = -1
  let hasBegun = false
  let isStopped = false
  const tell = (message: MessageToThread) => {
    worker.postMessage(message)
    if (wakeFd >= 0) wakeUp(wakeFd)
  }
  const ready = deferred<void>()
  const finished = deferred<SliceResult>()
  const lost = (cause: unknown) => {
    ready.reject(cause)
    finished.reject(threadLost(cause))
  }
  worker.on('message', (message: MessageToMain) => {
    switch (message.kind) {
      case 'ready':
        ready.resolve()
        break
      case 'blocking':
        wakeFd = message.wakeFd
        // What was said before this was known has not been heard.
        wakeUp(wakeFd)
        break
      case 'resolve':
        ports.resolveName(message.host, (resolution) =>
          tell({ kind: 'resolved', host: message.host, resolution }),
        )
        break
      case 'finished':
        if (wakeFd >= 0) closeSync(wakeFd)
        wakeFd = -1
        finished.resolve(message.result)
        break
      default:
        passOn(message, ports)
    }
  })
  worker.on('error', lost)
  worker.on('exit', (status) => lost(new Error(`it exited with status ${status}`)))
  return {
    ready: ready.promise,
    finished: finished.promise,
    begin(epochNs) {
      if (isStopped) return
      hasBegun = true
      tell({ kind: 'begin', epochNs })
    },
    stop(how, endedBy) {
      isStopped = true
      if (hasBegun) {
        tell({ kind: 'stop', how, endedBy })
        return
      }
      // A thread may take a second to come up on a busy machine: too long for Ctrl-C to wait.
      finished.resolve(nothingDone(task, endedBy))
      void worker.terminate()
    },
    resume: () => tell({ kind: 'resume' }),
  }
}

type Tidings = Extract<
  MessageToMain,
  { readonly kind: 'lines' | 'failure' | 'failure-limit' | 'progress' }
>

/** What only goes through here. */
function passOn(message: Tidings, ports: Omit<SlicePorts, 'blocking' | 'woken'>): void {
  switch (message.kind) {
    case 'lines':
      ports.takeLines(message.bytes, message.lineCount)
      break
    case 'failure':
      ports.failureSeen(message.failureKind, message.text)
      break
    case 'failure-limit':
      ports.failureLimitReached()
      break
    case 'progress':
      ports.progress(message.snapshot, message.atNs)
  }
}

interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (cause: unknown) => void
}

function deferred<Value>(): Deferred<Value> {
  let resolve!: (value: Value) => void
  let reject!: (cause: unknown) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/** The result of a slice that was stopped before it began. */
function nothingDone(task: Omit<SliceTask, 'epochNs'>, endedBy: EndedBy): SliceResult {
  return {
    snapshot: new CountingRecorder().snapshot(0),
    elapsedNs: 0,
    endedBy,
    feederUses: [],
    reading: new ThreadMeter().read(0),
    reactorName: task.reactorName,
    reactorReason: null,
    cookies: new Map(),
    rows: null,
    tls: null,
  }
}

function threadLost(cause: unknown): EnvironmentError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return new EnvironmentError(`a thread of the generator ended too early: ${text}`, {
    hint: 'Run with --threads 1.',
    cause,
  })
}
