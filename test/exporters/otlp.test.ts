/** Pushes to a collector that answers as it is told, or not at all. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '../../src/base/errors.ts'
import type { Exporter } from '../../src/run/exporters/exporter.ts'
import { readOtlpTarget, startOtlp } from '../../src/run/exporters/otlp.ts'
import { projectRoot } from '../support/files.ts'
import { freePort } from '../support/ports.ts'
import { runProgram } from '../support/run-cli.ts'
import type { Scope } from '../support/scope.ts'
import { eventually, timedTest } from '../support/timing.ts'
import { NamedRun, namedFacts } from './moments.ts'
import { pushedPoints } from './otlp-shape.ts'

interface Collector {
  readonly url: string
  readonly requests: readonly {
    readonly path: string
    readonly body: string
    readonly head: IncomingMessage['headers']
  }[]
  /** Until so many requests have come, and their answers, if any, have arrived. */
  has(count: number): Promise<void>
}

type Answer = (response: ServerResponse) => void

const taken: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
}

async function startCollector(scope: Scope, answer: Answer = taken): Promise<Collector> {
  const requests: { path: string; body: string; head: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      requests.push({ path: `${request.method} ${request.url}`, body, head: request.headers })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  async function has(count: number): Promise<void> {
    await eventually(() => requests.length >= count, `${count} requests`)
    assert.equal(requests.length, count)
    // Many turns of the loop and not one long pause: on a busy machine that may be a single turn.
    for (let turn = 0; turn < 20; turn++) await pause(2)
  }
  return { url: `http://127.0.0.1:${address.port}`, requests, has }
}

interface Pushing extends Exporter {
  readonly warnings: readonly string[]
  /** Updates four times a second of the run. */
  runUntil(second: number): void
  readonly run: NamedRun
}

function pushTo(url: string): Pushing {
  const warnings: string[] = []
  const exporter = startOtlp({
    target: readOtlpTarget(url),
    facts: namedFacts,
    startedAtMs: Date.now(),
    warn: (text) => warnings.push(text),
  })
  const run = new NamedRun()
  let second = 0
  return {
    ...exporter,
    warnings,
    run,
    runUntil(until) {
      for (; second < until; second += 0.25) {
        const { snapshot, elapsedNs } = run.at(second)
        exporter.update(snapshot, elapsedNs)
      }
    },
  }
}

test('startOtlp() pushes every ten seconds and at the end, in the shape of the protocol', async (t) => {
  const collector = await startCollector(t)
  const pushing = pushTo(collector.url)
  pushing.runUntil(10)
  await pause(20)
  assert.equal(collector.requests.length, 0)
  pushing.runUntil(10.25)
  await collector.has(1)
  pushing.runUntil(20.25)
  await collector.has(2)
  const last = pushing.run.at(25)
  pushing.update(last.snapshot, last.elapsedNs)
  await pushing.close()
  assert.equal(collector.requests.length, 3)
  assert.deepEqual(pushing.warnings, [])
  for (const { path, head } of collector.requests) {
    assert.equal(path, 'POST /v1/metrics')
    assert.equal(head['content-type'], 'application/json')
  }

  const pushes = collector.requests.map(({ body }) => pushedPoints(body))
  for (const [index, points] of pushes.entries()) {
    const earlier = pushes[index - 1]
    for (const [id, { startTimeUnixNano, timeUnixNano, value }] of points) {
      const before = earlier?.get(id)
      if (before === undefined) continue
      assert.equal(before.startTimeUnixNano, startTimeUnixNano, id)
      assert.ok(BigInt(before.timeUnixNano) < BigInt(timeUnixNano), id)
      if (!id.startsWith('onager.requests.in_flight')) assert.ok(value >= before.value, id)
    }
    for (const id of earlier?.keys() ?? []) assert.ok(points.has(id), `${id} is gone`)
  }
  const { snapshot } = last
  const final = (id: string) => pushes.at(-1)!.get(id)?.value
  assert.equal(final('onager.requests.started'), snapshot.startedCount)
  assert.equal(final('onager.requests.completed status=200'), snapshot.statusCounts[200])
  assert.equal(final('onager.response.time'), snapshot.completedCount)
  assert.equal(final('onager.requests.failed reason=connection reset'), snapshot.failureCounts[7])
  assert.equal(
    final('onager.named.response.time name=two\nlines'),
    snapshot.names[2]!.completedCount,
  )
  assert.equal(final('onager.run.elapsed'), 25)
})

test('startOtlp() tells once what a collector has against the metrics, and goes on', async (t) => {
  const collector = await startCollector(t, (response) => {
    response.writeHead(503).end('overloaded,\n\x1b[31mcome back later')
  })
  const pushing = pushTo(collector.url)
  pushing.runUntil(10.25)
  await collector.has(1)
  pushing.runUntil(21)
  await collector.has(2)
  await pushing.close()
  assert.equal(collector.requests.length, 3)
  assert.deepEqual(pushing.warnings, [
    `the metrics were not taken by ${collector.url}/v1/metrics: it answered 503 (overloaded, \\x1b[31mcome back later).`,
  ])
})

test('startOtlp() tells of values that a collector rejects', async (t) => {
  const collector = await startCollector(t, (response) => {
    response.end('{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"no histograms"}}')
  })
  const pushing = pushTo(collector.url)
  pushing.runUntil(1)
  await pushing.close()
  assert.match(pushing.warnings.join(), /it rejected 3 values \(.*no histograms/)
})

test('startOtlp() says why nobody is there', async () => {
  const pushing = pushTo(`http://127.0.0.1:${await freePort()}`)
  pushing.runUntil(1)
  await pushing.close()
  assert.match(pushing.warnings.join(), /^the metrics were not taken by http:.*ECONNREFUSED/)
})

timedTest('close() waits two seconds for a collector that is silent, and no longer', async (t) => {
  const collector = await startCollector(t, () => {})
  const pushing = pushTo(collector.url)
  pushing.runUntil(31)
  await collector.has(1)
  const startMs = performance.now()
  await pushing.close()
  const elapsedMs = performance.now() - startMs
  assert.ok(elapsedMs > 1900 && elapsedMs < 3000, `${elapsedMs}`)
  // One that was under way and one at the end: the others were not even begun.
  assert.equal(collector.requests.length, 2)
  assert.match(pushing.warnings.join('\n'), /^the metrics .*: it did not answer in time\.$/)
})

test('close() without any counts pushes nothing, and a second time nothing more', async (t) => {
  const collector = await startCollector(t)
  const pushing = pushTo(collector.url)
  await pushing.close()
  await pushing.close()
  assert.equal(collector.requests.length, 0)
})

timedTest('startOtlp() reads no endless answer', async (t) => {
  const collector = await startCollector(t, (response) => {
    const timer = setInterval(() => response.write('x'.repeat(50_000)), 5)
    response.on('close', () => clearInterval(timer))
  })
  const pushing = pushTo(collector.url)
  pushing.runUntil(1)
  const startMs = performance.now()
  await pushing.close()
  assert.ok(performance.now() - startMs < 1500)
  assert.deepEqual(pushing.warnings, [])
})

test('startOtlp() sends the login of its URL, shows it nowhere and takes it to no other place', async (t) => {
  const other = await startCollector(t)
  const collector = await startCollector(t, (response) => {
    response.writeHead(307, { location: `${other.url}/v1/metrics` }).end()
  })
  const pushing = pushTo(collector.url.replace('//', '//joe:s%40cret@'))
  pushing.runUntil(1)
  await pushing.close()
  const login = Buffer.from('joe:s@cret').toString('base64')
  assert.equal(collector.requests[0]?.head.authorization, `Basic ${login}`)
  assert.equal(other.requests.length, 0)
  assert.match(pushing.warnings.join(), /it answered 307/)
  assert.doesNotMatch(pushing.warnings.join(), /joe|cret/)
})

test('readOtlpTarget() adds the path for metrics where there is none', () => {
  assert.equal(readOtlpTarget('http://127.0.0.1:4318').url, 'http://127.0.0.1:4318/v1/metrics')
  assert.equal(readOtlpTarget('https://a.test/otlp?x=1').url, 'https://a.test/otlp?x=1')
  assert.deepEqual(readOtlpTarget('http://a.test/').headers, {})
  for (const wrong of ['', '127.0.0.1:4318', 'grpc://a.test:4317', 'http://']) {
    assert.throws(() => readOtlpTarget(wrong), UsageError, wrong)
  }
})

timedTest('a program that pushed ends by itself once it is closed', async (t) => {
  const collector = await startCollector(t)
  const dist = join(projectRoot, 'dist')
  const script = `
    const { readOtlpTarget, startOtlp } = await import('${dist}/src/run/exporters/otlp.js')
    const { NamedRun, namedFacts } = await import('${dist}/test/exporters/moments.js')
    const target = readOtlpTarget('${collector.url}')
    const exporter = startOtlp({ target, facts: namedFacts, startedAtMs: Date.now(), warn() {} })
    const { snapshot, elapsedNs } = new NamedRun().at(1)
    exporter.update(snapshot, elapsedNs)
    await exporter.close()
    const closedAtMs = performance.now()
    process.on('exit', () => console.log(performance.now() - closedAtMs < 2000))`
  const outcome = await runProgram(process.execPath, ['--input-type=module', '-e', script])
  assert.equal(outcome.stdout, 'true\n')
  assert.equal(collector.requests.length, 1)
})
