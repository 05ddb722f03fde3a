/** Runs one whole program bound to a core and reads what it cost, by GNU time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Measurement {
  readonly stdout: string
  readonly stderr: string
  readonly exitStatus: number
  /** It did not end by itself: the other figures say nothing. */
  readonly isOverdue: boolean
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

/** Somebody wants the whole bench to end. */
export class Interruption extends Error {}

/** @throws {Interruption} when the bench got a signal, once the program has ended. */
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
    // A process group of its own: what it has started ends with it.
    detached: true,
  })
  let isOverdue = false
  const limit = setTimeout(() => {
    isOverdue = true
    endGroup(child)
  }, options.timeoutMs)
  let isInterrupted = false
  const interrupted = () => {
    isInterrupted = true
    endGroup(child)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    output.stdout += String(bytes)
  })
  child.stderr.on('data', (bytes) => {
    output.stderr += String(bytes)
  })
  const [status] = await once(child, 'close')
  clearTimeout(limit)
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  if (isInterrupted) throw new Interruption('interrupted')
  const elapsedMs = performance.now() - startMs
  const cost = existsSync(costFile) ? readFileSync(costFile, 'utf8') : ''
  const [, user = '0', system = '0', memory = '0'] = cost.split(/\s+/)
  rmSync(folder, { recursive: true, force: true })
  return {
    ...output,
    exitStatus: Number(status ?? -1),
    isOverdue,
    elapsedMs,
    cpuUserMs: Number(user) * 1000,
    cpuSystemMs: Number(system) * 1000,
    peakMemoryKib: Number(memory),
  }
}

function endGroup(leader: ChildProcess): void {
  try {
    process.kill(-leader.pid!, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
