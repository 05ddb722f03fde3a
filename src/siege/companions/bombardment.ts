/**
 * `bombardment`: sieges with more and more users, and a table of how the server bore them.
 *
 * Each run is a siege in a process of its own, read through its JSON: no run sees what another has
 * left behind, and one that fails takes nothing with it. Rows are written as they come, so that
 * whatever ends the whole, what was measured is there.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EnvironmentError, UsageError } from '../../base/errors.ts'
import { systemReason } from '../../base/system-reason.ts'
import { helpLines } from '../../plan/option-help.ts'
import {
  BOMBARDMENT_GROUPS,
  type Bombardment,
  bombardmentOptions,
  readBombardment,
} from './bombardment-options.ts'
import { readRuns } from './run-reader.ts'
import { csvHeader, csvRows, type RunRow, tableText } from './run-rows.ts'

const HELP = `Lays siege to a server again and again, with more users each time.

Usage: bombardment [options] URLFILE CLIENTS INCREMENT TRIALS [DELAY] [-- siege options]

  bombardment urls.txt 5 5 10              ten runs: 5, 10, 15 ... 50 users
  bombardment -t 30S urls.txt 50 50 4 0    30 seconds each, without pauses
  bombardment urls.txt 1 1 5 -- -H 'Authorization: Bearer x'

  URLFILE    the list of URLs, as for siege -f
  CLIENTS    users of the first run
  INCREMENT  users that each run has more than the one before
  TRIALS     number of runs
  DELAY      users pause up to so many seconds after each request [15]

${helpLines(bombardmentOptions, BOMBARDMENT_GROUPS).join('\n')}

Unless told otherwise each user makes as many requests as there are URLs in the
file, and so goes through the list once. (siege's own bombardment takes a minute
for each URL instead: -t gives a time.) At the end there is a table; all figures
of each run go to a CSV file. Ctrl-C ends the run at hand and tells of those so far.
The exit status is 1 if there was a run without a single successful transaction.
`

const SIEGE = fileURLToPath(new URL('../../../../bin/siege.js', import.meta.url))
const EXIT_USAGE = 2

/** `argv` is without the program's name. @throws {UsageError} before anything is sent. */
export async function main(argv: readonly string[]): Promise<number> {
  const bombardment = readBombardment(argv)
  if (bombardment === null) {
    process.stdout.write(HELP)
    return 0
  }
  const csvPath = bombardment.csv ?? `siege.${fileDate(new Date(Date.now()))}.csv`
  const csv = openCsv(csvPath, bombardment.csv === null)
  const runs = new Runs(bombardment)
  try {
    const status = await runs.all((row) => writeSync(csv, csvRows([row])))
    if (runs.rows.length > 0) {
      process.stdout.write(`\n${tableText(runs.rows)}\nAll figures are in ${csvPath}.\n`)
    }
    return status
  } finally {
    closeSync(csv)
  }
}

/** Local time, as siege's bombardment names its files, with seconds. */
function fileDate(now: Date): string {
  const two = (value: number) => String(Math.abs(value)).padStart(2, '0')
  const offsetMinutes = -now.getTimezoneOffset()
  const zone =
    (offsetMinutes < 0 ? '-' : '+') + two(Math.trunc(offsetMinutes / 60)) + two(offsetMinutes % 60)
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `${day}T${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}${zone}`
}

/** Opened before the first run, so that a bad name does not cost a night of measuring. */
function openCsv(path: string, isNew: boolean): number {
  try {
    const fd = openSync(path, isNew ? 'wx' : 'w')
    writeSync(fd, csvHeader)
    return fd
  } catch (error) {
    const advice = 'name another file with --csv FILE'
    throw new UsageError(`cannot write ${path}: ${systemReason(error)}; ${advice}`)
  }
}

class Runs {
  readonly rows: RunRow[] = []
  readonly #bombardment: Bombardment
  #child: ChildProcess | null = null
  #isStopped = false
  /** Lines on stderr that have been shown: every run says the same about its configuration. */
  readonly #shownLines: Set<string> = new Set()

  constructor(bombardment: Bombardment) {
    this.#bombardment = bombardment
  }

  /** Runs them all, or as far as the person lets them, and returns the exit status. */
  async all(finished: (row: RunRow) => void): Promise<number> {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const stop = () => {
      this.#isStopped = true
      this.#child?.kill('SIGINT')
    }
    for (const signal of signals) process.on(signal, stop)
    try {
      return await this.#allWhileHeard(finished)
    } finally {
      for (const signal of signals) process.off(signal, stop)
    }
  }

  async #allWhileHeard(finished: (row: RunRow) => void): Promise<number> {
    const { trialCount, userCount, userIncrement } = this.#bombardment
    for (let index = 0; index < trialCount && !this.#isStopped; index++) {
      const users = userCount + index * userIncrement
      process.stdout.write(`Starting run number ${index + 1}\n`)
      const { status, stdout } = await this.#run(index, users)
      const [row] = readRuns(stdout)
      if (row === undefined) {
        // siege itself has said why.
        if (status === EXIT_USAGE) return EXIT_USAGE
        if (this.#isStopped) break
        throw new EnvironmentError(`siege ended with status ${status} and without figures`)
      }
      row.userCount ??= users
      this.rows.push(row)
      finished(row)
    }
    const isEachFine = this.rows.every(({ successfulCount }) => Number(successfulCount ?? 0) > 0)
    return isEachFine && this.rows.length > 0 ? 0 : 1
  }

  async #run(index: number, users: number): Promise<{ status: number | null; stdout: string }> {
    const child = spawn(process.execPath, [SIEGE, ...this.#siegeArguments(users)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a process group of its own it hears Ctrl-C once, from us, not twice.
      detached: true,
    })
    this.#child = child
    const closed = once(child, 'close')
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    const ticker = this.#showProgress(index, users)
    const [status] = await closed
    clearInterval(ticker)
    if (ticker !== undefined) process.stderr.write('\r\x1b[K')
    this.#child = null
    this.#showNews(stderr())
    return { status: typeof status === 'number' ? status : null, stdout: stdout() }
  }

  #siegeArguments(users: number): string[] {
    const { urlsFile, urlCount, delayS, reps, time, siegeArguments } = this.#bombardment
    // Ours come last: what they say about the ramp must hold.
    return [
      ...siegeArguments,
      ...['-j', `--file=${urlsFile}`, `--concurrent=${users}`, `--delay=${delayS}`],
      time === null ? `--reps=${reps ?? urlCount}` : `--time=${time}`,
    ]
  }

  /** A line that counts seconds, on a terminal only. */
  #showProgress(index: number, users: number): NodeJS.Timeout | undefined {
    if (!process.stderr.isTTY) return undefined
    const startMs = performance.now()
    return setInterval(() => {
      const elapsedS = Math.round((performance.now() - startMs) / 1000)
      const run = `Run ${index + 1} of ${this.#bombardment.trialCount}`
      process.stderr.write(`\r\x1b[K${run}, ${users} users: ${elapsedS} s`)
    }, 1000)
  }

  #showNews(text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() === '' || this.#shownLines.has(line)) continue
      this.#shownLines.add(line)
      process.stderr.write(`${line}\n`)
    }
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
