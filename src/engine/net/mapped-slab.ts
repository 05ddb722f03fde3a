/**
 * Memory that system calls read from, handed out in pieces.
 *
 * Pieces of one slab share its buffer, and the buffer's address is looked up when one is sent. What
 * was handed out is never taken back: requests live as long as the run.
 */
import type { Libc } from './libc.ts'

const SLAB_BYTES = 1 << 20
const ALIGNMENT_BYTES = 64

export class MappedSlab {
  readonly #libc: Libc
  readonly #addresses = new Map<ArrayBufferLike, number>()
  #bytes: Uint8Array = new Uint8Array(0)
  #usedBytes = 0
  #lastBuffer: ArrayBufferLike | undefined
  #lastBufferAddress = 0
  /** Looked up last: most runs send one request again and again, and asking for a buffer is slow. */
  #lastBytes: Uint8Array | undefined
  #lastAddress = 0

  constructor(libc: Libc) {
    this.#libc = libc
  }

  allocate(byteCount: number): Uint8Array {
    if (byteCount > SLAB_BYTES / 4) return this.#map(byteCount).subarray(0, byteCount)
    if (this.#usedBytes + byteCount > this.#bytes.length) {
      this.#bytes = this.#map(SLAB_BYTES)
      this.#usedBytes = 0
    }
    const piece = this.#bytes.subarray(this.#usedBytes, this.#usedBytes + byteCount)
    this.#usedBytes += Math.ceil(byteCount / ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    return piece
  }

  #map(byteCount: number): Uint8Array {
    const { address, bytes } = this.#libc.map(Math.max(byteCount, 1))
    this.#addresses.set(bytes.buffer, address)
    return bytes
  }

  /** HOT (bench/macro/main.ts). Where `bytes` begins; 0 when it is not of this slab. */
  addressOf(bytes: Uint8Array): number {
    if (bytes === this.#lastBytes) return this.#lastAddress
    const { buffer } = bytes
    if (buffer !== this.#lastBuffer) {
      const address = this.#addresses.get(buffer)
      if (address === undefined) return 0
      this.#lastBuffer = buffer
      this.#lastBufferAddress = address
    }
    this.#lastBytes = bytes
    this.#lastAddress = this.#lastBufferAddress + bytes.byteOffset
    return this.#lastAddress
  }
}
