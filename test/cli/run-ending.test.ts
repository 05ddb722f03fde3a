/** How `onager run` ends: exit statuses, signals, thresholds, outputs that are gone. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot, tempFolder } from '../support/files.ts'
import { answering, silent, startRawServer } from '../support/raw-server.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { eventually, timedTest } from '../support/timing.ts'
import { keptResult, onagerRun, type PrintedSummary, runForJson, startSite } from './onager-run.ts'

const program = join(projectRoot, 'bin', 'onager.js')

test('exit status: 0 fine, 1 a threshold or everything failed, 2 usage, 3 surroundings', async (t) => {
  const site = await startSite(t)
  const { port } = await startRawServer(t, answering(''))
  const url = `${site.url}/plain`
  const count = ['--count', '5']
  for (const [args, wanted] of [
    [[url, ...count, '--slo', 'p99<60s'], 0],
    [[url, ...count, '--slo', 'rate>1000000000/s'], 1],
    [[`${site.url}/status/500`, ...count], 1],
    [[`${site.url}/reset`, ...count], 1],
    [[url, `${site.url}/status/500`, ...count], 0],
    [[url, '--duraton', '5s'], 2],
    [['nonsense.yaml'], 2],
    [[url, '--out', '/nonexistent/r.json'], 2],
    [[url, ...count, '--prometheus', String(port)], 3],
  ] as const) {
    const { status, stderr } = await onagerRun([...args, '--quiet'])
    assert.equal(status, wanted, `${args.join(' ')}\n${stderr}`)
  }
})

for (const threads of ['1', '2']) {
  test(`Ctrl-C ends the run with status 130, its report and its result file, on ${threads} threads`, async (t) => {
    const site = await startSite(t)
    const cwd = tempFolder(t)
    const args = [`${site.url}/plain`, '--rate', '200/s', '--duration', '1h', '--threads', threads]
    const { status, summary } = await runForJson([...args, '--out', 'r.json'], {
      cwd,
      signalOnce: eventually(() => site.counts.requestCount >= 20, '20 requests'),
    })
    assert.deepEqual([status, summary.ended_by], [130, 'signal'])
    const { started, completed, in_flight_at_end } = summary.requests
    assert.equal(started, completed + in_flight_at_end)
    assert.ok(completed >= 1 && started >= 20 - in_flight_at_end)
    const sentCount = site.counts.requestCount
    assert.ok(
      completed <= sentCount && sentCount <= started,
      `${completed} ${sentCount} ${started}`,
    )
    const { snapshot, endedBy } = keptResult(join(cwd, 'r.json'))
    assert.deepEqual([snapshot.startedCount, endedBy], [started, 'signal'])
    const report = await runCli('onager', ['report', 'r.json'], { cwd })
    assert.match(report.stdout, /The run was stopped before its end\./)
  })
}

timedTest('Ctrl-C ends a wait for answers, a drain, a pause and a warm-up', async (t) => {
  const site = await startSite(t)
  const slow = `${site.url}/slow?ms=60000`
  for (const args of [
    [slow, '--duration', '1h', '--timeout', '1h'],
    [slow, '--duration', '500ms', '--drain', '1h', '--timeout', '1h'],
    [`${site.url}/plain`, '--users', '1', '--think', '1h', '--duration', '2h'],
    [`${site.url}/plain`, '--rate', '10/s', '--warm-up', '1h', '--duration', '2h'],
  ]) {
    const before = site.counts.connectionCount
    const sent = eventually(() => site.counts.connectionCount > before, 'a connection')
    const { status, summary } = await runForJson(args, {
      // Long enough for those 500 ms to be over, which are long enough to send what is drained.
      signalOnce: sent.then(() => new Promise((resolve) => setTimeout(resolve, 1000))),
    })
    assert.deepEqual([status, summary.ended_by], [130, 'signal'], args.join(' '))
  }
})

test('Ctrl-C before the first request ends the run, twice at once', async (t) => {
  const { port } = await startRawServer(t, silent)
  const url = `http://127.0.0.1:${port}/`
  for (const signalAfterMs of [20, 150, 300, [300, 320, 340]]) {
    const { status, signal } = await onagerRun([url, '--duration', '1h'], { signalAfterMs })
    // Before anybody listens to it, the signal itself ends the process.
    assert.ok(status === 130 || signal === 'SIGINT', `${status} ${signal}`)
  }
})

timedTest('a regular expression that never ends is given up after Ctrl-C', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const step = { get: '/bytes/100000', check: { 'body-matches': '(.*)*q$' } }
  const plan = { load: { users: 1, duration: '1h' }, 'base-url': site.url, steps: [step] }
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  const { status, stderr } = await onagerRun(['plan.json', '--quiet'], {
    cwd,
    // The answer has to be there, and the expression at work, which nothing outside can see: on a
    // busy machine the signal may be earlier, which ends the run as any other.
    signalOnce: eventually(() => site.counts.requestCount > 0, 'a request').then(
      () => new Promise((resolve) => setTimeout(resolve, 500)),
    ),
  })
  assert.equal(status, 130)
  assert.match(stderr, /^onager: a thread does not end; a regular expression .* for ever$/m)
})

test('--abort-on-slo ends a run that is lost, with status 1 and the reason', async (t) => {
  const site = await startSite(t)
  for (const [path, slo] of [
    ['/slow?ms=50', 'p99<10ms'],
    ['/status/500', 'errors<1%'],
  ]) {
    const args = [`${site.url}${path}`, '--rate', '200/s', '--duration', '1h', '--abort-on-slo']
    const { status, summary } = await runForJson([...args, '--slo', slo!])
    assert.deepEqual([status, summary.ended_by, summary.passed], [1, 'threshold', false])
  }
})

test('outputs that are full or gone do not end the run, and are told where nobody left', async (t) => {
  const site = await startSite(t)
  const cwd = tempFolder(t)
  const url = `${site.url}/plain`
  const shell = (command: string) =>
    runProgram(
      '/bin/bash',
      ['-c', command.replaceAll('ONAGER', `'${process.execPath}' '${program}'`)],
      {
        cwd,
        timeoutMs: 120_000,
      },
    )
  const full = await shell(`ONAGER run ${url} -n 5 > /dev/full`)
  assert.equal(full.status, 1)
  assert.match(full.stderr, /the report could not be printed: there is no space left/)
  const lost = await shell(`ONAGER run ${url} -n 5 --quiet --out /dev/full`)
  assert.equal(lost.status, 1)
  assert.match(lost.stderr, /could not be written to \/dev\/full: there is no space left/)
  const left = await shell(`ONAGER run ${url} -n 5 -o left.json | head -1; exit $PIPESTATUS`)
  assert.deepEqual([left.status, left.stderr], [0, ''])
  assert.equal(keptResult(join(cwd, 'left.json')).snapshot.completedCount, 5)
  // Long enough for a line of progress that nobody reads.
  const blind = await shell(`ONAGER run ${url} -r 5/s -d 6s -o blind.json 2>&1 >/dev/null | true
exit $PIPESTATUS`)
  assert.equal(blind.status, 0)
  assert.ok(existsSync(join(cwd, 'blind.json')))
  const closed = await shell(`ONAGER run ${url} -n 5 -o closed.json >&- 2>&-`)
  assert.equal(closed.status, 0)
  assert.equal(keptResult(join(cwd, 'closed.json')).snapshot.completedCount, 5)
})

test('a generator that stood still for a second shows it in response times, not in service times', async (t) => {
  const site = await startSite(t)
  const args = ['--rate', '100/s', '--duration', '4s', '--drain', '60s', '--json']
  const child = spawn(process.execPath, [program, 'run', `${site.url}/plain`, ...args], {
    env: { PATH: process.env.PATH, HOME: tempFolder(t) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (status) => resolve(status))
  })
  await eventually(() => site.counts.requestCount >= 50, '50 requests')
  child.kill('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  child.kill('SIGCONT')
  assert.equal(await ended, 0)
  const summary: PrintedSummary = JSON.parse(Buffer.concat(chunks).toString())
  // A second of four: every fourth request was due while nobody was there to send it.
  assert.equal(summary.arrivals?.due, 400)
  assert.ok(summary.arrivals.start_lag_ms.max >= 900)
  assert.ok(summary.response_time_ms.p95 >= 500, `${summary.response_time_ms.p95}`)
  const { response_time_ms: response, service_time_ms: service } = summary
  assert.ok(response.mean - service.mean >= 100, `${response.mean} ${service.mean}`)
  assert.ok(summary.warnings.some(({ kind }) => kind === 'late-starts'))
  assert.equal(site.counts.requestCount, summary.requests.started)
})
