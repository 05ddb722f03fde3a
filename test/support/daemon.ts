/**
 * A server of another project on a free port of the loopback interface, in the foreground and in a
 * folder of its own. It is ended by its process id; no service of the machine is touched.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { userInfo } from 'node:os'
import { tempFolder } from './files.ts'
import { freePort, portOpens } from './ports.ts'
import type { Scope } from './scope.ts'

export interface DaemonOptions {
  readonly path: string
  /** Writes what the server reads into the folder, and says with which arguments to start it. */
  prepare(place: DaemonPlace): readonly string[]
}

export interface DaemonPlace {
  /** Readable for everybody, since servers that are started as root give up their rights. */
  readonly folder: string
  readonly port: number
}

const START_ATTEMPT_COUNT = 5
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000

/** Whether servers have to be told to run as somebody else than root. */
export const isRoot: boolean = userInfo().uid === 0

/** Starts it and waits until it takes connections; it is stopped when the scope ends. */
export async function startDaemon(scope: Scope, options: DaemonOptions): Promise<DaemonPlace> {
  const folder = tempFolder(scope)
  chmodSync(folder, 0o755)
  let said = ''
  // Another process can take the port between our finding it free and the server listening on it.
  for (let attempt = 1; attempt <= START_ATTEMPT_COUNT; attempt++) {
    const place = { folder, port: await freePort() }
    const child = spawn(options.path, options.prepare(place), {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
    }
    const stop = stopper(child)
    scope.after(stop)
    if (await isUp(child, place.port)) return place
    await stop()
  }
  throw new Error(`${options.path} did not start:\n${said}`)
}

async function isUp(child: ChildProcess, port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS && !hasEnded(child); waitedMs += 100) {
    if (await portOpens(port, { timeoutMs: 100 })) return !hasEnded(child)
  }
  return false
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

function stopper(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return async () => {
    if (hasEnded(child)) return
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(killer)
  }
}
