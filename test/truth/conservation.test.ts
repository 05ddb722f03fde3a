/** What the server counted is what the report says, over threads, lists and ways to end. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type JsonReport, siegeJson } from '../cli/siege-run.ts'
import { tempFolder } from '../support/files.ts'
import { type Nginx, startNginx } from '../support/nginx.ts'
import { startRawServer } from '../support/raw-server.ts'
import { requirePart } from '../support/real-parts.ts'

const THREAD_COUNTS = [1, 2, 4]
const USER_COUNT = 6
const LIST_LENGTH = 15

interface Site {
  readonly nginx: Nginx
  /** Operands and options that name one URL, or a list of them. */
  readonly targets: Readonly<Record<'one URL' | 'list', readonly string[]>>
}

async function startSite(t: TestContext): Promise<Site | undefined> {
  const path = requirePart(t, 'nginx')
  if (path === undefined) return undefined
  const nginx = await startNginx(t, { path })
  const list = join(tempFolder(t), 'urls.txt')
  const lines = Array.from({ length: LIST_LENGTH }, (_, index) => `${nginx.url}/${index}\n`)
  writeFileSync(list, lines.join(''))
  return { nginx, targets: { 'one URL': [`${nginx.url}/one`], list: ['-f', list] } }
}

/** Everything the access log and the report have to agree on, save requests in flight. */
function assertAgrees(
  report: JsonReport,
  lines: readonly { readonly status: number; readonly bodyBytes: number }[],
  what: string,
): void {
  const { onager } = report
  const { completed, started, in_flight_at_end: inFlight } = onager
  assert.equal(onager.failed, 0, what)
  assert.equal(report.transactions, completed, what)
  assert.equal(report.successful_transactions, completed, what)
  assert.equal(started, completed + inFlight, what)
  assert.ok(completed <= lines.length && lines.length <= started, `${what}: ${lines.length}`)
  if (inFlight === 0) {
    const bodyBytes = lines.reduce((sum, line) => sum + line.bodyBytes, 0)
    assert.equal(onager.body_bytes, bodyBytes, what)
    assert.deepEqual(onager.statuses, { 200: lines.length }, what)
  }
}

for (const [mode, flags, expectedCount] of [
  ['-r', ['-r7'], USER_COUNT * 7],
  ['-r with keep-alive', ['-r7', '-H', 'Connection: keep-alive'], USER_COUNT * 7],
  ['-r once', ['-r', 'once'], null],
  ['-t', ['-t0.4S'], null],
  ['-i', ['-i', '-r7', '--seed=3'], USER_COUNT * 7],
] as const) {
  test(`${mode}: the access log of nginx agrees with the report for 1, 2 and 4 threads`, async (t) => {
    const site = await startSite(t)
    if (site === undefined) return
    let seenCount = 0
    for (const threads of THREAD_COUNTS) {
      for (const kind of ['one URL', 'list'] as const) {
        const what = `${mode}, ${threads} threads, ${kind}`
        const args = [`-c${USER_COUNT}`, `--threads=${threads}`, ...flags, ...site.targets[kind]]
        const { report, status } = await siegeJson(args)
        assert.equal(status, 0, what)
        const log = await site.nginx.accessLogOf(seenCount + report.onager.completed)
        const lines = log.slice(seenCount)
        seenCount = log.length
        assertAgrees(report, lines, what)
        if (expectedCount !== null) assert.equal(lines.length, expectedCount, what)
        if (mode === '-r once') {
          const requested = lines.map((line) => line.requestTarget).sort()
          const whole = Array.from({ length: LIST_LENGTH }, (_, index) => `/${index}`).sort()
          assert.deepEqual(requested, kind === 'list' ? whole : ['/one'], what)
        }
        if (mode === '-t') {
          assert.ok(report.onager.elapsed_time_s >= 0.4, what)
          // What nginx was still writing about belongs to this run, not to the next.
          seenCount = (await settledLog(site.nginx)).length
        }
      }
    }
  })
}

/** The access log once it has stopped growing. */
async function settledLog(nginx: Nginx): Promise<readonly unknown[]> {
  let log = nginx.accessLog()
  for (;;) {
    const later = await nginx.accessLogOf(log.length + 1, 500)
    if (later.length === log.length) return later
    log = later
  }
}

test('failures: a server that fails every third request counts what the report counts', async (t) => {
  const counts = { answered: 0, cut: 0, closed: 0 }
  let count = 0
  const server = await startRawServer(t, async (connection) => {
    await connection.request()
    switch (count++ % 3) {
      case 0:
        counts.answered++
        await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
        break
      case 1:
        counts.cut++
        await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel')
        break
      default:
        counts.closed++
    }
    connection.end()
  })
  for (const threads of THREAD_COUNTS) {
    const before = { ...counts }
    const { report } = await siegeJson([`--threads=${threads}`, '-c5', '-r9', server.url])
    const kinds = new Map(report.onager.failures.map((failure) => [failure.kind, failure.count]))
    assert.equal(report.transactions, counts.answered - before.answered)
    assert.equal(kinds.get('response cut short'), counts.cut - before.cut)
    assert.equal(kinds.get('closed before a response'), counts.closed - before.closed)
    assert.equal(report.transactions + report.failed_transactions, 45)
    // What came of the answers that were cut short came, too.
    const cutCount = counts.cut - before.cut
    assert.equal(report.onager.body_bytes, 5 * report.transactions + 3 * cutCount)
  }
})
