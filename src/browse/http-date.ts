/**
 * Dates in fields such as Expires and Last-Modified: RFC 9110 section 5.6.7.
 *
 * All three forms of the RFC are read, only the first is written. Anything else is no date; what
 * that means (an Expires of `0` is long past) is the caller's affair.
 */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const FIXDATE =
  /^[A-Za-z]{3}, (?<day>\d{2}) (?<month>[A-Za-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 =
  /^[A-Za-z]{6,9}, (?<day>\d{2})-(?<month>[A-Za-z]{3})-(?<year>\d{2}) (?<time>\d\d:\d\d:\d\d) GMT$/
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME =
  /^[A-Za-z]{3} (?<month>[A-Za-z]{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/

/** Milliseconds since 1970, or null. A year of two digits is at most 50 years ahead of `nowMs`. */
export function readHttpDate(text: string, nowMs: number): number | null {
  const parts = (FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups
  if (parts === undefined) return null
  const month = MONTHS.indexOf(parts.month!)
  const [hour, minute, second] = parts.time!.split(':').map(Number)
  // A leap second is a valid time; Date.UTC carries it over.
  if (month < 0 || hour! > 23 || minute! > 59 || second! > 60) return null
  const day = Number(parts.day)
  const year = yearOf(parts.year!, nowMs)
  const ms = Date.UTC(year, month, day, hour, minute, second)
  const isReal = new Date(Date.UTC(year, month, day)).getUTCDate() === day && day > 0
  return isReal ? ms : null
}

/** The form that is written: `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function httpDateText(ms: number): string {
  return new Date(ms).toUTCString()
}

function yearOf(text: string, nowMs: number): number {
  if (text.length === 4) return Number(text)
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + Number(text)
  return year > thisYear + 50 ? year - 100 : year
}
