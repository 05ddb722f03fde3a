/** The system's monotonic clock, the same in all threads of a process. */

export function monotonicNs(): number {
  return Number(process.hrtime.bigint())
}
