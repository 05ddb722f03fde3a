/**
 * The date of an Expires attribute, read as leniently as RFC 6265 section 5.1.1 says.
 *
 * Servers write dates in a dozen forms. The algorithm takes the text apart at everything that is
 * neither letter, digit nor colon and takes the first token that looks like a time, a day, a month
 * and a year, in any order. Zones are ignored: cookie dates are UTC.
 */

const DELIMITERS = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/
const DAY_OF_MONTH = /^(\d{1,2})(?!\d)/
const YEAR = /^(\d{2,4})(?!\d)/
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

const YEAR_MIN = 1601

/** Milliseconds since 1970, or null for what is no date. */
export function readCookieDate(text: string): number | null {
  let time: RegExpExecArray | null = null
  let day = -1
  let month = -1
  let year = -1
  for (const token of text.split(DELIMITERS)) {
    if (time === null) {
      time = TIME.exec(token)
      if (time !== null) continue
    }
    if (day < 0 && DAY_OF_MONTH.test(token)) day = Number.parseInt(token, 10)
    else if (month < 0 && monthOf(token) >= 0) month = monthOf(token)
    else if (year < 0 && YEAR.test(token)) year = Number.parseInt(token, 10)
  }
  if (time === null || day < 0 || month < 0 || year < 0) return null
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])]
  return atMs(fullYear(year), month, day, hour, minute, second)
}

/** 0 to 11, or -1 when the token does not begin with the name of a month. */
function monthOf(token: string): number {
  if (token.length < 3) return -1
  const at = MONTHS.indexOf(token.slice(0, 3).toLowerCase())
  return at % 3 === 0 ? at / 3 : -1
}

function fullYear(year: number): number {
  if (year >= 70 && year <= 99) return year + 1900
  return year <= 69 ? year + 2000 : year
}

function atMs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (year < YEAR_MIN || hour > 23 || minute > 59 || second > 59) return null
  const ms = Date.UTC(year, month, day, hour, minute, second)
  // The 30th of February rolls over into March: a date that does not exist is none.
  return day >= 1 && new Date(ms).getUTCDate() === day ? ms : null
}
