/** The wall clock, of which runs tell only when they started. */
import { NS_PER_MS } from '../base/units.ts'
import { monotonicNs } from '../engine/net/monotonic-clock.ts'

/** Of a moment on the monotonic clock, in ms since 1970. */
export function wallMs(atNs: number): number {
  return performance.timeOrigin + performance.now() - (monotonicNs() - atNs) / NS_PER_MS
}
