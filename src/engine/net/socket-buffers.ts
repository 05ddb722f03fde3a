/** The size of a socket's buffers, where a plan sets it. */
import { type Libc, SO_RCVBUF, SO_SNDBUF, SOL_SOCKET } from './libc.ts'

/**
 * `address`: where the number of bytes stands, as an int. Before the socket connects, since the
 * window that the peer is told begins with it. The system bounds what it gives and refuses nothing.
 */
export function setBuffers(libc: Libc, fd: number, address: number): void {
  for (const name of [SO_SNDBUF, SO_RCVBUF]) {
    libc.setsockopt(fd, SOL_SOCKET, name, address, Int32Array.BYTES_PER_ELEMENT)
  }
}
