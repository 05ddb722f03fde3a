/** The log file: siege's columns, a heading once, and answers instead of exceptions. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '../../test/support/files.ts'
import type { SiegeFigures } from '../result/siege-figures.ts'
import { appendToLog, type LogEntry, logFileNotice, logFileProblem, logText } from './log-file.ts'

const figures: SiegeFigures = {
  transactionCount: 21000,
  availabilityPercent: 100,
  elapsedS: 5.004,
  dataMb: 12.6,
  responseTimeS: 0.0123,
  transactionsPerSecond: 4196.64,
  mbPerSecond: 2.518,
  concurrency: 49.93,
  successfulCount: 20990,
  okCount: 20990,
  failedCount: 3,
  longestS: 0.3,
  shortestS: 0,
}
const nothing: SiegeFigures = Object.fromEntries(
  Object.keys(figures).map((key) => [key, 0]),
) as unknown as SiegeFigures

const entry: LogEntry = {
  mark: null,
  figures,
  endedAtMs: Date.UTC(2026, 10, 30, 20, 56, 18),
  zone: () => 120,
  isAborted: false,
}

const heading =
  '      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,  Throughput,' +
  '  Concurrent,    OKAY,   Failed\n'
const line =
  '2026-11-30 22:56:18,  21000,       5.00,          13,       0.01,     4196.64,        2.52,' +
  '       49.93,   20990,       3\n'

function logIn(t: TestContext): string {
  return join(tempFolder(t), 'siege.log')
}

test('logText() lays out heading, mark, summary and abort as siege does', () => {
  assert.equal(logText(entry, false), line)
  assert.equal(
    logText({ ...entry, mark: 'two\nlines', isAborted: true }, true),
    `${heading}**** two lines ****\n${line}` +
      '**** siege aborted due to excessive socket failure. ****\n',
  )
  assert.equal(logText({ ...entry, mark: 'only', figures: null }, false), '**** only ****\n')
})

test('logText() writes zeros for a run without transactions', () => {
  const text = logText({ ...entry, figures: nothing }, false)
  assert.equal(
    text,
    '2026-11-30 22:56:18,      0,       0.00,           0,       0.00,        0.00,        0.00,' +
      '        0.00,       0,       0\n',
  )
  assert.equal(text.length, line.length)
})

test('appendToLog() writes the heading into a new file only', (t) => {
  const path = logIn(t)
  assert.equal(logFileProblem(path), null)
  assert.equal(appendToLog(path, entry), null)
  assert.equal(logFileProblem(path), null)
  assert.equal(appendToLog(path, { ...entry, mark: 'm' }), null)
  assert.equal(fs.readFileSync(path, 'utf8'), `${heading}${line}**** m ****\n${line}`)
  assert.equal(fs.statSync(path).mode & 0o133, 0)
})

test('logFileProblem() names path, reason and way out, before the run', (t) => {
  const missing = join(tempFolder(t), 'no', 'siege.log')
  const text = logFileProblem(missing)!
  assert.ok(text.includes(`${missing}: no such folder; the run goes on without it`), text)
  assert.ok(text.includes('--log=FILE'), text)
  assert.match(logFileProblem(tempFolder(t))!, /it is a folder/)
})

test('logFileProblem() does not wait for the reader of a named pipe', (t) => {
  const path = join(tempFolder(t), 'pipe')
  execFileSync('mkfifo', [path])
  assert.match(logFileProblem(path)!, /a named pipe that nobody reads/)
})

test('appendToLog() tells of a full disk and does not throw', () => {
  assert.equal(
    appendToLog('/dev/full', entry),
    'unable to write to log file: /dev/full: no space left on the device',
  )
})

test('logFileNotice() says where the log is and how to be spared the notice', () => {
  const lines = logFileNotice('/var/log/siege.log', '/home/u/.siege/siege.conf').split('\n')
  assert.equal(lines.length, 4)
  assert.equal(lines[0], 'LOG FILE: /var/log/siege.log')
  assert.match(lines[1]!, /show-logfile = false/)
  assert.match(lines[2]!, /\/home\/u\/\.siege\/siege\.conf/)
})
