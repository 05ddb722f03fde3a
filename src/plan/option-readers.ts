/**
 * Readers of option values: from the text a person wrote to a value, or to what it must be.
 *
 * They accept what people plainly mean (`yes`, `90S`, `10 sec`, `1.5m`) and nothing that would have
 * to be guessed: a number with something behind it is refused, never cut off.
 */
import type { Reader, ReadResult } from './option-table.ts'

/** A whole number in the range; a `+` is allowed. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Reader<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`
  return (raw) => {
    const text = raw.trim()
    const value = Number(text)
    if (!/^[+-]?\d+$/.test(text) || value < min || value > max) {
      return { mustBe: `a whole number${range}` }
    }
    return { value }
  }
}

const TRUE_WORDS = ['true', 'yes', 'on', '1']
const FALSE_WORDS = ['false', 'no', 'off', '0']

export function yesOrNo(raw: string): ReadResult<boolean> {
  const word = raw.trim().toLowerCase()
  if (TRUE_WORDS.includes(word)) return { value: true }
  if (FALSE_WORDS.includes(word)) return { value: false }
  return { mustBe: 'true or false (yes/no, on/off and 1/0 will do)' }
}

/** One of a few words, given as written word -> value. Case does not count. */
export function oneOf<Value>(
  words: Readonly<Record<string, Value>>,
  mustBe: string,
): Reader<Value> {
  const values = new Map(Object.entries(words).map(([word, value]) => [word.toLowerCase(), value]))
  return (raw) => {
    const value = values.get(raw.trim().toLowerCase())
    return value === undefined ? { mustBe } : { value }
  }
}

const SECONDS_PER_UNIT = new Map([
  ['ms', 0.001],
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((word) => [word, 1] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((word) => [word, 60] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((word) => [word, 3600] as const),
])

/** Runs are timed in nanoseconds in a double, which is exact up to 104 days. */
const SECONDS_MAX = 100 * 24 * 3600

/**
 * A length of time as seconds: `90s`, `1.5 m`, `2 hours`, `1h30m`. `bareUnit` is meant where no
 * unit is written. Nothing below `minSeconds` and nothing above 100 days passes.
 */
export function duration(bareUnit: 's' | 'm', mustBe: string, minSeconds = 0): Reader<number> {
  return (raw) => {
    const seconds = secondsOf(raw.trim().toLowerCase(), bareUnit)
    if (seconds === undefined || seconds < minSeconds) return { mustBe }
    if (seconds > SECONDS_MAX) return { mustBe: 'no longer than 100 days (2400H)' }
    return { value: seconds }
  }
}

const DURATION_PART = /(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*/y

function secondsOf(text: string, bareUnit: string): number | undefined {
  let sumMs = 0
  let partMax = Number.POSITIVE_INFINITY
  let at = 0
  while (at < text.length) {
    DURATION_PART.lastIndex = at
    const part = DURATION_PART.exec(text)
    if (part === null) return undefined
    const isOnlyPart = at === 0 && DURATION_PART.lastIndex === text.length
    const unit = part[2] === '' && isOnlyPart ? bareUnit : part[2]!
    const secondsPerUnit = SECONDS_PER_UNIT.get(unit)
    // `30m1h` and `5s5s` are more likely slips than sums.
    if (secondsPerUnit === undefined || secondsPerUnit >= partMax) return undefined
    partMax = secondsPerUnit
    // Whole milliseconds, so that 0.1 s + 0.2 s is 0.3 s.
    sumMs += Math.round(Number(part[1]) * secondsPerUnit * 1000)
    at = DURATION_PART.lastIndex
  }
  return at === 0 ? undefined : sumMs / 1000
}

/** Any text but none at all. */
export function text(mustBe: string): Reader<string> {
  return (raw) => (raw.trim() === '' ? { mustBe } : { value: raw })
}

export interface HeaderField {
  readonly name: string
  readonly value: string
}

/** RFC 9110, 5.5: a field's value is one line of visible characters, blanks and tabs. */
const NOT_IN_FIELD = /[\x00-\x08\x0a-\x1f\x7f]/
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The value of a header field that has its own option, as `-A`. Blanks around it do not count. */
export function fieldValue(raw: string): ReadResult<string> {
  if (NOT_IN_FIELD.test(raw)) return { mustBe: 'one line without control characters' }
  if (raw.trim() === '') return { mustBe: 'some text' }
  return { value: raw.trim() }
}

/** `Name: value`, split at the first colon. The value may be empty. */
export function headerField(raw: string): ReadResult<readonly HeaderField[]> {
  const colon = raw.indexOf(':')
  if (colon === -1) return { mustBe: '"Name: value", with a colon' }
  if (NOT_IN_FIELD.test(raw)) return { mustBe: 'one line without control characters' }
  const name = raw.slice(0, colon).trim()
  if (!TOKEN.test(name)) return { mustBe: '"Name: value", with a name that has no blanks' }
  return { value: [{ name, value: raw.slice(colon + 1).trim() }] }
}

/**
 * A name and its secret, `user:password`, perhaps with `:realm` behind it. A password may hold
 * colons (RFC 7617, 2), so where it ends is only known once a server has named its realm.
 */
export interface WrittenLogin {
  readonly user: string
  readonly passwordAndRealm: string
}

export function login(raw: string): ReadResult<readonly WrittenLogin[]> {
  const colon = raw.indexOf(':')
  if (colon < 1) return { mustBe: 'user:password or user:password:realm' }
  return { value: [{ user: raw.slice(0, colon), passwordAndRealm: raw.slice(colon + 1) }] }
}
