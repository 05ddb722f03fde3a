/**
 * Reads large bodies with plain calls into one piece of memory, which stays in the processor's
 * cache. Buffers that the kernel picks go round through many times as much: twice the work.
 *
 * It may only be used while the kernel holds no receive of that socket: else what it has received
 * already would come after what is read here.
 */
import { type Libc, type MappedMemory, MSG_DONTWAIT } from './libc.ts'
import type { UringCalls } from './uring-calls.ts'
import type { UringLine } from './uring-line.ts'

const BULK_BYTES = 65_536
/** Then it is others' turn. */
const READ_COUNT_MAX = 8
/** So many receives that leave room in their buffers end the large bodies. */
const SHORT_RECEIVE_COUNT = 16

export class UringBulk {
  readonly #libc: Libc
  readonly #calls: UringCalls
  readonly #memory: MappedMemory

  constructor(libc: Libc, calls: UringCalls) {
    this.#libc = libc
    this.#calls = calls
    this.#memory = calls.map(BULK_BYTES, -1, 0)
  }

  get bytes(): Uint8Array {
    return this.#memory.bytes
  }

  get address(): number {
    return this.#memory.address
  }

  /**
   * Reads what has come and tells it by `deliver`, as long as that says to go on. An end or an
   * error is left to the receive that follows.
   */
  drain(line: UringLine, deliver: (line: UringLine, byteCount: number) => boolean): void {
    for (let readCount = 0; readCount < READ_COUNT_MAX; readCount++) {
      const count = this.#libc.recv(line.fd, this.#memory.address, BULK_BYTES, MSG_DONTWAIT)
      if (count <= 0 || !deliver(line, count) || count < BULK_BYTES) return
    }
  }

  close(): void {
    this.#calls.unmap(this.#memory)
  }
}

/** Notes a receive; whether the connection carries large bodies. */
export function carriesBulk(line: UringLine, isBufferFull: boolean): boolean {
  if (isBufferFull) line.shortReceivesLeft = SHORT_RECEIVE_COUNT
  else if (line.shortReceivesLeft > 0) line.shortReceivesLeft--
  return line.shortReceivesLeft > 0
}
