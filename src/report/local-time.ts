/**
 * Points in time as siege writes them: local, to the second, in the same form on every machine.
 *
 * The zone comes in as a function, so that a report of a stored result, or a test, can choose it.
 * Nothing here reads a clock.
 */
import { MS_PER_S } from '../base/units.ts'

/** Minutes that local time is ahead of UTC at a moment. It differs over the year. */
export type ZoneOffset = (atMs: number) => number

const MS_PER_MINUTE = 60 * MS_PER_S
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** The zone this process was started in. */
export function machineZone(atMs: number): number {
  // JavaScript counts from local time to UTC, people count the other way.
  return -new Date(atMs).getTimezoneOffset()
}

/** `2026-11-30 22:56:18` */
export function localTimeText(atMs: number, zone: ZoneOffset): string {
  return shifted(atMs, zone).toISOString().slice(0, 19).replace('T', ' ')
}

/** `Mon, 2026-11-30 22:56:18` */
export function localDayTimeText(atMs: number, zone: ZoneOffset): string {
  return `${dayNames[shifted(atMs, zone).getUTCDay()]}, ${localTimeText(atMs, zone)}`
}

/** A date whose UTC fields read as local time. */
function shifted(atMs: number, zone: ZoneOffset): Date {
  return new Date(atMs + zone(atMs) * MS_PER_MINUTE)
}
