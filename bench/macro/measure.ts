/** Runs one whole program bound to a core and reads what it cost, by GNU time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Measurement {
  readonly stdout: string
  readonly stderr: string
  readonly exitStatus: number
  readonly elapsedMs: number
  readonly cpuUserMs: number
  readonly cpuSystemMs: number
  readonly peakMemoryKib: number
}

export interface MeasureOptions {
  readonly cpu: number
  readonly environment?: Readonly<Record<string, string>>
  /** Written instead of a pipe when given: what a program writes to a file. */
  readonly stdoutFile?: string
  readonly timeoutMs: number
}

export async function measure(
  command: readonly string[],
  options: MeasureOptions,
): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'onager-measure-'))
  const costFile = join(folder, 'cost')
  const timed = ['/usr/bin/time', '-q', '-o', costFile, '-f', '%e %U %S %M', ...command]
  const redirected =
    options.stdoutFile === undefined
      ? timed
      : ['sh', '-c', `exec "$@" > '${options.stdoutFile}'`, 'sh', ...timed]
  const startMs = performance.now()
  const child = spawn('taskset', ['-c', String(options.cpu), ...redirected], {
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    output.stdout += String(bytes)
  })
  child.stderr.on('data', (bytes) => {
    output.stderr += String(bytes)
  })
  const [status] = await once(child, 'close')
  const elapsedMs = performance.now() - startMs
  const [, user = '0', system = '0', memory = '0'] = readFileSync(costFile, 'utf8').split(/\s+/)
  rmSync(folder, { recursive: true, force: true })
  return {
    ...output,
    exitStatus: Number(status ?? -1),
    elapsedMs,
    cpuUserMs: Number(user) * 1000,
    cpuSystemMs: Number(system) * 1000,
    peakMemoryKib: Number(memory),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
