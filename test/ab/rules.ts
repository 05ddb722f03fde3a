/**
 * Where our ab differs from real ab on purpose, as far as comparisons meet it: named rules that
 * make both sides alike. Each name is a row of docs/differences.md, section ab, which a test
 * checks; anything that no rule covers is a difference nobody decided on.
 */

/** What came of one command line. */
export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Contents of the CSV and the gnuplot file; null where there is none. */
  readonly files: readonly (string | null)[]
  /** Requests as they came, sorted. */
  readonly requests: readonly string[]
}

export interface Rule {
  readonly name: string
  /** Applied to both sides, unless `real` is given for the other. */
  readonly ours?: (outcome: Outcome) => Outcome
  readonly real?: (outcome: Outcome) => Outcome
}

const TIMED_LABELS =
  /^(Time taken for tests|Requests per second|Time per request|Transfer rate): .*$/gm
const TIME_ROW = /^(Connect|Processing|Waiting|Total): +[\d. ]+$/gm
const HTML_TIME = /(Time taken for tests|Requests per second|Transfer rate)(:<.*?>)[\d.]+/g
/** Of the gnuplot file. */
const ROW = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\t\d{10}(\t\d+){4}$/gm
const RELIABILITY = /^(?:WARNING|ERROR): The median and mean .*\n.*\n/gm
const BANNER = /^(This is ApacheBench, Version 2\.3 .*\n).*\n.*\n/
const HTML_BANNER = /^(<p>\n This is ApacheBench.*\n).*\n.*\n/

function onText(change: (text: string) => string): (outcome: Outcome) => Outcome {
  return (outcome) => ({ ...outcome, stdout: change(outcome.stdout) })
}

const maskTimes = (outcome: Outcome): Outcome => ({
  ...onText(maskReport)(outcome),
  files: outcome.files.map(
    (text) => text?.replace(/^(\d+),[\d.]+$/gm, '$1').replace(ROW, 'ROW') ?? null,
  ),
})

const maskReport = (text: string): string =>
  text
    .replace(TIMED_LABELS, '$1')
    .replace(/^ {24}[\d.]+ kb\/s/gm, 'kb/s')
    .replace(TIME_ROW, (row, name: string) => `${name} ${row.trim().split(/ +/).length}`)
    .replace(/^ {1,2}(\d+)% +\d+/gm, '$1%')
    .replace(HTML_TIME, '$1$2')
    .replace(/>[\d.]+ kb\/s/g, '>kb/s')
    .replace(/> +\d+<\/td>/g, '>N</td>')

/** Rules that hold for every server. */
export const rules: readonly Rule[] = [
  // Not about a decision: no two runs take the same time.
  { name: 'measured-times', ours: maskTimes, real: maskTimes },
  {
    name: 'banner-says-onager',
    ours: onText((text) => text.replace(BANNER, '$1').replace(HTML_BANNER, '$1')),
    real: onText((text) => text.replace(BANNER, '$1').replace(HTML_BANNER, '$1')),
  },
  { name: 'no-false-reliability-notes', real: onText((text) => text.replace(RELIABILITY, '')) },
  {
    name: 'escaped-html',
    ours: onText((text) => text.replaceAll('&amp;', '&')),
  },
  {
    name: 'usage-in-our-words',
    ours: (outcome) => ({ ...outcome, stderr: withoutUsage(outcome.stderr) }),
    real: (outcome) => ({ ...outcome, stderr: withoutUsage(outcome.stderr) }),
  },
  {
    name: 'heads-without-bodies-in-the-log',
    ours: onText(withoutHeads),
    real: onText(withoutHeads),
  },
]

function withoutUsage(text: string): string {
  return text.replace(/^Usage: .*[\s\S]*/m, 'USAGE')
}

/** The log shows what came in the first read: how much of the body that is depends on chance. */
function withoutHeads(text: string): string {
  return text.replace(/^LOG: header received:\n[\s\S]*?\n(?=WARNING|LOG|\.\.done|\n\n)/gm, 'HEAD\n')
}

const COUNT_LABELS =
  'Complete requests|Failed requests|Non-2xx responses|Document Length|Total transferred|' +
  'HTML transferred|Write errors|Keep-Alive requests|Server Software'
const COUNTS = new RegExp(`^(?:(?:${COUNT_LABELS}): .*| {3}\\(Connect: .*)\\n`, 'gm')
const HTML_COUNTS = new RegExp(`^<tr .*?><(?:th.*>(?:${COUNT_LABELS}):<|td colspan=4 ).*\\n`, 'gm')

/** Without times, either: of requests that failed there are none. */
function withoutCounts(text: string): string {
  return text
    .replace(COUNTS, '')
    .replace(HTML_COUNTS, '')
    .replace(/\n\nConnection Times[\s\S]*/, '')
    .replace(/^<tr .*\bcolspan=4>Connection Times[\s\S]*?(?=<\/table>)/m, '')
    .trimEnd()
}

/** Rules for servers that behave badly: what ab makes of them is in its documentation as bugs. */
export const hostileRules: readonly Rule[] = [
  {
    name: 'failures-are-failures',
    ours: (outcome) => ({
      ...outcome,
      stdout: withoutCounts(outcome.stdout),
      status: outcome.status === 1 ? 0 : outcome.status,
    }),
    real: (outcome) => ({ ...outcome, stdout: withoutCounts(outcome.stdout) }),
  },
  {
    name: 'report-after-fatal-error',
    ours: (outcome) => (outcome.status === 104 ? withoutReport(outcome) : outcome),
    real: (outcome) => (outcome.status === 104 ? withoutReport(outcome) : outcome),
  },
]

function withoutReport(outcome: Outcome): Outcome {
  const report = /\n+(?:Server (?:Software|Hostname):|<table )[\s\S]*/
  const stdout = outcome.stdout.replace(report, '').trimEnd()
  return { ...outcome, stdout, requests: [] }
}

export function alike(outcome: Outcome, side: 'ours' | 'real', applied: readonly Rule[]): Outcome {
  return applied.reduce((current, rule) => rule[side]?.(current) ?? current, outcome)
}
