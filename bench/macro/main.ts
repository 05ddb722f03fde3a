/**
 * The benchmark of whole programs: one server on one core, one client at a time on the other, the
 * contenders of a row alternating (A B B A ...) so that drift of the machine hits both.
 *
 *     npm run bench -- [--rounds N] [--seconds N] [WORD ...]
 *     npm run bench -- --soak MINUTES
 *
 * Prints medians, spreads and the ratio to the target, and appends one JSON line a run to
 * bench/results/. A WORD picks the rows whose name contains it.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measurement, measure, median } from './measure.ts'
import { startNginx } from './nginx.ts'
import { type Contender, type Row, rows } from './rows.ts'
import { soak } from './soak.ts'

const SERVER_CPU = 0
const CLIENT_CPU = availableParallelism() > 1 ? 1 : 0
const RUN_TIMEOUT_MS = 120_000
const root = fileURLToPath(new URL('../../../', import.meta.url))

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    soak: { type: 'string' },
  },
  allowPositionals: true,
})

interface Series {
  readonly contender: Contender
  readonly measurements: Measurement[]
}

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v "$1"`, 'sh', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function stdoutFileOf({ writesToFile }: Contender): string {
  return writesToFile === true ? join(tmpdir(), 'onager-bench-lines') : '/dev/null'
}

async function runOnce(contender: Contender): Promise<Measurement> {
  return await measure(contender.command, {
    cpu: CLIENT_CPU,
    timeoutMs: RUN_TIMEOUT_MS,
    ...(contender.environment === undefined ? {} : { environment: contender.environment }),
    ...(contender.tellsOnStdout === true ? {} : { stdoutFile: stdoutFileOf(contender) }),
  })
}

async function runRow(row: Row, roundCount: number): Promise<void> {
  const contenders = row.rival === null ? [row.ours] : [row.ours, row.rival]
  const present = contenders.filter(({ command }) => isThere(command[0]!))
  const series: Series[] = present.map((contender) => ({ contender, measurements: [] }))
  for (let round = 0; round < roundCount; round++) {
    const order = round % 2 === 0 ? series : [...series].reverse()
    for (const { contender, measurements } of order) {
      const measurement = await runOnce(contender)
      measurements.push(measurement)
      note(row, contender, measurement)
    }
  }
  print(row, series)
}

/** The first row's job, for long. */
async function runSoak(row: Row, minutes: number): Promise<void> {
  const command = row.ours.command.map((word) =>
    /^-t\d+S$/.test(word) ? `-t${minutes * 60}S` : word,
  )
  await soak(command, { minutes, cpu: CLIENT_CPU })
}

function print(row: Row, series: readonly Series[]): void {
  console.log(`\n${row.name} (${row.unit})`)
  const medians = series.map(({ contender, measurements }) => {
    const figures = measurements.map(row.figureOf)
    const middle = median(figures)
    const range = `${Math.min(...figures).toFixed(0)} .. ${Math.max(...figures).toFixed(0)}`
    const cost = median(measurements.map((one) => one.cpuUserMs + one.cpuSystemMs))
    const memory = median(measurements.map((one) => one.peakMemoryKib)) / 1024
    console.log(
      `  ${contender.name.padEnd(14)} ${middle.toFixed(0).padStart(9)}   (${range})` +
        `   CPU ${cost.toFixed(0)} ms, ${memory.toFixed(0)} MB`,
    )
    return middle
  })
  const [ours = 0, rival] = medians
  if (row.rival === null) {
    const isMet = row.better === 'lower' ? ours <= row.target : ours >= row.target
    console.log(`  bound ${row.target} ${row.unit}: ${isMet ? 'met' : 'MISSED'}`)
  } else if (rival === undefined || rival === 0) {
    console.log(`  ${row.rival.name} is not here or gave no figure: no ratio`)
  } else {
    const ratio = ours / rival
    const verdict = ratio >= row.target ? 'met' : 'MISSED'
    console.log(`  ratio ${ratio.toFixed(2)}, target >= ${row.target}: ${verdict}`)
  }
}

function note(row: Row, contender: Contender, measurement: Measurement): void {
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const { stdout: _stdout, stderr: _stderr, ...cost } = measurement
  const line = {
    at: new Date().toISOString(),
    commit: commit(),
    row: row.name,
    unit: row.unit,
    tool: contender.name,
    command: contender.command.join(' '),
    figure: row.figureOf(measurement),
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

for (const tool of ['nginx', 'taskset', 'openssl', '/usr/bin/time']) {
  if (isThere(tool)) continue
  console.error(`The benchmark needs ${tool} (Debian: nginx, util-linux, openssl, time).`)
  process.exit(3)
}
const nginx = await startNginx(SERVER_CPU)
try {
  const all = rows({ ...nginx, durationSeconds: Number(values.seconds) })
  const chosen = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  )
  console.log(
    `Server on CPU ${SERVER_CPU}, client on CPU ${CLIENT_CPU}; ${values.rounds} rounds of ` +
      `${values.seconds} s; Node ${process.version}.`,
  )
  if (values.soak === undefined) {
    for (const row of chosen) await runRow(row, Number(values.rounds))
  } else await runSoak(all[0]!, Number(values.soak))
} finally {
  await nginx.stop()
}
