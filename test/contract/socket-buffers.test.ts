/** The blocking reactors ask the system for the buffers that a plan names. */
import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { test } from 'node:test'
import { EpollReactor } from '../../src/engine/net/epoll-reactor.ts'
import { loadLibc, SO_RCVBUF, SOL_SOCKET } from '../../src/engine/net/libc.ts'
import { probeUring, UringReactor } from '../../src/engine/net/uring-reactor.ts'
import { freePort } from '../support/ports.ts'

const BUFFER_BYTES = 20_000

function openSockets(): number[] {
  return readdirSync('/proc/self/fd').map(Number).filter(isSocket)
}

function isSocket(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')
  } catch {
    // The one that the folder was read through is closed again.
    return false
  }
}

function optionOf(fd: number, name: number): number | undefined {
  const libc = loadLibc()
  const { address, bytes } = libc.map(8)
  const words = new Int32Array(bytes.buffer)
  words[1] = 4
  return libc.getsockopt(fd, SOL_SOCKET, name, address, address + 4) === 0 ? words[0] : undefined
}

/** What the sockets that `open` makes have. */
async function buffersOf(open: (port: number) => void): Promise<(number | undefined)[]> {
  const port = await freePort()
  const before = new Set(openSockets())
  open(port)
  return openSockets()
    .filter((fd) => !before.has(fd))
    .map((fd) => optionOf(fd, SO_RCVBUF))
}

for (const [name, make] of [
  ['epoll', (bufferBytes?: number) => new EpollReactor(0, { bufferBytes })],
  ['uring', (bufferBytes?: number) => new UringReactor(0, { bufferBytes })],
] as const) {
  test(`${name} sets the buffers of sockets when it is told to, and only then`, async (t) => {
    try {
      loadLibc()
      if (name === 'uring') probeUring()
    } catch (error) {
      return t.skip(String(error))
    }
    const [told, untold] = [make(BUFFER_BYTES), make()]
    const open = (reactor: typeof told) => (port: number) =>
      reactor.connect(0, { address: '127.0.0.1', family: 4, port })
    // Linux doubles the number, to have room for its own bookkeeping.
    assert.deepEqual(await buffersOf(open(told)), [2 * BUFFER_BYTES])
    const [free] = await buffersOf(open(untold))
    assert.ok(free !== undefined && free !== 2 * BUFFER_BYTES)
  })
}
