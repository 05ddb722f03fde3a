/**
 * One connection of the reactor on io_uring, and the memory that the kernel may hold for it.
 *
 * A line serves its next connection only once every operation of the last one has completed: so
 * nothing of a closed connection can be taken for something of the next, and no memory that the
 * kernel still reads is written again.
 */
import type { Endpoint } from '../reactor.ts'
import type { Libc } from './libc.ts'
import { Stage, type StagedLine, type StageNumber } from './line-stage.ts'
import type { MappedSlab } from './mapped-slab.ts'
import { forgetSends, type Hasty } from './no-delay.ts'
import { SOCKADDR_BYTES_MAX, writeSocketAddress } from './socket-address.ts'
import type { TlsSession } from './tls-engine.ts'

/** Operations of a line, as bits; one names its kind in a completion. */
export const Operation = { connect: 1, recv: 2, send: 4 } as const
export type OperationNumber = (typeof Operation)[keyof typeof Operation]

const FIRST_OUTPUT_BYTES = 2048

export class UringLine implements StagedLine, Hasty {
  /** What completions call it. */
  readonly id: number
  slot = -1
  fd = -1
  stage: StageNumber = Stage.connecting
  endpoint: Endpoint | undefined
  tls: TlsSession | undefined
  hasSent = false
  isUndelayed = false
  /** Operations that the kernel has not completed. */
  underWay = 0
  /** Closed in an earlier turn, and not all has completed. */
  isLingering = false
  /** Where the bytes are that a send under way has still to send. */
  sendAddress = 0
  sendBytes = 0
  /** The sink waits for `sent`. */
  owesSent = false
  /** Why there is no connection, found inside a call of the sink's. */
  connectErrno = 0
  /** Why a send failed: the kernel says it once, and a receive afterwards sees a mere end. */
  sendErrno = 0
  /** More than 0: it carries large bodies, see `uring-bulk.ts`. */
  shortReceivesLeft = 0
  readonly #slab: MappedSlab
  readonly #address: Uint8Array
  readonly addressAt: number
  addressBytes = 0
  /** Copies of what has to be sent: of TLS's output, and of memory that can move. */
  output: Uint8Array | undefined
  outputAt = 0

  constructor(id: number, slab: MappedSlab) {
    this.id = id
    this.#slab = slab
    this.#address = slab.allocate(SOCKADDR_BYTES_MAX)
    this.addressAt = slab.addressOf(this.#address)
  }

  open(slot: number, endpoint: Endpoint, libc: Libc): void {
    if (this.endpoint !== endpoint) {
      this.addressBytes = writeSocketAddress(endpoint, this.#address, libc)
    }
    this.slot = slot
    this.endpoint = endpoint
    this.stage = Stage.connecting
    this.connectErrno = 0
    this.sendErrno = 0
    this.shortReceivesLeft = 0
    forgetSends(this)
  }

  /** Forgets the connection; its operations may still be under way. */
  shut(): void {
    this.tls?.close()
    this.tls = undefined
    this.slot = -1
    this.fd = -1
    this.sendBytes = 0
    this.owesSent = false
    this.stage = Stage.ended
  }

  /** Memory of at least so many bytes; only while no send is under way. */
  reserve(byteCount: number): Uint8Array {
    if (this.output === undefined || this.output.length < byteCount) {
      let size = this.output?.length ?? FIRST_OUTPUT_BYTES
      while (size < byteCount) size *= 2
      this.output = this.#slab.allocate(size)
      this.outputAt = this.#slab.addressOf(this.output)
    }
    return this.output
  }
}
