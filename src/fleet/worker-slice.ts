/** The main thread's end of a slice that runs in a worker thread. */
import { Worker } from 'node:worker_threads'
import { EnvironmentError } from '../base/errors.ts'
import type { RunningSlice, SlicePorts, SliceResult, SliceTask } from './slice.ts'
import type { MessageToMain, MessageToThread } from './thread-messages.ts'

export interface WorkerSlice extends RunningSlice {
  /** The thread is up and waits for `begin`. */
  readonly ready: Promise<void>
  begin(epochNs: number): void
}

/** @throws {EnvironmentError} by `ready` and `finished`, when the thread cannot start or dies. */
export function startWorkerSlice(task: Omit<SliceTask, 'epochNs'>, ports: SlicePorts): WorkerSlice {
  const worker = new Worker(new URL('./thread-main.js', import.meta.url), { workerData: task })
  const tell = (message: MessageToThread) => worker.postMessage(message)
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
