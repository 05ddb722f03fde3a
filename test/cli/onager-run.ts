/** `onager run` against a practice site of the test's own, whose counts are the second opinion. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts'
import { decodeResult } from '../../src/result/result-file.ts'
import type { RunResult } from '../../src/result/run-result.ts'
import { projectRoot } from '../support/files.ts'
import type { schemaProblems } from '../support/json-schema.ts'
import { nodePacking } from '../support/packing.ts'
import { type RunOptions, type RunOutcome, runCli } from '../support/run-cli.ts'
import type { Scope } from '../support/scope.ts'

/** Of a machine with a lot else to do; what is tested is never how long something took. */
const TIMEOUT_MS = 120_000

export async function startSite(scope: Scope): Promise<PracticeSite> {
  const site = await startPracticeSite({ port: 0 })
  scope.after(() => site.close())
  return site
}

export function onagerRun(args: readonly string[], options: RunOptions = {}): Promise<RunOutcome> {
  return runCli('onager', ['run', ...args], { timeoutMs: TIMEOUT_MS, ...options })
}

/** What tests look at of the summary that `--json` prints; its schema is checked elsewhere. */
export interface PrintedSummary {
  readonly title: string
  readonly ended_by: string
  readonly used_up_feeders: readonly { readonly name: string; readonly rows: number }[]
  readonly passed: boolean | null
  readonly requests: {
    readonly started: number
    readonly completed: number
    readonly failed: number
    readonly errors: number
    readonly in_flight_at_end: number
  }
  readonly arrivals: {
    readonly planned: number
    readonly due: number
    readonly begun: number
    readonly dropped: number
    readonly start_lag_ms: PrintedTimes
  } | null
  readonly iterations: { readonly count: number }
  readonly response_time_ms: PrintedTimes
  readonly service_time_ms: PrintedTimes
  readonly names: readonly { readonly name: string; readonly completed: number }[]
  readonly checks: readonly { readonly passed: number; readonly failed: number }[]
  readonly warm_up: { readonly started: number }
  readonly warnings: readonly { readonly kind: string; readonly text: string }[]
}

interface PrintedTimes {
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

export async function runForJson(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunOutcome & { readonly summary: PrintedSummary }> {
  const outcome = await onagerRun([...args, '--json'], options)
  return { ...outcome, summary: JSON.parse(outcome.stdout) }
}

export function keptResult(file: string): RunResult {
  const reading = decodeResult(readFileSync(file, 'utf8'), nodePacking)
  assert.ok('result' in reading, file)
  return reading.result
}

export const summarySchema: Parameters<typeof schemaProblems>[1] = JSON.parse(
  readFileSync(join(projectRoot, 'docs', 'schema', 'summary.schema.json'), 'utf8'),
)

/** The counts of requests by the site, those of single articles added up. */
export function siteCounts(site: PracticeSite): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [path, statuses] of Object.entries(site.counts.byPath)) {
    const place = path.replace(/\/\d+$/, '/N')
    for (const [status, count] of Object.entries(statuses)) {
      const key = `${place} ${status}`
      counts[key] = (counts[key] ?? 0) + count
    }
  }
  return counts
}
