/**
 * A port of loopback that answers no connection, neither yes nor no, as a firewall that drops.
 *
 * Trick: a stopped process with a full queue of connections; the system then ignores further ones.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scope } from '../support/scope.ts'

const LISTEN = `
  const server = require('node:net').createServer().listen(
    { port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`

/** Returns the port, or undefined on a system that does not treat full queues so. */
export async function startBlackHole(scope: Scope): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] })
  scope.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line.toString())
  child.kill('SIGSTOP')
  const fillers: Socket[] = []
  scope.after(() => {
    for (const socket of fillers) socket.destroy()
  })
  for (let count = 0; count < 8; count++) {
    const filler = connect({ port, host: '127.0.0.1' })
    fillers.push(filler)
    filler.on('error', () => {})
    const isTaken = await Promise.race([
      once(filler, 'connect').then(() => true),
      pause(300).then(() => false),
    ])
    if (!isTaken) return port
  }
  return undefined
}

/** How many connections to the port are asked for and not answered, by this machine's own count. */
export function connectingCount(port: number): number {
  const address = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  // Columns: number, own address, the other's, state; 02 is SYN_SENT.
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([, , peer, state]) => peer?.endsWith(address) && state === '02').length
}
