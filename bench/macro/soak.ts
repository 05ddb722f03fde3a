/**
 * Memory over time: one long run at full rate, its resident memory noted every few seconds.
 *
 *     npm run bench -- --soak MINUTES
 *
 * Flat means that the median of the last fifth is no larger than that of the second fifth, but for
 * noise: the first fifth is warm-up.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './measure.ts'

const SAMPLE_COUNT = 60
const NOISE_RATIO = 1.05

export async function soak(
  command: readonly string[],
  options: { readonly minutes: number; readonly cpu: number },
): Promise<void> {
  const child = spawn('taskset', ['-c', String(options.cpu), ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (bytes) => {
    stderr += String(bytes)
  })
  const samplesMib: number[] = []
  const periodMs = (options.minutes * 60_000) / SAMPLE_COUNT
  const exited = once(child, 'exit')
  while (child.exitCode === null) {
    await Promise.race([sleep(periodMs), exited])
    const residentMib = child.exitCode === null ? residentMibOf(child.pid!) : null
    if (residentMib !== null) samplesMib.push(residentMib)
  }
  const fifth = Math.floor(samplesMib.length / 5)
  const early = median(samplesMib.slice(fifth, 2 * fifth))
  const late = median(samplesMib.slice(-fifth))
  const verdict = late <= early * NOISE_RATIO ? 'flat' : 'GROWING'
  console.log(`\nmemory over ${options.minutes} minutes at full rate (MB)`)
  console.log(`  second fifth ${early.toFixed(1)}, last fifth ${late.toFixed(1)}: ${verdict}`)
  console.log(
    stderr
      .split('\n')
      .filter((line) => /Transact|Failed|Avail/.test(line))
      .join('\n'),
  )
}

/** Null when the process is gone. */
function residentMibOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return null
  }
}
