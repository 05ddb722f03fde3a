/**
 * Every directive of a siegerc does something that can be seen.
 *
 * The tests come from the option table: each directive is set to two values, and what is seen on
 * the wire or in the output must be what is expected for each. A directive without a proof fails.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { OptionRow } from '../../src/plan/option-table.ts'
import { siegeOptions } from '../../src/siege/options.ts'
import { type Certificate, makeCertificate } from '../support/certificate.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { freePort } from '../support/ports.ts'
import {
  answering,
  type RawRequest,
  type RawServer,
  startRawServer,
} from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'
import { runProgram } from '../support/run-cli.ts'
import { fastestReactor, type SiegeOutcome, siege } from '../support/siege-run.ts'
import { type TlsSite, tlsSite } from '../support/tls-site.ts'

/** FTP's directives are tested where FTP is. */
const elsewhere: ReadonlySet<string> = new Set(['ftp-login', 'unique'])

/** What one of the two runs left behind. */
interface Seen extends SiegeOutcome {
  readonly requests: readonly RawRequest[]
  readonly connectionCount: number
  readonly elapsedS: number
}

interface Proof {
  readonly values: readonly [string, string]
  /** Accepted for old files, without effect: both values give the same. */
  readonly isIneffective?: boolean
  /** Paths of the site that are asked for; `/` by default, none for `[]`. */
  readonly paths?: readonly string[]
  readonly rc?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly see: (seen: Seen) => unknown
  readonly expected: readonly [unknown, unknown]
}

interface Place {
  readonly t: TestContext
  readonly site: RawServer
  readonly folder: string
}

type MakeProof = (place: Place) => Proof | Promise<Proof>

const paths = ({ requests }: Seen) => requests.map(({ requestTarget }) => requestTarget)
const requestCount = ({ requests }: Seen) => requests.length
const field = (name: string) => (seen: Seen) => seen.requests.at(-1)?.valuesOf(name).join()
const stdout = (pattern: RegExp) => (seen: Seen) => pattern.test(seen.stdout)
const stderr = (pattern: RegExp) => (seen: Seen) => pattern.test(seen.stderr)
const lineCount = ({ stdout: text }: Seen) => text.split('\n').length - 1
const failed = (seen: Seen) => seen.failed
const TEN_PATHS = Array.from({ length: 10 }, (_, index) => `/${index}`)

const proofs: Readonly<Record<string, MakeProof>> = {
  concurrent: () => ({ values: ['1', '3'], see: requestCount, expected: [1, 3] }),
  reps: () => ({ values: ['2', '5'], see: requestCount, expected: [2, 5] }),
  time: () => ({
    values: ['0.1s', '2s'],
    see: ({ elapsedS }) => elapsedS > 1.95,
    expected: [false, true],
  }),
  // The second request is due after half an hour, or at once.
  delay: () => ({
    values: ['0', '3600'],
    args: ['--seed=1', '-t2S'],
    see: (seen) => requestCount(seen) > 1,
    expected: [true, false],
  }),
  benchmark: () => ({
    values: ['false', 'true'],
    args: ['--seed=1', '-t2S', '-d3600'],
    see: (seen) => requestCount(seen) > 1,
    expected: [false, true],
  }),
  internet: () => ({
    values: ['false', 'true'],
    args: ['--seed=1', '-r10'],
    paths: TEN_PATHS,
    see: (seen) => paths(seen).join() === TEN_PATHS.join(),
    expected: [true, false],
  }),
  failures: async () => ({
    values: ['2', '5'],
    args: ['-r50', `http://127.0.0.1:${await freePort()}/`],
    paths: [],
    see: failed,
    expected: [2, 5],
  }),
  limit: () => ({ values: ['2', '5'], args: ['-c4'], see: requestCount, expected: [2, 4] }),
  threads: () => ({
    values: ['1', '2'],
    args: ['-c2', '-j'],
    see: (seen) => JSON.parse(seen.stdout).onager.generator.threads,
    expected: [1, 2],
  }),
  reactor: () => ({
    values: ['auto', 'node'],
    args: ['-r200', '-j'],
    see: (seen) => JSON.parse(seen.stdout).onager.generator.reactor,
    isIneffective: fastestReactor() === 'node',
    expected: [fastestReactor(), 'node'],
  }),
  file: ({ site, folder }) => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    writeFileSync(first, `${site.url}/first\n`)
    writeFileSync(second, `${site.url}/second\n`)
    const expected = [['/first'], ['/second']] as const
    return { values: [first, second], paths: [], see: paths, expected }
  },
  url: ({ site }) => ({
    values: [`${site.url}/first`, `${site.url}/second`],
    paths: [],
    see: paths,
    expected: [['/first'], ['/second']],
  }),
  'url-escaping': () => ({
    values: ['true', 'false'],
    paths: ['/a|b'],
    see: paths,
    expected: [['/a%7Cb'], ['/a|b']],
  }),

  header: () => ({ values: ['X-A: 1', 'X-A: 2'], see: field('x-a'), expected: ['1', '2'] }),
  'user-agent': () => ({ values: ['a/1', 'b'], see: field('user-agent'), expected: ['a/1', 'b'] }),
  'accept-encoding': () => ({
    values: ['br', 'gzip'],
    see: field('accept-encoding'),
    expected: ['br', 'gzip'],
  }),
  protocol: () => ({
    values: ['HTTP/1.0', 'HTTP/1.1'],
    see: ({ requests }) => requests[0]?.requestLine,
    expected: ['GET / HTTP/1.0', 'GET / HTTP/1.1'],
  }),
  connection: () => ({
    values: ['close', 'keep-alive'],
    args: ['-r3'],
    see: (seen) => [seen.connectionCount, field('connection')(seen)],
    expected: [
      [3, 'close'],
      [1, 'keep-alive'],
    ],
  }),
  timeout: () => ({
    values: ['0.2', '0.4'],
    paths: ['/silent'],
    see: (seen) => / within (\S+) s/.exec(seen.stderr)?.[1],
    expected: ['0.2', '0.4'],
  }),
  'zero-data-ok': () => ({
    values: ['true', 'false'],
    paths: ['/empty'],
    see: failed,
    expected: [0, 1],
  }),
  chunked: () => ({
    values: ['true', 'false'],
    isIneffective: true,
    paths: ['/chunked'],
    see: ({ stdout: text }) => / (\d+) bytes/.exec(text)?.[1],
    expected: ['5', '5'],
  }),

  parser: () => ({
    values: ['true', 'false'],
    paths: ['/page'],
    see: (seen) => paths(seen).includes('/img.png'),
    expected: [true, false],
  }),
  nofollow: () => ({
    values: ['elsewhere.test', '127.0.0'],
    paths: ['/page'],
    see: (seen) => paths(seen).includes('/img.png'),
    expected: [true, false],
  }),
  'same-origin': () => ({
    values: ['false', 'true'],
    paths: ['/page'],
    see: stderr(/elsewhere\.invalid/),
    expected: [true, false],
  }),
  srcset: () => ({
    values: ['false', 'true'],
    paths: ['/page'],
    see: (seen) => paths(seen).includes('/only-in-set.png'),
    expected: [false, true],
  }),
  preload: () => ({
    values: ['false', 'true'],
    paths: ['/page'],
    see: (seen) => paths(seen).includes('/preloaded.js'),
    expected: [false, true],
  }),
  'css-urls': () => ({
    values: ['false', 'true'],
    paths: ['/page'],
    see: (seen) => paths(seen).includes('/background.png'),
    expected: [false, true],
  }),
  'page-connections': () => ({
    values: ['1', '6'],
    rc: ['connection = keep-alive', 'same-origin = true'],
    paths: ['/page'],
    see: ({ connectionCount }) => connectionCount > 1,
    expected: [false, true],
  }),
  'follow-location': () => ({
    values: ['true', 'false'],
    paths: ['/moved'],
    see: paths,
    expected: [['/moved', '/to'], ['/moved']],
  }),
  cookies: () => ({
    values: ['true', 'false'],
    paths: ['/set', '/'],
    args: ['-r2'],
    see: field('cookie'),
    expected: ['a=1', ''],
  }),
  'expire-session': () => ({
    values: ['false', 'true'],
    paths: ['/set'],
    args: ['-r2'],
    see: field('cookie'),
    expected: ['a=1', ''],
  }),
  cache: () => ({
    values: ['false', 'true'],
    paths: ['/tagged'],
    args: ['-r2'],
    see: field('if-none-match'),
    expected: ['', '"v1"'],
  }),

  login: () => ({
    values: ['joe:right', 'joe:wrong'],
    paths: ['/basic'],
    see: failed,
    expected: [0, 1],
  }),
  'login-url': ({ site }) => ({
    values: [`${site.url}/one`, `${site.url}/two POST a=1`],
    see: paths,
    expected: [
      ['/one', '/'],
      ['/two', '/'],
    ],
  }),
  'auth-url': ({ site }) => ({
    values: [`${site.url}/let-in`, 'http://elsewhere.test/'],
    paths: ['/forbidden'],
    see: (seen) => seen.lines.at(-1),
    expected: ['200 GET /forbidden', '403 GET /forbidden'],
  }),
  attempts: () => ({
    values: ['1', '2'],
    rc: ['login = joe:right'],
    paths: ['/basic'],
    see: requestCount,
    expected: [1, 2],
  }),
  proxy: ({ site }) => ({
    values: [`http://127.0.0.1:${site.port}`, 'http://127.0.0.1:1'],
    args: ['http://site.test/x'],
    paths: [],
    see: paths,
    expected: [['http://site.test/x'], []],
  }),
  'proxy-from-env': ({ site }) => ({
    values: ['false', 'true'],
    env: { http_proxy: `http://127.0.0.1:${site.port}` },
    see: (seen) => paths(seen)[0]?.startsWith('http://'),
    expected: [false, true],
  }),
  'proxy-host': ({ site }) => ({
    values: ['127.0.0.1', 'proxy.invalid'],
    rc: [`proxy-port = ${site.port}`],
    args: ['http://site.test/x'],
    paths: [],
    see: paths,
    expected: [['http://site.test/x'], []],
  }),
  'proxy-port': ({ site }) => ({
    values: ['1', String(site.port)],
    rc: ['proxy-host = 127.0.0.1'],
    args: ['http://site.test/x'],
    paths: [],
    see: paths,
    expected: [[], ['http://site.test/x']],
  }),
  'proxy-type': ({ site }) => ({
    values: ['http', 'socks5'],
    rc: ['proxy-host = 127.0.0.1', `proxy-port = ${site.port}`, 'timeout = 3'],
    args: ['http://site.test/x'],
    paths: [],
    see: failed,
    expected: [0, 1],
  }),
  'proxy-login': ({ site }) => ({
    values: ['joe:right', 'joe:wrong'],
    rc: ['proxy-host = 127.0.0.1', `proxy-port = ${site.port}`],
    args: ['http://site.test/login-at-proxy'],
    paths: [],
    see: failed,
    expected: [0, 1],
  }),

  'ssl-verify': withTls({}, ({ port }) => ({
    values: ['false', 'true'],
    args: [`https://localhost:${port}/`],
    see: failed,
    expected: [0, 1],
  })),
  'ssl-ca': withTls({}, ({ port, certificate, other }) => ({
    values: [certificate.certFile, other.certFile],
    args: ['--verify', `https://localhost:${port}/`],
    see: failed,
    expected: [0, 1],
  })),
  'ssl-cert': withTls({ requestCert: true }, ({ port, certificate, other, seen }) => ({
    values: [certificate.certFile, other.certFile],
    rc: [`ssl-key = ${certificate.keyFile}`],
    args: [`https://localhost:${port}/`],
    see: (run) => [run.status, seen.at(-1)?.client],
    expected: [
      [0, 'localhost'],
      // It does not belong to the key, and nothing is sent.
      [2, 'localhost'],
    ],
  })),
  'ssl-key': withTls({ requestCert: true }, ({ port, certificate, other, seen }) => ({
    values: [certificate.keyFile, other.keyFile],
    rc: [`ssl-cert = ${certificate.certFile}`],
    args: [`https://localhost:${port}/`],
    see: (run) => [run.status, seen.length],
    expected: [
      [0, 1],
      [2, 1],
    ],
  })),
  'ssl-ciphers': withTls({}, ({ port, seen }) => ({
    values: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    args: ['--tls-max=1.2', `https://localhost:${port}/`],
    see: () => seen.at(-1)?.cipher,
    expected: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  })),
  'ssl-min': withTls({ maxVersion: 'TLSv1.2' }, ({ port }) => ({
    values: ['1.2', '1.3'],
    args: [`https://localhost:${port}/`],
    see: failed,
    expected: [0, 1],
  })),
  'ssl-max': withTls({}, ({ port, seen }) => ({
    values: ['1.2', '1.3'],
    args: [`https://localhost:${port}/`],
    see: () => seen.at(-1)?.version,
    expected: ['TLSv1.2', 'TLSv1.3'],
  })),
  'ssl-resume': withTls({}, ({ port, seen }) => ({
    values: ['false', 'true'],
    args: ['-r2', `https://localhost:${port}/`],
    see: () => seen.at(-1)?.isResumed,
    expected: [false, true],
  })),
  'ssl-timeout': withTls({}, ({ port }) => ({
    values: ['1', '300'],
    isIneffective: true,
    args: [`https://localhost:${port}/`],
    see: failed,
    expected: [0, 0],
  })),

  verbose: () => ({ values: ['true', 'false'], see: lineCount, expected: [1, 0] }),
  quiet: () => ({ values: ['false', 'true'], see: stderr(/./), expected: [true, false] }),
  json_output: () => ({ values: ['false', 'true'], see: isJson, expected: [false, true] }),
  'json-output': () => ({ values: ['false', 'true'], see: isJson, expected: [false, true] }),
  classic: () => ({
    values: ['false', 'true'],
    see: stderr(/^Percentiles:/m),
    expected: [true, false],
  }),
  debug: () => ({
    values: ['false', 'true'],
    see: stdout(/^GET \/ HTTP\/1\.1$/m),
    expected: [false, true],
  }),
  csv: () => ({
    values: ['false', 'true'],
    see: stdout(/^HTTP\/1\.1,200, /m),
    expected: [false, true],
  }),
  timestamp: () => ({
    values: ['false', 'true'],
    see: stdout(/^\[\w{3}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] HTTP/m),
    expected: [false, true],
  }),
  fullurl: ({ site }) => ({
    values: ['false', 'true'],
    see: (seen) => seen.lines,
    expected: [['200 GET /'], [`200 GET ${site.url}/`]],
  }),
  'display-id': () => ({
    values: ['false', 'true'],
    see: stdout(/^ {3}0\) HTTP/m),
    expected: [false, true],
  }),
  spinner: () => ({
    values: ['false', 'true'],
    isIneffective: true,
    see: lineCount,
    expected: [1, 1],
  }),
  logging: ({ folder }) => {
    const log = join(folder, 'log')
    return {
      values: ['false', 'true'],
      rc: [`logfile = ${log}`],
      see: () => existsSync(log),
      expected: [false, true],
    }
  },
  logfile: ({ folder }) => {
    const logs = [join(folder, 'one'), join(folder, 'two')] as const
    return {
      values: logs,
      args: ['-l'],
      see: () => logs.map((log) => existsSync(log)),
      expected: [
        [true, false],
        [true, true],
      ],
    }
  },
  'show-logfile': ({ folder }) => ({
    values: ['true', 'false'],
    args: [`-l${join(folder, 'log')}`],
    see: stderr(/LOG FILE:/),
    expected: [true, false],
  }),
  gmethod: () => ({
    values: ['HEAD', 'GET'],
    args: ['-g'],
    see: ({ requests }) => requests[0]?.method,
    expected: ['HEAD', 'GET'],
  }),
}

function isJson({ stdout: text }: Seen): boolean {
  return text.startsWith('{')
}

interface TlsPlace extends TlsSite {
  readonly certificate: Certificate
  readonly other: Certificate
}

/** A proof on a site over TLS. */
function withTls(
  options: Parameters<typeof tlsSite>[2],
  make: (place: TlsPlace) => Proof,
): MakeProof {
  return async ({ t }) => {
    const openssl = requirePart(t, 'openssl')
    if (openssl === undefined) return { values: ['', ''], paths: [], see: failed, expected: [0, 0] }
    const [certificate, other] = [makeCertificate(t, openssl), makeCertificate(t, openssl)]
    const site = await tlsSite(t, certificate, { rejectUnauthorized: false, ...options })
    return { paths: [], ...make({ ...site, certificate, other }) }
  }
}

const PAGE = `<link rel=preload as=script href=/preloaded.js><link rel=stylesheet href=/style.css>
<img src=/img.png><img srcset="/only-in-set.png 1x"><img src=/other.png><img src=/third.png>
<img src=http://elsewhere.invalid/far.png>`

function answer(request: RawRequest): string {
  const { requestTarget } = request
  const has = (name: string, value: string) => request.valuesOf(name)[0] === value
  const right = `Basic ${btoa('joe:right')}`
  switch (requestTarget) {
    case '/silent':
      return ''
    case '/empty':
      return response('')
    case '/chunked':
      return 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    case '/page':
      return response(PAGE, 'Content-Type: text/html\r\n')
    case '/style.css':
      return response('a { background: url(/background.png) }', 'Content-Type: text/css\r\n')
    case '/moved':
      return response('gone', 'Location: /to\r\n', '302 Found')
    case '/set':
      return has('cookie', 'a=1') ? response('ok') : response('ok', 'Set-Cookie: a=1\r\n')
    case '/tagged':
      return response('ok', 'ETag: "v1"\r\n')
    case '/let-in':
      return response('ok', 'Set-Cookie: in=1\r\n')
    case '/forbidden':
      return has('cookie', 'in=1') ? response('ok') : response('no', '', '403 No')
    case '/basic':
      if (has('authorization', right)) return response('ok')
      return response('who', 'WWW-Authenticate: Basic realm="r"\r\n', '401 Who')
    case 'http://site.test/login-at-proxy':
      if (has('proxy-authorization', right)) return response('ok')
      return response('who', 'Proxy-Authenticate: Basic realm="r"\r\n', '407 Who')
    default:
      return response('ok')
  }
}

function response(body: string, fields = '', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`
}

async function seenWith(place: Place, proof: Proof, line: string): Promise<unknown> {
  const { site } = place
  const [requestsBefore, connectionsBefore] = [site.requests.length, site.connectionCount]
  const list = (proof.paths ?? ['/']).map((path) => `${site.url}${path}`)
  const options = { rc: [...(proof.rc ?? []), line], env: proof.env ?? {} }
  const args = proof.args ?? []
  // A URL list would win over `file`, and `url` over the list.
  const run =
    list.length > 1
      ? await siege(args, { ...options, list })
      : await siege([...args, ...list], options)
  return proof.see({
    ...run,
    requests: site.requests.slice(requestsBefore),
    connectionCount: site.connectionCount - connectionsBefore,
    elapsedS: Number(/^Elapsed time:\s+([\d.]+)/m.exec(run.stderr)?.[1] ?? Number.NaN),
  })
}

const rows: readonly OptionRow<unknown>[] = Object.values(siegeOptions)
const directives = rows.flatMap((row) => row.directives ?? [])

for (const directive of directives) {
  if (elsewhere.has(directive) || directive === 'color') continue
  test(`${directive} does what it says`, async (t) => {
    const make = proofs[directive]
    assert.ok(make !== undefined, `the directive ${directive} has no proof: add one here`)
    const site = await startRawServer(t, answering(answer))
    const place = { t, site, folder: tempFolder(t) }
    const proof = await make(place)
    if (proof.values.every((value) => value === '')) return
    const isSame = JSON.stringify(proof.expected[0]) === JSON.stringify(proof.expected[1])
    assert.equal(isSame, proof.isIneffective === true, 'the two values differ in their effect')
    for (const index of [0, 1] as const) {
      const line = `${directive} = ${proof.values[index]}`
      assert.deepEqual(await seenWith(place, proof, line), proof.expected[index], line)
    }
  })
}

test('color colours lines on a terminal, unless it is off', async (t) => {
  const script = requirePart(t, 'script')
  if (script === undefined) return
  const site = await startRawServer(t, answering(answer))
  const folder = tempFolder(t)
  for (const [value, isColoured] of [
    ['on', true],
    ['off', false],
  ] as const) {
    const rc = join(folder, 'siegerc')
    writeFileSync(rc, `color = ${value}\n`)
    // It runs a command on a terminal of its own.
    const command = `'${process.execPath}' '${join(projectRoot, 'bin', 'siege.js')}'`
    const args = ['-qec', `${command} -R '${rc}' -c1 -r1 ${site.url}`, '/dev/null']
    const run = await runProgram(script, args)
    assert.equal(run.stdout.includes('\x1b[0;34mHTTP/1.1 200'), isColoured, run.stdout)
  }
})

test('no proof is left over from a directive that is gone', () => {
  const left = Object.keys(proofs).filter((name) => !directives.includes(name))
  assert.deepEqual(left, [])
})
