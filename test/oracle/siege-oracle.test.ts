/**
 * Real siege as the oracle: the same command line against the same server gives the same requests,
 * the same counts and the same text, save for the rules of `rules.ts`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fc } from '../support/property.ts'
import {
  answering,
  type RawRequest,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { type SiegeCase, siegeCases } from './command-lines.ts'
import { alikeRequest, alikeText } from './rules.ts'

const CASE_COUNT = 60
const TIME_BOX_MS = 60_000

/** What makes both start from the same configuration, whatever their defaults. */
const COMMON_RC = [
  ...['color = off', 'json_output = false', 'show-logfile = false', 'parser = false'],
  ...['chunked = true', 'limit = 255', 'follow-location = false'],
]

function answerTo({ requestTarget }: RawRequest): string {
  const status = /^\/([2-5]\d\d)\//.exec(requestTarget)?.[1] ?? '200'
  const body = `answer to ${requestTarget.length}\n`
  return `HTTP/1.1 ${status} Status\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

interface Observed {
  /** Sorted unless one user sent them. */
  readonly requests: readonly string[]
  readonly stdout: readonly string[]
  readonly stderr: string
}

type Program = 'ours' | 'real'

async function observe(
  program: Program,
  realSiege: string,
  server: RawServer,
  { args, rcLines, lines, isOperand, bodyFile }: SiegeCase,
): Promise<Observed> {
  const home = mkdtempSync(join(tmpdir(), 'onager-oracle-'))
  try {
    // Without it real siege runs siege.config, which prints on stdout.
    mkdirSync(join(home, '.siege'))
    writeFileSync(join(home, 'rc'), `${[...COMMON_RC, ...rcLines].join('\n')}\n`)
    for (const name of ['body.json', 'body.txt']) writeFileSync(join(home, name), bodyFile)
    const targets = lines.map((line) => server.url + line)
    writeFileSync(join(home, 'urls.txt'), `${targets.join('\n')}\n`)
    const operands = isOperand ? [targets[0]!] : ['-f', 'urls.txt']
    const words = ['-R', 'rc', ...args, ...operands]
    const seenCount = server.requests.length
    const { stdout, stderr } =
      program === 'real'
        ? await runProgram(realSiege, words, { home })
        : await runCli('siege', ['--classic', ...words], { home })
    const requests = server.requests.slice(seenCount).map(({ raw }) => alikeRequest(raw))
    const shown = alikeText(stdout).trimEnd().split('\n')
    const isOneUser = args.includes('-c1')
    return {
      requests: isOneUser ? requests : requests.sort(),
      stdout: isOneUser ? shown : shown.sort(),
      stderr: alikeText(stderr),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

test(`${CASE_COUNT} generated command lines: requests, counts and text are those of siege`, async (t) => {
  const realSiege = requirePart(t, 'siege')
  if (realSiege === undefined) return
  const seed = Number(process.env.ORACLE_SEED ?? 1)
  const server = await startRawServer(t, answering(answerTo))
  const deadlineMs = performance.now() + TIME_BOX_MS
  let doneCount = 0
  for (const oneCase of fc.sample(siegeCases, { numRuns: CASE_COUNT, seed })) {
    if (performance.now() > deadlineMs) break
    const real = await observe('real', realSiege, server, oneCase)
    const ours = await observe('ours', realSiege, server, oneCase)
    const what = `ORACLE_SEED=${seed}, case ${doneCount}: ${JSON.stringify(oneCase)}`
    assert.ok(real.requests.length > 0, what)
    for (const key of ['requests', 'stdout', 'stderr'] as const) {
      assert.deepEqual(ours[key], real[key], `${key}; ${what}`)
    }
    doneCount++
  }
  t.diagnostic(`ORACLE_SEED=${seed}: ${doneCount} command lines compared`)
  assert.ok(doneCount > 0)
})
