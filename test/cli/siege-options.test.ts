/** Each option and directive of `siege` changes what it says it changes: on the wire or in the run. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import {
  answering,
  type RawRequest,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import type { Scope } from '../support/scope.ts'
import { timedTest } from '../support/timing.ts'
import { blockOf, siege, siegeJson } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n'

const startOk = (scope: Scope): Promise<RawServer> => startRawServer(scope, answering(OK))

const targetsOf = ({ requests }: RawServer) => requests.map(({ requestTarget }) => requestTarget)

test('-c users send -r requests each: exactly c x r', async (t) => {
  const server = await startOk(t)
  const { report, status } = await siegeJson(['-c3', '-r4', server.url])
  assert.equal(status, 0)
  assert.equal(server.requests.length, 12)
  assert.equal(report.transactions, 12)
  assert.equal(report.onager.users, 3)
  assert.equal(report.onager.ended_by, 'count')
})

test('without a siegerc line 25 users send HTTP/1.1 requests with the fields of siege', async (t) => {
  const server = await startOk(t)
  const { stderr } = await siege(['-r1', `${server.url}/a`])
  assert.match(stderr, /^\*\* Preparing 25 concurrent users for battle\.$/m)
  assert.equal(server.requests.length, 25)
  const { raw } = server.requests[0]!
  assert.match(
    raw,
    new RegExp(
      `^GET /a HTTP/1\\.1\\r\\nHost: 127\\.0\\.0\\.1:${server.port}\\r\\nAccept: \\*/\\*\\r\\n` +
        'Accept-Encoding: gzip, deflate\\r\\n' +
        'User-Agent: Mozilla/5\\.0 \\([\\w.-]+\\) Siege/4\\.1\\.7\\r\\nConnection: close\\r\\n\\r\\n$',
    ),
  )
})

test('-c may be more than 255; only a limit in the siegerc caps it, with a warning', async (t) => {
  const server = await startOk(t)
  const free = await siegeJson(['-c300', '-r1', server.url])
  assert.equal(free.report.transactions, 300)
  assert.doesNotMatch(free.stderr, /limit/)
  const capped = await siegeJson(['-c300', '-r1', server.url], { rc: 'limit = 5\n' })
  assert.equal(capped.report.transactions, 5)
  assert.match(capped.stderr, /300 users are more than the limit of 5/)
})

timedTest(
  '-t ends the run after exactly that time, in-flight requests being neither',
  async (t) => {
    const server = await startRawServer(t, async (connection) => {
      await connection.request()
      await connection.pause(1500)
      await connection.send(OK)
    })
    for (const flag of ['-t1S', '--time=1s', '-t=1s']) {
      const { report, status } = await siegeJson([flag, '-c3', server.url])
      const { onager } = report
      assert.equal(status, 1, 'nothing succeeded')
      assert.deepEqual([report.transactions, report.failed_transactions], [0, 0])
      assert.deepEqual([onager.in_flight_at_end, onager.ended_by], [3, 'time'])
      assert.ok(
        onager.elapsed_time_s >= 1 && onager.elapsed_time_s < 1.5,
        `${onager.elapsed_time_s}`,
      )
    }
  },
)

timedTest('-t beats -r with the words of siege', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.pause(100)
    await connection.send(OK)
    connection.end()
  })
  const { report, stderr } = await siegeJson(['-t0.5S', '-r1', '-c1', server.url])
  assert.match(stderr, /^\[error\] CONFIG conflict: selected time and repetition based testing$/m)
  assert.match(stderr, /^defaulting to time-based testing: 0\.5 seconds$/m)
  assert.ok(report.transactions > 1)
  assert.equal(report.onager.ended_by, 'time')
})

timedTest('-d pauses at most that long between iterations, -b not at all', async (t) => {
  const server = await startOk(t)
  const paused = await siegeJson(['-c1', '-r4', '-d0.2', server.url])
  assert.equal(paused.report.transactions, 4)
  assert.ok(paused.report.onager.response_time_ms!.p50 < 150, 'pauses are no response time')
  const many = await siegeJson(['-c20', '-r2', '-d0.4', server.url])
  // Of twenty pauses up to 0.4 s at least one is longer than 0.1 s, save once in 10^12 runs.
  assert.ok(many.report.onager.elapsed_time_s > 0.1)
  const unpaused = await siegeJson(['-c20', '-r2', '-b', '-d60', server.url])
  assert.ok(unpaused.report.onager.elapsed_time_s < 10)
  assert.equal(unpaused.report.transactions, 40)
})

test('-f takes users through the list in order, each from its own start', async (t) => {
  const server = await startOk(t)
  const file = join(tempFolder(t), 'urls.txt')
  writeFileSync(file, [1, 2, 3, 4, 5, 6].map((n) => `${server.url}/${n}\n`).join(''))
  await siege(['-c1', '-r8', '-q', '-f', file])
  assert.deepEqual(targetsOf(server), ['/1', '/2', '/3', '/4', '/5', '/6', '/1', '/2'])
})

test('-i draws from the list at random; --seed repeats the draw', async (t) => {
  const server = await startOk(t)
  const file = join(tempFolder(t), 'urls.txt')
  writeFileSync(file, Array.from({ length: 50 }, (_, n) => `${server.url}/${n}\n`).join(''))
  const draw = async (...flags: string[]) => {
    const before = server.requests.length
    await siege(['-c1', '-r30', '-q', '-f', file, ...flags])
    return targetsOf(server).slice(before)
  }
  const first = await draw('-i', '--seed=7')
  assert.equal(first.length, 30)
  const inOrder = first.map((_, n) => `/${n}`)
  assert.notDeepEqual(first, inOrder)
  assert.deepEqual(await draw('-i', '--seed', '7'), first)
  assert.notDeepEqual(await draw('-i', '--seed', '8'), first)
})

test('-r once requests every URL of the list exactly once, whatever the number of users', async (t) => {
  const server = await startOk(t)
  const file = join(tempFolder(t), 'urls.txt')
  const names = [1, 2, 3, 4, 5].map((n) => `/${n}`)
  writeFileSync(file, names.map((name) => `${server.url}${name}\n`).join(''))
  for (const users of [1, 2, 5, 9]) {
    const before = server.requests.length
    const { report } = await siegeJson([`-c${users}`, '-r', 'once', '-f', file])
    assert.deepEqual(targetsOf(server).slice(before).sort(), names)
    assert.equal(report.transactions, 5)
  }
  const byConfig = await siegeJson(['-c2', '-f', file], { rc: 'reps = Once\n' })
  assert.equal(byConfig.report.transactions, 5)
})

test('-H adds fields in order, replaces built-in ones of any case, and may repeat a name', async (t) => {
  const server = await startOk(t)
  const args = ['-c1', '-r1', '-q', '-H', 'X-B: http://a:8/b:c', '-H', 'X-A:10:20', '-H', 'X-E:']
  await siege([...args, '-H', 'X-B: 2', '-H', 'accept-encoding: br', server.url])
  const [request] = server.requests
  const names = request!.fields.map(([name]) => name)
  assert.deepEqual(names, [
    ...['Host', 'Accept', 'accept-encoding', 'User-Agent'],
    ...['X-B', 'X-A', 'X-E', 'X-B', 'Connection'],
  ])
  assert.deepEqual(request!.valuesOf('x-b'), ['http://a:8/b:c', '2'])
  assert.deepEqual(request!.valuesOf('x-a'), ['10:20'])
  assert.deepEqual(request!.valuesOf('x-e'), [''])
  assert.deepEqual(request!.valuesOf('accept-encoding'), ['br'])
})

test('a header field may be of any length', async (t) => {
  const server = await startOk(t)
  const value = 'v'.repeat(50_000)
  await siege(['-c1', '-r1', '-q', '-H', `X-Token: ${value}`, server.url])
  assert.deepEqual(server.requests[0]?.valuesOf('x-token'), [value])
})

test('-H Host replaces the field and connects to the address of the URL', async (t) => {
  const server = await startOk(t)
  await siege(['-c1', '-r1', '-q', '-H', 'Host: vhost.test', server.url])
  assert.deepEqual(server.requests[0]?.valuesOf('host'), ['vhost.test'])
})

test('-A sets the User-Agent; of -A and -H User-Agent the last one counts, alone', async (t) => {
  const server = await startOk(t)
  const agents = async (...args: string[]) => {
    const before = server.requests.length
    await siege(['-c1', '-r1', '-q', ...args, server.url])
    return server.requests.slice(before).map((request) => request.valuesOf('user-agent'))
  }
  assert.deepEqual(await agents('-A', 'me 1.0'), [['me 1.0']])
  assert.deepEqual(await agents('--agent=me'), [['me']])
  assert.deepEqual(await agents('-H', 'user-agent: x'), [['x']])
  assert.deepEqual(await agents('-H', 'user-agent: x', '-A', 'y'), [['y']])
  assert.deepEqual(await agents('-A', 'y', '-H', 'user-agent: x'), [['x']])
})

test('-T sets the type of bodies, beats -H Content-Type, and leaves GET alone', async (t) => {
  const server = await startOk(t)
  const post = `${server.url}/ POST {}`
  const types = async (...args: string[]) => {
    const before = server.requests.length
    await siege(['-c1', '-r1', '-q', ...args])
    return server.requests.slice(before).map((request) => request.valuesOf('content-type'))
  }
  assert.deepEqual(await types(post), [['application/x-www-form-urlencoded']])
  assert.deepEqual(await types('-T', 'application/json', post), [['application/json']])
  assert.deepEqual(await types('-H', 'content-type: a/b', post), [['a/b']])
  assert.deepEqual(await types('-H', 'Content-Type: a/b', '-T', 'c/d', post), [['c/d']])
  assert.deepEqual(await types('-T', 'application/json', server.url), [[]])
})

test('connection, protocol and accept-encoding of the siegerc reach the wire', async (t) => {
  const server = await startOk(t)
  const rc = 'connection = keep-alive\nprotocol = HTTP/1.0\naccept-encoding = identity\n'
  const { report } = await siegeJson(['-c2', '-r5', server.url], { rc })
  const { requestLine, valuesOf } = server.requests[0] as RawRequest
  assert.equal(requestLine, 'GET / HTTP/1.0')
  assert.deepEqual(valuesOf('connection'), ['keep-alive'])
  assert.deepEqual(valuesOf('accept-encoding'), ['identity'])
  assert.equal(report.transactions, 10)
})

test('keep-alive uses one connection a user, close one a request; -H Connection decides', async (t) => {
  const server = await startOk(t)
  const connections = async (args: readonly string[], rc: string) => {
    const before = server.connectionCount
    const { report } = await siegeJson(['-c2', '-r5', ...args, server.url], { rc })
    const count = server.connectionCount - before
    assert.deepEqual([report.transactions, report.onager.connections], [10, count])
    return count
  }
  assert.equal(await connections([], 'connection = keep-alive\n'), 2)
  assert.equal(await connections([], 'connection = close\n'), 10)
  assert.equal(await connections(['-H', 'Connection: keep-alive'], ''), 2)
  assert.equal(await connections(['-H', 'Connection: close'], 'connection = keep-alive\n'), 10)
})

test('several URLs are all used, as a list', async (t) => {
  const server = await startOk(t)
  const urls = ['/a', '/b', '/c'].map((path) => server.url + path)
  await siege(['-c1', '-r3', '-q', ...urls])
  assert.deepEqual(targetsOf(server), ['/a', '/b', '/c'])
})

test('options count wherever they stand, clustered, attached, with = and abbreviated', async (t) => {
  const server = await startOk(t)
  const url = `${server.url}/ POST {}`
  const lines = [
    [url, '-H', 'X-A: 1', '-r', '2', '-c', '1'],
    ['-qbc1', '-r2', '-HX-A: 1', url],
    ['--conc=1', '--reps', '2', '--header=X-A: 1', url, '-q'],
    ['-c=1', '-r=2', '-H=X-A: 1', '--', url],
    ['-c1', '-r', '+2', '--head', 'X-A: 1', '--quiet', url],
  ]
  for (const args of lines) {
    const before = server.requests.length
    const { status } = await siege(args)
    const sent = server.requests.slice(before)
    assert.deepEqual([status, sent.length], [0, 2], args.join(' '))
    assert.deepEqual(sent[0]?.valuesOf('x-a'), ['1'])
    assert.equal(sent[0]?.method, 'POST')
  }
})

test('precedence is command line, siegerc, default; the last of an option counts', async (t) => {
  const server = await startOk(t)
  const rc = `concurrent = 2 # two\nreps=3\nverbose=True\nurl = ${server.url}/rc\n`
  const fromFile = await siegeJson([], { rc })
  assert.equal(fromFile.report.transactions, 6)
  const fromLine = await siegeJson(['-c4', '-r9', '-r1', `${server.url}/line`], { rc })
  assert.equal(fromLine.report.transactions, 4)
  assert.deepEqual(new Set(targetsOf(server)), new Set(['/rc', '/line']))
})

test('SIEGERC names the siegerc where -R does not; variables of it are replaced', async (t) => {
  const server = await startOk(t)
  const rcFile = join(tempFolder(t), 'my.conf')
  writeFileSync(rcFile, `host = ${server.url}\nurl = $(host)/$PAGE\nreps = 1\nconcurrent = 1\n`)
  const env = { SIEGERC: rcFile, PAGE: 'x1' }
  const { report } = await siegeJson([], { rc: null, env })
  assert.equal(report.transactions, 1)
  assert.deepEqual(targetsOf(server), ['/x1'])
})

test('-F, -N and --threads are accepted, and threads share out the users', async (t) => {
  const server = await startOk(t)
  for (const threads of [1, 2, 4]) {
    const { report } = await siegeJson([
      '-F',
      '-N',
      `--threads=${threads}`,
      '-c5',
      '-r3',
      server.url,
    ])
    assert.equal(report.transactions, 15)
    assert.equal(report.onager.generator.threads, threads)
  }
  assert.equal(server.requests.length, 45)
})

test('-D shows the heads of both sides on stdout and one figure more', async (t) => {
  const server = await startOk(t)
  const { stdout, stderr } = await siege(['-D', '-c1', '-r1', `${server.url}/x`])
  assert.match(stdout, /^GET \/x HTTP\/1\.1\r?\nHost: /m)
  assert.match(stdout, /^HTTP\/1\.1 200 OK\r?\nContent-Length: 3\r?\n/m)
  assert.doesNotMatch(stdout, / ==> /)
  assert.match(stderr, /debugging enabled/)
  assert.match(stderr, /^HTTP OK received:\t {11}1$/m)
})

test('zero-data-ok = false makes an answer without a body a failed transaction', async (t) => {
  const server = await startRawServer(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  const strict = await siegeJson(['-c1', '-r2', server.url], { rc: 'zero-data-ok = false\n' })
  assert.deepEqual([strict.report.transactions, strict.report.failed_transactions], [0, 2])
  assert.equal(strict.status, 1)
  const lenient = await siegeJson(['-c1', '-r2', server.url])
  assert.deepEqual([lenient.report.transactions, lenient.status], [2, 0])
})

test('-C shows the settings of both sources, hides passwords, and sends nothing', async (t) => {
  const server = await startOk(t)
  const rc = 'concurrent = 7\nlogin = jdoe:secret:realm\n'
  const { stdout, stderr, status } = await siege(['-C', '-r3', '-d1.5', server.url], { rc })
  assert.deepEqual([status, stderr, server.requests.length], [0, '', 0])
  assert.match(stdout, /^CURRENT {2}SIEGE {2}CONFIGURATION\n/)
  assert.match(stdout, /^concurrent users: {15}7$/m)
  assert.match(stdout, /^repetitions: {20}3$/m)
  assert.match(stdout, /^delay: {26}1\.500 secs$/m)
  assert.match(stdout, /jdoe:/)
  assert.doesNotMatch(stdout, /secret/)
})

test('-V and -h answer on the streams siege uses and send nothing', async (t) => {
  const server = await startOk(t)
  const version = await siege(['-V', server.url])
  assert.deepEqual([version.status, version.stdout], [0, ''])
  assert.match(version.stderr, /^SIEGE 4\.1\.7 \(onager \d+\.\d+\.\d+\)\n\n/)
  const help = await siege(['-h', server.url])
  assert.equal(help.status, 0)
  assert.match(help.stderr, /^SIEGE 4\.1\.7 \(onager \d+\.\d+\.\d+\)\n$/)
  assert.match(help.stdout, /^usage: siege/im)
  for (const option of ['--concurrent', '--reps', '--time', '--json-output', '--threads']) {
    assert.ok(help.stdout.includes(option), option)
  }
  assert.equal(server.requests.length, 0)
})

test('--classic leaves the addition out of the text and of the JSON', async (t) => {
  const server = await startOk(t)
  const text = await siege(['--classic', '-c1', '-r1', server.url])
  blockOf(text.stderr)
  assert.doesNotMatch(text.stderr, /Percentiles|Status:|Generator/)
  assert.ok(text.stderr.endsWith('\n \n'))
  const json = await siege(['-j', '--classic', '-c1', '-r1', server.url])
  assert.equal(Object.keys(JSON.parse(json.stdout)).length, 12)
})
