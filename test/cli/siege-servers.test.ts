/** Servers that refuse, reset, stall, lie or speak no HTTP: counted, told, never a crash or hang. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freePort } from '../support/ports.ts'
import { answering, type RawScript, silent, startRawServer } from '../support/raw-server.ts'
import { timedTest } from '../support/timing.ts'
import { blockOf, type JsonReport, siege, siegeJson } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Answers the first request of every connection with these bytes and ends the connection. */
function once(bytes: string, end: 'fin' | 'reset' | 'open' = 'fin'): RawScript {
  return async (connection) => {
    if ((await connection.request()) === null) return connection.end()
    await connection.send(bytes)
    if (end === 'fin') connection.end()
    else if (end === 'reset') {
      await connection.pause(50)
      connection.reset()
    }
  }
}

/** The kinds of failures of `-c1 -r2`, both of which have to fail in the same way. */
function kindOf(report: JsonReport): string {
  const { failures, failed, completed } = report.onager
  assert.deepEqual([failed, completed], [2, 0])
  assert.deepEqual([report.transactions, report.failed_transactions], [0, 2])
  assert.equal(report.availability, 0)
  assert.equal(failures.length, 1)
  assert.notEqual(failures[0]?.example, '')
  return failures[0]!.kind
}

async function failureOf(
  t: TestContext,
  script: RawScript,
  rc = '',
): Promise<{ kind: string; elapsedS: number }> {
  const server = await startRawServer(t, script)
  const { report, status, stderr } = await siegeJson(['-c1', '-r2', server.url], { rc })
  assert.equal(status, 1)
  assert.match(stderr, /^\[error\] /m)
  return { kind: kindOf(report), elapsedS: report.onager.elapsed_time_s }
}

test('a refused port: every transaction failed, all figures zero, status 1', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const { stdout, stderr, status } = await siege(['-c2', '-r3', url])
  assert.deepEqual([status, stdout], [1, ''])
  const figures = blockOf(stderr)
  assert.equal(figures.failed_transactions, 6)
  const { elapsed_time, failed_transactions, ...zeros } = figures
  assert.ok(Object.values(zeros).every((value) => value === 0))
  assert.match(stderr, /^\[error\] .*connection refused.*$/m)
  const { report } = await siegeJson(['-c1', '-r2', url])
  assert.equal(kindOf(report), 'connection refused or unreachable')
})

test('only the first failures of a kind get a line', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const { stderr } = await siege(['-c1', '-r100', url])
  const lines = stderr.split('\n').filter((line) => line.startsWith('[error]'))
  assert.equal(lines.length, 11)
  assert.match(lines.at(-1)!, /more of these are counted/)
})

test('failures = N stops the run after N transport failures with siege words and status 1', async (t) => {
  const url = `http://127.0.0.1:${await freePort()}/`
  for (const threads of [1, 2]) {
    const args = ['-c1', '-r100', `--threads=${threads}`, url]
    const { report, stderr, status } = await siegeJson(args, { rc: 'failures = 5\n' })
    assert.equal(status, 1)
    assert.deepEqual([report.failed_transactions, report.onager.ended_by], [5, 'failures'])
    assert.match(stderr, /^siege aborted due to excessive socket failure; you$/m)
    assert.match(stderr, /^can change the failure threshold in \$HOME\/\.siegerc$/m)
  }
  const server = await startRawServer(t, answering('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'))
  const { report } = await siegeJson(['-c1', '-r20', server.url], { rc: 'failures = 5\n' })
  assert.equal(report.transactions, 20, 'answers never count towards it')
})

test('a run that the failures ended has status 1 even if something succeeded', async (t) => {
  let count = 0
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    if (count++ === 0) await connection.send(OK)
    connection.end()
  })
  const args = ['-c1', '-r100', server.url]
  const { report, status } = await siegeJson(args, { rc: 'failures = 3\n' })
  assert.deepEqual([report.transactions, report.failed_transactions, status], [1, 3, 1])
})

timedTest('a connection that is reset or closed before an answer fails', async (t) => {
  assert.equal((await failureOf(t, once('', 'fin'))).kind, 'closed before a response')
  assert.equal((await failureOf(t, once('', 'reset'))).kind, 'connection reset')
  const atOnce: RawScript = (connection) => connection.end()
  assert.equal((await failureOf(t, atOnce)).kind, 'closed before a response')
})

timedTest('a truncated body fails, whether by length or chunked, by FIN or reset', async (t) => {
  const short = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789'
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'
  const head = 'HTTP/1.1 200 OK\r\nContent-Le'
  for (const bytes of [short, chunked, head]) {
    assert.equal((await failureOf(t, once(bytes, 'fin'))).kind, 'response cut short')
    assert.equal((await failureOf(t, once(bytes, 'reset'))).kind, 'connection reset')
  }
})

test('what is no HTTP fails at once', async (t) => {
  const framing = 'not HTTP, or broken framing'
  for (const bytes of [
    'SSH-2.0-OpenSSH_9\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'garbage without end'.repeat(50),
    '\x00\x01\x02\x03\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  ]) {
    assert.equal((await failureOf(t, once(bytes))).kind, framing, bytes.slice(0, 30))
  }
})

test('odd but valid answers are hits: no reason phrase, bare LF, 1xx first, trailers', async (t) => {
  const trailers = '5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nX-T: v\r\n\r\n'
  for (const [bytes, bodyBytes] of [
    ['HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', 2],
    ['HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 2],
    [`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`, 2],
    [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 P\r\n\r\n${OK}`, 2],
    [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${trailers}`, 11],
    ['HTTP/1.0 200 OK\r\n\r\nuntil the end', 13],
    ['HTTP/1.1 204 No Content\r\n\r\n', 0],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n', 0],
    [`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(60_000)}\r\nContent-Length: 2\r\n\r\nok`, 2],
  ] as const) {
    const server = await startRawServer(t, once(bytes))
    const { report, status } = await siegeJson(['-c1', '-r1', server.url])
    const what = bytes.slice(0, 40)
    assert.deepEqual([report.transactions, report.failed_transactions, status], [1, 0, 0], what)
    assert.equal(report.onager.body_bytes, bodyBytes, what)
  }
})

test('the message ends where its framing says, not when the connection does', async (t) => {
  for (const bytes of [
    OK,
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ]) {
    const server = await startRawServer(t, once(bytes, 'open'))
    const { report } = await siegeJson(['-c1', '-r3', server.url])
    assert.equal(report.transactions, 3)
    assert.ok(report.onager.elapsed_time_s < 5)
  }
  const server = await startRawServer(
    t,
    once('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n', 'open'),
  )
  const head = await siegeJson(['-c1', '-r2', `${server.url}/ HEAD`])
  assert.equal(head.report.transactions, 2)
})

test('a server that ends its side before the request is whole may still be answered', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.send(OK)
    connection.end()
  })
  const { report } = await siegeJson(['-c1', '-r3', server.url])
  assert.equal(report.onager.started, 3)
  assert.equal(report.transactions, 3)
})

timedTest(
  'timeout ends what a server never sends: first byte, inside a body, chunks',
  async (t) => {
    const rc = 'timeout = 0.4\n'
    const stalls: readonly (readonly [RawScript, string])[] = [
      [silent, 'timeout waiting for first byte'],
      [once('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab', 'open'), 'timeout inside a response'],
      [once('HTTP/1.1 200 O', 'open'), 'timeout inside a response'],
    ]
    for (const [script, kind] of stalls) {
      const failure = await failureOf(t, script, rc)
      assert.equal(failure.kind, kind)
      assert.ok(failure.elapsedS >= 0.8 && failure.elapsedS < 4, `${failure.elapsedS}`)
    }
  },
)

timedTest('timeouts are said below the figures, with the setting', async (t) => {
  const server = await startRawServer(t, silent)
  const { stderr } = await siege(['-c1', '-r1', '--timeout=0.3', server.url])
  assert.match(stderr, /0\.3 s/)
  assert.match(stderr, /1 timeout waiting for first byte/)
})

timedTest('a slow body that keeps coming outlives the timeout', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
    for (let n = 0; n < 10; n++) {
      await connection.pause(150)
      await connection.send('x')
    }
  })
  const { report } = await siegeJson(['-c1', '-r1', '--timeout=1', server.url])
  assert.equal(report.transactions, 1)
  assert.ok(report.longest_transaction > 1.2)
})

test('keep-alive honours a close of the server and mends an idle close by one retry', async (t) => {
  const rc = 'connection = keep-alive\n'
  const announced = await startRawServer(
    t,
    answering('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'),
  )
  const first = await siegeJson(['-c1', '-r3', announced.url], { rc })
  assert.deepEqual([first.report.transactions, announced.connectionCount], [3, 3])

  /** Takes the second request of a connection and closes instead of answering it. */
  const closesOnSecond: RawScript = async (connection) => {
    await connection.request()
    await connection.send(OK)
    await connection.request()
    connection.end()
  }
  const racing = await startRawServer(t, closesOnSecond)
  const get = await siegeJson(['-c1', '-r3', racing.url], { rc })
  assert.deepEqual([get.report.transactions, get.report.failed_transactions], [3, 0])
  assert.equal(get.report.onager.retries, 2)
  const post = await siegeJson(['-c1', '-r3', `${racing.url}/ POST a=1`], { rc })
  assert.deepEqual([post.report.transactions, post.report.failed_transactions], [2, 1])
})

test('bytes behind the end of an answer are not taken for the next one', async (t) => {
  const server = await startRawServer(t, answering(`${OK}HTTP/1.1 500 No\r\n\r\n`))
  const { report } = await siegeJson(['-c1', '-r3', server.url], {
    rc: 'connection = keep-alive\n',
  })
  assert.deepEqual(report.onager.statuses, { 200: 3 })
  assert.equal(server.requests.length, 3)
})

test('a name that does not resolve fails at once, is asked for once, and is named', async () => {
  const { report, stderr, status } = await siegeJson(['-c2', '-r3', 'http://no-such-host.invalid/'])
  assert.equal(status, 1)
  assert.equal(report.failed_transactions, 6)
  assert.equal(report.onager.failures[0]?.kind, 'name not resolved')
  assert.match(stderr, /no-such-host\.invalid/)
})

test('IPv6 literals are reached and named in brackets', async (t) => {
  const server = await startRawServer(t, answering(OK), { host: '::1' })
  const { report } = await siegeJson(['-c1', '-r1', server.url])
  assert.equal(report.transactions, 1)
  assert.deepEqual(server.requests[0]?.valuesOf('host'), [`[::1]:${server.port}`])
})

test('4xx and 5xx follow the rules of siege, and all-bad runs are said in a sentence', async (t) => {
  const run = async (status: number) => {
    const answer = `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`
    const server = await startRawServer(t, answering(answer))
    const { stderr, status: exitStatus } = await siege(['-c1', '-r2', '-F', server.url])
    const figures = blockOf(stderr)
    const { transactions, successful_transactions, failed_transactions, availability } = figures
    const isSaid = /response/.test(stderr.split('Transactions:')[0]!.split('siege...')[1]!)
    const counts = [transactions, successful_transactions, failed_transactions, availability]
    return [...counts, exitStatus, isSaid]
  }
  assert.deepEqual(await run(200), [2, 2, 0, 100, 0, false])
  assert.deepEqual(await run(301), [2, 2, 0, 100, 0, false])
  assert.deepEqual(await run(404), [2, 0, 0, 100, 1, true])
  assert.deepEqual(await run(408), [0, 0, 2, 0, 1, true])
  assert.deepEqual(await run(500), [0, 0, 2, 0, 1, true])
  assert.deepEqual(await run(511), [2, 0, 0, 100, 1, true])
})
