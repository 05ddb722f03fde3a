/** Reads the value of `--pin`: the CPUs that threads are bound to, in turn. */
import { readFileSync } from 'node:fs'
import type { ReadResult } from '../plan/option-table.ts'

const CPU_MAX = 1023

/** `allowed`: the CPUs that this process may use, as the system writes them; null: not known. */
export function pinnedCpus(
  raw: string,
  allowed: string | null = allowedCpus(),
): ReadResult<readonly number[]> {
  const cpus = cpuList(raw)
  if (cpus === null) return { mustBe: 'CPUs such as 2,3 or 0-3' }
  if (allowed === null) return { mustBe: 'left out: only Linux binds threads to CPUs' }
  const usable = new Set(cpuList(allowed))
  const foreign = cpus.find((cpu) => !usable.has(cpu))
  if (foreign === undefined) return { value: cpus }
  return { mustBe: `CPUs that this process may use (${allowed})` }
}

/** Numbers and ranges with commas between them; null: it is no such list. */
function cpuList(text: string): readonly number[] | null {
  const cpus: number[] = []
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim()) ?? []
    if (first === undefined || Number(last) < Number(first) || Number(last) > CPU_MAX) return null
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.push(cpu)
  }
  return cpus
}

function allowedCpus(): string | null {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? null
  } catch {
    // Not Linux, or no /proc: nobody could be asked.
    return null
  }
}
