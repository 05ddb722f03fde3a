/** Ports of the loopback interface: free ones, and waiting until somebody listens. */
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Below what Linux hands out by itself, to servers that take any port and to clients: nothing else
 * that happens on the machine takes such a port before the test does.
 */
const FREE_PORT_MIN = 20_000
const FREE_PORT_MAX = 32_767

/** A port that nobody listens on, nor will for a while. Also the way to get a refused connection. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_PORT_MIN, FREE_PORT_MAX + 1)
    if (await isFree(port, host)) return port
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, host, () => server.close(() => resolve(true)))
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
