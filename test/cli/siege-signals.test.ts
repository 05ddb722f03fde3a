/** Signals at any moment: the report within half a second, and the exit status of the outcome. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { tempFolder } from '../support/files.ts'
import { answering, type RawServer, silent, startRawServer } from '../support/raw-server.ts'
import type { RunOutcome } from '../support/run-cli.ts'
import { eventually, timedTest } from '../support/timing.ts'
import { connectingCount, startBlackHole } from './black-hole.ts'
import { blockOf, reportOf, siege, siegeInShell } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Half a second is promised; the rest is the machine that runs tests beside this one. */
const WITHIN_MS = 2000

function startSlow(t: TestContext, pauseMs = 5): Promise<RawServer> {
  return startRawServer(t, async (connection) => {
    while ((await connection.request()) !== null) {
      await connection.pause(pauseMs)
      await connection.send(OK)
    }
  })
}

function assertPrompt({ elapsedMsAfterSignal }: RunOutcome): void {
  assert.ok(elapsedMsAfterSignal !== null, 'the signal came before the end')
  assert.ok(elapsedMsAfterSignal < WITHIN_MS, `${elapsedMsAfterSignal} ms after the signal`)
}

timedTest('INT, TERM and HUP end the siege with its report, once, and status 0', async (t) => {
  const server = await startSlow(t)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const outcome = await siege(['-c3', server.url], { signalWhen: /==>/, signal })
    assertPrompt(outcome)
    assert.equal(outcome.status, 0)
    assert.match(outcome.stderr, /\nLifting the server siege\.\.\.\nTransactions:/)
    const figures = blockOf(outcome.stderr)
    assert.ok(figures.transactions > 0)
    assert.equal(figures.failed_transactions, 0, 'what was in flight has not failed')
  }
})

timedTest('an interrupted run reports what the server counted, in flight apart', async (t) => {
  const server = await startSlow(t, 20)
  for (const threads of [1, 2]) {
    const before = server.requests.length
    const args = ['-j', '-c4', `--threads=${threads}`, server.url]
    const wantedCount = before + 50
    const outcome = await siege(args, {
      signalOnce: eventually(() => server.requests.length >= wantedCount, '50 requests'),
    })
    assertPrompt(outcome)
    assert.equal(outcome.status, 0)
    const { onager, transactions } = reportOf(outcome)
    assert.equal(onager.ended_by, 'signal')
    const seenCount = server.requests.length - before
    assert.ok(transactions <= seenCount && seenCount <= onager.started, `${seenCount}`)
    assert.ok(onager.in_flight_at_end <= 4)
  }
})

timedTest('a signal during start-up either comes before all or gives a whole report', async (t) => {
  const server = await startSlow(t)
  for (let afterMs = 20; afterMs <= 420; afterMs += 50) {
    const threads = afterMs % 100 === 20 ? 1 : 2
    const args = ['-j', '-c5', `--threads=${threads}`, server.url]
    const outcome = await siege(args, { signalAfterMs: afterMs })
    assertPrompt(outcome)
    if (outcome.signal === 'SIGINT') {
      assert.deepEqual([outcome.stdout, outcome.stderr], ['', ''], 'not a word was said yet')
    } else {
      const report = reportOf(outcome)
      assert.equal(report.onager.ended_by, 'signal')
      assert.equal(outcome.status, report.successful_transactions > 0 ? 0 : 1)
    }
  }
})

timedTest('once the banner is out every signal gives the report', async (t) => {
  const server = await startSlow(t)
  for (const threads of [1, 3]) {
    const args = ['-c5', `--threads=${threads}`, server.url]
    const outcome = await siege(args, { signalWhen: /SIEGE/, signal: 'SIGTERM' })
    assertPrompt(outcome)
    assert.equal(outcome.signal, null)
    blockOf(outcome.stderr)
  }
})

timedTest('a signal ends waiting: for answers, during -d 3600, for a TLS handshake', async (t) => {
  const slow = await startSlow(t)
  const mute = await startRawServer(t, silent)
  const muteTls = await startRawServer(t, silent)
  for (const [server, args, status, inFlightCount] of [
    [mute, ['-c3', mute.url], 1, 3],
    [slow, ['-c3', '-d3600', slow.url], 0, 0],
    [muteTls, ['-c3', muteTls.url.replace('http:', 'https:')], 1, 3],
  ] as const) {
    const reached = eventually(() => server.connectionCount === 3, 'all users are there')
    // Answers on their way have to arrive.
    const outcome = await siege(['-j', ...args], { signalOnce: reached.then(() => pause(500)) })
    assertPrompt(outcome)
    assert.equal(outcome.status, status, args.join(' '))
    const { onager } = reportOf(outcome)
    assert.deepEqual([onager.in_flight_at_end, onager.failed], [inFlightCount, 0])
  }
})

timedTest(
  'a signal ends connecting to a port that answers nothing, and timeout does too',
  async (t) => {
    const port = await startBlackHole(t)
    if (port === undefined) return t.skip('this system answers when the queue of a port is full')
    const url = `http://127.0.0.1:${port}/`
    const before = connectingCount(port)
    const stopped = await siege(['-j', '-c2', url], {
      signalOnce: eventually(() => connectingCount(port) === before + 2, 'both connect'),
    })
    assertPrompt(stopped)
    assert.equal(stopped.status, 1)
    assert.equal(reportOf(stopped).onager.in_flight_at_end, 2)
    const timedOut = await siege(['-j', '-c2', '-r1', '--timeout=0.5', url])
    const { onager } = reportOf(timedOut)
    assert.deepEqual([onager.failures[0]?.kind, onager.timeouts], ['timeout while connecting', 2])
    assert.ok(onager.elapsed_time_s < 3)
  },
)

/**
 * Runs a siege that writes into a pipe which is held open and never read; once the pipe is full
 * (the server has got requests and gets no more), the shell does `then`, where `$pid` is the siege.
 * Prints the status and how long the end took from there.
 */
async function siegeIntoUnreadPipe(
  t: TestContext,
  server: RawServer,
  args: string,
  then: string,
): Promise<RunOutcome> {
  const mark = join(tempFolder(t), 'full')
  const countBefore = server.requests.length
  const isFull = async () => {
    const seenCount = server.requests.length
    await pause(500)
    return seenCount > countBefore && seenCount === server.requests.length
  }
  void eventually(isFull, 'a full pipe').then(() => writeFileSync(mark, ''))
  return siegeInShell(`
    mkfifo pipe; exec 3<>pipe
    $SIEGE ${args} >pipe 2>said & pid=$!
    until test -e ${mark}; do sleep 0.05; done
    ${then} start=$(date +%s%N); wait $pid; status=$?
    echo "$status $(( ($(date +%s%N) - start) / 1000000 ))"; cat said >&2; rm said pipe`)
}

timedTest('a second signal ends the process at once with status 130', async (t) => {
  const server = await startRawServer(t, answering(OK))
  // Last words into a pipe take a quarter of a second; a signal handled meanwhile is the second.
  const signals = 'for i in 1 2 3 4 5 6; do kill -INT $pid 2>&-; sleep 0.03; done;'
  const url = `${server.url}/${'x'.repeat(3000)}`
  const { stdout, stderr } = await siegeIntoUnreadPipe(t, server, `-c5 ${url}`, signals)
  assert.match(stdout, /^130 /)
  assert.doesNotMatch(stderr, /Transactions/)
})

timedTest(
  'a pipe that nobody reads delays neither the end of -t nor that by a signal',
  async (t) => {
    const server = await startRawServer(t, answering(OK))
    // A few such lines fill a pipe; all of the third run's are less than what may wait for one.
    const url = `${server.url}/${'x'.repeat(30_000)}`
    for (const [flags, signal, label] of [
      ['-t1S', '', 'the time is over'],
      ['', 'kill -INT $pid;', 'a signal while users wait for the reader'],
      ['-r4', 'kill -TERM $pid;', 'a signal after the last response'],
    ] as const) {
      const args = `-c5 ${flags} ${url}`
      const { stdout, stderr } = await siegeIntoUnreadPipe(t, server, args, signal)
      const [status, waitedMs] = stdout.trim().split(' ').map(Number)
      assert.equal(status, 0, `${label}: ${stderr}`)
      assert.ok(waitedMs! < WITHIN_MS + (signal === '' ? 1000 : 0), `${label}: ${waitedMs} ms`)
      blockOf(stderr)
      assert.match(stderr, /at least \d+ lines were not shown: the reader was too slow/)
    }
  },
)

test('siege -v | head -1 goes on in silence', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const script = `{ $SIEGE -v -c2 -r300 ${server.url}; echo "status $?" >&2; } | head -1`
  const { stdout, stderr } = await siegeInShell(script)
  assert.match(stdout, /^HTTP\/1\.1 200 .* ==> GET {2}\/\n$/)
  assert.equal(blockOf(stderr).transactions, 600)
  assert.match(stderr, /status 0\n$/)
  assert.doesNotMatch(stderr, /EPIPE|pipe|not shown|reader/)
  assert.equal(server.requests.length, 600)
})
