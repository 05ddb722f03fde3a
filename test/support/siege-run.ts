/**
 * Runs the built `siege` with directives and reads what it said: verbose lines and counts.
 *
 * Only what `lines`, `rc`, `args` and `home` say is asked for; the rest is one user, one iteration
 * and a timeout that a test can wait for.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { EnvironmentError } from '../../src/base/errors.ts'
import { loadLibc } from '../../src/engine/net/libc.ts'
import { loadOpenSsl } from '../../src/engine/net/openssl.ts'
import { probeUring } from '../../src/engine/net/uring-reactor.ts'
import type { ReactorName } from '../../src/fleet/reactor-choice.ts'
import { type RunOptions, type RunOutcome, runCli } from './run-cli.ts'

export interface SiegeRunOptions extends RunOptions {
  /** Lines of the siegerc. */
  readonly rc?: readonly string[]
  /** Lines of the URL list, for what no operand can say. */
  readonly list?: readonly string[]
}

export interface SiegeOutcome extends RunOutcome {
  /** Verbose lines, as `STATUS METHOD URL`. */
  readonly lines: readonly string[]
  readonly transactions: number
  readonly successful: number
  readonly failed: number
}

const LINE = /^(?:HTTP\/1\.[01] |FTP\/)(\d+)(\(C\))? .* bytes ==> (\S+) +(\S+)$/

/** `args` are options and operands; `-c1 -r1` unless they or the siegerc say otherwise. */
export async function siege(
  args: readonly string[],
  options: SiegeRunOptions = {},
): Promise<SiegeOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'onager-siege-'))
  try {
    const rcFile = join(folder, 'siegerc')
    const rc = ['concurrent = 1', 'reps = 1', 'timeout = 10', ...(options.rc ?? [])]
    writeFileSync(rcFile, rc.map((line) => `${line}\n`).join(''))
    const listArgs: string[] = []
    if (options.list !== undefined) {
      const listFile = join(folder, 'urls.txt')
      writeFileSync(listFile, options.list.map((line) => `${line}\n`).join(''))
      listArgs.push('-f', listFile)
    }
    const outcome = await runCli('siege', ['-R', rcFile, ...listArgs, ...args], options)
    return { ...outcome, lines: linesOf(outcome.stdout), ...countsOf(outcome.stderr) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type RunSiege = typeof siege

/** A test for each reactor, whose `run` is `siege` on that one. */
export function onEachReactor(
  name: string,
  body: (t: TestContext, run: RunSiege) => Promise<void>,
): void {
  for (const reactor of ['node', 'epoll', 'uring'] as const) {
    test(`${name} (${reactor})`, async (t) => {
      const obstacle = obstacleOf(reactor)
      if (obstacle !== null) return t.skip(obstacle)
      await body(t, (args, options) => siege(['--reactor', reactor, ...args], options))
    })
  }
}

/** The reactor that a run gets here by itself. */
export function fastestReactor(): ReactorName {
  if (obstacleOf('uring') === null) return 'uring'
  return obstacleOf('epoll') === null ? 'epoll' : 'node'
}

/** Why this machine has no such reactor; null where it has. */
export function obstacleOf(reactor: ReactorName): string | null {
  if (reactor === 'node') return null
  try {
    if (reactor === 'uring') probeUring()
    else loadLibc()
    loadOpenSsl()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
    throw error
  }
}

function linesOf(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => {
    const parts = LINE.exec(line)
    return parts === null ? [] : [`${parts[1]}${parts[2] ?? ''} ${parts[3]} ${parts[4]}`]
  })
}

function countsOf(stderr: string) {
  const count = (label: string) => {
    const found = new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(stderr)
    return found === null ? Number.NaN : Number(found[1])
  }
  return {
    transactions: count('Transactions'),
    successful: count('Successful transactions'),
    failed: count('Failed transactions'),
  }
}
