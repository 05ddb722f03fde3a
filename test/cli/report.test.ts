/** `onager report` as a person meets it: formats, files, thresholds, exit statuses, messages. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyIntervalSeries } from '../../src/metrics/intervals.ts'
import { encodeResult } from '../../src/result/result-file.ts'
import type { RunResult } from '../../src/result/run-result.ts'
import { tempFolder } from '../support/files.ts'
import { fixedOnagerRuns } from '../support/fixed-onager-runs.ts'
import { nodePacking } from '../support/packing.ts'
import { type RunOutcome, runCli } from '../support/run-cli.ts'

const env = { TZ: 'UTC' }
const steady = fixedOnagerRuns.steady()
const golden = (format: string) =>
  readFileSync(new URL(`../../../test/golden/onager-${format}`, import.meta.url), 'utf8')

class Folder {
  readonly path: string

  constructor(context: TestContext) {
    this.path = tempFolder(context)
  }

  write(name: string, content: RunResult | string): this {
    const text = typeof content === 'string' ? content : encodeResult(content, nodePacking)
    writeFileSync(join(this.path, name), text)
    return this
  }

  report(...args: string[]): Promise<RunOutcome> {
    return runCli('onager', ['report', ...args], { cwd: this.path, env })
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8')
  }
}

test('onager report prints the text report of a file and exits 0', async (context) => {
  const folder = new Folder(context).write('run.json', steady)
  const { stdout, stderr, status } = await folder.report('run.json')
  assert.deepEqual([stderr, status], ['', 0])
  assert.equal(stdout, golden('steady.txt'))
})

test('onager report renders every format, on stdout or into a file', async (context) => {
  const folder = new Folder(context).write('run.json', steady)
  for (const [format, name] of [
    ['json', 'steady.json.txt'],
    ['csv', 'steady.series.csv.txt'],
    ['csv-names', 'steady.names.csv.txt'],
    ['markdown', 'steady.md.txt'],
    ['junit', 'steady.junit.txt'],
    ['hgrm', 'steady.hgrm.txt'],
  ] as const) {
    const { stdout } = await folder.report('-f', format, 'run.json')
    assert.equal(stdout, golden(name), format)
  }
  await folder.report('run.json', '-o', 'comment.md')
  assert.equal(folder.read('comment.md'), golden('steady.md.txt'))
  await folder.report('run.json', '-o', 'all.names.csv')
  assert.equal(folder.read('all.names.csv'), golden('steady.names.csv.txt'))
  await folder.report('run.json', '-o', 'page.html', '--slo', 'p50<1ms')
  assert.match(folder.read('page.html'), /^<!doctype html>.*p50&lt;1ms/s)
  await folder.report('run.json', '-o', 'report.md', '--format=text')
  assert.equal(folder.read('report.md'), golden('steady.txt'))
})

test('onager report takes - for standard output, and makes no file of that name', async (context) => {
  const folder = new Folder(context).write('run.json', steady)
  for (const args of [['-o', '-'], ['--output=-'], ['-o-']]) {
    const { stdout, status } = await folder.report('run.json', ...args)
    assert.deepEqual([stdout, status], [golden('steady.txt'), 0])
  }
  assert.deepEqual(readdirSync(folder.path), ['run.json'])
})

test('onager report exits 1 when a threshold of the run or of --slo does not hold', async (context) => {
  const folder = new Folder(context)
    .write('good.json', steady)
    .write('bad.json', fixedOnagerRuns.stalled())
  const own = await folder.report('bad.json')
  assert.equal(own.status, 1)
  assert.match(own.stdout, /^FAILED {2}3 of 5 thresholds broken\.$/m)
  const asked = await folder.report('good.json', '--slo', 'p50<1ms', '--slo', 'cart:max<1h,p90<1s')
  assert.equal(asked.status, 2)
  assert.match(asked.stderr, /--slo "cart:max<1h,p90<1s", column 10: 'h' is no unit of max/)
  const broken = await folder.report('good.json', '--slo', 'p50<1ms,cart:max<1m')
  assert.equal(broken.status, 1)
  assert.match(broken.stdout, /^ {2}BROKEN {2}p50<1ms {11}6\.\d+ ms$/m)
  const unknown = await folder.report('good.json', '--slo', 'crat:p50<1s')
  assert.equal(unknown.status, 2)
  assert.match(unknown.stderr, /no request is called 'crat'; did you mean 'cart'\?/)
})

test('onager report adds up the parts of one run', async (context) => {
  const folder = new Folder(context).write('a.json', steady).write('b.json', steady)
  const { stdout, stderr, status } = await folder.report('a.json', 'b.json', '-f', 'json')
  assert.deepEqual([stderr, status], ['', 0])
  assert.equal(JSON.parse(stdout).requests.completed, 2 * steady.snapshot.completedCount)
  folder.write('c.json', { ...steady, startedAtMs: steady.startedAtMs + 3_600_000 })
  const apart = await folder.report('a.json', 'c.json')
  assert.equal(apart.status, 0)
  assert.match(apart.stderr, /^onager: these runs did not take place at the same time/)
  folder.write('d.json', fixedOnagerRuns.users())
  const other = await folder.report('a.json', 'd.json')
  assert.equal(other.status, 2)
  assert.match(
    other.stderr,
    /^onager: d\.json: it is of another plan: userCount is 25 here and 1000 in a\.json/,
  )
})

test('onager report names every file that it cannot use, and why, and exits 2', async (context) => {
  const folder = new Folder(context).write('run.json', steady)
  const text = folder.read('run.json')
  folder.write('short.json', text.slice(0, text.length / 2)).write('siege.json', '{"a": 1}')
  const { stdout, stderr, status } = await folder.report('none.json', 'short.json', 'siege.json')
  assert.deepEqual([stdout, status], ['', 2])
  assert.deepEqual(
    stderr
      .replace(/\d{4,}/, 'N')
      .trimEnd()
      .split('\n'),
    [
      'onager: none.json: this file cannot be read: there is no such file or folder',
      'onager: short.json: this file is cut short after N characters: use a whole copy, or run again',
      'onager: siege.json: this file is JSON, but no result of a run, such as onager run --out FILE writes',
    ],
  )
})

test('onager report shows a file that was changed by hand, and says so', async (context) => {
  const folder = new Folder(context).write('run.json', steady)
  const file = JSON.parse(folder.read('run.json'))
  file.counts.completedCount++
  folder.write('run.json', JSON.stringify(file))
  const { stderr, status } = await folder.report('run.json')
  assert.equal(status, 0)
  assert.match(stderr, /^onager: run\.json: its numbers do not add up: started 7500 is not/)
})

test('onager report shows what a run that broke down has left', async (context) => {
  const intervals = emptyIntervalSeries()
  const snapshot = { ...steady.snapshot, intervals }
  const folder = new Folder(context).write('run.json', { ...steady, snapshot, threads: [] })
  const { stdout, stderr, status } = await folder.report('run.json')
  assert.equal(status, 0)
  assert.equal(stderr, 'onager: run.json: the run broke down, and left no course over time\n')
  assert.match(stdout, /^ {2}Requests {3}498\.6 \/s, 7500 complete in 15 s$/m)
  for (const format of ['csv', 'html', 'junit', 'markdown', 'json']) {
    assert.equal((await folder.report('run.json', '-f', format)).status, 0, format)
  }
})

test('onager report reads standard input, and a report that cannot be written is status 3', async (context) => {
  const input = encodeResult(steady, nodePacking)
  const piped = await runCli('onager', ['report', '-'], { input, env })
  assert.equal(piped.stdout, golden('steady.txt'))
  const folder = new Folder(context).write('run.json', steady)
  const { stderr, status } = await folder.report('run.json', '-o', 'missing/report.md')
  assert.equal(status, 3)
  assert.match(stderr, /^onager: missing\/report\.md cannot be written: there is no such file/)
})

test('onager report says what is missing or wrong on its command line', async (context) => {
  const folder = new Folder(context)
  for (const [args, message] of [
    [[], /^onager: name a result: onager report FILE/],
    [['--format', 'pdf', 'a'], /--format must be one of text, json, csv, .*, not "pdf"/],
    [['--fromat', 'csv', 'a'], /did you mean --format/],
  ] as const) {
    const { stderr, status } = await folder.report(...args)
    assert.equal(status, 2)
    assert.match(stderr, message)
  }
  const help = await folder.report('--help')
  assert.deepEqual([help.status, help.stderr], [0, ''])
  for (const line of help.stdout.split('\n')) assert.ok(line.length <= 90, line)
})
