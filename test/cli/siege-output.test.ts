/** What `siege` prints: lines, figures and JSON, each on its stream, in every state of a run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/ports.ts'
import { answering, silent, startRawServer } from '../support/raw-server.ts'
import { blockOf, reportOf, siege, siegeInShell, siegeJson, startMute } from './siege-run.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world\n'
const STAMP = '\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] '

/** The only verbose line of one request under these lines of the siegerc. */
async function lineOf(url: string, rc: string, ...args: string[]): Promise<string> {
  const { stdout, status } = await siege(['-c1', '-r1', ...args, url], { rc })
  assert.equal(status, 0)
  const lines = stdout.split('\n')
  assert.equal(lines.length, 2, stdout)
  return lines[0]!
}

test('verbose lines have the columns of siege, plain, full, with id and with time', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const secs = '\\d\\.\\d\\d secs: {6}12 bytes ==>'
  const absolute = url.replaceAll('.', '\\.')
  for (const [rc, target, pattern] of [
    ['', '/plain', `^HTTP/1\\.1 200 {5}${secs} GET {2}/plain$`],
    ['', '/f POST a', `^HTTP/1\\.1 200 {5}${secs} POST ${absolute}/f$`],
    ['', '/f DELETE', `^HTTP/1\\.1 200 {5}${secs} DELETE ${absolute}/f$`],
    ['fullurl = true', '/a?b', `^HTTP/1\\.1 200 {5}${secs} GET {2}${absolute}/a\\?b$`],
    ['display-id = true', '/a', `^ {3}0\\) HTTP/1\\.1 200 {3}${secs} GET {2}/a$`],
    ['timestamp = true', '/a', `^${STAMP}HTTP/1\\.1 200 {5}${secs} GET {2}/a$`],
  ] as const) {
    assert.match(await lineOf(url + target, `${rc}\n`), new RegExp(pattern), `${rc} ${target}`)
  }
})

test('CSV rows have seven fields, quoted where RFC 4180 asks for it, never coloured', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const date = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
  const rest = `200, {2}\\d\\.\\d\\d, {5}12`
  for (const [rc, target, args, pattern] of [
    ['', '/p', [], `^HTTP/1\\.1,${rest},/p,0,${date}$`],
    ['', '/a,b?x="q"', [], `^HTTP/1\\.1,${rest},"/a,b\\?x=%22q%22",0,${date}$`],
    ['display-id = true', '/p', [], `^ {3}0,HTTP/1\\.1,${rest},/p,0,${date}$`],
    ['timestamp = true', '/p', [], `^"${STAMP}HTTP/1\\.1",${rest},/p,0,${date}$`],
    ['', '/p', ['-m', 'm,1', '-l/dev/null'], `^"m,1",HTTP/1\\.1,${rest},/p,0,${date}$`],
  ] as const) {
    const line = await lineOf(url + target, `csv = true\ncolor = on\n${rc}\n`, ...args)
    assert.match(line, new RegExp(pattern), line)
  }
})

test('no escape sequence goes where no terminal is, whatever color says', async (t) => {
  const server = await startRawServer(t, answering(OK))
  const url = `http://127.0.0.1:${await freePort()}/`
  const { stdout, stderr } = await siege(['-c1', '-r2', url, server.url], { rc: 'color = on\n' })
  assert.ok(!(stdout + stderr).includes('\x1b'))
  assert.match(stderr, /^\[error\] /m)
})

test('a control byte or line break of a target cannot break a line or the terminal', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const line = await lineOf(`${url}/a\x1b[31mb\x07`, '')
  assert.ok(line.endsWith('/a%1B[31mb%07'), line)
})

test('lines go to stdout, everything else to stderr', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const { stdout, stderr } = await siege(['-v', '-c2', '-r3', url])
  assert.match(stdout, /^(?:HTTP\/1\.1 200 .*\n){6}$/)
  assert.match(
    stderr,
    /^\*\* SIEGE 4\.1\.7 \(onager [\d.]+\)\n\*\* Preparing 2 concurrent users for battle\.\nThe server is now under siege\.\.\.\n\nTransactions:/,
  )
  const noLines = await siege(['-c2', '-r3', url], { rc: 'verbose = false\n' })
  assert.equal(noLines.stdout, '')
  assert.equal(blockOf(noLines.stderr).transactions, 6)
})

test('-q says nothing at all but errors, and the exit status tells', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const good = await siege(['-q', '-v', '-D', '-c1', '-r2', url])
  assert.deepEqual([good.stdout, good.stderr, good.status], ['', '', 0])
  const bad = await siege(['-q', '-c1', '-r1', `http://127.0.0.1:${await freePort()}/`])
  assert.deepEqual([bad.stdout, bad.status], ['', 1])
  assert.match(bad.stderr, /^\[error\] connection refused[^\n]*\n$/)
})

test('text and JSON say the same; JSON has the names, order and layout of siege 4.0.9', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const { stdout } = await siege(['-j', '-c1', '-r3', url])
  const number = ' *\\d+\\.\\d\\d'
  const keys = [
    '"transactions":\\t{3} {11}3',
    '"availability":\\t{3} {6}100\\.00',
    `"elapsed_time":\\t{3}${number}`,
    `"data_transferred":\\t{2}${number}`,
    `"response_time":\\t{2}${number}`,
    `"transaction_rate":\\t{2}${number}`,
    `"throughput":\\t{3}${number}`,
    `"concurrency":\\t{3}${number}`,
    '"successful_transactions":\\t {11}3',
    '"failed_transactions":\\t{2} {11}0',
    `"longest_transaction":\\t{2}${number}`,
    `"shortest_transaction":\\t{2}${number}`,
  ]
  assert.match(stdout, new RegExp(`^\\{\\n\\t${keys.join(',\\n\\t')},\\n\\t"onager": \\{`))
  assert.ok(stdout.endsWith('\n}\n'))
})

test('below the block stands what siege never said', async (t) => {
  const server = await startRawServer(
    t,
    answering((request) => (request.requestTarget === '/404' ? OK.replace('200', '404') : OK)),
  )
  const refused = `http://127.0.0.1:${await freePort()}/`
  const urls = [server.url, `${server.url}/404`, refused]
  const { stderr } = await siege(['-c3', '-r3', ...urls])
  const addition = stderr.split('\n \n')[1]!
  for (const pattern of [
    /^Percentiles: {5}p50 +[\d.]+ ms/m,
    /^ {17}p99\.9 +[\d.]+ ms/m,
    /^ {17}max +[\d.]+ ms$/m,
    /^Status: {10}200 +3 +50\.00 %$/m,
    /^ {17}404 +3 +50\.00 %$/m,
    /^Failures: +3 connection refused or unreachable$/m,
    /^Generator busy: +[\d.]+ % of 1 thread \((?:node|epoll|uring)\)$/m,
  ]) {
    assert.match(addition, pattern)
  }
})

test('-j leaves one JSON object on stdout in every state', async (t) => {
  const { url } = await startRawServer(t, answering(OK))
  const mute = await startRawServer(t, silent)
  const besieged = await startMute(t)
  const refused = `http://127.0.0.1:${await freePort()}/`
  const tls = url.replace('http:', 'https:')
  for (const [args, options] of [
    [['-c1', '-r1', url], { rc: null, env: { SIEGERC: '/dev/null' } }],
    [['-c2', '-r2', refused], {}],
    [['-c2', '-t0.3S', mute.url], {}],
    [['-c2', '-r1', '--timeout=0.3', mute.url], {}],
    [['-c1', '-r1', tls], { rc: 'timeout = 0.5\n' }],
    [['-c1', '-r1', '-l/nonexistent/x.log', url], {}],
    [['-c1', '-r1', '-v', '-D', url], { rc: 'verbose = true\ndebug = true\ncsv = true\n' }],
    [['-c9', '-r1', url], { rc: 'limit = 2\nshow-logfile = true\n' }],
    [['-c1', '-r1', '-t0.2S', url], {}],
    [['-c1', '-r20', refused], { rc: 'failures = 2\n' }],
    [['-c1', '-r1', 'http://no-such-host.invalid/'], {}],
    [['-c1', '-r1', url], { env: { LC_ALL: 'de_DE.UTF-8' } }],
  ] as const) {
    // Reads stdout as JSON and checks the counts against each other.
    await siegeJson(args, options)
  }
  await siegeJson(['-c3', besieged.url], { signalOnce: besieged.reached })
  const toPipe = await siegeInShell(`$SIEGE -j -c1 -r1 ${url} | cat`)
  assert.equal(reportOf(toPipe).transactions, 1)
})

test('a run that is over before the clock moves shows no wild rate', async (t) => {
  const { report } = await siegeJson(['-c1', '-t0.001S', (await startRawServer(t, silent)).url])
  assert.equal(report.transactions, 0)
  const { url } = await startRawServer(t, answering(OK))
  const one = await siegeJson(['-c1', '-r1', url])
  assert.ok(one.report.transaction_rate > 0 && one.report.transaction_rate < 10_000)
})
