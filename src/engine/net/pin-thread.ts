/** Binds the thread that calls to one CPU. */
import { EnvironmentError } from '../../base/errors.ts'
import { loadLibc } from './libc.ts'
import { errnoName } from './system-errors.ts'

/** As the system counts: 1024 CPUs. */
const CPU_SET_BYTES = 128
const THIS_THREAD = 0

/** @throws {EnvironmentError} where the system does not let the thread have that CPU. */
export function pinThread(cpu: number): void {
  const libc = loadLibc()
  const { address, bytes } = libc.map(CPU_SET_BYTES)
  bytes[cpu >>> 3] = 1 << (cpu & 7)
  if (libc.sched_setaffinity(THIS_THREAD, CPU_SET_BYTES, address) === 0) return
  throw new EnvironmentError(`a thread cannot be bound to CPU ${cpu}: ${errnoName(libc.errno())}`, {
    hint: 'Leave --pin out, or name other CPUs.',
  })
}
