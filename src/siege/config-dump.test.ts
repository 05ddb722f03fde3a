/**
 * Goal: a command line means to us what it means to siege. Method: both print their configuration
 * (`-C`) for the same options and siegerc, in a home directory of their own.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { requirePart } from '../../test/support/real-parts.ts'
import { readSiegeCommandLine } from './command-line.ts'
import { configDump } from './config-dump.ts'
import { readTextFile } from './files.ts'

const execute = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'onager-dump-'))
const siegerc = join(home, 'siegerc')
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** What the template sets and a bare file does not: with these both start alike. */
const TEMPLATE = [
  'protocol = HTTP/1.1',
  'chunked = true',
  'accept-encoding = gzip, deflate',
  'concurrent = 25',
  'limit = 255',
  'verbose = true',
  'parser = true',
  'nofollow = ad.doubleclick.net',
  'logfile = /tmp/siege.log',
]

function ourDump(argv: readonly string[]): string {
  return configDump(readSiegeCommandLine(['-C', ...argv], { HOME: home }, readTextFile))
}

/** Version and platform differ by nature. */
function comparable(dump: string): string[] {
  return dump.split('\n').filter((line) => !/^(?:Mozilla|version:)/.test(line))
}

function writeSiegerc(lines: readonly string[]): void {
  writeFileSync(siegerc, [...TEMPLATE, ...lines, ''].join('\n'))
}

const cases: { readonly argv: readonly string[]; readonly siegerc?: readonly string[] }[] = [
  { argv: [] },
  { argv: ['-c25', '-r', '3'] },
  { argv: ['--conc=2', '--rep=4', '--delay', '2.5'] },
  { argv: ['-c', '300'] },
  ...['5', '90s', '90S', '2m', '1h', '1H', '10sec', '1 S'].map((time) => ({ argv: ['-t', time] })),
  { argv: ['--time=1H', '-r', 'once'] },
  { argv: ['-t', '2m', '-r', '5'] },
  { argv: ['-d', '0.25'] },
  { argv: ['-d1'] },
  { argv: ['-bd3'] },
  { argv: ['-iv'] },
  { argv: ['-qv'] },
  { argv: ['-D'] },
  { argv: ['-j', '-v', '-D'] },
  { argv: ['-NF'] },
  { argv: ['--no-parser', '--no-follow'] },
  { argv: ['http://127.0.0.1:1/', '-l/tmp/x.log', '-c', '3'] },
  { argv: ['-mMARK'] },
  { argv: ['-f', '/tmp/urls', '-A', 'Agent 1', '-T', 'text/plain', '-H', 'A: b'] },
  {
    argv: [],
    siegerc: ['CONCURRENT: 3', 'reps 2', 'time=30S', 'failures = 5', 'timeout = 7', 'limit = 9'],
  },
  { argv: [], siegerc: ['verbose = false', 'quiet = TRUE', 'csv = true', 'timestamp = true'] },
  { argv: [], siegerc: ['connection = keep-alive', 'protocol = http/1.0', 'cache = true'] },
  { argv: [], siegerc: ['delay = 1.5 # half', 'internet = true', 'benchmark = false'] },
  { argv: [], siegerc: ['H = 127.0.0.1:1', 'url = http://$(H)/x', 'gmethod = GET', 'color = off'] },
  { argv: [], siegerc: ['proxy-host = ph', 'proxy-port = 81', 'unique = false', 'chunked=false'] },
  { argv: [], siegerc: ['follow-location = false', 'zero-data-ok = false', 'nofollow = b.test'] },
]

test("configDump() is siege's for the same options and siegerc", async (context) => {
  const siege = requirePart(context, 'siege')
  if (siege === undefined) return
  for (const { argv, siegerc: lines = [] } of cases) {
    writeSiegerc(lines)
    const options = ['-R', siegerc, ...argv]
    const env = { HOME: home, PATH: process.env.PATH ?? '' }
    const real: { stdout: string } = await execute(siege, ['-C', ...options], {
      env,
      timeout: 60_000,
    })
    const about = `siege -C ${argv.join(' ')} with ${lines.join(' | ')}`
    // Its first run in a home directory says on stdout that it installed a file.
    const start = real.stdout.indexOf('CURRENT')
    assert.deepEqual(comparable(ourDump(options)), comparable(real.stdout.slice(start)), about)
  }
})

test('configDump() shows no password', () => {
  writeSiegerc(['login = u:secret', 'login = v:secret:realm', 'proxy-login = w:secret#:'])
  const dump = ourDump(['-R', siegerc, 'http://x:secret@h/', 'y:secret@h'])
  assert.doesNotMatch(dump, /secret/)
  const start = dump.indexOf('proxy auth:')
  assert.equal(
    dump.slice(start),
    [
      'proxy auth:                     credentials:  w:*****',
      '',
      'www auth:                       credentials:  u:*****:any',
      '                                credentials:  v:*****',
      '',
      '',
    ].join('\n'),
  )
})
