/** Ports of the loopback interface: free ones, and waiting until somebody listens. */
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A port that nobody listens on, nor will for a while: the system hands out the others first. Also
 * the way to get a refused connection.
 */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Waits until connections to the port are taken; false after `timeoutMs`. */
export async function portOpens(
  port: number,
  { host = '127.0.0.1', timeoutMs = 5000 }: { host?: string; timeoutMs?: number } = {},
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs
  while (performance.now() < deadlineMs) {
    if (await isTaken(port, host)) return true
    await pause(10)
  }
  return false
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
