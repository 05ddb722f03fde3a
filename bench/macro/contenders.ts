/**
 * The load generators, each at its best settings for a job, and how their reports are read.
 *
 * A contender knows its command and how many requests it says it made, and how fast; what it cost
 * is measured around it.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measurement } from './measure.ts'
import { autocannonProgram } from './peers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
export const siegeProgram: string = join(root, 'bin', 'siege.js')
export const onagerProgram: string = join(root, 'bin', 'onager.js')
export const abProgram: string = join(root, 'bin', 'ab.js')

/** siege writes its cookies into its home folder; ours is kept away from the person's. */
export const environment: Readonly<Record<string, string>> = {
  HOME: mkdtempSync(join(tmpdir(), 'onager-home-')),
}
const scratch = mkdtempSync(join(tmpdir(), 'onager-bench-files-'))

export interface Contender {
  readonly name: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly writesToFile?: boolean
  /** The figure is in what it prints on stdout. */
  readonly tellsOnStdout?: boolean
  readonly requestCountOf: (measurement: Measurement) => number
  readonly rateOf: (measurement: Measurement) => number
}

/** What every contender of a row does. */
export interface Job {
  readonly url: string
  readonly connectionCount: number
  readonly connection: 'keep-alive' | 'close'
  readonly durationSeconds: number
  /** Bytes of the body of a POST; absent: GET. */
  readonly postBytes?: number
}

export type Tool =
  | 'onager siege'
  | 'onager siege, epoll'
  | 'onager siege, node'
  | 'onager ab'
  | 'siege'
  | 'ab'
  | 'wrk'
  | 'h2load'
  | 'hey'
  | 'autocannon'

export function contenderOf(tool: Tool, job: Job): Contender {
  switch (tool) {
    case 'onager siege':
      return siege(tool, [process.execPath, siegeProgram], job)
    case 'onager siege, epoll':
      return siege(tool, [process.execPath, siegeProgram, '--reactor=epoll'], job)
    case 'onager siege, node':
      return siege(tool, [process.execPath, siegeProgram, '--reactor=node'], job)
    case 'siege':
      return siege(tool, ['siege'], job)
    case 'onager ab':
      // More requests than any machine makes in the time, so that the time ends the run.
      return ab(tool, [process.execPath, abProgram, '-n1000000000'], job)
    case 'ab':
      // Real ab takes 32 bytes for each request before it begins.
      return ab(tool, ['ab', '-n10000000'], job)
    case 'wrk':
      return wrk(job)
    case 'h2load':
      return h2load(job)
    case 'hey':
      return hey(job)
    case 'autocannon':
      return autocannon(job)
  }
}

/** siege's own configuration for both: nothing but the plain request, and no lines. */
export function siegeSettings(connection: Job['connection'], isVerbose = false): string {
  const file = join(scratch, `siege-${connection}-${isVerbose ? 'verbose' : 'quiet'}.conf`)
  writeFileSync(
    file,
    [
      'protocol = HTTP/1.1',
      `connection = ${connection}`,
      'parser = false',
      'json_output = false',
      'color = off',
      'limit = 20000',
      `verbose = ${isVerbose}`,
      'accept-encoding = gzip, deflate',
      '',
    ].join('\n'),
  )
  return file
}

function siege(name: string, program: readonly string[], job: Job): Contender {
  const rc = siegeSettings(job.connection)
  const url = job.postBytes === undefined ? job.url : `${job.url} POST <${bodyFile(job.postBytes)}`
  return {
    name,
    command: [
      ...program,
      '-R',
      rc,
      '-b',
      `-c${job.connectionCount}`,
      `-t${job.durationSeconds}S`,
      url,
    ],
    environment,
    requestCountOf: ({ stderr }) => numberIn(stderr, /Transactions:\s+([\d.]+)/),
    rateOf: ({ stderr }) => numberIn(stderr, /Transaction rate:\s+([\d.]+)/),
  }
}

function ab(name: string, program: readonly string[], job: Job): Contender {
  const [node = '', ...rest] = program
  // `-t` sets `-n` as well, so it comes first.
  const options = [`-t${job.durationSeconds}`, ...rest.filter((word) => word.startsWith('-'))]
  const files = rest.filter((word) => !word.startsWith('-'))
  const post =
    job.postBytes === undefined ? [] : ['-p', bodyFile(job.postBytes), '-T', 'text/plain']
  const keep = job.connection === 'keep-alive' ? ['-k'] : []
  return {
    name,
    command: [
      node,
      ...files,
      '-q',
      ...keep,
      `-c${job.connectionCount}`,
      ...options,
      ...post,
      job.url,
    ],
    environment,
    tellsOnStdout: true,
    requestCountOf: ({ stdout }) => numberIn(stdout, /^Complete requests:\s+(\d+)/m),
    rateOf: ({ stdout }) => numberIn(stdout, /^Requests per second:\s+([\d.]+)/m),
  }
}

function wrk(job: Job): Contender {
  const close = job.connection === 'close' ? ['-H', 'Connection: close'] : []
  const script = job.postBytes === undefined ? [] : ['-s', wrkScript(job.postBytes)]
  return {
    name: 'wrk',
    command: [
      'wrk',
      '-t1',
      `-c${job.connectionCount}`,
      `-d${job.durationSeconds}s`,
      ...close,
      ...script,
      job.url,
    ],
    tellsOnStdout: true,
    requestCountOf: ({ stdout }) => numberIn(stdout, /(\d+) requests in/),
    rateOf: ({ stdout }) => numberIn(stdout, /^Requests\/sec:\s+([\d.]+)/m),
  }
}

function h2load(job: Job): Contender {
  const post = job.postBytes === undefined ? [] : ['-d', bodyFile(job.postBytes)]
  return {
    name: 'h2load',
    command: [
      'h2load',
      '--h1',
      '-t1',
      `-c${job.connectionCount}`,
      '-D',
      String(job.durationSeconds),
      ...post,
      job.url,
    ],
    tellsOnStdout: true,
    requestCountOf: ({ stdout }) => numberIn(stdout, /(\d+) succeeded/),
    rateOf: ({ stdout }) => numberIn(stdout, /finished in [^,]+, ([\d.]+) req\/s/),
  }
}

function hey(job: Job): Contender {
  const close = job.connection === 'close' ? ['-disable-keepalive'] : []
  const post =
    job.postBytes === undefined
      ? []
      : ['-m', 'POST', '-D', bodyFile(job.postBytes), '-T', 'text/plain']
  return {
    name: 'hey',
    command: [
      'hey',
      '-cpus',
      '1',
      '-c',
      String(job.connectionCount),
      '-z',
      `${job.durationSeconds}s`,
      ...close,
      ...post,
      job.url,
    ],
    tellsOnStdout: true,
    requestCountOf: ({ stdout }) => numberIn(stdout, /\[200\]\s+(\d+) responses/),
    rateOf: ({ stdout }) => numberIn(stdout, /Requests\/sec:\s+([\d.]+)/),
  }
}

function autocannon(job: Job): Contender {
  const post = job.postBytes === undefined ? [] : ['-m', 'POST', '-i', bodyFile(job.postBytes)]
  return {
    name: 'autocannon',
    command: [
      process.execPath,
      autocannonProgram,
      '-j',
      '-n',
      `-c${job.connectionCount}`,
      `-d${job.durationSeconds}`,
      ...post,
      job.url,
    ],
    tellsOnStdout: true,
    requestCountOf: ({ stdout }) => numberIn(stdout, /"2xx":(\d+)/),
    rateOf: ({ stdout }) => numberIn(stdout, /"requests":\{"average":([\d.]+)/),
  }
}

/** 0 where the figure is missing, which shows as a contender without one. */
function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

function bodyFile(byteCount: number): string {
  const file = join(scratch, `body-${byteCount}`)
  writeFileSync(file, 'x'.repeat(byteCount))
  return file
}

function wrkScript(postBytes: number): string {
  const file = join(scratch, `post-${postBytes}.lua`)
  writeFileSync(file, `wrk.method = "POST"\nwrk.body = string.rep("x", ${postBytes})\n`)
  return file
}
