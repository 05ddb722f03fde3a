/** All watchers of one run together. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { EnvironmentError } from '../../src/base/errors.ts'
import { readOtlpTarget } from '../../src/run/exporters/otlp.ts'
import { type WatchOptions, watchRun } from '../../src/run/watch-run.ts'
import { TestTerminal } from '../live/terminal.ts'
import { freePort } from '../support/ports.ts'
import { NamedRun, namedFacts } from './moments.ts'

function optionsOf(stream: TestTerminal): WatchOptions {
  return {
    stream,
    facts: namedFacts,
    env: { TERM: 'xterm', LANG: 'C.UTF-8' },
    isQuiet: false,
    prometheus: null,
    otlp: null,
    startedAtMs: Date.now(),
  }
}

test('watchRun() shows the run, serves its metrics and says what goes wrong with a push', async () => {
  const terminal = new TestTerminal(100, 40)
  const watchers = await watchRun({
    ...optionsOf(terminal),
    prometheus: { host: '127.0.0.1', port: 0 },
    otlp: readOtlpTarget(`http://127.0.0.1:${await freePort()}`),
  })
  const run = new NamedRun()
  const { snapshot, elapsedNs } = run.at(2)
  watchers.progress(snapshot, elapsedNs)
  const [notice, title] = await terminal.screen()
  assert.match(title ?? '', /^ onager {2}a "plan"\\with\\x0aall of it/)
  const url = /^Metrics for Prometheus: (\S+)$/.exec(notice ?? '')?.[1] ?? ''
  assert.match(await (await fetch(url)).text(), /^onager_run_elapsed_seconds 2$/m)

  watchers.endView()
  assert.deepEqual(await terminal.everything(), [notice])
  const last = run.at(3)
  const closed = watchers.close(last.snapshot, last.elapsedNs)
  await closed
  const [, warning] = await terminal.everything()
  assert.match(warning ?? '', /^onager: the metrics were not taken by http:/)
  await assert.rejects(fetch(url))
})

test('watchRun() without exporters is the view alone', async () => {
  const terminal = new TestTerminal(100, 40)
  const watchers = await watchRun({ ...optionsOf(terminal), isQuiet: true })
  const { snapshot, elapsedNs } = new NamedRun().at(1)
  watchers.progress(snapshot, elapsedNs)
  watchers.say('onager: something')
  await watchers.close(snapshot, elapsedNs)
  assert.deepEqual(terminal.writes, ['onager: something\n'])
})

test('watchRun() fails before the run where it cannot listen', async (t) => {
  const options = optionsOf(new TestTerminal(80, 24))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const prometheus = { host: '127.0.0.1', port: address.port }
  await assert.rejects(watchRun({ ...options, prometheus }), EnvironmentError)
})
