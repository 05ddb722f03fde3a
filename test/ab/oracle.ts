/**
 * Real ab as the oracle: the same command line against the same server gives the same requests,
 * report, files, words and exit status, save for the rules of `rules.ts`.
 *
 * Command lines are compared in a few lanes at once, each with a server and a seed of its own, so
 * that a case can be told by its seed, lane and place.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc } from '../support/property.ts'
import type { RawServer } from '../support/raw-server.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import type { AbCase } from './command-lines.ts'
import { alike, type Outcome, type Rule } from './rules.ts'

/** What is needed of a server; `requests` stays empty where they cannot be seen. */
export type OracleServer = Pick<RawServer, 'url' | 'requests'>

export interface Comparison {
  readonly realAb: string
  readonly server: OracleServer
  readonly applied: readonly Rule[]
  /** Where the case came from. */
  readonly what: string
}

const LANE_COUNT = 2
/** `ORACLE_FACTOR=10` compares ten times as many, `ORACLE_SEED=7` others. */
const SEED = Number(process.env.ORACLE_SEED ?? 1)
const FACTOR = Number(process.env.ORACLE_FACTOR ?? 1)
const FILES = ['e.csv', 'g.tsv']

export async function compareAll(
  t: { diagnostic(text: string): void },
  { cases, count }: { readonly cases: fc.Arbitrary<AbCase>; readonly count: number },
  comparison: Omit<Comparison, 'what' | 'server'> & {
    readonly startServer: () => Promise<OracleServer> | OracleServer
  },
): Promise<void> {
  const laneCases = Math.ceil((count * FACTOR) / LANE_COUNT)
  const compareLane = async (lane: number) => {
    const server = await comparison.startServer()
    const seed = SEED * LANE_COUNT + lane
    for (const [place, oneCase] of fc.sample(cases, { numRuns: laneCases, seed }).entries()) {
      const what = `ORACLE_SEED=${SEED}, lane ${lane}, case ${place}`
      await compare(oneCase, { ...comparison, server, what })
    }
  }
  await Promise.all(Array.from({ length: LANE_COUNT }, (_, lane) => compareLane(lane)))
  t.diagnostic(`ORACLE_SEED=${SEED}: ${laneCases * LANE_COUNT} command lines compared`)
}

export async function compare(oneCase: AbCase, comparison: Comparison): Promise<void> {
  const { realAb, server, applied, what } = comparison
  const real = alike(await observe('real', realAb, server, oneCase), 'real', applied)
  const ours = alike(await observe('ours', realAb, server, oneCase), 'ours', applied)
  const about = `${what}: ${JSON.stringify(oneCase)}`
  for (const key of ['status', 'stderr', 'stdout', 'files', 'requests'] as const) {
    assert.deepEqual(ours[key], real[key], `${key}; ${about}`)
  }
}

async function observe(
  program: 'ours' | 'real',
  realAb: string,
  server: OracleServer,
  oneCase: AbCase,
): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'onager-ab-oracle-'))
  try {
    writeFileSync(join(home, 'body'), '{"a": "b\\u0000"}\n')
    writeFileSync(join(home, 'empty'), '')
    mkdirSync(join(home, 'folder'))
    const words = wordsOf(oneCase, server.url)
    const seenCount = server.requests.length
    const { status, stdout, stderr } =
      program === 'real'
        ? await runProgram(realAb, words, { home })
        : await runCli('ab', ['--classic', ...words], { home })
    const requests = server.requests.slice(seenCount).map(({ raw }) => raw)
    return {
      status,
      stdout,
      // Real ab says which file it is, ours its name.
      stderr: stderr.replaceAll(`${realAb}:`, 'ab:'),
      files: FILES.map((name) => contentsOf(join(home, name))),
      requests: requests.sort(),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function wordsOf({ args, path }: AbCase, url: string): string[] {
  const urls = path.startsWith('/') ? [url + path] : path.split(' ').filter((word) => word !== '')
  const port = url.slice(url.lastIndexOf(':') + 1)
  return [...args, ...urls].map((word) => word.replace('HOST', '127.0.0.1').replace('PORT', port))
}

function contentsOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
