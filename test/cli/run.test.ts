/** `onager run` as a person meets it: what it prints and writes, and that it agrees with the server. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { schemaProblems } from '../support/json-schema.ts'
import { runCli } from '../support/run-cli.ts'
import { keptResult, onagerRun, runForJson, startSite, summarySchema } from './onager-run.ts'

test('a rate with all outputs: report, result file and page tell the same, and what the server counted', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const load = ['--rate', '100/s', '--duration', '2s', '--drain', '30s']
  const slo = 'p99<60s,errors<1%,dropped<=0'
  const files = ['--out', 'r.json', '--html', 'r.html', '--title', 'Two seconds']
  const args = [`${site.url}/plain`, ...load, '--slo', slo, ...files]
  const { status, stdout, stderr } = await onagerRun(args, { cwd })
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^\nPASSED {2}All 3 thresholds hold\.\n/)
  assert.match(stdout, /\nTwo seconds {2}20\d\d-/)
  assert.match(stdout, /\n {2}200 +200 +100 %\n/)
  assert.equal(site.counts.requestCount, 200)
  const { plan, snapshot } = keptResult(join(cwd, 'r.json'))
  assert.deepEqual([plan.title, plan.thresholds.length], ['Two seconds', 3])
  assert.deepEqual([snapshot.arrivalCount, snapshot.completedCount], [200, 200])
  const page = readFileSync(join(cwd, 'r.html'), 'utf8')
  assert.match(page, /^<!doctype html>/i)
  assert.match(page, /Two seconds/)
  const report = await runCli('onager', ['report', 'r.json'], { cwd })
  // The same text, whether printed at the end or later.
  assert.deepEqual([report.status, report.stdout], [0, stdout])
})

test('--json is the summary and nothing else, as its schema says', async (t) => {
  const site = await startSite(t)
  const urls = [`${site.url}/plain`, `${site.url}/status/404`]
  for (const load of [
    ['--count', '40', '--users', '1'],
    ['--rate', '50/s', '--count', '40'],
  ]) {
    const { status, stderr, summary } = await runForJson([...urls, ...load])
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(schemaProblems(summary, summarySchema), [])
    assert.equal(summary.requests.completed, 40)
  }
  assert.deepEqual(site.counts.byStatus, { 200: 40, 404: 40 })
})

test('arrivals add up: what is due is what was planned, begun or dropped', async (t) => {
  const site = await startSite(t)
  const stages = '500ms:100/s,500ms,0s:20/s,1s'
  const load = ['--rate', '20/s', '--stages', stages, '--max-in-flight', '2', '--drain', '30s']
  const { summary } = await runForJson([`${site.url}/slow?ms=300`, ...load])
  const { planned, due, begun, dropped } = summary.arrivals!
  // 500 ms at 60 a second on average, 500 ms at 100, one second at 20.
  assert.equal(planned, 100)
  assert.deepEqual([due, begun + dropped], [100, 100])
  assert.ok(dropped > 0)
  assert.equal(summary.requests.started, begun)
  assert.equal(site.counts.requestCount, begun)
  assert.ok(summary.warnings.some(({ kind }) => kind === 'dropped'))
})

test('the warm-up is sent, but in no figure', async (t) => {
  const site = await startSite(t)
  const load = ['--rate', '50/s', '--duration', '2s', '--warm-up', '1s', '--drain', '30s']
  const { summary } = await runForJson([`${site.url}/plain`, ...load])
  assert.deepEqual([summary.warm_up.started, summary.requests.started], [50, 50])
  assert.equal(site.counts.requestCount, 100)
})

test('--quiet prints nothing, progress goes to stderr alone, a line every few seconds', async (t) => {
  const site = await startSite(t)
  const url = `${site.url}/plain`
  const quiet = await onagerRun([url, '--count', '10', '--quiet'])
  assert.deepEqual([quiet.status, quiet.stdout, quiet.stderr], [0, '', ''])
  const { stdout, stderr } = await onagerRun([url, '--rate', '10/s', '--duration', '6s'])
  assert.match(stderr, /^0:0\d of 0:06, [^\n]* completed, 0 errors, 0 dropped\n$/)
  assert.match(stdout, /^\nDONE {2}All \d+ requests went well\.\n/)
})

test('a list of URLs in a file is counted by request', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  writeFileSync(join(cwd, 'urls.txt'), `${site.url}/plain\n${site.url}/echo POST a=1\n`)
  const { summary } = await runForJson(['-f', 'urls.txt', '--users', '1', '--count', '7'], { cwd })
  assert.deepEqual(
    summary.names.map(({ name, completed }) => [name, completed]),
    [
      [`${site.url}/plain`, 4],
      [`POST ${site.url}/echo`, 3],
    ],
  )
  assert.deepEqual(site.counts.byPath, { '/plain': { 200: 4 }, '/echo': { 200: 3 } })
})

test('more users than can begin do not make the run longer, nor large', async (t) => {
  const site = await startSite(t)
  const load = ['--users', '1000000', '--duration', '500ms', '--reactor', 'node']
  const nodeArgs = ['--max-old-space-size=256']
  const { status, summary } = await runForJson([`${site.url}/slow?ms=100`, ...load], { nodeArgs })
  assert.ok(status === 0 || status === 1)
  assert.equal(summary.ended_by, 'time')
  assert.ok(summary.requests.started < 1_000_000)
})

test('a rate beyond everything ends on time and says that the generator was the limit', async (t) => {
  const site = await startSite(t)
  const load = ['--rate', '5000000/s', '--duration', '500ms']
  const { summary } = await runForJson([`${site.url}/plain`, ...load])
  const { planned, due, begun, dropped } = summary.arrivals!
  assert.deepEqual([planned, due, begun + dropped], [2_500_000, 2_500_000, 2_500_000])
  assert.equal(summary.ended_by, 'time')
  const warning = summary.warnings.find(({ kind }) => kind === 'dropped')
  assert.match(warning?.text ?? '', /as the generator itself could not begin them in time/)
})
