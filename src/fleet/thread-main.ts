/**
 * The main program of a worker thread: runs one slice and talks to the main thread.
 *
 * While a blocking reactor runs, no message arrives by itself: the main thread wakes the reactor,
 * and what has come meanwhile is taken from the port by hand.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { invariant } from '../base/errors.ts'
import type { Resolution } from '../engine/resolver.ts'
import { makeSlice, prepareSlice, type Slice, type SlicePorts, type SliceTask } from './slice.ts'
import type { MessageToMain, MessageToThread } from './thread-messages.ts'

invariant(parentPort !== null, 'thread-main runs in a worker thread')
const port = parentPort
// What the main thread handed over: see `worker-slice.ts`.
const task = workerData as Omit<SliceTask, 'epochNs'>
/** Two origins may share a name: each asks, the main thread looks it up once. */
const asking = new Map<string, ((resolution: Resolution) => void)[]>()
let slice: Slice | undefined

const ports: SlicePorts = {
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
  progress: (snapshot, atNs) => tell({ kind: 'progress', snapshot, atNs }),
  blocking: (wakeFd) => tell({ kind: 'blocking', wakeFd }),
  woken: takeMessages,
}

function tell(message: MessageToMain): void {
  port.postMessage(message)
}

function takeMessages(): void {
  for (;;) {
    const received = receiveMessageOnPort(port)
    if (received === undefined) return
    hear(received.message as MessageToThread)
  }
}

async function begin(epochNs: number): Promise<void> {
  slice = makeSlice({ ...task, epochNs }, ports)
  tell({ kind: 'finished', result: await slice.run() })
  port.close()
}

function hear(message: MessageToThread): void {
  switch (message.kind) {
    case 'begin':
      void begin(message.epochNs)
      break
    case 'stop':
      slice?.stop(message.how, message.endedBy)
      break
    case 'resume':
      slice?.resume()
      break
    case 'resolved':
      for (const answer of asking.get(message.host) ?? []) answer(message.resolution)
      asking.delete(message.host)
  }
}

port.on('message', hear)
prepareSlice(task)
tell({ kind: 'ready' })
