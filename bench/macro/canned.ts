/** Compiles and starts the server whose answers are made before the run, bound to one core. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answering, freePort } from './nginx.ts'

/** Beside this file in the sources; the compiled bench finds it there as well. */
const source = fileURLToPath(new URL('../../../bench/macro/canned-server.c', import.meta.url))

export interface CannedServer {
  /** Answered with 612 bytes; a number as its path gives another size, up to 1 MiB. */
  readonly url: string
  stop(): Promise<void>
}

export async function startCannedServer(cpu: number): Promise<CannedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'onager-canned-'))
  const program = join(folder, 'canned-server')
  execFileSync('cc', ['-O2', '-o', program, source])
  const port = await freePort()
  const child = spawn('taskset', ['-c', String(cpu), program, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answering(child, port)
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
