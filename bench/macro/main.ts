/**
 * The benchmark of whole programs: one server on one core, one client at a time on the other, the
 * contenders of a row alternating (A B B A ...) so that drift of the machine hits all of them.
 *
 *     npm run bench -- --help
 *
 * Prints medians, spreads and the ratio to the target, and appends one JSON line a run to
 * bench/results/. A WORD picks the rows whose name contains it; --write makes docs/benchmarks.md.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCannedServer } from './canned.ts'
import type { Contender } from './contenders.ts'
import { Interruption, type Measurement, measure, median } from './measure.ts'
import { startNginx } from './nginx.ts'
import { isThere, makeReady } from './peers.ts'
import { type BoundRow, type RaceRow, type Row, rows } from './rows.ts'
import { soak } from './soak.ts'
import { boundLine, documentOf, raceTable } from './table.ts'

const SERVER_CPU = 0
const CLIENT_CPU = availableParallelism() > 1 ? 1 : 0
/** Beyond the time it was given. */
const RUN_TIMEOUT_MS = 60_000
const root = fileURLToPath(new URL('../../../', import.meta.url))

const USAGE = `npm run bench -- [OPTION ...] [WORD ...]

Runs the rows whose name contains a WORD, or all of them (about an hour).

  --install       install the programs that are missing, of Debian (as root) and npm
  --rounds N      each program so many times; 5
  --seconds N     each time so long; 5
  --write         write docs/benchmarks.md
  --soak MINUTES  one program for long instead, and what becomes of its memory
  --list          only name the rows
`

function readOptions() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        install: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '5' },
        soak: { type: 'string' },
        write: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exit(2)
  }
}

const { values, positionals } = readOptions()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const roundCount = Number(values.rounds)

const races: string[] = []
const bounds: string[] = []
const commands = new Map<string, string[]>()

function stdoutFileOf({ writesToFile }: Contender): string {
  return writesToFile === true ? join(tmpdir(), 'onager-bench-lines') : '/dev/null'
}

async function runOnce(contender: Contender): Promise<Measurement> {
  return await measure(contender.command, {
    cpu: CLIENT_CPU,
    timeoutMs: Number(values.seconds) * 1000 + RUN_TIMEOUT_MS,
    ...(contender.environment === undefined ? {} : { environment: contender.environment }),
    ...(contender.tellsOnStdout === true ? {} : { stdoutFile: stdoutFileOf(contender) }),
  })
}

/** A node program is there when its script is. */
function isPresent({ command }: Contender): boolean {
  return isThere(command[0]!) && (command[1]?.endsWith('.js') !== true || isThere(command[1]))
}

async function runRace(row: RaceRow): Promise<void> {
  const series = row.contenders.filter(isPresent).map((contender) => ({
    contender,
    measurements: [] as Measurement[],
  }))
  for (let round = 0; round < roundCount; round++) {
    const order = round % 2 === 0 ? series : [...series].reverse()
    for (const { contender, measurements } of order) {
      const measurement = await runOnce(contender)
      measurements.push(measurement)
      note(row, contender, measurement, contender.rateOf(measurement))
    }
  }
  const table = raceTable(row, series)
  console.log(`\n${table}`)
  races.push(table)
  commands.set(
    row.name,
    series.map(({ contender }) => contender.command.join(' ')),
  )
}

async function runBound(row: BoundRow): Promise<void> {
  const figures: number[] = []
  for (let round = 0; round < roundCount; round++) {
    const measurement = await runOnce(row.contender)
    if (!measurement.isOverdue) figures.push(row.figureOf(measurement))
    note(row, row.contender, measurement, row.figureOf(measurement))
  }
  const line = boundLine(row, figures.length === 0 ? null : median(figures))
  console.log(line)
  bounds.push(line)
  commands.set(row.name, [row.contender.command.join(' ')])
}

function note(row: Row, contender: Contender, measurement: Measurement, figure: number): void {
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const { stdout: _stdout, stderr: _stderr, ...cost } = measurement
  const line = {
    at: new Date().toISOString(),
    commit: commit(),
    row: row.name,
    tool: contender.name,
    command: contender.command.join(' '),
    figure,
    requestCount: contender.requestCountOf(measurement),
    ...cost,
    node: process.version,
    cpu: cpus()[0]?.model ?? '',
    load: loadavg()[0],
  }
  appendFileSync(join(folder, 'runs.jsonl'), `${JSON.stringify(line)}\n`)
}

function commit(): string {
  const head = join(root, '.git', 'HEAD')
  if (!existsSync(head)) return ''
  const text = readFileSync(head, 'utf8').trim()
  const file = join(root, '.git', text.replace('ref: ', ''))
  return existsSync(file) ? readFileSync(file, 'utf8').trim().slice(0, 12) : text
}

/** The first row's job, for long. */
async function runSoak(row: RaceRow, minutes: number): Promise<void> {
  const command = row.contenders[0]!.command.map((word) =>
    /^-t\d+S$/.test(word) ? `-t${minutes * 60}S` : word,
  )
  await soak(command, { minutes, cpu: CLIENT_CPU })
}

async function runAll(all: readonly Row[]): Promise<void> {
  const chosen = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  )
  console.log(
    `Server on CPU ${SERVER_CPU}, client on CPU ${CLIENT_CPU}; ${roundCount} rounds of ` +
      `${values.seconds} s; Node ${process.version}.`,
  )
  for (const row of chosen) {
    if (row.kind === 'race') await runRace(row)
    else await runBound(row)
  }
  if (!values.write) return
  const seconds = Number(values.seconds)
  const text = documentOf({ races, bounds, commands, roundCount, seconds })
  writeFileSync(join(root, 'docs', 'benchmarks.md'), text)
}

if (!makeReady(values.install)) process.exit(3)
const nginx = await startNginx(SERVER_CPU)
const canned = await startCannedServer(SERVER_CPU)
try {
  const durationSeconds = Number(values.seconds)
  const all = rows({ ...nginx, cannedUrl: canned.url, durationSeconds })
  const [first] = all
  if (values.list) for (const { name } of all) console.log(name)
  else if (values.soak === undefined) await runAll(all)
  else if (first?.kind === 'race') await runSoak(first, Number(values.soak))
} catch (error) {
  if (!(error instanceof Interruption)) throw error
  process.exitCode = 130
} finally {
  await nginx.stop()
  await canned.stop()
}
