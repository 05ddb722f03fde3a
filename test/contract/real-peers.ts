/** Starts the real peers in threads of their own and makes them a harness for a real reactor. */
import { Worker } from 'node:worker_threads'
import type { Endpoint, Reactor } from '../../src/engine/reactor.ts'
import type { Certificate } from '../support/certificate.ts'
import type { Scope } from '../support/scope.ts'
import { type PeerCounts, type PeerKind, peerKinds, type ReactorHarness } from './peers.ts'

/** Opened, closed, received bytes, wrong bytes. */
export const COUNT_FIELD_COUNT = 4

export interface PeersTask {
  readonly counts: SharedArrayBuffer
  readonly cert: string
  readonly key: string
  readonly isBlackHole: boolean
}

export interface RealReactor {
  readonly name: string
  readonly createReactor: () => Reactor
  readonly module: URL
}

export async function startRealPeers(
  scope: Scope,
  certificate: Certificate,
  real: RealReactor,
): Promise<ReactorHarness> {
  const shared = new SharedArrayBuffer(peerKinds.length * COUNT_FIELD_COUNT * 4)
  const counts = new Int32Array(shared)
  const { cert, key } = certificate
  const threads = [false, true].map((isBlackHole) => {
    const workerData: PeersTask = { counts: shared, cert, key, isBlackHole }
    return new Worker(new URL('./peers-thread.js', import.meta.url), { workerData })
  })
  scope.after(() => Promise.all(threads.map((thread) => thread.terminate())))
  const [peerPorts, blackHolePort] = await Promise.all(threads.map(firstMessage))
  const ports = { ...peerPorts, ...blackHolePort }

  return {
    name: real.name,
    createReactor: real.createReactor,
    reactorModule: real.module,
    ca: cert,
    endpointOf(kind: PeerKind): Endpoint {
      const port = ports[kind]!
      return kind === 'echo6'
        ? { address: '::1', family: 6, port }
        : { address: '127.0.0.1', family: 4, port }
    },
    countsOf(kind: PeerKind): PeerCounts {
      const first = peerKinds.indexOf(kind) * COUNT_FIELD_COUNT
      const field = (index: number) => Atomics.load(counts, first + index)
      return {
        openedCount: field(0),
        closedCount: field(1),
        receivedBytes: field(2),
        wrongBytes: field(3),
      }
    },
    settle: () => new Promise((resolve) => setTimeout(resolve, 30)),
    leftovers: () =>
      process.getActiveResourcesInfo().filter((name) => /TCPSocket|TCPConnect|TLS/.test(name)),
  }
}

function firstMessage(thread: Worker): Promise<Partial<Record<PeerKind, number>>> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}
