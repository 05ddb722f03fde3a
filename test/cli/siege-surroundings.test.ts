/** Bad surroundings: few descriptors, no home, full disks, locales; counted or told, never fatal. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { answering, startRawServer } from '../support/raw-server.ts'
import { blockOf, reportOf, siege, siegeInShell, siegeJson } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('too few descriptors: said once by name, counted, reported, never an abort', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.pause(1000)
    await connection.send(OK)
    connection.end()
  })
  for (const limit of [20, 40]) {
    const script = `ulimit -n ${limit}; $SIEGE -c25 -r1 ${server.url}`
    const { stderr, status } = await siegeInShell(script)
    const figures = blockOf(stderr)
    assert.equal(figures.transactions + figures.failed_transactions, 25, `ulimit -n ${limit}`)
    assert.ok(figures.failed_transactions > 0)
    assert.equal(status, figures.transactions > 0 ? 0 : 1)
    assert.match(stderr, /^\[error\] .*descriptor limit \(ulimit -n\)/m)
  }
})

test('too few descriptors for more threads are said in a sentence', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const script = `ulimit -n 24; $SIEGE --threads=2 -c2 -r1 ${server.url}`
  const { stderr, status } = await siegeInShell(script)
  assert.equal(status, 3)
  assert.match(stderr, /^siege: .*thread.*\n {2}Run with --threads 1\.\n$/m)
})

test('the home directory may be missing, unset, unwritable or no folder', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const folder = tempFolder(t)
  const readOnly = join(folder, 'read-only')
  writeFileSync(join(folder, 'file'), '')
  for (const HOME of [
    '/nonexistent/home',
    undefined,
    '',
    join(folder, 'file'),
    readOnly,
    '/proc',
  ]) {
    const options = { rc: null, env: { HOME } }
    const { report, status } = await siegeJson(['-c1', '-r1', server.url], options)
    assert.deepEqual([report.transactions, status], [1, 0], String(HOME))
  }
  assert.equal(existsSync(readOnly), false)
})

test('-l appends to the log: a heading when it is new, marks, one line a run', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const log = join(tempFolder(t), 'siege.log')
  const first = await siege(['-c2', '-r2', `-l${log}`, server.url])
  assert.match(first.stderr, new RegExp(`^LOG FILE: ${log}$`, 'm'))
  await siege(['-c1', '-r1', '-q', `--log=${log}`, '-m', 'second, with "quotes"', server.url])
  const lines = readFileSync(log, 'utf8').split('\n')
  const heading =
    '      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,  Throughput,' +
    '  Concurrent,    OKAY,   Failed'
  assert.equal(lines[0], heading)
  const number = ' *\\d+\\.\\d\\d'
  const row = (count: number) =>
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, {6}${count},${number}, {11}0,${number},${number},` +
        `${number},${number}, {7}${count}, {7}0$`,
    )
  assert.match(lines[1]!, row(4))
  assert.equal(lines[2], '**** second, with "quotes" ****')
  assert.match(lines[3]!, row(1))
  assert.deepEqual(lines.slice(4), [''])
})

test('the log of a run in which nothing happened holds numbers only', async (t) => {
  const server = await startRawServer(t, () => {})
  const log = join(tempFolder(t), 'siege.log')
  await siege(['-c1', '-t0.1S', `-l${log}`, server.url])
  const row = readFileSync(log, 'utf8').split('\n')[1]!
  assert.match(row, /^[\d :,.-]+$/)
})

test('logging, logfile and show-logfile of the siegerc work without an option', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const log = join(tempFolder(t), 'from rc.log')
  const rc = `logging = true\nlogfile = ${log}\nshow-logfile = false\n`
  const { stderr } = await siege(['-c1', '-r1', server.url], { rc })
  assert.doesNotMatch(stderr, /LOG FILE/)
  assert.equal(readFileSync(log, 'utf8').split('\n').length, 3)
})

test('a log that cannot be written is said before the run and changes nothing else', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const folder = tempFolder(t)
  for (const [path, reason] of [
    ['/nonexistent/d/l.log', 'no such folder'],
    [folder, 'it is a folder'],
    ['/proc/siege.log', ''],
  ] as const) {
    const outcome = await siege(['-j', '-c1', '-r1', `--log=${path}`, server.url])
    assert.equal(outcome.status, 0)
    assert.equal(reportOf(outcome).transactions, 1)
    assert.ok(outcome.stderr.startsWith(`[alert] unable to write to log file: ${path}: ${reason}`))
    assert.equal(outcome.stderr.match(/log file/g)?.length, 1, 'said once')
  }
})

test('a full disk under the log is said after the report, which is whole', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const outcome = await siege(['-j', '-c1', '-r1', '--log=/dev/full', server.url])
  assert.equal(outcome.status, 0)
  assert.equal(reportOf(outcome).transactions, 1)
  assert.match(outcome.stderr, /^\[error\] .*\/dev\/full.*no space left on the device$/m)
})

test('a full disk under stdout costs the verbose lines and nothing else', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const { stderr, status } = await siegeInShell(`$SIEGE -v -c2 -r50 ${server.url} >/dev/full`)
  assert.equal(status, 0)
  assert.match(stderr, /^\[error\] cannot write verbose lines: no space left on the device/m)
  assert.doesNotMatch(stderr, /too slow/)
  assert.equal(blockOf(stderr).transactions, 100)
})

test('JSON that cannot be printed is said, with status 1', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const { stderr, status } = await siegeInShell(`$SIEGE -j -c1 -r1 ${server.url} >/dev/full`)
  assert.equal(status, 1)
  assert.match(stderr, /^\[error\] the report could not be printed: there is no space left/m)
})

test('stdout or stderr that is closed from the start is no crash', async (t) => {
  const server = await startRawServer(t, answering(OK))
  for (const closed of ['>&-', '2>&-', '>&- 2>&-', '<&-']) {
    const { stdout } = await siegeInShell(`$SIEGE -c1 -r2 ${server.url} ${closed}; echo "rc $?"`)
    assert.match(stdout, /^rc 0$/m, closed)
  }
  assert.equal(server.requests.length, 8)
})

test('the locale changes no number in text, JSON, CSV or log', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const log = join(tempFolder(t), 'siege.log')
  const env = { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8', LANGUAGE: 'de' }
  const json = await siege(['-j', '-c1', '-r2', server.url], { env })
  assert.equal(reportOf(json).transactions, 2)
  const text = await siege(['-c1', '-r2', `-l${log}`, server.url], { env, rc: 'csv = true\n' })
  assert.equal(blockOf(text.stderr).transactions, 2)
  assert.match(text.stdout, /^HTTP\/1\.1,200, {2}\d\.\d\d, {6}2,\/,0,\d{4}-/m)
  assert.equal(readFileSync(log, 'utf8').split('\n')[1]?.split(',').length, 10)
})
