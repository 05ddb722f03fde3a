/** The main program of a worker thread: runs one slice and talks to the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../base/errors.ts'
import type { Resolution } from '../engine/resolver.ts'
import { type RunningSlice, type SliceTask, startSlice } from './slice.ts'
import type { MessageToMain, MessageToThread } from './thread-messages.ts'

invariant(parentPort !== null, 'thread-main runs in a worker thread')
const port = parentPort
// What the main thread handed over: see `worker-slice.ts`.
const task = workerData as Omit<SliceTask, 'epochNs'>
/** Two origins may share a name: each asks, the main thread looks it up once. */
const asking = new Map<string, ((resolution: Resolution) => void)[]>()
let slice: RunningSlice | undefined
let stopBeforeBegin: Extract<MessageToThread, { kind: 'stop' }> | undefined

function tell(message: MessageToMain): void {
  port.postMessage(message)
}

function begin(epochNs: number): void {
  slice = startSlice(
    { ...task, epochNs },
    {
      resolveName(host, answer) {
        const others = asking.get(host)
        if (others !== undefined) others.push(answer)
        else {
          asking.set(host, [answer])
          tell({ kind: 'resolve', host })
        }
      },
      takeLines: (bytes, lineCount) => tell({ kind: 'lines', bytes, lineCount }),
      failureSeen: (failureKind, text) => tell({ kind: 'failure', failureKind, text }),
      failureLimitReached: () => tell({ kind: 'failure-limit' }),
    },
  )
  if (stopBeforeBegin !== undefined) slice.stop(stopBeforeBegin.how, stopBeforeBegin.endedBy)
  void slice.finished.then((result) => {
    tell({ kind: 'finished', result })
    port.close()
  })
}

port.on('message', (message: MessageToThread) => {
  switch (message.kind) {
    case 'begin':
      begin(message.epochNs)
      break
    case 'stop':
      if (slice === undefined) stopBeforeBegin = message
      else slice.stop(message.how, message.endedBy)
      break
    case 'resume':
      slice?.resume()
      break
    case 'resolved':
      for (const answer of asking.get(message.host) ?? []) answer(message.resolution)
      asking.delete(message.host)
  }
})
tell({ kind: 'ready' })
