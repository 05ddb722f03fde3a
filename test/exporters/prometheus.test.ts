/** The endpoint for Prometheus, read by a real one, by its own checker, and by hand. */
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { EnvironmentError, UsageError } from '../../src/base/errors.ts'
import { Histogram } from '../../src/metrics/histogram.ts'
import { emptySnapshot } from '../../src/metrics/snapshot.ts'
import { metricsOf } from '../../src/run/exporters/metrics.ts'
import { readListenAddress, startPrometheus } from '../../src/run/exporters/prometheus.ts'
import { formatFor, prometheusText } from '../../src/run/exporters/prometheus-text.ts'
import { startDaemon } from '../support/daemon.ts'
import { closedFacts } from '../support/live-run.ts'
import { requirePart } from '../support/real-parts.ts'
import { timedTest } from '../support/timing.ts'
import { hostileNames, NamedRun, namedFacts } from './moments.ts'

const anyPort = { host: '127.0.0.1', port: 0 }

test('startPrometheus() is read by a real Prometheus, with the values of the run', async (t) => {
  const path = requirePart(t, 'prometheus')
  if (path === undefined) return
  const { snapshot, elapsedNs } = new NamedRun().at(30)
  const endpoint = await startPrometheus(anyPort, namedFacts)
  t.after(() => endpoint.close())
  endpoint.update(snapshot, elapsedNs)
  const { host } = new URL(endpoint.url)
  const { port } = await startDaemon(t, {
    path,
    prepare({ folder, port }) {
      mkdirSync(join(folder, 'data'), { recursive: true })
      writeFileSync(
        join(folder, 'prometheus.yml'),
        `scrape_configs: [{job_name: onager, scrape_interval: 1s, scrape_timeout: 1s, static_configs: [{targets: ['${host}']}]}]\n`,
      )
      return [
        '--config.file=prometheus.yml',
        '--storage.tsdb.path=data',
        `--web.listen-address=127.0.0.1:${port}`,
      ]
    },
  })
  const ask = (query: string) => queryOnceThere(`http://127.0.0.1:${port}`, query)
  const numberOf = async (query: string) => Number((await ask(query))[0]?.value[1])

  assert.equal(await numberOf('onager_requests_started_total'), snapshot.startedCount)
  assert.equal(await numberOf('sum(onager_requests_completed_total)'), snapshot.completedCount)
  const ok = await numberOf('onager_requests_completed_total{status="200"}')
  assert.equal(ok, snapshot.statusCounts[200])
  assert.equal(await numberOf('sum(onager_requests_failed_total)'), snapshot.failedCount)
  assert.equal(await numberOf('onager_received_body_bytes_total'), snapshot.bodyBytes)
  assert.equal(await numberOf('onager_run_elapsed_seconds'), 30)
  assert.equal(await numberOf('onager_response_time_seconds_count'), snapshot.completedCount)
  const p50 = await numberOf('histogram_quantile(0.5, onager_response_time_seconds_bucket)')
  const exactS = Histogram.from(snapshot.responseTime).valueNsAtQuantile(0.5) / 1e9
  assert.ok(p50 > exactS / 1.5 && p50 < exactS * 1.5, `${p50} for ${exactS}`)
  const named = await ask('onager_named_response_time_seconds_count')
  assert.deepEqual(named.map(({ metric }) => metric.name).sort(), [...hostileNames].sort())
  const [info] = await ask('onager_run_info')
  assert.equal(info?.metric.title, namedFacts.title)
  const checks = await numberOf('onager_checks_total{check="status is 200",result="failed"}')
  assert.equal(checks, 2)
})

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

/** Fails after a while, with what Prometheus has against the target. */
async function queryOnceThere(url: string, query: string): Promise<readonly Series[]> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
    // It listens a while before it answers queries.
    if (response.status === 503) {
      await pause(100)
      continue
    }
    // The shape is Prometheus' own.
    const { data } = (await response.json()) as { data?: { result: readonly Series[] } }
    if (data !== undefined && data.result.length > 0) return data.result
    await pause(100)
  }
  const targets = await (await fetch(`${url}/api/v1/targets`)).text()
  throw new Error(`nothing for ${query}: ${targets}`)
}

test('prometheusText() has nothing that promtool finds fault with', (t) => {
  const path = requirePart(t, 'promtool')
  if (path === undefined) return
  for (const [moment, facts] of [
    [new NamedRun().at(10), namedFacts],
    [{ snapshot: emptySnapshot(), elapsedNs: 0 }, closedFacts],
  ] as const) {
    const input = prometheusText(metricsOf(moment, facts), 'text')
    const checked: SpawnSyncReturns<string> = spawnSync(path, ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    })
    assert.equal(checked.stdout + checked.stderr, '')
    assert.equal(checked.status, 0)
  }
})

test('prometheusText() writes both formats as their specifications say', () => {
  const metrics = metricsOf(new NamedRun().at(10), namedFacts)
  const text = prometheusText(metrics, 'text')
  const open = prometheusText(metrics, 'openmetrics')
  assert.match(
    text,
    /^# TYPE onager_requests_started_total counter\n# HELP onager_requests_started_total R/m,
  )
  assert.match(open, /^# TYPE onager_requests_started counter\n# HELP onager_requests_started R/m)
  for (const format of [text, open]) {
    assert.match(format, /^onager_requests_started_total \d+$/m)
    assert.match(format, /\{name="say \\"hi\\"\\\\n",status="200"\} \d+$/m)
    assert.match(format, /\{name="two\\nlines"\} \d+$/m)
    assert.match(format, /_bucket\{name="größe 首页",le="0\.0025"\} \d+$/m)
    assert.match(format, /^onager_start_lag_seconds_bucket\{le="\+Inf"\} \d+$/m)
  }
  assert.match(text, /_bucket\{le="10"\} /)
  assert.doesNotMatch(text, /# UNIT|# EOF|le="10\.0"/)
  assert.match(open, /_bucket\{le="10\.0"\} /)
  assert.match(open, /^# UNIT onager_response_time_seconds seconds$/m)
  assert.match(open, /\n# EOF\n$/)
  const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  assert.equal(new Set(families).size, families.length)
})

test('metricsOf() of a closed plan without names has no arrivals and no names', () => {
  const metrics = metricsOf({ snapshot: emptySnapshot(), elapsedNs: 1e9 }, closedFacts)
  assert.doesNotMatch(metrics.map(({ name }) => name).join(), /arrival|lag|named|check/)
})

test('metricsOf() leaves the names out while they are not told', () => {
  const { snapshot, elapsedNs } = new NamedRun().at(1)
  const metrics = metricsOf({ snapshot: { ...snapshot, names: [] }, elapsedNs }, namedFacts)
  assert.doesNotMatch(metrics.map(({ name }) => name).join(), /named/)
})

test('formatFor() gives OpenMetrics to those who ask for it', () => {
  const prometheus =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
  assert.equal(formatFor(prometheus), 'openmetrics')
  assert.equal(formatFor('text/plain;q=0.9, Application/OpenMetrics-Text; q=0.2'), 'text')
  assert.equal(formatFor('application/openmetrics-text;q=0'), 'text')
  for (const other of [undefined, '', '*/*', 'text/html', ';;,,q=']) {
    assert.equal(formatFor(other), 'text')
  }
})

test('startPrometheus() answers what it is asked, and says so otherwise', async (t) => {
  const endpoint = await startPrometheus(anyPort, closedFacts)
  t.after(() => endpoint.close())
  const before = await (await fetch(endpoint.url)).text()
  assert.match(before, /^onager_requests_started_total 0$/m)
  const { snapshot, elapsedNs } = new NamedRun().at(2)
  endpoint.update(snapshot, elapsedNs)
  const now = await fetch(`${endpoint.url}?x=1`, { headers: { accept: 'text/plain' } })
  assert.equal(now.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  assert.match(await now.text(), /^onager_run_elapsed_seconds 2$/m)
  const open = await fetch(endpoint.url, { headers: { accept: 'application/openmetrics-text' } })
  assert.match(open.headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1/)
  assert.match(await open.text(), /# EOF\n$/)
  const head = await fetch(endpoint.url, { method: 'HEAD' })
  assert.ok(Number(head.headers.get('content-length')) > 1000)
  assert.equal(await head.text(), '')
  const { origin } = new URL(endpoint.url)
  assert.equal((await fetch(origin)).status, 200)
  assert.equal((await fetch(`${origin}/other`)).status, 404)
  const post = await fetch(endpoint.url, { method: 'POST', body: 'x' })
  assert.equal(post.status, 405)
  assert.equal(post.headers.get('allow'), 'GET, HEAD')
})

timedTest('close() of the endpoint ends connections that are kept open', async () => {
  const endpoint = await startPrometheus(anyPort, closedFacts)
  await (await fetch(endpoint.url)).text()
  const startMs = performance.now()
  await endpoint.close()
  assert.ok(performance.now() - startMs < 1000)
  await assert.rejects(fetch(endpoint.url))
})

test('startPrometheus() says that a port is taken', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  await assert.rejects(
    startPrometheus({ host: '127.0.0.1', port: address.port }, closedFacts),
    (error: unknown) => {
      assert.ok(error instanceof EnvironmentError)
      assert.match(
        error.message,
        /^Prometheus cannot be served on 127\.0\.0\.1, port \d+: the port is/,
      )
      return true
    },
  )
})

test('readListenAddress() takes ports, hosts and both, and loopback unless told otherwise', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['9100', '127.0.0.1', 9100],
    [':9100', '127.0.0.1', 9100],
    ['localhost', 'localhost', 9464],
    ['0.0.0.0:0', '0.0.0.0', 0],
    ['[::1]:9100', '::1', 9100],
    ['[::]', '::', 9464],
  ]
  for (const [text, host, port] of cases) assert.deepEqual(readListenAddress(text), { host, port })
  for (const wrong of ['', ' ', '::1', 'a:b', 'host:99999', '[::1', 'http://x:1/', 'a b']) {
    assert.throws(() => readListenAddress(wrong), UsageError, wrong)
  }
})
