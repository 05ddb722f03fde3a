/** What was measured as Markdown: one table a race, one for the bounds, and every command. */
import { availableParallelism, cpus, release } from 'node:os'
import type { Contender } from './contenders.ts'
import { type Measurement, median } from './measure.ts'
import type { BoundRow, RaceRow, Target } from './rows.ts'

export interface Series {
  readonly contender: Contender
  readonly measurements: readonly Measurement[]
}

export interface Entry {
  readonly name: string
  readonly rate: number
  readonly rateMin: number
  readonly rateMax: number
  readonly cpuUsPerRequest: number
  readonly peakMb: number
}

/** Undefined where a contender gave no figure. Of runs that were ended nothing counts. */
export function entryOf({ contender, measurements: all }: Series): Entry | undefined {
  const measurements = all.filter(({ isOverdue }) => !isOverdue)
  const rates = measurements.map(contender.rateOf)
  const rate = median(rates)
  if (rate === 0) return undefined
  const costs = measurements.map(
    (one) => ((one.cpuUserMs + one.cpuSystemMs) * 1e3) / contender.requestCountOf(one),
  )
  return {
    name: contender.name,
    rate,
    rateMin: Math.min(...rates),
    rateMax: Math.max(...rates),
    cpuUsPerRequest: median(costs),
    peakMb: median(measurements.map((one) => one.peakMemoryKib)) / 1024,
  }
}

/** Whether ours, the first entry, reaches the target, in words. */
export function verdictOf(entries: readonly Entry[], target: Target | null): string | null {
  const [ours] = entries
  const rival = entries.find(({ name }) => name === target?.rival)
  if (target === null || ours === undefined || rival === undefined) return null
  const rate = ours.rate / rival.rate
  const cpu = ours.cpuUsPerRequest / rival.cpuUsPerRequest
  const isMet =
    rate >= target.rateRatio || (target.cpuRatio !== undefined && cpu <= target.cpuRatio)
  const cpuTarget = target.cpuRatio === undefined ? '' : ` or CPU <= ${target.cpuRatio} x`
  return (
    `${rate.toFixed(2)} x the rate of ${rival.name}, ${cpu.toFixed(2)} x its CPU per request; ` +
    `target: rate >= ${target.rateRatio} x${cpuTarget}: ${isMet ? 'met' : 'MISSED'}`
  )
}

/** A line for each contender that had to be ended. */
function overdueLines(series: readonly Series[]): readonly string[] {
  return series.flatMap(({ contender, measurements }) => {
    const overdue = measurements.filter(({ isOverdue }) => isOverdue)
    if (overdue.length === 0) return []
    const seconds = Math.round(overdue[0]!.elapsedMs / 1000)
    return [
      `${contender.name} did not end by itself in ${overdue.length} of ${measurements.length} ` +
        `runs and was ended after ${seconds} s; these runs count for nothing.`,
    ]
  })
}

export function raceTable(row: RaceRow, series: readonly Series[]): string {
  const entries = series.map(entryOf).filter((entry) => entry !== undefined)
  const lines = entries.map(
    ({ name, rate, rateMin, rateMax, cpuUsPerRequest, peakMb }) =>
      `| ${name} | ${whole(rate)} | ${whole(rateMin)} .. ${whole(rateMax)} ` +
      `| ${cpuUsPerRequest.toFixed(2)} | ${peakMb.toFixed(0)} |`,
  )
  const verdict = verdictOf(entries, row.target)
  return [
    `### ${row.name}`,
    '',
    '| program | requests/s | range | CPU µs a request | MB |',
    '| --- | ---: | --- | ---: | ---: |',
    ...lines,
    ...(verdict === null ? [] : ['', `${verdict}.`]),
    ...overdueLines(series).flatMap((line) => ['', line]),
    '',
  ].join('\n')
}

/** `figure`: null when no run came to its end by itself. */
export function boundLine(row: BoundRow, figure: number | null): string {
  const { name, unit, bound } = row
  if (figure === null) return `| ${name} | did not end | ${bound} ${unit} | MISSED |`
  const verdict = figure <= bound ? 'met' : 'MISSED'
  return `| ${name} | ${figure.toFixed(0)} ${unit} | ${bound} ${unit} | ${verdict} |`
}

export interface Report {
  readonly races: readonly string[]
  readonly bounds: readonly string[]
  readonly commands: ReadonlyMap<string, readonly string[]>
  readonly roundCount: number
  readonly seconds: number
}

/** The whole document. */
export function documentOf(report: Report): string {
  const { races, bounds, commands, roundCount, seconds } = report
  const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs`
  return [
    '# Benchmarks',
    '',
    '<!-- Written by `npm run bench -- --write`; do not edit. -->',
    '',
    `The server has one core and the client another; the programs of a row take turns, forwards`,
    `and backwards, ${roundCount} times ${seconds} s. A figure is the median. Rows that we lose are here like`,
    'those that we win. CPU is user and system time of the client, start-up included: where the',
    'server is the limit, that is what decides. `npm run bench -- --install` repeats it on another',
    'machine; figures of different machines, or of different minutes, are not comparable.',
    '',
    `${machine}; Linux ${release()}; Node ${process.version}.`,
    '',
    ...(races.length === 0 ? [] : ['## Against others', '', ...races]),
    ...(bounds.length === 0
      ? []
      : [
          '## Bounds',
          '',
          '| what | figure | bound | |',
          '| --- | ---: | ---: | --- |',
          ...bounds,
          '',
        ]),
    '## Commands',
    '',
    'SERVER stands for the address of the server of the row, FILE for one made for the run.',
    '',
    ...[...commands].flatMap(([name, lines]) => [
      `### ${name}`,
      '',
      '```sh',
      ...lines.map(anonymous),
      '```',
      '',
    ]),
  ].join('\n')
}

/** Without what is different on each machine and in each run. */
function anonymous(command: string): string {
  return command
    .replace(process.execPath, 'node')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'SERVER')
    .replaceAll(/(?<!\S)\/\S*?\/(bin|node_modules)\//g, '$1/')
    .replaceAll(/\/\S*\/(?:siege|body|post|urls)[\w.-]*/g, 'FILE')
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
