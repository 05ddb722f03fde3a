/** The peers of the reactor contract in virtual time. */
import type { Endpoint, TlsProfile } from '../../src/engine/reactor.ts'
import {
  roughNetwork,
  type ServerLine,
  SimulatedReactor,
  type SimulatedServer,
} from '../sim/simulated-reactor.ts'
import {
  type PeerCounts,
  type PeerKind,
  patternByte,
  patternBytes,
  peerKinds,
  type ReactorHarness,
  SLOW_BYTES,
  SOURCE_BYTES,
  TOKEN_ANSWER_BYTES,
  TOKEN_PIECE_BYTES,
} from './peers.ts'

const CA = 'the simulated authority'
const CERTIFIED_NAMES = ['localhost', '127.0.0.1', '::1']
const PIECE_BYTES = 30_000

export function simulatedHarness(): ReactorHarness {
  const peers = peerKinds.map((kind) => new SimulatedPeer(kind))
  const peerAt = ({ port }: Endpoint) => peers[port - 1]
  let seed = 1
  return {
    name: 'simulated',
    createReactor: () => new SimulatedReactor(peerAt, { seed: seed++, faults: roughNetwork }),
    reactorModule: undefined,
    ca: CA,
    endpointOf(kind) {
      const port = peerKinds.indexOf(kind) + 1
      return kind === 'echo6'
        ? { address: '::1', family: 6, port }
        : { address: '127.0.0.1', family: 4, port }
    },
    countsOf: (kind) => peers[peerKinds.indexOf(kind)]!,
    settle: async () => {},
    leftovers: () => [],
  }
}

/** How far a connection has got, and the name that its handshake asked for. */
interface LineState {
  position: number
  serverName: string | undefined
}

class SimulatedPeer implements SimulatedServer, PeerCounts {
  openedCount = 0
  closedCount = 0
  receivedBytes = 0
  wrongBytes = 0
  readonly #kind: PeerKind

  constructor(kind: PeerKind) {
    this.#kind = kind
  }

  accept(line: ServerLine): 'accept' | 'refuse' | 'drop' {
    if (this.#kind === 'refused') return 'refuse'
    if (this.#kind === 'blackHole') return 'drop'
    this.openedCount++
    line.state = { position: 0, serverName: undefined } satisfies LineState
    // Nothing comes before the connection itself.
    if (this.#kind === 'source') line.later(1, () => sendSource(line))
    return 'accept'
  }

  secure(line: ServerLine, profile: TlsProfile): 'secure' | 'fail' | 'fin' | 'silent' {
    if (this.#kind === 'tlsCloser') return 'fin'
    if (this.#kind === 'holder') return 'silent'
    if (!this.#kind.startsWith('tls')) return 'fail'
    const { verify, ca, versionMax } = profile.settings
    if (this.#kind === 'tls13' && versionMax === 'TLSv1.2') return 'fail'
    const isTrusted = ca === CA && CERTIFIED_NAMES.includes(profile.verifiedName)
    if (verify && !isTrusted) return 'fail'
    const state = line.state as LineState
    state.serverName = profile.serverName
    if (this.#kind === 'tlsSource') line.later(1, () => sendSource(line))
    return 'secure'
  }

  received(line: ServerLine, bytes: Uint8Array): void {
    this.receivedBytes += bytes.length
    const state = line.state as LineState
    const { position } = state
    state.position += bytes.length
    switch (this.#kind) {
      case 'slow':
        for (let index = 0; index < bytes.length; index++) {
          if (bytes[index] !== patternByte(position + index)) this.wrongBytes++
        }
        if (state.position === SLOW_BYTES) line.send(Buffer.from('k'))
        break
      case 'resetter':
        line.reset()
        break
      case 'token':
        for (let sent = 0; sent < TOKEN_ANSWER_BYTES; sent += TOKEN_PIECE_BYTES) {
          line.send(new Uint8Array(TOKEN_PIECE_BYTES).fill(bytes[0]!))
        }
        break
      case 'tlsName':
        if (position === 0) line.send(Buffer.from(`${state.serverName ?? '-'}\n`))
        break
      case 'echo':
      case 'echo6':
      case 'tlsEcho':
      case 'tls12':
      case 'tls13':
        line.send(bytes)
    }
  }

  closed(line: ServerLine): void {
    if (line.state !== undefined) this.closedCount++
  }
}

function sendSource(line: ServerLine): void {
  const bytes = patternBytes(SOURCE_BYTES)
  for (let sent = 0; sent < bytes.length; sent += PIECE_BYTES) {
    line.send(bytes.subarray(sent, sent + PIECE_BYTES))
  }
  line.finish()
}
