/**
 * Real ab as the oracle: the same command line against the same server gives the same requests,
 * the same report, the same words and the same exit status, save for the rules of `rules.ts`.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate } from '../support/certificate.ts'
import { startNginx } from '../support/nginx.ts'
import { fc } from '../support/property.ts'
import {
  type RawRequest,
  type RawScript,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { type AbCase, goodCases, wrongCases } from './command-lines.ts'
import { alike, hostileRules, type Outcome, type Rule, rules } from './rules.ts'

const GOOD_COUNT = 100
const WRONG_COUNT = 50
const TIME_BOX_MS = 90_000

/** Speaks HTTP/1.0 as most servers do: keeps the connection only if asked to. */
const good: RawScript = async (connection) => {
  for (;;) {
    const request = await connection.request()
    if (request === null) return connection.end()
    await connection.send(answerTo(request))
    const isKept = request.valuesOf('connection').some((value) => /keep-alive/i.test(value))
    if (!isKept) return connection.end()
  }
}

function answerTo(request: RawRequest): string {
  const status = /^\/(\d{3})\b/.exec(request.requestTarget)?.[1] ?? '200'
  const body = `answer to ${request.method}\n`
  const isKept = request.valuesOf('connection').some((value) => /keep-alive/i.test(value))
  const head = [
    `HTTP/1.1 ${status} Status`,
    'Server: Mini/1.0 (x y)',
    `Connection: ${isKept ? 'Keep-Alive' : 'close'}`,
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${request.method === 'HEAD' ? '' : body}`
}

async function observe(
  program: 'ours' | 'real',
  realAb: string,
  server: Pick<RawServer, 'url' | 'requests'>,
  { args, path }: AbCase,
): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'onager-ab-oracle-'))
  try {
    writeFileSync(join(home, 'body'), '{"a": "b\\u0000"}\n')
    writeFileSync(join(home, 'empty'), '')
    const urls = path.startsWith('/')
      ? [server.url + path]
      : path.split(' ').filter((w) => w !== '')
    const words = [...args, ...urls]
    const seenCount = server.requests.length
    const outcome =
      program === 'real'
        ? await runProgram(realAb, words, { home })
        : await runCli('ab', ['--classic', ...words], { home })
    const { status, stdout } = outcome
    // Real ab says which file it is, ours its name.
    const stderr = outcome.stderr.replaceAll(`${realAb}:`, 'ab:')
    const requests = server.requests.slice(seenCount).map(({ raw }) => raw)
    return { status, stdout, stderr, requests: requests.sort() }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Comparison {
  readonly realAb: string
  readonly server: Pick<RawServer, 'url' | 'requests'>
  readonly applied: readonly Rule[]
  readonly what: string
}

async function compare(oneCase: AbCase, { realAb, server, applied, what }: Comparison) {
  const real = alike(await observe('real', realAb, server, oneCase), 'real', applied)
  const ours = alike(await observe('ours', realAb, server, oneCase), 'ours', applied)
  const about = `${what}: ${JSON.stringify(oneCase)}`
  for (const key of ['status', 'stderr', 'stdout', 'requests'] as const) {
    assert.deepEqual(ours[key], real[key], `${key}; ${about}`)
  }
}

async function compareAll(
  t: { diagnostic(text: string): void },
  cases: fc.Arbitrary<AbCase>,
  count: number,
  comparison: Omit<Comparison, 'what'>,
): Promise<void> {
  const seed = Number(process.env.ORACLE_SEED ?? 1)
  const deadlineMs = performance.now() + TIME_BOX_MS
  let doneCount = 0
  for (const oneCase of fc.sample(cases, { numRuns: count, seed })) {
    if (performance.now() > deadlineMs) break
    await compare(oneCase, { ...comparison, what: `ORACLE_SEED=${seed}, case ${doneCount}` })
    doneCount++
  }
  t.diagnostic(`ORACLE_SEED=${seed}: ${doneCount} command lines compared`)
  assert.ok(doneCount > 0)
}

test(`${GOOD_COUNT} generated command lines: requests, report and status are those of ab`, async (t) => {
  const realAb = requirePart(t, 'ab')
  if (realAb === undefined) return
  const server = await startRawServer(t, good)
  await compareAll(t, goodCases, GOOD_COUNT, { realAb, server, applied: rules })
})

test(`${WRONG_COUNT} generated wrong command lines: words and status are those of ab`, async (t) => {
  const realAb = requirePart(t, 'ab')
  if (realAb === undefined) return
  const server = await startRawServer(t, good)
  await compareAll(t, wrongCases, WRONG_COUNT, { realAb, server, applied: rules })
})

function saying(answer: string): RawScript {
  return async (connection) => {
    if ((await connection.request()) === null) return connection.end()
    if (answer !== '') await connection.send(answer)
    connection.end()
  }
}

const resetting: RawScript = async (connection) => {
  await connection.request()
  connection.reset()
}

const OK = 'HTTP/1.1 200 OK\r\n'
const hostileServers: Readonly<Record<string, RawScript>> = {
  'closes without a byte': saying(''),
  'sends garbage': saying('SSH-2.0-x\r\n\r\n'),
  'cuts the body short': saying(`${OK}Content-Length: 10\r\n\r\nhello`),
  'ends lines with LF alone': saying('HTTP/1.0 200 OK\nContent-Length: 4\n\nokay'),
  'sends chunks': saying(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  'sends hints first': saying(`HTTP/1.1 103 Hints\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`),
  'has no reason phrase': saying('HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'),
  'resets every connection': resetting,
}

test('against nginx, plain and by TLS, the report is that of ab', async (t) => {
  const realAb = requirePart(t, 'ab')
  const nginxPath = requirePart(t, 'nginx')
  const openssl = requirePart(t, 'openssl')
  if (realAb === undefined || nginxPath === undefined || openssl === undefined) return
  const { certFile, keyFile } = makeCertificate(t, openssl)
  const plain = await startNginx(t, { path: nginxPath })
  const secure = await startNginx(t, { path: nginxPath, tls: { certFile, keyFile } })
  const secureUrl = secure.url.replace('127.0.0.1', 'localhost')
  for (const url of [plain.url, secureUrl]) {
    const server = { url, requests: [] }
    for (const args of [['-n5'], ['-n160', '-c7', '-k'], ['-n4', '-i'], ['-n3', '-k', '-w']]) {
      const comparison = { realAb, server, applied: rules, what: url }
      await compare({ args, path: '/' }, comparison)
    }
  }
})

const hostileFlags = fc
  .tuple(fc.subarray(['-r', '-l', '-d', '-S', '-q', '-i']), fc.integer({ min: 1, max: 6 }))
  .map(([flags, count]) => ({ args: [...flags, `-n${count}`, '-s', '3'], path: '/' }))

for (const [name, script] of Object.entries(hostileServers)) {
  test(`a server that ${name}: all but the counts is as with ab`, async (t) => {
    const realAb = requirePart(t, 'ab')
    if (realAb === undefined) return
    const server = await startRawServer(t, script)
    await compareAll(t, hostileFlags, 7, { realAb, server, applied: [...rules, ...hostileRules] })
  })
}
