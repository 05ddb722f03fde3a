/** The main thread's end of a slice that runs in a worker thread. */
import { closeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { EnvironmentError } from '../base/errors.ts'
import { wakeUp } from '../engine/net/wake-up.ts'
import type { EndedBy } from '../result/run-result.ts'
import type { SlicePorts, SliceResult, SliceTask } from './slice.ts'
import type { MessageToMain, MessageToThread } from './thread-messages.ts'

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
  const tell = (message: MessageToThread) => {
    worker.postMessage(message)
    if (wakeFd >= 0) wakeUp(wakeFd)
  }
  let readyCame: () => void
  let finishedCame: (result: SliceResult) => void
  let readyFailed: (error: unknown) => void
  let finishedFailed: (error: unknown) => void
  const ready = new Promise<void>((resolve, reject) => {
    readyCame = resolve
    readyFailed = reject
  })
  const finished = new Promise<SliceResult>((resolve, reject) => {
    finishedCame = resolve
    finishedFailed = reject
  })
  const lost = (cause: unknown) => {
    readyFailed(cause)
    finishedFailed(threadLost(cause))
  }
  worker.on('message', (message: MessageToMain) => {
    switch (message.kind) {
      case 'ready':
        readyCame()
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
      case 'lines':
        ports.takeLines(message.bytes, message.lineCount)
        break
      case 'failure':
        ports.failureSeen(message.failureKind, message.text)
        break
      case 'failure-limit':
        ports.failureLimitReached()
        break
      case 'finished':
        if (wakeFd >= 0) closeSync(wakeFd)
        wakeFd = -1
        finishedCame(message.result)
    }
  })
  worker.on('error', lost)
  worker.on('exit', (status) => lost(new Error(`it exited with status ${status}`)))
  return {
    ready,
    finished,
    begin: (epochNs) => tell({ kind: 'begin', epochNs }),
    stop: (how, endedBy) => tell({ kind: 'stop', how, endedBy }),
    resume: () => tell({ kind: 'resume' }),
  }
}

function threadLost(cause: unknown): EnvironmentError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return new EnvironmentError(`a thread of the generator ended too early: ${text}`, {
    hint: 'Run with --threads 1.',
    cause,
  })
}
