/**
 * What was observed of ab, as a table: what it counts of each shape of a response, and what it says
 * and returns for each way to end. Where ours decides otherwise, the row has our value, and
 * docs/differences.md has the reason.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbReportFacts, abText } from '../../src/report/ab-text.ts'
import { abFigures } from '../../src/result/ab-figures.ts'
import { fixedRuns } from '../support/fixed-runs.ts'
import { freePort } from '../support/ports.ts'
import { type RawScript, silent, startRawServer } from '../support/raw-server.ts'
import { runCli, runProgram } from '../support/run-cli.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const KEPT = `${OK}Connection: keep-alive\r\n`
const HELLO = 'Content-Length: 5\r\n\r\nhello'

/** Answers once, in parts a little apart, and closes. */
function once(...parts: readonly string[]): RawScript {
  return async (connection) => {
    if ((await connection.request()) === null) return connection.end()
    for (const [index, part] of parts.entries()) {
      if (index > 0) await connection.pause(10)
      await connection.send(part)
    }
    connection.end()
  }
}

/** Answers in parts, for as long as it is asked. */
function always(...parts: readonly string[]): RawScript {
  return async (connection) => {
    while ((await connection.request()) !== null) {
      for (const [index, part] of parts.entries()) {
        if (index > 0) await connection.pause(parts.length > 2 ? 1 : 10)
        await connection.send(part)
      }
    }
    connection.end()
  }
}

function alternating(): RawScript {
  let count = 0
  return (connection) => once(`${OK}\r\n${'x'.repeat(10 + (count++ % 2))}`)(connection)
}

const closingAfterTwo: RawScript = async (connection) => {
  for (let count = 0; count < 2 && (await connection.request()) !== null; count++) {
    await connection.send(`${KEPT}${HELLO}`)
  }
  connection.end()
}

interface Shape {
  readonly name: string
  readonly script: RawScript
  readonly flags?: readonly string[]
  /** Failed, Non-2xx, Keep-Alive; null where the report has no such line. */
  readonly counts: readonly [failed: number, other: number | null, kept: number | null]
  readonly length: string
}

const K = ['-k']
const shapes: readonly Shape[] = [
  {
    name: '200 with a length',
    script: once(`${OK}${HELLO}`),
    counts: [0, null, null],
    length: '5',
  },
  { name: '10 and 11 bytes', script: alternating(), counts: [2, null, null], length: '10' },
  {
    name: '10 and 11 bytes, -l',
    script: alternating(),
    flags: ['-l'],
    counts: [0, null, null],
    length: 'Variable',
  },
  {
    name: '500',
    script: once('HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nabc'),
    counts: [0, 4, null],
    length: '3',
  },
  {
    name: '302 without a body',
    script: once('HTTP/1.1 302 F\r\n\r\n'),
    counts: [0, 4, null],
    length: '0',
  },
  {
    name: 'half a body',
    script: once(`${OK}Content-Length: 10\r\n\r\nhello`),
    counts: [4, null, null],
    length: '0',
  },
  {
    name: 'half a body, -k',
    script: once(`${KEPT}Content-Length: 10\r\n\r\nhello`),
    flags: K,
    counts: [4, null, 0],
    length: '0',
  },
  {
    name: 'HTTP/1.1 that says nothing of the connection and closes, -k',
    script: once(`${OK}${HELLO}`),
    flags: K,
    counts: [0, null, 0],
    length: '5',
  },
  {
    name: 'HTTP/1.1 that says nothing of the connection and leaves it open, -k',
    script: always(`${OK}${HELLO}`),
    flags: [...K, '-s1'],
    counts: [0, null, 0],
    length: '5',
  },
  {
    name: 'the same without -k',
    script: always(`${OK}${HELLO}`),
    flags: ['-s1'],
    counts: [0, null, null],
    length: '5',
  },
  {
    name: 'keep-alive without a length, and the end, -k',
    script: once(`${KEPT}\r\nhello`),
    flags: K,
    counts: [0, null, 0],
    length: '5',
  },
  {
    name: 'chunks in one packet, -k',
    script: always(`${KEPT}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    flags: K,
    counts: [0, null, 4],
    length: '5',
  },
  {
    name: 'chunks in two packets, -k',
    script: always(`${KEPT}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`, 'llo\r\n0\r\n\r\n'),
    flags: K,
    counts: [0, null, 4],
    length: '5',
  },
  {
    name: 'chunks and the end',
    script: once(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    counts: [0, null, null],
    length: '5',
  },
  {
    name: '404, -k',
    script: always(`HTTP/1.1 404 No\r\nConnection: keep-alive\r\n${HELLO}`),
    flags: K,
    counts: [0, 4, 4],
    length: '5',
  },
  {
    name: 'Connection: close, -k',
    script: once(`${OK}Connection: close\r\n${HELLO}`),
    flags: K,
    counts: [0, null, 0],
    length: '5',
  },
  {
    name: 'Connection: close beside Keep-Alive, -k',
    script: once(`${OK}Connection: close\r\nKeep-Alive: timeout=5\r\n${HELLO}`),
    flags: K,
    counts: [0, null, 0],
    length: '5',
  },
  {
    name: '204, -k',
    script: always('HTTP/1.1 204 No\r\nConnection: keep-alive\r\n\r\n'),
    flags: K,
    counts: [0, null, 4],
    length: '0',
  },
  {
    name: '304 with a length, -k',
    script: always('HTTP/1.1 304 N\r\nConnection: keep-alive\r\nContent-Length: 50\r\n\r\n'),
    flags: K,
    counts: [0, 4, 4],
    length: '0',
  },
  {
    name: 'HEAD, -i -k',
    script: always(`${KEPT}Content-Length: 5\r\n\r\n`),
    flags: ['-ik'],
    counts: [0, null, 4],
    length: '0',
  },
  {
    name: 'HEAD by -m, -k',
    script: always(`${KEPT}Content-Length: 5\r\n\r\n`),
    flags: ['-k', '-m', 'HEAD'],
    counts: [0, null, 4],
    length: '0',
  },
  {
    name: 'a connection that ends after every second response, -k',
    script: closingAfterTwo,
    flags: K,
    counts: [0, null, 4],
    length: '5',
  },
  {
    name: '100 Continue first',
    script: once('HTTP/1.1 100 Continue\r\n\r\n', `${OK}${HELLO}`),
    counts: [0, null, null],
    length: '5',
  },
  {
    name: 'lines that end with LF',
    script: once('HTTP/1.1 200 OK\nContent-Length: 4\n\nokay'),
    counts: [0, null, null],
    length: '4',
  },
  {
    name: 'more than its length, -k',
    script: always(`${KEPT}Content-Length: 3\r\n\r\nhello`),
    flags: K,
    counts: [0, null, 0],
    length: '3',
  },
  {
    name: 'chunks with extensions and a trailer, byte by byte, -k',
    script: always(
      ...`${KEPT}Transfer-Encoding: chunked\r\n\r\n05;a=b\r\nhello\r\n0\r\nX-T: v\r\n\r\n`,
    ),
    flags: K,
    counts: [0, null, 4],
    length: '5',
  },
  {
    name: 'chunks that stop half-way',
    script: once(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    counts: [4, null, null],
    length: '0',
  },
  {
    name: 'a status that is none',
    script: once(`HTTP/1.1 abc\r\n${HELLO}`),
    counts: [4, null, null],
    length: '0',
  },
  { name: 'text without a head', script: once('hello'), counts: [4, null, null], length: '0' },
  {
    name: 'another protocol',
    script: once('SSH-2.0-x\r\n\r\nhey'),
    counts: [4, null, null],
    length: '0',
  },
  { name: 'nothing', script: once(), counts: [4, null, null], length: '0' },
  {
    name: 'a field of 9000 bytes',
    script: once(`${OK}X-Long: ${'x'.repeat(9000)}\r\n${HELLO}`),
    counts: [0, null, null],
    length: '5',
  },
]

for (const { name, script, flags = [], counts, length } of shapes) {
  test(`counts of a response: ${name}`, async (t) => {
    const server = await startRawServer(t, script)
    const { status, stdout } = await runCli('ab', ['-n4', ...flags, `${server.url}/`])
    const count = (label: string) => {
      const found = new RegExp(`^${label}: +(\\d+)$`, 'm').exec(stdout)
      return found === null ? null : Number(found[1])
    }
    assert.equal(count('Complete requests'), 4)
    const shown = ['Failed requests', 'Non-2xx responses', 'Keep-Alive requests'].map(count)
    assert.deepEqual(shown, counts)
    assert.equal(/^Document Length: +(\S+)/m.exec(stdout)?.[1], length)
    assert.equal(status, counts[0] === 4 ? 1 : 0)
  })
}

const resetting: RawScript = async (connection) => {
  await connection.request()
  connection.reset()
}

const refused = 'apr_socket_recv: Connection refused (111)\n'
const reset = 'apr_socket_recv: Connection reset by peer (104)\n'
const expired = 'apr_pollset_poll: The timeout specified has expired (70007)\n'

for (const [name, script, args, wanted] of [
  ['a reset', resetting, [], { status: 104, stderr: reset, failed: 1 }],
  ['resets with -r', resetting, ['-r'], { status: 1, stderr: '', failed: 4 }],
  ['silence', silent, ['-s1'], { status: 119, stderr: expired, failed: 1 }],
  ['a refused port', null, [], { status: 111, stderr: refused, failed: 1 }],
  ['a refused port with -r', null, ['-r'], { status: 1, stderr: '', failed: 4 }],
] as const) {
  test(`end and report of a run against ${name}`, async (t) => {
    const url =
      script === null
        ? `http://127.0.0.1:${await freePort()}`
        : (await startRawServer(t, script)).url
    const { status, stderr, stdout } = await runCli('ab', ['-n4', ...args, `${url}/`])
    assert.deepEqual([status, stderr], [wanted.status, wanted.stderr])
    assert.match(stdout, new RegExp(`^Failed requests: {8}${wanted.failed}$`, 'm'))
  })
}

test('too few descriptors: the message and status of ab, and the report', async (t) => {
  const server = await startRawServer(t, silent)
  const script = 'ulimit -n 150 && exec "$0" "$@"'
  const bin = new URL('../../../bin/ab.js', import.meta.url).pathname
  const args = [process.execPath, bin, '-n300', '-c200', '-s5', `${server.url}/`]
  const { status, stdout, stderr } = await runProgram('/bin/sh', ['-c', script, ...args])
  assert.deepEqual([status, stderr], [24, 'socket: Too many open files (24)\n'])
  assert.match(stdout, /^Failed requests: +[1-9]/m)
})

const facts: AbReportFacts = {
  hostname: 'h',
  port: 80,
  path: '/',
  concurrency: 1,
  keepAlive: false,
  hasBody: false,
  isLengthFree: false,
  hidesConfidence: false,
  hidesPercentiles: false,
  tls: null,
  serverName: null,
}

/** Times as real ab had them, and what it printed of them, but for the median: it is the true one. */
for (const { times, total, percentiles } of [
  {
    times: [13510, 13916, 14008, 14040, 14079, 15009, 18295, 18491, 18541, 18923, 20007],
    total: 'Total:         14   16   2.5     15      20',
    percentiles: [15, 18, 19, 19, 19, 20, 20, 20, 20],
  },
  {
    times: [13834, 15086, 15203, 15298, 15615, 15622, 15918, 16377, 16474, 17415],
    total: 'Total:         14   16   1.0     16      17',
    percentiles: [16, 16, 16, 16, 17, 17, 17, 17, 17],
  },
  {
    times: [14000, 14000, 17000],
    total: 'Total:         14   15   1.7     14      17',
    percentiles: [14, 14, 17, 17, 17, 17, 17, 17, 17],
  },
]) {
  test(`the rows of ${times.length} known times`, () => {
    const totalUs = Uint32Array.from(times)
    const zeros = new Uint32Array(times.length)
    const rows = { count: times.length, startMs: null, connectUs: zeros, waitUs: zeros, totalUs }
    const kept = {
      rows,
      histograms: null,
      differingLengthCount: 0,
      keptConnectionCount: 0,
      firstBodyBytes: 5,
      server: null,
    }
    const text = abText(abFigures(fixedRuns.clean(), kept, false), facts)
    assert.equal(/^Total: .*$/m.exec(text)?.[0], total)
    const shown = [...text.matchAll(/^ {1,2}\d+% +(\d+)/gm)].map(([, value]) => Number(value))
    assert.deepEqual(shown, percentiles)
  })
}
