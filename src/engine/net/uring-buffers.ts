/**
 * The buffers that the kernel picks from when bytes arrive: a ring of them, handed over and back.
 *
 * Few are handed over at first, as the kernel takes them in turn and each one's memory goes through
 * the caches; when they ran out, more are. A buffer is the kernel's from `publish` until a
 * completion names it.
 */
import { EnvironmentError } from '../../base/errors.ts'
import type { MappedMemory } from './libc.ts'
import { REGISTER_BUFFER_RING, type UringCalls } from './uring-calls.ts'
import type { UringRing } from './uring-ring.ts'
import type { UringTuning } from './uring-tuning.ts'

export const BUFFER_BYTES = 16_384
/** What the bytes of a poisoned buffer become. */
const POISON = 0xdb
/** struct io_uring_buf: address, bytes, number; the first one's last field is the ring's tail. */
const ENTRY_BYTES = 16
const TAIL_HALFWORD = 7
/** struct io_uring_buf_reg. */
const REGISTRATION_BYTES = 40

export class UringBuffers {
  readonly #calls: UringCalls
  readonly #memory: MappedMemory
  readonly #ring: MappedMemory
  readonly #words: Int32Array
  readonly #halfwords: Uint16Array
  readonly #countMax: number
  readonly #firstCount: number
  readonly #isPoisoned: boolean
  #tail = 0
  #handedCount = 0

  /** @throws {EnvironmentError} when the kernel knows no such ring. */
  constructor(calls: UringCalls, uring: UringRing, tuning: UringTuning) {
    const { bufferCount, firstBufferCount, isPoisoned } = tuning
    this.#calls = calls
    this.#countMax = bufferCount
    this.#firstCount = firstBufferCount
    this.#isPoisoned = isPoisoned
    this.#memory = calls.map(bufferCount * BUFFER_BYTES, -1, 0)
    this.#ring = calls.map(bufferCount * ENTRY_BYTES, -1, 0)
    this.#words = new Int32Array(this.#ring.bytes.buffer)
    this.#halfwords = new Uint16Array(this.#ring.bytes.buffer)
    const { address, bytes } = uring.arguments
    bytes.fill(0, 0, REGISTRATION_BYTES)
    const registration = new DataView(bytes.buffer)
    registration.setBigUint64(0, BigInt(this.#ring.address), true)
    registration.setUint32(8, bufferCount, true)
    if (calls.register(uring.fd, REGISTER_BUFFER_RING, address, 1) < 0) {
      this.close()
      throw new EnvironmentError("this kernel's io_uring is too old: 6.1 is needed")
    }
    this.grow()
  }

  get bytes(): Uint8Array {
    return this.#memory.bytes
  }

  get address(): number {
    return this.#memory.address
  }

  /** Where a buffer begins in `bytes`. */
  startOf(buffer: number): number {
    return buffer * BUFFER_BYTES
  }

  /** HOT (bench/macro/main.ts). */
  giveBack(buffer: number): void {
    if (this.#isPoisoned) this.#poison(buffer)
    const entry = this.#tail & (this.#countMax - 1)
    const address = this.#memory.address + buffer * BUFFER_BYTES
    const at = entry * (ENTRY_BYTES / 4)
    this.#words[at] = address
    this.#words[at + 1] = address / 2 ** 32
    this.#words[at + 2] = BUFFER_BYTES
    this.#halfwords[entry * (ENTRY_BYTES / 2) + 6] = buffer
    this.#tail = (this.#tail + 1) & 0xffff
  }

  #poison(buffer: number): void {
    const start = this.startOf(buffer)
    this.#memory.bytes.fill(POISON, start, start + BUFFER_BYTES)
  }

  /** HOT (bench/macro/main.ts). Lets the kernel see what was given back: before each `enter`. */
  publish(): void {
    Atomics.store(this.#halfwords, TAIL_HALFWORD, this.#tail)
  }

  /** Hands over as many more as there are already, up to all. */
  grow(): void {
    const count = Math.min(Math.max(this.#firstCount, 2 * this.#handedCount), this.#countMax)
    while (this.#handedCount < count) this.giveBack(this.#handedCount++)
  }

  /** Only once the ring is closed. */
  close(): void {
    this.#calls.unmap(this.#memory)
    this.#calls.unmap(this.#ring)
  }
}
