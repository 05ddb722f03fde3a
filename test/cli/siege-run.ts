/**
 * Runs our siege for a test: with a siegerc of the test's own, in a home of its own, and with what
 * every run has to keep checked each time: no stack trace, no NaN, nothing written to the home.
 *
 * A machine with Debian's siege has an /etc/siege/siegerc, hence the siegerc is always named.
 * TEST_REACTOR=node (or another) in the environment of the tests runs them on that reactor.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../support/files.ts'
import { startRawServer } from '../support/raw-server.ts'
import { type RunOptions, type RunOutcome, runCli, runProgram } from '../support/run-cli.ts'
import type { Scope } from '../support/scope.ts'

export interface SiegeRunOptions extends Omit<RunOptions, 'home'> {
  /** Lines of the siegerc; null: no `-R`, so that the program looks for one. */
  readonly rc?: string | null
}

const { TEST_REACTOR } = process.env
const REACTOR_ARGS = TEST_REACTOR === undefined ? [] : [`--reactor=${TEST_REACTOR}`]

/** Runs `bin/siege.js ARGS` and checks what holds for every run. */
export async function siege(
  args: readonly string[],
  options: SiegeRunOptions = {},
): Promise<RunOutcome> {
  return inFreshHome(options, (rcArgs, runOptions) =>
    runCli('siege', [...rcArgs, ...args], runOptions),
  )
}

/** The same through a shell: in `script` `$SIEGE` stands for the program with its siegerc. */
export async function siegeInShell(
  script: string,
  options: SiegeRunOptions = {},
): Promise<RunOutcome> {
  return inFreshHome(options, (rcArgs, runOptions) => {
    const words = [process.execPath, join(projectRoot, 'bin', 'siege.js'), ...rcArgs]
    const env = { ...runOptions.env, SIEGE: words.join(' ') }
    return runProgram('bash', ['-c', script], { ...runOptions, env })
  })
}

async function inFreshHome(
  { rc = '', ...options }: SiegeRunOptions,
  run: (rcArgs: readonly string[], options: RunOptions) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'onager-siege-'))
  const home = mkdtempSync(join(tmpdir(), 'onager-home-'))
  try {
    const rcFile = join(folder, 'siegerc')
    if (rc !== null) writeFileSync(rcFile, rc)
    const rcArgs = rc === null ? [] : ['-R', rcFile]
    const outcome = await run([...REACTOR_ARGS, ...rcArgs], { ...options, home })
    checkManners(outcome)
    assert.deepEqual(readdirSync(home), [], 'nothing is written to the home directory')
    return outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(home, { recursive: true, force: true })
  }
}

function checkManners({ stdout, stderr, status }: RunOutcome): void {
  const said = `${stdout}\n${stderr}`
  assert.doesNotMatch(said, /^ {4}at .*[/(]/m, 'no stack trace')
  assert.doesNotMatch(said, /\bNaN\b|\bInfinity\b|\bundefined\b|\[object /)
  assert.doesNotMatch(said, /Warning: .*(?:Deprecat|Experimental|MaxListeners)/)
  assert.notEqual(status, 70, said)
}

/** siege's twelve numbers, by the names that JSON gives them. */
export interface Figures {
  readonly transactions: number
  readonly availability: number
  readonly elapsed_time: number
  readonly data_transferred: number
  readonly response_time: number
  readonly transaction_rate: number
  readonly throughput: number
  readonly concurrency: number
  readonly successful_transactions: number
  readonly failed_transactions: number
  readonly longest_transaction: number
  readonly shortest_transaction: number
}

interface TimesMs {
  readonly count: number
  readonly min: number
  readonly mean: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** The report as JSON, as far as tests look at it. */
export interface JsonReport extends Figures {
  readonly onager: {
    readonly started: number
    readonly completed: number
    readonly failed: number
    readonly in_flight_at_end: number
    readonly pages: number
    readonly ended_by: string
    readonly elapsed_time_s: number
    readonly users: number
    readonly connections: number
    readonly retries: number
    readonly body_bytes: number
    readonly statuses: Readonly<Record<string, number>>
    readonly disqualified: readonly { readonly reason: string; readonly count: number }[]
    readonly failures: readonly {
      readonly kind: string
      readonly count: number
      readonly example: string
    }[]
    readonly timeouts: number
    readonly response_time_ms: TimesMs | null
    readonly generator: { readonly threads: number }
  }
}

/** siege's own keys of its JSON, in its order. */
export const FIGURE_NAMES = [
  'transactions',
  'availability',
  'elapsed_time',
  'data_transferred',
  'response_time',
  'transaction_rate',
  'throughput',
  'concurrency',
  'successful_transactions',
  'failed_transactions',
  'longest_transaction',
  'shortest_transaction',
] as const

/** Reads the report of `siege -j` and checks the laws that hold for every one. */
export function reportOf({ stdout, stderr }: RunOutcome): JsonReport {
  let report: JsonReport
  try {
    report = JSON.parse(stdout) as JsonReport
  } catch (error) {
    assert.fail(`not JSON: ${String(error)}\nstdout: ${stdout}\nstderr: ${stderr}`)
  }
  assert.deepEqual(Object.keys(report), [...FIGURE_NAMES, 'onager'])
  for (const name of FIGURE_NAMES) assert.equal(typeof report[name], 'number', name)
  const { onager } = report
  assert.equal(onager.started, onager.completed + onager.failed + onager.in_flight_at_end)
  assert.equal(onager.response_time_ms?.count ?? 0, onager.completed)
  const statusSum = Object.values(onager.statuses).reduce((sum, count) => sum + count, 0)
  assert.equal(statusSum, onager.completed)
  const failureSum = onager.failures.reduce((sum, { count }) => sum + count, 0)
  assert.equal(failureSum, onager.failed)
  assert.equal(report.transactions + report.failed_transactions, onager.completed + onager.failed)
  return report
}

/** Runs with `-j` and gives the report along with the rest. */
export async function siegeJson(
  args: readonly string[],
  options: SiegeRunOptions = {},
): Promise<RunOutcome & { readonly report: JsonReport }> {
  const outcome = await siege(['-j', ...args], options)
  return { ...outcome, report: reportOf(outcome) }
}

const LABELS: readonly (readonly [label: string, unit: string])[] = [
  ['Transactions:\t\t', ' hits'],
  ['Availability:\t\t', ' %'],
  ['Elapsed time:\t\t', ' secs'],
  ['Data transferred:\t', ' MB'],
  ['Response time:\t\t', ' secs'],
  ['Transaction rate:\t', ' trans/sec'],
  ['Throughput:\t\t', ' MB/sec'],
  ['Concurrency:\t\t', ''],
  ['Successful transactions:', ''],
  ['Failed transactions:\t', ''],
  ['Longest transaction:\t', ''],
  ['Shortest transaction:\t', ''],
]

/** The figures of siege's block of text, which must be there exactly once and in its layout. */
export function blockOf(text: string): Figures {
  const pattern = LABELS.map(([label, unit]) => `${label} *(\\d+(?:\\.\\d\\d)?)${unit}`).join('\\n')
  const found = [...text.matchAll(new RegExp(`^\\n?${pattern}\\n \\n`, 'gm'))]
  assert.equal(found.length, 1, `one block of statistics in:\n${text}`)
  const values = found[0]!.slice(1).map(Number)
  return Object.fromEntries(FIGURE_NAMES.map((name, index) => [name, values[index]])) as never
}

/** A server that never answers; `reached` is fulfilled with its first connection. */
export async function startMute(
  scope: Scope,
): Promise<{ readonly url: string; readonly reached: Promise<void> }> {
  let arrive = () => {}
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const { url } = await startRawServer(scope, () => arrive())
  return { url, reached }
}
