/**
 * What is measured: each row is a job done by ours and by its rivals, all at their best settings,
 * with a target for the ratio to one of them, or a bound of its own.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  abProgram,
  type Contender,
  contenderOf,
  environment,
  type Job,
  siegeProgram,
  siegeSettings,
  type Tool,
} from './contenders.ts'
import type { Measurement } from './measure.ts'
import { ownRows } from './own-rows.ts'
import { reportRows } from './report-rows.ts'

/** Ours against one rival: the least ratio of rates, or the largest one of CPU per request. */
export interface Target {
  readonly rival: string
  readonly rateRatio: number
  /** Where the server may be the limit, this decides. */
  readonly cpuRatio?: number
}

export interface RaceRow {
  readonly kind: 'race'
  readonly name: string
  /** The first one is ours that the target is about. */
  readonly contenders: readonly Contender[]
  readonly target: Target | null
}

/** A figure of ours that has to stay below a bound. */
export interface BoundRow {
  readonly kind: 'bound'
  readonly name: string
  readonly unit: 'ms' | 'MB'
  readonly contender: Contender
  readonly bound: number
  readonly figureOf: (measurement: Measurement) => number
}

export type Row = RaceRow | BoundRow

export interface Targets {
  /** nginx, on one core. */
  readonly httpUrl: string
  readonly httpsUrl: string
  /** The server whose answers are made before the run. */
  readonly cannedUrl: string
  readonly durationSeconds: number
}

const MIB = 1 << 20
const everyTool: readonly Tool[] = [
  'onager siege',
  'onager siege, epoll',
  'onager siege, node',
  'wrk',
  'ab',
  'h2load',
  'hey',
  'autocannon',
  'siege',
]
const closingTools = everyTool.filter((tool) => tool !== 'h2load' && tool !== 'autocannon')
/** siege starts a thread for each user, h2load and hey take minutes for as many. */
const crowdTools = everyTool.filter((tool) => !['siege', 'h2load', 'hey'].includes(tool))

export function rows(targets: Targets): Row[] {
  return [
    ...siegeRows(targets),
    ...abRows(targets),
    ...ownRows(targets),
    ...peerRows(targets),
    ...boundRows(targets),
    ...reportRows,
  ]
}

type JobOptions = Partial<Omit<Job, 'durationSeconds'>>

function jobOf(targets: Targets, options: JobOptions): Job {
  const { durationSeconds } = targets
  const plain = { url: targets.httpUrl, connectionCount: 50, connection: 'keep-alive' } as const
  return { ...plain, durationSeconds, ...options }
}

function race(name: string, tools: readonly Tool[], job: Job, target: Target | null): RaceRow {
  return { kind: 'race', name, contenders: tools.map((tool) => contenderOf(tool, job)), target }
}

/** The replaced programs against themselves, on nginx. */
function siegeRows(targets: Targets): Row[] {
  const tools: Tool[] = ['onager siege', 'siege']
  const siege = (rateRatio: number): Target => ({ rival: 'siege', rateRatio })
  const close = jobOf(targets, { connection: 'close' })
  const secure = jobOf(targets, { url: targets.httpsUrl })
  return [
    race('siege: keep-alive, 50 users', tools, jobOf(targets, {}), siege(10)),
    race('siege: close, 50 users', tools, close, siege(2.5)),
    verboseRow(targets),
    race('siege: TLS keep-alive, 50 users', tools, secure, siege(5)),
  ]
}

function verboseRow({ httpUrl, durationSeconds }: Targets): RaceRow {
  const options = ['-R', siegeSettings('keep-alive', true), '-b', '-c50', '-v']
  const tail = [...options, `-t${durationSeconds}S`, httpUrl]
  const job = { url: httpUrl, connectionCount: 50, connection: 'keep-alive' as const }
  const verbose = (tool: Tool, program: readonly string[]): Contender => ({
    ...contenderOf(tool, { ...job, durationSeconds }),
    command: [...program, ...tail],
    writesToFile: true,
  })
  return {
    kind: 'race',
    name: 'siege: verbose to a file, keep-alive',
    contenders: [
      verbose('onager siege', [process.execPath, siegeProgram]),
      verbose('siege', ['siege']),
    ],
    target: { rival: 'siege', rateRatio: 5 },
  }
}

function abRows(targets: Targets): Row[] {
  const tools: Tool[] = ['onager ab', 'ab']
  const ab: Target = { rival: 'ab', rateRatio: 1.15 }
  const close = jobOf(targets, { connection: 'close' })
  return [
    race('ab: keep-alive, 50 at once', tools, jobOf(targets, {}), ab),
    race('ab: close, 50 at once', tools, close, ab),
  ]
}

/** Against everybody, on a server that is not the limit, and TLS on nginx. */
function peerRows(targets: Targets): Row[] {
  const url = targets.cannedUrl
  const keep = (connectionCount: number, more: JobOptions = {}) =>
    jobOf(targets, { url, connectionCount, ...more })
  const wrk: Target = { rival: 'wrk', rateRatio: 1, cpuRatio: 1 }
  const secure = { url: targets.httpsUrl }
  return [
    race('keep-alive, 1 connection', everyTool, keep(1), wrk),
    race('keep-alive, 50 connections', everyTool, keep(50), wrk),
    race('keep-alive, 1,000 connections', everyTool, keep(1_000), wrk),
    race('keep-alive, 10,000 connections', crowdTools, keep(10_000), null),
    race('close, 50 connections', closingTools, keep(50, { connection: 'close' }), {
      rival: 'ab',
      rateRatio: 0.9,
      cpuRatio: 1.1,
    }),
    race('bodies of 1 kB', everyTool, keep(50, { url: `${url}1024` }), wrk),
    race('bodies of 1 MB', everyTool, keep(50, { url: `${url}${MIB}` }), wrk),
    race('POST of 1 kB', everyTool, keep(50, { postBytes: 1024 }), wrk),
    race('TLS keep-alive', everyTool, jobOf(targets, secure), wrk),
    race('TLS close', closingTools, jobOf(targets, { ...secure, connection: 'close' }), {
      rival: 'ab',
      rateRatio: 1,
    }),
  ]
}

function ourRun(program: string, options: readonly string[]): Contender {
  return {
    name: program === abProgram ? 'onager ab' : 'onager siege',
    command: [process.execPath, program, ...options],
    environment,
    requestCountOf: () => 0,
    rateOf: () => 0,
  }
}

function boundRows({ httpUrl }: Targets): Row[] {
  const list = ourRun(siegeProgram, ['-q', '-c1', '-r1', '-f', millionLines(httpUrl)])
  const elapsedMs = (measurement: Measurement) => measurement.elapsedMs
  const peakMb = (measurement: Measurement) => measurement.peakMemoryKib / 1024
  return [
    {
      kind: 'bound',
      name: 'start-up: siege -c1 -r1',
      unit: 'ms',
      contender: ourRun(siegeProgram, ['-q', '-c1', '-r1', httpUrl]),
      bound: 150,
      figureOf: elapsedMs,
    },
    {
      kind: 'bound',
      name: 'ab: peak memory of -n 2000000, as of any number above 1000000',
      unit: 'MB',
      contender: ourRun(abProgram, ['-q', '-k', '-c50', '-n2000000', httpUrl]),
      bound: 120,
      figureOf: peakMb,
    },
    {
      kind: 'bound',
      name: 'a list of 1,000,000 URLs: time of -c1 -r1',
      unit: 'ms',
      contender: list,
      bound: 1500,
      figureOf: elapsedMs,
    },
    {
      kind: 'bound',
      name: 'a list of 1,000,000 URLs: peak memory',
      unit: 'MB',
      contender: list,
      bound: 300,
      figureOf: peakMb,
    },
  ]
}

function millionLines(httpUrl: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'onager-urls-')), 'urls.txt')
  const lines = Array.from({ length: 1_000_000 }, (_, index) => `${httpUrl}item/${index}?page=1`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
