/**
 * What is measured: each row is a job done by one of our programs and by a rival, both at their
 * best settings, with a target for the ratio.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measurement } from './measure.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
export const siegeProgram: string = join(root, 'bin', 'siege.js')
const abProgram: string = join(root, 'bin', 'ab.js')

export interface Contender {
  readonly name: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly writesToFile?: boolean
  /** The figure is in what it prints on stdout. */
  readonly tellsOnStdout?: boolean
}

export interface Row {
  readonly name: string
  /** What is compared; `lower`: a smaller figure wins. */
  readonly unit: 'requests/s' | 'ms' | 'MB'
  readonly better: 'higher' | 'lower'
  readonly ours: Contender
  /** Null: the figure stands against a fixed bound. */
  readonly rival: Contender | null
  /** Least ratio ours/rival, or bound of our figure where there is no rival. */
  readonly target: number
  readonly figureOf: (measurement: Measurement) => number
}

export interface Targets {
  readonly httpUrl: string
  readonly httpsUrl: string
  readonly durationSeconds: number
}

/** siege's own configuration for both: nothing but the plain request. */
function siegeSettings(connection: 'keep-alive' | 'close'): string {
  const folder = mkdtempSync(join(tmpdir(), 'onager-siegerc-'))
  const file = join(folder, 'siege.conf')
  writeFileSync(
    file,
    [
      'protocol = HTTP/1.1',
      `connection = ${connection}`,
      'parser = false',
      'json_output = false',
      'color = off',
      'limit = 1024',
      'accept-encoding = gzip, deflate',
      '',
    ].join('\n'),
  )
  return file
}

function trialRate(measurement: Measurement): number {
  return Number(/Transaction rate:\s+([\d.]+)/.exec(measurement.stderr)?.[1] ?? 0)
}

/** siege writes its cookies into its home folder; ours is kept away from the person's. */
const environment = { HOME: mkdtempSync(join(tmpdir(), 'onager-home-')) }

function siegeRow(
  name: string,
  options: readonly string[],
  more: { readonly connection: 'keep-alive' | 'close'; readonly target: number },
  targets: Targets & { readonly writesToFile?: boolean; readonly url?: string },
): Row {
  const rc = siegeSettings(more.connection)
  const { writesToFile = false } = targets
  const tail = [...options, `-t${targets.durationSeconds}S`, targets.url ?? targets.httpUrl]
  const common = { environment, writesToFile }
  return {
    name,
    unit: 'requests/s',
    better: 'higher',
    target: more.target,
    ours: {
      name: 'onager siege',
      command: [process.execPath, siegeProgram, '-R', rc, ...tail],
      ...common,
    },
    rival: { name: 'siege', command: ['siege', '-R', rc, ...tail], ...common },
    figureOf: trialRate,
  }
}

export function rows(targets: Targets): Row[] {
  const { httpUrl, httpsUrl } = targets
  // The figure is in the statistics, which `-q` leaves out: lines go to /dev/null instead.
  const quiet = ['-b', '-c50']
  return [
    siegeRow('keep-alive, 50 users', quiet, { connection: 'keep-alive', target: 5 }, targets),
    siegeRow('close, 50 users', quiet, { connection: 'close', target: 1.2 }, targets),
    siegeRow(
      'verbose to a file, keep-alive',
      ['-b', '-c50', '-v'],
      { connection: 'keep-alive', target: 5 },
      { ...targets, writesToFile: true },
    ),
    siegeRow(
      'TLS keep-alive, 50 users',
      quiet,
      { connection: 'keep-alive', target: 5 },
      { ...targets, url: httpsUrl },
    ),
    {
      name: 'start-up: siege -c1 -r1',
      unit: 'ms',
      better: 'lower',
      target: 150,
      ours: {
        name: 'onager siege',
        command: [process.execPath, siegeProgram, '-q', '-c1', '-r1', httpUrl],
        environment,
      },
      rival: null,
      figureOf: (measurement) => measurement.elapsedMs,
    },
    ...abRows(targets),
    ...millionLineRows(httpUrl),
  ]
}

/** More requests than any machine makes in the time, so that the time ends the run. */
const AB_REQUEST_COUNT = 1_000_000_000
/** Real ab takes 32 bytes for each request before it begins. */
const RIVAL_REQUEST_COUNT = 10_000_000

function abRow(name: string, options: readonly string[], target: number, targets: Targets): Row {
  const time = `-t${targets.durationSeconds}`
  const tail = (count: number) => [...options, time, `-n${count}`, targets.httpUrl]
  return {
    name,
    unit: 'requests/s',
    better: 'higher',
    target,
    ours: {
      name: 'onager ab',
      command: [process.execPath, abProgram, ...tail(AB_REQUEST_COUNT)],
      tellsOnStdout: true,
    },
    rival: { name: 'ab', command: ['ab', ...tail(RIVAL_REQUEST_COUNT)], tellsOnStdout: true },
    figureOf: abRate,
  }
}

function abRate({ stdout }: Measurement): number {
  return Number(/^Requests per second:\s+([\d.]+)/m.exec(stdout)?.[1] ?? 0)
}

function abRows(targets: Targets): Row[] {
  const ours: Contender = {
    name: 'onager ab',
    command: [process.execPath, abProgram, '-q', '-k', '-c50', '-n2000000', targets.httpUrl],
    environment,
  }
  return [
    abRow('ab: keep-alive, 50 at once', ['-q', '-k', '-c50'], 1.15, targets),
    abRow('ab: close, 50 at once', ['-q', '-c50'], 1.15, targets),
    {
      name: 'ab: peak memory of -n 2000000, as of any number above 1000000',
      unit: 'MB',
      better: 'lower',
      target: 120,
      ours,
      rival: null,
      figureOf: (measurement) => measurement.peakMemoryKib / 1024,
    },
  ]
}

function millionLineRows(httpUrl: string): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'onager-urls-'))
  const file = join(folder, 'urls.txt')
  const lines = Array.from({ length: 1_000_000 }, (_, index) => `${httpUrl}item/${index}?page=1`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const ours: Contender = {
    name: 'onager siege',
    command: [process.execPath, siegeProgram, '-q', '-c1', '-r1', '-f', file],
    environment,
  }
  const common = { better: 'lower', ours, rival: null } as const
  return [
    {
      ...common,
      name: 'a list of 1,000,000 URLs: time of -c1 -r1',
      unit: 'ms',
      target: 1500,
      figureOf: (measurement) => measurement.elapsedMs,
    },
    {
      ...common,
      name: 'a list of 1,000,000 URLs: peak memory',
      unit: 'MB',
      target: 300,
      figureOf: (measurement) => measurement.peakMemoryKib / 1024,
    },
  ]
}
