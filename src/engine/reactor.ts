/**
 * The seam between protocols and the machine: one thread's sockets, timer and clock.
 *
 * A reactor knows nothing of HTTP. Its sink is called straight, never inside a call of the sink's
 * own into the reactor: `connect`, `send`, `close` only note what is to be done and report later.
 *
 * A *slot* is a small number chosen by the caller, from 0 to `slotCount` - 1, that names one
 * connection. Between `connect(slot)` and `close(slot)` the slot is open and its events arrive in
 * this order: `connected`, [`secured`], any of `data` and `sent`, at most one `ended`. After
 * `close(slot)` no further event of that connection is ever told, and the slot may be opened
 * again at once. After `ended` the slot still has to be closed.
 */
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { TlsPlan } from '../plan/plan.ts'

/** Where to connect: a numeric address. Names are resolved before they reach the reactor. */
export interface Endpoint {
  /** IPv4 or IPv6 address in text form, IPv6 without brackets; a zone is kept. */
  readonly address: string
  readonly family: 4 | 6
  readonly port: number
}

/** What a TLS handshake needs to know of the peer and of ourselves. */
export interface TlsProfile {
  /** Name for SNI; undefined for IP literals, which RFC 6066 section 3 forbids. */
  readonly serverName: string | undefined
  /** Name or address the certificate must be for when it is verified. */
  readonly verifiedName: string
  readonly settings: TlsPlan
}

/** What the first handshake of a run agreed on. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly protocol: string
  /** By OpenSSL's name. */
  readonly cipher: string
  /** Of the server's key; 0 without a certificate. */
  readonly keyBits: number
  readonly cipherBits: number
  /** Such as `X25519 253 bits` or `X25519MLKEM768`; null: none was used, or it is not known. */
  readonly temporaryKey: string | null
}

/** Why a connection ended by itself. */
export interface Ending {
  /** `fin`: the peer finished sending in good order. `error`: anything else. */
  readonly how: 'fin' | 'error'
  /** For errors: what to count it as. A `fin` is judged by the protocol above. */
  readonly kind: FailureKindNumber
  /** For errors: what the system said, such as `connect ECONNREFUSED 127.0.0.1:80`. */
  readonly text: string
}

export interface ReactorSink {
  connected(slot: number): void
  secured(slot: number): void
  /** HOT (bench/macro/main.ts). `bytes[start..end)` is valid during the call only. */
  data(slot: number, bytes: Uint8Array, start: number, end: number): void
  /** All bytes of the last `send` were taken by the system; its buffer is the caller's again. */
  sent(slot: number): void
  ended(slot: number, ending: Ending): void
  /** The alarm's time has come. */
  alarm(): void
  /** Somebody outside called `wake`. */
  woken(): void
}

export interface Reactor {
  readonly name: 'node' | 'simulated' | 'epoll' | 'uring'
  /** Null while no handshake has succeeded; absent where they are not told. */
  readonly tlsFacts?: TlsFacts | null
  /**
   * Nanoseconds since the run's start, integer, monotonic: as of the event that is being told, read
   * at least every few events.
   */
  nowNs(): number
  /** The same, read afresh: after work of our own that must not count as the target's. */
  refreshNowNs(): number
  /** Must be called once, before anything else. */
  attach(sink: ReactorSink): void
  connect(slot: number, endpoint: Endpoint): void
  /** Starts TLS as a client on a connected slot; told by `secured`, or `ended` with an error. */
  startTls(slot: number, profile: TlsProfile): void
  /** Memory that `send` takes without copying; it neither moves nor grows. */
  allocate(byteCount: number): Uint8Array
  /**
   * HOT (bench/macro/main.ts). Sends all of `bytes`, which must not change until `sent`. At most
   * one send is under way
   * on a slot. Fastest on memory from `allocate`.
   */
  send(slot: number, bytes: Uint8Array): void
  /** Ends the connection at once, whatever its state; nothing of it is told afterwards. */
  close(slot: number): void
  /** Sets the one alarm; a later call replaces it, `Infinity` takes it back. */
  setAlarm(dueNs: number): void
  /** From any thread's point of view: makes `woken` be called soon, also when nothing happens. */
  wake(): void
  /** Lets the loop run until `stop` was called. Blocking reactors return only then. */
  run(): Promise<void> | void
  /** Closes every open slot and lets `run` end. Nothing is told to the sink afterwards. */
  stop(): void
}
