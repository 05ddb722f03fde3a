/**
 * What is set on sockets before they connect: the size of their buffers and the addresses they
 * connect from, in turn, as a plan wants them; and that the handshake's last ACK may wait.
 */
import { IPPROTO_TCP, type Libc, SO_RCVBUF, SO_SNDBUF, SOL_SOCKET } from './libc.ts'
import type { MappedSlab } from './mapped-slab.ts'
import { SOCKADDR_BYTES_MAX, writeSocketAddress } from './socket-address.ts'

const SOL_IP = 0
/** The port is chosen at connect, by the whole of both ends: else each address has 28,000 in all. */
const IP_BIND_ADDRESS_NO_PORT = 24
const EADDRNOTAVAIL = 99
/** `tcp(7)`: 0 leaves quick acknowledgements off until the connection's own pace settles it. */
const TCP_QUICKACK = 12

export interface SocketWishes {
  /** See `ConnectionSettings`. */
  readonly bufferBytes?: number | undefined
  /** Numeric; of these the ones of the peer's family are used. */
  readonly sourceAddresses?: readonly string[] | undefined
}

interface Source {
  readonly at: number
  readonly byteCount: number
}

export class SocketSettings {
  readonly #libc: Libc
  readonly #hasBuffers: boolean
  /** Where the size of buffers stands, a one and a zero, as ints. */
  readonly #sizeAt: number
  readonly #oneAt: number
  readonly #zeroAt: number
  readonly #sources: Readonly<Record<4 | 6, Source[]>> = { 4: [], 6: [] }
  readonly #isBound: boolean
  #turn = 0

  constructor(libc: Libc, slab: MappedSlab, { bufferBytes, sourceAddresses = [] }: SocketWishes) {
    this.#libc = libc
    this.#hasBuffers = bufferBytes !== undefined
    const numbers = slab.allocate(3 * Int32Array.BYTES_PER_ELEMENT)
    const view = new DataView(numbers.buffer, numbers.byteOffset)
    view.setInt32(0, bufferBytes ?? 0, true)
    view.setInt32(4, 1, true)
    view.setInt32(8, 0, true)
    this.#sizeAt = slab.addressOf(numbers)
    this.#oneAt = this.#sizeAt + Int32Array.BYTES_PER_ELEMENT
    this.#zeroAt = this.#oneAt + Int32Array.BYTES_PER_ELEMENT
    this.#isBound = sourceAddresses.length > 0
    for (const address of sourceAddresses) {
      const family = address.includes(':') ? 6 : 4
      const bytes = slab.allocate(SOCKADDR_BYTES_MAX)
      const byteCount = writeSocketAddress({ address, family, port: 0 }, bytes, libc)
      this.#sources[family].push({ at: slab.addressOf(bytes), byteCount })
    }
  }

  /** 0, or the number of the error for which the socket cannot be used. */
  apply(fd: number, family: 4 | 6): number {
    this.#joinAckToRequest(fd)
    if (this.#hasBuffers) this.#setBuffers(fd)
    return this.#isBound ? this.#bind(fd, this.#sources[family]) : 0
  }

  /**
   * Whoever uses these sockets speaks first, at once: the ACK that ends the handshake waits for
   * those bytes and rides on them, a packet less for both ends of every connection. What the peer
   * sees of it is a client that was quick with its request.
   */
  #joinAckToRequest(fd: number): void {
    const { setsockopt } = this.#libc
    setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, this.#zeroAt, Int32Array.BYTES_PER_ELEMENT)
  }

  /**
   * Before the socket connects, since the window that the peer is told begins with it. The system
   * bounds what it gives and refuses nothing.
   */
  #setBuffers(fd: number): void {
    for (const name of [SO_SNDBUF, SO_RCVBUF]) {
      this.#libc.setsockopt(fd, SOL_SOCKET, name, this.#sizeAt, Int32Array.BYTES_PER_ELEMENT)
    }
  }

  #bind(fd: number, sources: readonly Source[]): number {
    if (sources.length === 0) return EADDRNOTAVAIL
    const { at, byteCount } = sources[this.#turn++ % sources.length]!
    const { setsockopt } = this.#libc
    setsockopt(fd, SOL_IP, IP_BIND_ADDRESS_NO_PORT, this.#oneAt, Int32Array.BYTES_PER_ELEMENT)
    return this.#libc.bind(fd, at, byteCount) === 0 ? 0 : this.#libc.errno()
  }
}
