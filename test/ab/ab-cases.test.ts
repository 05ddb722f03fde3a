/**
 * What people ran into with ab, from its trackers and their own posts: each as a test against a
 * server that does exactly that. The numbers of options are as they were reported.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { startBlackHole } from '../cli/black-hole.ts'
import { startByteServer } from '../support/byte-server.ts'
import { makeCertificate } from '../support/certificate.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { answering, type RawScript, silent, startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { timedTest } from '../support/timing.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const KEPT = `${OK}Connection: keep-alive\r\n`
const hello: RawScript = answering(`${OK}Content-Length: 5\r\n\r\nhello`)

/** A count of the report, by its label. */
function countOf(report: string, label: string): number {
  const found = new RegExp(`^${label}: +(\\d+)`, 'm').exec(report)
  return found === null ? Number.NaN : Number(found[1])
}

timedTest(
  'a message ends at its Content-Length though the server keeps the connection open',
  async (t) => {
    const server = await startRawServer(t, hello)
    const { status, stdout, elapsedMs } = await runCli('ab', ['-n3', `${server.url}/`])
    assert.equal(status, 0)
    assert.equal(countOf(stdout, 'Complete requests'), 3)
    assert.equal(countOf(stdout, 'Failed requests'), 0)
    assert.ok(elapsedMs < 5000)
  },
)

for (const [name, answer] of [
  ['chunks', `${KEPT}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ['204', 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'],
  ['304', 'HTTP/1.1 304 Not Modified\r\nConnection: keep-alive\r\n\r\n'],
  ['a length of 0', `${KEPT}Content-Length: 0\r\n\r\n`],
  ['hints first', `HTTP/1.1 103 Hints\r\n\r\n${KEPT}Content-Length: 2\r\n\r\nok`],
] as const) {
  test(`-k goes on over one connection with ${name}`, async (t) => {
    const server = await startRawServer(t, answering(answer))
    const { status, stdout } = await runCli('ab', ['-k', '-s2', '-n3', `${server.url}/`])
    assert.equal(status, 0)
    assert.equal(countOf(stdout, 'Complete requests'), 3)
    assert.equal(countOf(stdout, 'Failed requests'), 0)
    assert.equal(countOf(stdout, 'Keep-Alive requests'), 3)
    assert.equal(server.connectionCount, 1)
  })
}

for (const [name, answer, column] of [
  ['garbage', 'SSH-2.0-x\r\n', 'Exceptions: 2'],
  ['nothing', '', 'Receive: 2'],
  ['half a body', `${OK}Content-Length: 10\r\n\r\nhello`, 'Receive: 2'],
] as const) {
  test(`a server that answers ${name} has failed, once for each request`, async (t) => {
    const server = await startRawServer(t, async (connection) => {
      await connection.request()
      if (answer !== '') await connection.send(answer)
      connection.end()
    })
    const { status, stdout } = await runCli('ab', ['-n2', `${server.url}/`])
    assert.equal(status, 1)
    assert.equal(countOf(stdout, 'Complete requests'), 2)
    assert.equal(countOf(stdout, 'Failed requests'), 2)
    assert.match(stdout, new RegExp(`^ {3}\\(Connect: .*${column}`, 'm'))
  })
}

test('a field of the person takes the place of our own of that name', async (t) => {
  const server = await startRawServer(t, hello)
  const folder = tempFolder(t)
  writeFileSync(join(folder, 'body.json'), '{}')
  const post = ['-p', 'body.json', '-H', 'Content-Type: application/json']
  const login = ['-A', 'a:b', '-H', 'authorization: c', '-H', 'Content-Length: 99']
  await runCli(
    'ab',
    ['-n1', '-k', ...post, ...login, '-H', 'Connection: close', `${server.url}/`],
    {
      cwd: folder,
    },
  )
  const [request] = server.requests
  assert.deepEqual(request!.valuesOf('content-type'), ['application/json'])
  assert.deepEqual(request!.valuesOf('connection'), ['close'])
  assert.deepEqual(request!.valuesOf('authorization'), ['c'])
  assert.deepEqual(request!.valuesOf('content-length'), ['2'])
  await runCli('ab', ['-n1', ...post, '-T', 'text/x', `${server.url}/`], { cwd: folder })
  assert.deepEqual(server.requests[1]!.valuesOf('content-type'), ['text/x'])
})

test('several -C make one Cookie field, a fragment is not sent, a long head is sent whole', async (t) => {
  const server = await startRawServer(t, hello)
  const long = `X-Long: ${'x'.repeat(20_000)}`
  const args = ['-n1', '-C', 'a=1', '-C', 'b=2', '-H', long, `${server.url}/ok#frag`]
  assert.equal((await runCli('ab', args)).status, 0)
  const [request] = server.requests
  assert.equal(request!.requestLine, 'GET /ok HTTP/1.0')
  assert.deepEqual(request!.valuesOf('cookie'), ['a=1; b=2'])
  assert.equal(request!.valuesOf('x-long')[0]!.length, 20_000)
})

test('a URL without path, with a query alone or without scheme is taken', async (t) => {
  const server = await startRawServer(t, hello)
  for (const url of [server.url, `${server.url}?x=1`, server.url.replace('http://', '')]) {
    assert.equal((await runCli('ab', ['-n1', url])).status, 0)
  }
  const targets = server.requests.map(({ requestTarget }) => requestTarget)
  assert.deepEqual(targets, ['/', '/?x=1', '/'])
})

test('exactly -n requests are made, whatever -c is, on one thread and on several', async (t) => {
  const server = await startRawServer(t, hello)
  for (const args of [
    ['-n10', '-c3'],
    ['-n7', '-c5'],
    ['-n200', '-c10', '-k', '--threads', '2'],
    ['-n150', '-c4', '--reactor', 'node', '--threads', '2'],
  ]) {
    const seenCount = server.requests.length
    const { stdout } = await runCli('ab', [...args, `${server.url}/`])
    const wanted = Number(args[0]!.slice(2))
    assert.equal(server.requests.length - seenCount, wanted, args.join(' '))
    assert.equal(countOf(stdout, 'Complete requests'), wanted)
    assert.equal(countOf(stdout, 'HTML transferred'), 5 * wanted)
  }
})

timedTest('-t ends on time; what is in flight is neither complete nor failed', async (t) => {
  const server = await startRawServer(t, silent)
  const { status, stdout } = await runCli('ab', ['-t1', '-c5', `${server.url}/`])
  assert.equal(status, 0)
  const [, seconds] = /^Time taken for tests: +([\d.]+)/m.exec(stdout)!
  assert.ok(Number(seconds) >= 0.999 && Number(seconds) < 1.3, seconds)
  assert.equal(countOf(stdout, 'Complete requests'), 0)
  assert.equal(countOf(stdout, 'Failed requests'), 0)
  assert.match(stdout, /^In flight at the end: +5 /m)
})

test('-s is for each request: it ends the run with 119, or counts with -r', async (t) => {
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    if (connection.index % 2 === 0) return connection.end()
    await connection.send(`${OK}Content-Length: 5\r\n\r\nhello`)
  })
  const silentServer = await startRawServer(t, silent)
  const fatal = await runCli('ab', ['-s1', '-n4', `${silentServer.url}/`])
  assert.equal(fatal.status, 119)
  assert.equal(fatal.stderr, 'apr_pollset_poll: The timeout specified has expired (70007)\n')
  assert.match(fatal.stdout, /^Failed requests: +1$/m)
  const counted = await runCli('ab', ['-r', '-s1', '-n2', '-c2', `${silentServer.url}/`])
  assert.match(counted.stdout, /^ {3}\(Connect: 0, Receive: 0, Length: 0, Exceptions: 2\)$/m)
  assert.equal(counted.status, 1)
  const mixed = await runCli('ab', ['-r', '-n4', `${server.url}/`])
  assert.equal(mixed.status, 0)
  assert.equal(countOf(mixed.stdout, 'Failed requests'), 2)
})

test('lengths that differ are failures, and with -l they are not', async (t) => {
  let count = 0
  const server = await startRawServer(
    t,
    answering(() => {
      const body = 'x'.repeat(11 + (count++ % 3))
      return `${OK}Content-Length: ${body.length}\r\n\r\n${body}`
    }),
  )
  const plain = await runCli('ab', ['-n3', `${server.url}/`])
  assert.match(plain.stdout, /^Failed requests: +2\n {3}\(Connect: 0, Receive: 0, Length: 2,/m)
  assert.match(plain.stdout, /^Document Length: +11 bytes$/m)
  const free = await runCli('ab', ['-l', '-n3', `${server.url}/`])
  assert.equal(countOf(free.stdout, 'Failed requests'), 0)
  assert.match(free.stdout, /^Document Length: +Variable$/m)
})

test('a handshake that fails is a failure, and everything failing is status 1', async (t) => {
  const server = await startByteServer(t, async (connection) => {
    await connection.read(1)
    await connection.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    connection.end()
  })
  const args = ['-n2', `https://127.0.0.1:${server.port}/`]
  const { status, stdout, stderr } = await runCli('ab', args)
  assert.equal(status, 1)
  assert.match(stdout, /^ {3}\(Connect: 2, Receive: 0, Length: 0, Exceptions: 0\)$/m)
  assert.match(stderr, /^SSL handshake failed \(1\)\.$/m)
})

test('https through -X goes through CONNECT, with the login of -P for the proxy alone', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const tls = makeCertificate(t, openssl)
  const server = await startRawServer(t, hello, { tls })
  const heads: string[] = []
  const proxy = await startByteServer(t, async (connection) => {
    const head = await connection.readUntil('\r\n\r\n')
    heads.push(head)
    await connection.write('HTTP/1.1 200 Connected\r\n\r\n')
    connection.passOn(server.port)
  })
  const through = ['-X', `127.0.0.1:${proxy.port}`, '-P', 'pu:pp']
  const url = `https://localhost:${server.port}/x`
  const { status, stdout } = await runCli('ab', ['-n2', ...through, url])
  assert.equal(status, 0, stdout)
  assert.equal(countOf(stdout, 'Failed requests'), 0)
  assert.match(heads.at(-1)!, new RegExp(`^CONNECT localhost:${server.port} HTTP/1.1\r\n`))
  assert.match(heads.at(-1)!, /^Proxy-Authorization: Basic cHU6cHA=\r$/m)
  assert.deepEqual(server.requests[0]!.valuesOf('proxy-authorization'), [])
})

test('http through -X has the whole URL, the Host of the server and the login of -P', async (t) => {
  const proxy = await startRawServer(t, hello)
  const args = ['-n1', '-X', `127.0.0.1:${proxy.port}`, '-P', 'pu:pp', 'http://site.test/x']
  const { status, stdout } = await runCli('ab', args)
  assert.equal(status, 0)
  const [request] = proxy.requests
  assert.equal(request!.requestLine, 'GET http://site.test/x HTTP/1.0')
  assert.deepEqual(request!.valuesOf('host'), ['site.test'])
  assert.deepEqual(request!.valuesOf('proxy-authorization'), ['Basic cHU6cHA='])
  assert.match(
    stdout,
    new RegExp(`^Benchmarking site.test \\[through 127.0.0.1:${proxy.port}\\]`, 'm'),
  )
})

test('SIGINT gives the report and status 1, SIGTERM the report and 143', async (t) => {
  for (const [signal, wanted] of [
    ['SIGINT', 1],
    ['SIGTERM', 143],
  ] as const) {
    let tell!: () => void
    const signalOnce = new Promise<void>((resolve) => (tell = resolve))
    const server = await startRawServer(t, async (connection) => {
      await connection.request()
      await connection.pause(20)
      await connection.send(`${OK}Content-Length: 5\r\n\r\nhello`)
      if (server.requests.length > 10) tell()
    })
    const args = ['-n100000', '-c2', '-q', `${server.url}/`]
    const outcome = await runCli('ab', args, { signal, signalOnce })
    assert.equal(outcome.status, wanted)
    assert.match(outcome.stdout, /^Complete requests: +[1-9]/m)
    assert.match(outcome.stdout, / {2}50% /)
    assert.doesNotMatch(outcome.stdout, /\.\.done/)
  }
})

test('from the banner on, a signal gives the report', async (t) => {
  const server = await startRawServer(t, silent)
  for (const args of [['-c3'], ['-w'], ['-c3', '-k', '--threads', '2'], ['-B', 'localhost']]) {
    const outcome = await runCli('ab', ['-n1000', ...args, `${server.url}/`], {
      signalWhen: /This is ApacheBench/,
    })
    assert.equal(outcome.status, 1, args.join(' '))
    assert.match(outcome.stdout, /Complete requests:(?: +|<.*>)0(?:\n|<)/)
  }
})

test('IPv6 has brackets in Host and none in the report', async (t) => {
  const server = await startRawServer(t, hello, { host: '::1' })
  const { status, stdout } = await runCli('ab', ['-n1', `http://[::1]:${server.port}/`])
  assert.equal(status, 0)
  assert.deepEqual(server.requests[0]!.valuesOf('host'), [`[::1]:${server.port}`])
  assert.match(stdout, /^Server Hostname: +::1$/m)
})

test('a script that scrapes ab finds what it looks for, in text and in files', async (t) => {
  const server = await startRawServer(t, hello)
  const folder = tempFolder(t)
  const files = ['-e', 'e.csv', '-g', 'g.tsv']
  const { stdout } = await runCli('ab', ['-n60', '-c3', ...files, `${server.url}/`], {
    cwd: folder,
  })
  for (const pattern of [
    /^Requests per second: {4}(\d+\.\d\d) \[#\/sec\] \(mean\)$/gm,
    /^Time per request: {7}(\d+\.\d{3}) \[ms\] \(mean\)$/gm,
    /^Time per request: {7}(\d+\.\d{3}) \[ms\] \(mean, across all concurrent requests\)$/gm,
    /^Failed requests: {8}(\d+)$/gm,
    /^Transfer rate: {10}(\d+\.\d\d) \[Kbytes\/sec\] received$/gm,
    /^ {2}50% {2} *(\d+)$/gm,
    /^ {2}99% {2} *(\d+)$/gm,
    /^ 100% {2} *(\d+) \(longest request\)$/gm,
    /^Total: +\d+ +\d+ +\d+\.\d +\d+ +\d+$/gm,
  ]) {
    assert.equal([...stdout.matchAll(pattern)].length, 1, String(pattern))
  }
  const csv = readFileSync(join(folder, 'e.csv'), 'utf8').trimEnd().split('\n')
  assert.equal(csv[0], 'Percentage served,Time in ms')
  const values = csv.slice(1).map((line) => Number(line.split(',')[1]))
  assert.equal(values.length, 101)
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  )
  const tsv = readFileSync(join(folder, 'g.tsv'), 'utf8').trimEnd().split('\n')
  assert.equal(tsv[0], 'starttime\tseconds\tctime\tdtime\tttime\twait')
  assert.equal(tsv.length, 61)
  const totals = tsv.slice(1).map((line) => Number(line.split('\t')[4]))
  assert.deepEqual(
    totals,
    totals.toSorted((a, b) => a - b),
  )
})

test('-b takes a reactor that can set buffers, or says that it is ignored', async (t) => {
  const server = await startRawServer(t, hello)
  const args = ['-n1', '-b', '4096', `${server.url}/`]
  const auto = await runCli('ab', args)
  const ignored = 'ab: -b is ignored: the node reactor cannot set the buffers of sockets\n'
  const isBlocking = /^Generator busy: .* \((?:epoll|uring)\)$/m.test(auto.stdout)
  assert.deepEqual([auto.status, auto.stderr], [0, isBlocking ? '' : ignored])
  const node = await runCli('ab', ['--reactor', 'node', ...args])
  assert.deepEqual([node.status, node.stderr], [0, ignored])
})

test('--json prints JSON and nothing else', async (t) => {
  const server = await startRawServer(t, hello)
  const { stdout } = await runCli('ab', ['-n4', '--json', `${server.url}/`])
  const value = JSON.parse(stdout)
  assert.equal(value.complete_requests, 4)
  assert.equal(value.onager.completedCount, 4)
})

test('the help of an old hand and of a new one, and a value that is none', async () => {
  const usage = await runCli('ab', ['-h'])
  assert.deepEqual([usage.status, usage.stdout], [22, ''])
  assert.match(usage.stderr, /^Usage: ab \[options\] \[http\[s\]:\/\/\]hostname\[:port\]\/path\n/)
  const help = await runCli('ab', ['--help'])
  assert.deepEqual([help.status, help.stderr, help.stdout], [0, '', usage.stderr])
  const wrong = await runCli('ab', ['--threads', 'x', 'http://127.0.0.1/'])
  assert.equal(wrong.status, 22)
  assert.match(wrong.stderr, /^ab: --threads must be a whole number from 1 to 1024, not "x"\n/)
})

test('what would break the request is refused before anything is sent', async (t) => {
  const server = await startRawServer(t, hello)
  for (const [args, mistake] of [
    [['-C', 'a=1\r\nX-Evil: 1'], 'invalid cookie'],
    [['-C', 'a=1', '-C', 'b\n'], 'invalid cookie'],
    [['-T', 'text/x\r\nX-Evil: 1', '-p', '/dev/null'], 'invalid content type'],
    [['-X', ''], 'invalid proxy'],
    [['-X', ':8080'], 'invalid proxy'],
    [['-X', '127.0.0.1:web'], 'invalid proxy'],
    [['-X', '127.0.0.1:65536'], 'invalid proxy'],
    [['-X', 'http://127.0.0.1:8080'], 'invalid proxy'],
    [['-m', 'A B'], 'invalid method'],
  ] as const) {
    const { status, stdout, stderr } = await runCli('ab', [...args, `${server.url}/`])
    assert.deepEqual([status, stdout], [22, ''], JSON.stringify(args))
    assert.equal(stderr.split('\n')[0], `ab: ${mistake}`)
  }
  await runCli('ab', ['-H', '', '-H', 'X-A: 1\r\nX-B: 2', `${server.url}/`])
  assert.equal(server.requests.length, 1)
  const names = server.requests[0]!.fields.map(([name]) => name)
  assert.deepEqual(names, ['X-A', 'X-B', 'Host', 'User-Agent', 'Accept'])
})

test('a file that cannot be written is told after the report, with status 1', async (t) => {
  const server = await startRawServer(t, hello)
  for (const [args, text] of [
    [['-e', '/dev/full'], 'Cannot write CSV output file: No space left on device'],
    [['-g', '/dev/full'], 'Cannot write gnuplot output file: No space left on device'],
    [['-e', '/missing/e.csv'], 'Cannot open CSV output file: No such file or directory'],
    [['-g', '.'], 'Cannot open gnuplot output file: Is a directory'],
  ] as const) {
    const { status, stdout, stderr } = await runCli('ab', [...args, `${server.url}/`])
    assert.deepEqual([status, stderr], [1, `${text}\n`])
    assert.match(stdout, /^Complete requests: {6}1$/m)
  }
})

test('-e - and -g - are files of that name, as in ab', async (t) => {
  const server = await startRawServer(t, hello)
  const cwd = tempFolder(t)
  for (const option of ['-e', '-g']) {
    const { status, stdout } = await runCli('ab', [option, '-', `${server.url}/`], { cwd })
    assert.equal(status, 0)
    assert.doesNotMatch(stdout, /Percentage served,|starttime/)
    const [heading] = readFileSync(join(cwd, '-'), 'utf8').split('\n')
    assert.match(heading!, option === '-e' ? /^Percentage served,/ : /^starttime\t/)
  }
  const { status, stderr } = await runCli('ab', ['-p', './-x', `${server.url}/`], { cwd })
  assert.deepEqual([status, stderr.includes('Could not open POST data file (./-x)')], [1, true])
})

test('a report that cannot be printed is told, with status 1', async (t) => {
  const server = await startRawServer(t, hello)
  const script = join(projectRoot, 'bin', 'ab.js')
  for (const option of ['--classic', '--json', '-w']) {
    const command = `'${process.execPath}' '${script}' ${option} ${server.url}/ >/dev/full`
    const { status, stderr } = await runProgram('/bin/sh', ['-c', command])
    assert.equal(status, 1)
    assert.equal(
      stderr,
      'ab: the report could not be printed: there is no space left on the device\n',
    )
  }
})

test('files for TLS that are none are told before anything is sent', async (t) => {
  const server = await startRawServer(t, hello)
  const folder = tempFolder(t)
  const file = join(folder, 'none.pem')
  writeFileSync(file, 'none')
  for (const [args, first] of [
    [['-E', '/missing.pem'], "unable to get certificate from '/missing.pem'"],
    [['-E', file], `unable to get certificate from '${file}'`],
    [['-Z', 'bogus'], 'error setting ciphersuite list [bogus]'],
    [['-Z', ''], 'error setting ciphersuite list []'],
    [['-Z', ':'], 'error setting ciphersuite list [:]'],
  ] as const) {
    const { status, stdout, stderr } = await runCli('ab', [...args, `${server.url}/`])
    assert.deepEqual([status, stdout], [1, ''])
    const lines = stderr.trimEnd().split('\n')
    assert.deepEqual([lines[0], lines.length], [first, 2])
  }
  assert.equal(server.requests.length, 0)
})

test('-B names an address, and no other family than the one that is connected to', async (t) => {
  const server = await startRawServer(t, hello)
  const near = await runCli('ab', ['-n2', '-B', '127.0.0.1', `${server.url}/`])
  assert.equal(near.status, 0)
  for (const [address, status, text] of [
    ['', 50, 'apr_sockaddr_info_get() for : Name or service not known (670002)'],
    [
      '::1',
      57,
      'apr_sockaddr_info_get() for 127.0.0.1: Address family for hostname not supported (670009)',
    ],
    ['10.9.8.7', 99, 'bind: Cannot assign requested address (99)'],
  ] as const) {
    const outcome = await runCli('ab', ['-n2', '-B', address, `${server.url}/`])
    assert.deepEqual([outcome.status, outcome.stderr], [status, `${text}\n`])
  }
})

test('-v 2 shows the bytes of heads as they are', async (t) => {
  const server = await startRawServer(t, answering(`${OK}X-Odd: \xe9\r\nContent-Length: 0\r\n\r\n`))
  const { stdout } = await runCli('ab', ['-v2', '-H', 'X-Name: \u00e9', `${server.url}/`])
  assert.match(stdout, /^X-Name: \u00e9\r$/m)
  // The byte of the server is no UTF-8.
  assert.match(stdout, /^X-Odd: \ufffd\r$/m)
})

test('a body goes out byte for byte, with its length in bytes', async (t) => {
  const server = await startRawServer(t, hello)
  const folder = tempFolder(t)
  const body = Buffer.concat([
    Buffer.from('{"n":"Zo\u00eb \u2713\u{1f600}"}'),
    Buffer.of(0xff, 0xfe, 0),
  ])
  writeFileSync(join(folder, 'body'), body)
  await runCli('ab', ['-n2', '-c2', '-p', 'body', `${server.url}/`], { cwd: folder })
  assert.equal(server.requests.length, 2)
  for (const request of server.requests) {
    assert.deepEqual(request.valuesOf('content-length'), [String(body.length)])
    assert.equal(request.body, body.toString('latin1'))
  }
})

test('a body file that is missing, and options behind the URL, send nothing', async (t) => {
  const server = await startRawServer(t, hello)
  const missing = await runCli('ab', ['-p', './nosuch.bin', `${server.url}/`])
  const text = 'ab: Could not open POST data file (./nosuch.bin): No such file or directory\n'
  assert.deepEqual([missing.status, missing.stdout, missing.stderr], [1, '', text])
  const late = await runCli('ab', [`${server.url}/`, '-n', '5'])
  assert.deepEqual([late.status, late.stdout], [22, ''])
  assert.match(late.stderr, /^ab: wrong number of arguments\n/)
  assert.equal(server.requests.length, 0)
})

test('-s bounds a body that stalls, and a port that answers no connection', async (t) => {
  const stalling = await startRawServer(t, async (connection) => {
    await connection.request()
    await connection.send(`${OK}Content-Length: 10\r\n\r\nhel`)
  })
  const stalled = await runCli('ab', ['-r', '-s1', '-n2', '-c2', `${stalling.url}/`])
  assert.match(stalled.stdout, /^ {3}\(Connect: 0, Receive: 0, Length: 0, Exceptions: 2\)$/m)
  const port = await startBlackHole(t)
  if (port === undefined) return
  const url = `http://127.0.0.1:${port}/`
  const fatal = await runCli('ab', ['-s1', '-n2', url])
  const text = 'apr_pollset_poll: The timeout specified has expired (70007)\n'
  assert.deepEqual([fatal.status, fatal.stderr], [119, text])
  const counted = await runCli('ab', ['-r', '-s1', '-n2', '-c2', url])
  assert.match(counted.stdout, /^ {3}\(Connect: 2, Receive: 0, Length: 0, Exceptions: 0\)$/m)
})

test('the server name is that of the URL or of Host, never an address, and none with -I', async (t) => {
  const openssl = requirePart(t, 'openssl')
  if (openssl === undefined) return
  const names: string[] = []
  const server = createServer({
    ...makeCertificate(t, openssl),
    SNICallback(name, done) {
      names.push(name)
      done(null)
    },
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`${OK}Content-Length: 2\r\n\r\nok`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  for (const reactor of ['node', 'auto']) {
    names.length = 0
    // More than a short run, which the node reactor would get by itself.
    const base = ['--reactor', reactor, '--threads', '2', '-c2', '-n2']
    for (const [args, host] of [
      [[], 'localhost'],
      [[], '127.0.0.1'],
      [['-I'], 'localhost'],
      [['-H', 'Host: site.test'], '127.0.0.1'],
    ] as const) {
      const { status } = await runCli('ab', [...base, ...args, `https://${host}:${port}/`])
      assert.equal(status, 0)
    }
    assert.deepEqual(names, ['localhost', 'localhost', 'site.test', 'site.test'], reactor)
  }
})

test('a name that is not found is said once and ends the run, -r or not', async () => {
  const text = 'apr_sockaddr_info_get() for nosuch.invalid: Name or service not known (670002)\n'
  const fatal = await runCli('ab', ['-n3', 'http://nosuch.invalid/'])
  assert.deepEqual([fatal.status, fatal.stderr], [50, text])
  const counted = await runCli('ab', ['-r', '-n3', 'http://nosuch.invalid/'])
  assert.equal(counted.status, 1)
  assert.match(counted.stdout, /^ {3}\(Connect: 3, Receive: 0, Length: 0, Exceptions: 0\)$/m)
  for (const { stdout } of [fatal, counted]) assert.doesNotMatch(stdout, /NaN|Infinity|undefined/)
})

test('--json is JSON in every state', async (t) => {
  let isAsked = () => {}
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    isAsked()
  })
  const url = `${server.url}/`
  for (const [args, isInterrupted] of [
    [['-t1', url], false],
    [['-s1', url], false],
    [['-r', '-n2', 'http://127.0.0.1:1/'], false],
    [['-n1000', '-v4', '-w', url], true],
  ] as const) {
    const signalOnce = new Promise<void>((resolve) => {
      if (isInterrupted) isAsked = resolve
    })
    const { stdout, stderr } = await runCli('ab', ['--json', ...args], { signalOnce })
    const value = JSON.parse(stdout)
    assert.equal(value.requests_per_second === null || value.requests_per_second >= 0, true, stderr)
  }
})

test('an IPv6 address without brackets is no URL', async () => {
  const { status, stderr } = await runCli('ab', ['http://::1:80/'])
  assert.equal(status, 22)
  assert.match(stderr, /^ab: invalid URL\n/)
})
