/**
 * Turns Nagle's algorithm off where it could hold something back: before a connection's second
 * send. The first has nothing unacknowledged before it, and a connection for one request saves a
 * system call.
 */
import { IPPROTO_TCP, type Libc, TCP_NODELAY } from './libc.ts'

/** What is known of a connection's sends. */
export interface Hasty {
  readonly fd: number
  hasSent: boolean
  isUndelayed: boolean
}

/** HOT (bench/macro/main.ts). To be called before each send. `memory` is for the option's value. */
export function hurry(line: Hasty, libc: Libc, memory: { address: number; view: DataView }): void {
  if (line.isUndelayed) return
  if (!line.hasSent) {
    line.hasSent = true
    return
  }
  line.isUndelayed = true
  memory.view.setInt32(0, 1, true)
  libc.setsockopt(line.fd, IPPROTO_TCP, TCP_NODELAY, memory.address, Int32Array.BYTES_PER_ELEMENT)
}

/** For the line's next connection. */
export function forgetSends(line: Hasty): void {
  line.hasSent = false
  line.isUndelayed = false
}
