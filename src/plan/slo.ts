/**
 * Thresholds as people write them: `p99<200ms,errors<0.1%,login:p95<=300ms`.
 *
 * A threshold is data with its unit resolved; it is judged elsewhere (`result/verdicts.ts`). All
 * problems of a text are found at once, each with its column.
 */
import { nearestWord } from '../base/nearest-word.ts'
import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../base/units.ts'

export type Comparison = '<' | '<=' | '>' | '>='

export interface Threshold {
  /** As written, without blanks: `login:p95<=300ms`. */
  readonly text: string
  /** A request's name, for `checks` also a check's; null: all of the run. */
  readonly name: string | null
  readonly metric: ThresholdMetric
  readonly comparison: Comparison
  /** In the unit of the metric. */
  readonly bound: number
}

export type ThresholdMetric =
  /** In ns. */
  | { readonly kind: 'quantile'; readonly time: ThresholdTime; readonly quantile: number }
  | { readonly kind: 'min' | 'mean' | 'max'; readonly time: ThresholdTime }
  /** As a ratio 0..1, or how many. */
  | { readonly kind: 'errors'; readonly unit: 'ratio' | 'count' }
  | { readonly kind: 'dropped'; readonly unit: 'ratio' | 'count' }
  /** The share of checks that passed. */
  | { readonly kind: 'checks'; readonly unit: 'ratio' }
  /** Completed exchanges per second. */
  | { readonly kind: 'rate' }

export type ThresholdTime = 'response' | 'service'

export interface ThresholdProblem {
  readonly text: string
  /** 1-based, in the text that was read. */
  readonly column: number
}

export interface ThresholdReading {
  readonly thresholds: readonly Threshold[]
  readonly problems: readonly ThresholdProblem[]
}

const EXAMPLE = 'p99<200ms, errors<0.1% or login:p95<=300ms'

/** Of the names that a message lists. */
const SHOWN_NAME_COUNT_MAX = 5

const timeWords = ['p50', 'p75', 'p90', 'p95', 'p99', 'p99.9', 'p99.99', 'min', 'mean', 'max']
const metricWords = [
  ...timeWords,
  ...timeWords.map((word) => `service-${word}`),
  ...['errors', 'rate', 'dropped', 'checks'],
]

/** What other tools call our metrics. */
const otherWords: Readonly<Record<string, string>> = {
  avg: 'mean',
  average: 'mean',
  median: 'p50',
  med: 'p50',
  p100: 'max',
  p999: 'p99.9',
  p9999: 'p99.99',
  latency: 'p99',
  error_rate: 'errors',
  failures: 'errors',
  failed: 'errors',
  rps: 'rate',
  qps: 'rate',
  throughput: 'rate',
}

const nsPerUnit: Readonly<Record<string, number>> = {
  us: NS_PER_US,
  µs: NS_PER_US,
  μs: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_S,
  m: 60 * NS_PER_S,
  min: 60 * NS_PER_S,
}

const secondsPerUnit: Readonly<Record<string, number>> = {
  '/s': 1,
  '/m': 60,
  '/min': 60,
  '/h': 3600,
}

/** Reads a list of thresholds between commas; names that hold one stand in double quotes. */
export function readThresholds(text: string): ThresholdReading {
  const thresholds: Threshold[] = []
  const problems: ThresholdProblem[] = []
  for (const { part, at } of partsOf(text)) {
    const read = readThreshold(part)
    if ('column' in read) problems.push({ text: read.text, column: at + read.column })
    else thresholds.push(read)
  }
  return { thresholds, problems }
}

/**
 * A sentence for each threshold on a name that nothing has, or on what a name does not have.
 * `checkNames` are those that thresholds on checks may name besides requests.
 */
export function thresholdNameProblems(
  thresholds: readonly Threshold[],
  requestNames: readonly string[],
  checkNames: readonly string[],
): string[] {
  return thresholds.flatMap(({ name, metric, text }) => {
    if (name === null) return []
    const known = metric.kind === 'checks' ? [...requestNames, ...checkNames] : requestNames
    if (known.includes(name)) return []
    const what = metric.kind === 'checks' ? 'request or check' : 'request'
    if (known.length === 0) return [`'${text}': no ${what} of the plan has a name`]
    return [`'${text}': no ${what} is called '${name}'; ${hint(name, known)}`]
  })
}

function hint(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known)
  if (nearest !== undefined) return `did you mean '${nearest}'?`
  const shown = known.slice(0, SHOWN_NAME_COUNT_MAX).map((name) => `'${name}'`)
  const rest = known.length > shown.length ? ' ...' : ''
  return `there ${known.length === 1 ? 'is' : 'are'} ${shown.join(', ')}${rest}`
}

function partsOf(text: string): { part: string; at: number }[] {
  const parts: { part: string; at: number }[] = []
  let at = 0
  let isQuoted = false
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '"') isQuoted = !isQuoted
    if (i < text.length && (text[i] !== ',' || isQuoted)) continue
    parts.push({ part: text.slice(at, i), at })
    at = i + 1
  }
  return parts
}

/** Columns are those in `part`. */
function readThreshold(part: string): Threshold | ThresholdProblem {
  // A quoted name may hold what would otherwise be a comparison.
  const head = /^\s*(?:"([^"]*)"\s*:)?/.exec(part)!
  const quotedName = head[1]
  const from = head[0].length
  const found = /[<>=≤≥]+/.exec(part.slice(from))
  const column = from + 1
  if (part.trim() === '') return { text: `a threshold is missing, such as ${EXAMPLE}`, column }
  if (found === null) {
    const text = `'${part.trim()}' compares nothing; write it like ${EXAMPLE}`
    return { text, column }
  }
  const at = from + found.index
  const comparison = found[0]
  if (!isComparison(comparison)) {
    return { text: `'${comparison}' is no comparison; there are <, <=, > and >=`, column: at + 1 }
  }
  const left = leftSide(part.slice(0, at), from, quotedName)
  const metric = metricOf(left.word)
  if (typeof metric === 'string') return { text: metric, column: left.column }
  const valueAt = at + comparison.length
  const value = part.slice(valueAt)
  const read = boundOf(metric, left.word, value.trim())
  if ('text' in read) {
    return { text: read.text, column: valueAt + 1 + (value.length - value.trimStart().length) }
  }
  const { name, word } = left
  if (name !== null && metric.kind === 'dropped') {
    return { text: 'arrivals are dropped before they have a name: leave it out', column: 1 }
  }
  const prefix = name === null ? '' : `${/[,<>=":]/.test(name) ? `"${name}"` : name}:`
  const text = `${prefix}${word}${comparison}${value.trim().replace(/\s+/g, '')}`
  return { text, name, comparison, ...read }
}

interface LeftSide {
  readonly name: string | null
  readonly word: string
  readonly column: number
}

/** A name and a metric: the last colon parts them, as a name may have colons of its own. */
function leftSide(left: string, from: number, quotedName: string | undefined): LeftSide {
  const colon = quotedName === undefined ? left.lastIndexOf(':') : from - 1
  const rest = left.slice(colon + 1)
  const column = colon + 2 + (rest.length - rest.trimStart().length)
  const written = colon < 0 ? null : left.slice(0, colon).trim()
  return { name: quotedName ?? written, word: rest.trim().toLowerCase(), column }
}

function isComparison(text: string): text is Comparison {
  return text === '<' || text === '<=' || text === '>' || text === '>='
}

/** The metric, with the unit to come, or what is wrong with its word. */
function metricOf(word: string): ThresholdMetric | string {
  if (word === '') return 'nothing is named to compare, such as p99 or errors'
  if (word === 'errors' || word === 'dropped') return { kind: word, unit: 'ratio' }
  if (word === 'checks') return { kind: 'checks', unit: 'ratio' }
  if (word === 'rate') return { kind: 'rate' }
  const [, service, statistic = ''] = /^(service-)?(.*)$/.exec(word)!
  const time = service === undefined ? 'response' : 'service'
  if (statistic === 'min' || statistic === 'mean' || statistic === 'max') {
    return { kind: statistic, time }
  }
  const percent = /^p(\d{1,2}(?:\.\d+)?)$/.exec(statistic)?.[1]
  if (percent !== undefined && Number(percent) > 0) {
    // Through the decimal text, as 99.9 / 100 is not the double nearest to 0.999.
    return { kind: 'quantile', time, quantile: Number(`${percent}e-2`) }
  }
  const meant = otherWords[statistic]
  const nearest = meant === undefined ? nearestWord(word, metricWords) : (service ?? '') + meant
  if (nearest !== undefined) return `there is no '${word}'; did you mean ${nearest}?`
  return `there is no '${word}'; there are p50, p99.9 ..., min, mean, max, each also with service- before it, errors, rate, dropped and checks`
}

type Bound = Pick<Threshold, 'metric' | 'bound'> | { readonly text: string }

function boundOf(metric: ThresholdMetric, word: string, value: string): Bound {
  const [, digits, written = ''] = /^(\d+\.?\d*|\.\d+)?\s*(.*)$/s.exec(value)!
  if (digits === undefined) {
    const what = value === '' ? 'a number is missing' : `'${value}' is no number`
    return { text: `${what}; write ${word} with ${exampleValue(metric)}` }
  }
  const number = Number(digits)
  const unit = written.toLowerCase()
  switch (metric.kind) {
    case 'rate':
      return inUnits(metric, word, { number, unit, units: secondsPerUnit, isDivided: true })
    case 'errors':
    case 'dropped':
      if (unit !== '') return shareOf(metric, word, number, unit)
      if (Number.isInteger(number)) {
        return { metric: { kind: metric.kind, unit: 'count' }, bound: number }
      }
      return { text: `${digits} ${word} are no whole number; ${digits}% would be a share` }
    case 'checks':
      return shareOf(metric, word, number, unit)
    default:
      return inUnits(metric, word, { number, unit, units: nsPerUnit, isDivided: false })
  }
}

function shareOf(metric: ThresholdMetric, word: string, percent: number, unit: string): Bound {
  if (unit !== '%') {
    const what = unit === '' ? 'a unit is missing' : `'${unit}' is no unit of ${word}`
    return { text: `${what}; write ${word} with ${exampleValue(metric)}` }
  }
  if (percent > 100) return { text: `${percent}% is more than all` }
  return { metric, bound: percent / 100 }
}

interface Quantity {
  readonly number: number
  readonly unit: string
  readonly units: Readonly<Record<string, number>>
  /** The unit is below the line, as in `90/m`. */
  readonly isDivided: boolean
}

function inUnits(metric: ThresholdMetric, word: string, quantity: Quantity): Bound {
  const { number, unit, units, isDivided } = quantity
  const factor = Object.hasOwn(units, unit) ? units[unit]! : undefined
  if (factor === undefined) {
    const what = unit === '' ? 'a unit is missing' : `'${unit}' is no unit of ${word}`
    return { text: `${what}; write ${word} with ${exampleValue(metric)}` }
  }
  return { metric, bound: isDivided ? number / factor : number * factor }
}

function exampleValue({ kind }: ThresholdMetric): string {
  if (kind === 'rate') return '/s, /m or /h, such as 900/s'
  if (kind === 'checks') return 'a percentage, such as 99%'
  if (kind === 'errors') return 'a percentage or a count, such as 0.1% or 10'
  if (kind === 'dropped') return 'a percentage or a count, such as 1% or 0'
  return 'us, ms, s or m, such as 200ms'
}
