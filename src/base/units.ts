/**
 * Units of time and size, and the only place where one is turned into another.
 *
 * Inside onager every time is an integer number of nanoseconds since the run's start, held in a
 * double: exact up to 2^53 ns, 104 days.
 */

export const NS_PER_US = 1e3
export const NS_PER_MS = 1e6
export const NS_PER_S = 1e9
export const MS_PER_S = 1e3
export const BYTES_PER_MIB = 1_048_576

/**
 * What a field of durations or sums begins with, before its constructor sets it to 0.
 *
 * V8 keeps a field that began with a small integer as one. When its first value beyond 2^31 comes,
 * 2.1 s in nanoseconds, the object's shape changes and with it all compiled code that knows the
 * shape is thrown away: in the middle of a run. A field that began with a fraction holds a double.
 */
export const DOUBLE = 0.5

export function nsFromSeconds(seconds: number): number {
  return Math.round(seconds * NS_PER_S)
}

export function secondsFromNs(ns: number): number {
  return ns / NS_PER_S
}

export function msFromNs(ns: number): number {
  return ns / NS_PER_MS
}
