/** `siege --watch` beside real runs: what it samples, what it shows, and what it leaves alone. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { tempFolder } from '../support/files.ts'
import { freePort } from '../support/ports.ts'
import { runProgram } from '../support/run-cli.ts'
import { eventually, timedTest } from '../support/timing.ts'
import { siege } from './siege-run.ts'

interface Site {
  readonly url: string
  /** Requests by path. */
  readonly counts: Map<string, number>
  /** `performance.now()` at the first request for the load. */
  readonly firstAtMs: () => number
}

/** A page for the load at /, metrics at /metrics, JSON at /json, silence at /silent. */
async function startSite(context: TestContext): Promise<Site> {
  const counts = new Map<string, number>()
  let firstAtMs = Number.NaN
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    if (path === '/' && count === 1) firstAtMs = performance.now()
    if (path === '/silent') return
    if (path === '/broken') response.statusCode = 500
    if (path === '/metrics') response.end(`# HELP up\nup 1\nasked{by="siege"} ${count}\n`)
    else if (path === '/json') response.end(JSON.stringify({ pool: [{ busy: 0.5 }] }))
    else if (path === '/login') response.end(`${request.headers.authorization}\n7`)
    else response.end('hello')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // Listening on a port it has an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, counts, firstAtMs: () => firstAtMs }
}

interface WatchedJson {
  readonly label: string
  readonly source: string
  readonly samples: number
  readonly failures: number
  readonly failure_example: string | null
  readonly value_min: number | null
  readonly value_max: number | null
  readonly value_last: number | null
  readonly series: readonly { readonly at_s: number; readonly value: number }[]
}

function watchedOf(stdout: string): WatchedJson[] {
  return JSON.parse(stdout).onager.watched
}

timedTest(
  'siege --watch samples pages and commands each second, and counts none of it',
  async (t) => {
    const { url, counts } = await startSite(t)
    const watches = [
      `asked=${url}/metrics#asked{by="siege"}`,
      `${url}/json#/pool/0/busy`,
      'five=echo 5 of 6',
    ].map((watch) => `--watch=${watch}`)
    const run = await siege(['-j', '-c1', '-d0.1', '-t4.5S', ...watches, `${url}/`])
    assert.equal(run.status, 0, run.stderr)
    const { transactions, onager } = JSON.parse(run.stdout)
    const askedCount = counts.get('/')!
    assert.ok(transactions <= askedCount && askedCount <= onager.started, `${askedCount} requests`)
    const [asked, busy, five] = watchedOf(run.stdout)
    assert.deepEqual([asked!.label, busy!.label, five!.label], ['asked', '/pool/0/busy', 'five'])
    assert.equal(busy!.source, `${url}/json#/pool/0/busy`)
    for (const { samples, failures, series } of [asked!, busy!, five!]) {
      assert.equal(failures, 0)
      assert.equal(series.length, samples)
      // One a second; sampling begins before the load, on a busy machine by seconds.
      const lastS = series.at(-1)!.at_s
      assert.ok(lastS > 3, `${lastS} s`)
      assert.ok(Math.abs(samples - 1 - lastS) < 1, `${samples} samples in ${lastS} s`)
    }
    assert.deepEqual([asked!.value_min, asked!.value_max], [1, asked!.samples])
    assert.deepEqual([busy!.value_last, five!.value_last], [0.5, 5])
  },
)

timedTest(
  'siege --watch shows its figures below the addition, and none with --classic',
  async (t) => {
    const { url } = await startSite(t)
    const args = [
      ...['-c1', '-d0.1', '-t0.9S'],
      '--watch',
      'load=echo 0.5',
      '--watch',
      `page=${url}/broken`,
      `${url}/`,
    ]
    const run = await siege(args)
    assert.match(
      run.stderr,
      /^Watched: {9}load {2}min 0\.50 {2}mean 0\.50 {2}max 0\.50 {2}last 0\.50$/m,
    )
    assert.match(
      run.stderr,
      /^ {17}page {2}no sample\n {17}(\d) of \1 samples failed: the status is 500$/m,
    )
    assert.match(run.stderr, /^\[alert\] cannot watch page: the status is 500$/m)
    const classic = await siege(['--classic', ...args])
    assert.doesNotMatch(classic.stderr, /Watched|cannot watch/)
  },
)

timedTest(
  'siege --watch fails a sample that is late, and what it started ends with it',
  async (t) => {
    const { url, firstAtMs } = await startSite(t)
    const mark = join(tempFolder(t), 'mark')
    const port = await freePort()
    const run = await siege([
      ...['-j', '-c1', '-d0.1', '-t2.2S', `--watch=slow=(sleep 4; echo 1 > ${mark}) & wait`],
      ...[`--watch=silent=${url}/silent`, `--watch=refused=http://127.0.0.1:${port}/`],
      ...['--watch=flood=yes 12345', '--watch=nothing=true', '--watch=wrong=exit 3'],
      ...['--watch=unknown=no-such-program', '--watch=zero=echo 0; exit 1', `${url}/`],
    ])
    const loadMs = performance.now() - firstAtMs()
    assert.ok(loadMs < 4000, `${loadMs} ms from the first request to the end`)
    const byLabel = new Map(watchedOf(run.stdout).map((series) => [series.label, series]))
    for (const [label, example] of [
      ['slow', /^there was no answer within a second$/],
      ['silent', /^there was no answer within a second$/],
      ['refused', /ECONNREFUSED/],
      ['nothing', /^there is no number in an empty text$/],
      ['wrong', /^its exit status is 3$/],
      ['unknown', /no-such-program.*not found/],
    ] as const) {
      const series = byLabel.get(label)!
      assert.equal(series.samples, 0, label)
      assert.match(series.failure_example ?? '', example)
      assert.match(run.stderr, new RegExp(`cannot watch ${label}: `))
    }
    assert.equal(byLabel.get('flood')!.value_last, 12_345)
    assert.equal(byLabel.get('zero')!.value_last, 0)
    const running = await runProgram('bash', [
      '-c',
      `ps -eo args | grep -F '${mark}' | grep -v grep`,
    ])
    assert.equal(running.stdout, '')
  },
)

test('siege --watch logs in with the credentials of a URL and shows none of them', async (t) => {
  const { url } = await startSite(t)
  const login = url.replace('//', '//me:s3cret@')
  const run = await siege(['-c1', '-r1', '-j', `--watch=${login}/login`, `${url}/`])
  assert.doesNotMatch(run.stdout + run.stderr, /s3cret/)
  const [series] = watchedOf(run.stdout)
  assert.deepEqual([series!.value_last, series!.source], [7, `${url}/login`])
})

timedTest('siege --watch ends with the first Ctrl-C as any siege does', async (t) => {
  const { url, counts } = await startSite(t)
  const mark = join(tempFolder(t), 'mark')
  const sampled = eventually(() => existsSync(mark) && counts.has('/'), 'a sample and a request')
  const watches = ['--watch=sleep 9', `--watch=echo 1; touch ${mark}`]
  const run = await siege(['-c1', '-j', ...watches, `${url}/`], {
    signalOnce: sampled.then(() => pause(300)),
  })
  assert.equal(run.status, 0)
  assert.ok((run.elapsedMsAfterSignal ?? Infinity) < 1000)
  assert.equal(watchedOf(run.stdout)[1]!.value_last, 1)
})

test('siege --watch refuses what it cannot watch, exit 2, nothing sent', async (t) => {
  const { url, counts } = await startSite(t)
  for (const [watch, message] of [
    ['', /--watch must be a URL or a command, perhaps with LABEL= in front, not ""/],
    ['a=', /--watch must be a URL or a command/],
    ['ftp://x/', /--watch must be a URL that begins with http:\/\/ or https:\/\//],
    [`${url}/#a b`, /--watch must be a URL with, behind its #, the name of a sample/],
  ] as const) {
    const { status, stderr } = await siege(['-c1', '-r1', '--watch', watch, `${url}/`])
    assert.equal(status, 2)
    assert.match(stderr, message)
  }
  assert.equal(counts.size, 0)
})
