/** `--html` of siege and ab: a report of what happened, or a refusal before anything happens. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '../support/files.ts'
import { freePort } from '../support/ports.ts'
import { runCli, runProgram } from '../support/run-cli.ts'
import { siege } from './siege-run.ts'

interface Site {
  readonly url: string
  requestCount: number
}

async function startSite(context: TestContext): Promise<Site> {
  const server = createServer((_, response) => {
    site.requestCount++
    response.end('hello')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // Listening on a port it has an address.
  const { port } = server.address() as AddressInfo
  const site = { url: `http://127.0.0.1:${port}/page`, requestCount: 0 }
  return site
}

test('siege --html writes a report beside its own, over what was there', async (context) => {
  const { url } = await startSite(context)
  const path = join(tempFolder(context), 'report.html')
  writeFileSync(path, 'x'.repeat(1_000_000))
  const args = [`--html=${path}`, '-c2', '-r5', '-b', '--watch', 'answer=echo 42', url]
  const { status, stderr } = await siege(args)
  assert.equal(status, 0, stderr)
  assert.match(stderr, /Transactions:\s+10 hits/)
  const report = readFileSync(path, 'utf8')
  assert.match(report, /^<!doctype html>/)
  assert.match(report, /<\/html>\n$/)
  assert.ok(report.includes(`<h1><bdi>${url}</bdi></h1>`))
  assert.match(report, /2 users, 5 times each/)
  assert.match(report, /10\u00a0responses came/)
  assert.match(report, /<bdi>answer<\/bdi>/, 'what was watched is in it')
})

test('siege --html reports a run in which every request failed', async (context) => {
  const path = join(tempFolder(context), 'report.html')
  const url = `http://127.0.0.1:${await freePort()}/`
  const { status } = await siege(['--html', path, '-c1', '-r3', '-b', '-q', url])
  assert.equal(status, 1)
  assert.match(readFileSync(path, 'utf8'), /No request got an answer/)
})

test('ab --html writes a report beside its own', async (context) => {
  const { url } = await startSite(context)
  const path = join(tempFolder(context), 'report.html')
  const { status, stdout } = await runCli('ab', ['-n20', '-c4', '--html', path, url])
  assert.equal(status, 0)
  assert.match(stdout, /Complete requests: {6}20/)
  const report = readFileSync(path, 'utf8')
  assert.ok(report.includes(`<h1><bdi>${url}</bdi></h1>`))
  assert.match(report, /4 users, 20 in all/)
})

test('--html with a file that cannot be written to is refused before anything is sent', async (context) => {
  const site = await startSite(context)
  const folder = tempFolder(context)
  mkdirSync(join(folder, 'taken'))
  const pipe = join(folder, 'pipe')
  assert.equal((await runProgram('mkfifo', [pipe])).status, 0)
  for (const [path, reason] of [
    [join(folder, 'missing', 'report.html'), /there is no such file or folder/],
    [join(folder, 'taken'), /it is a folder/],
    [pipe, /cannot be written to/],
    ['-', /--html -: standard output carries the report; give the name of a file/],
  ] as const) {
    for (const run of [
      () => siege(['--html', path, '-c1', '-r1', site.url]),
      () => runCli('ab', ['-n1', '--html', path, site.url]),
    ]) {
      const { status, stderr } = await run()
      assert.equal(status, 2, stderr)
      assert.match(stderr, reason)
      assert.ok(stderr.includes(path))
    }
  }
  assert.equal(site.requestCount, 0)
})

test('--html tells at the end when the report could not be written, and keeps the figures', async (context) => {
  const site = await startSite(context)
  const ended = [
    await siege(['-c1', '-r2', '-b', '--html', '/dev/full', site.url]),
    await runCli('ab', ['-n2', '--html', '/dev/full', site.url]),
  ]
  for (const { status, stdout, stderr } of ended) {
    assert.equal(status, 1, stderr)
    assert.match(stderr, /\/dev\/full could not be written: there is no space left/)
    assert.match(stdout + stderr, /Transactions:\s+2 hits|Complete requests: {6}2/)
  }
})
