/** Tests of ab's command line: order effects, refusals with ab's words and statuses. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type AbJob, readAbCommandLine } from './command-line.ts'
import { atoi } from './options.ts'
import { planFromJob } from './plan-from-job.ts'
import { abReferenceText } from './usage.ts'

const URL_TEXT = 'http://127.0.0.1/x'

function read(...argv: string[]) {
  return readAbCommandLine(argv, () => Uint8Array.of(1, 2, 3))
}

function jobOf(...argv: string[]): AbJob {
  const line = read(...argv, URL_TEXT)
  assert.equal(line.kind, 'run')
  // The line above has made sure of it.
  return (line as { job: AbJob }).job
}

function refusal(...argv: string[]): { first: string; status: number } {
  const line = read(...argv)
  assert.equal(line.kind, 'refused', argv.join(' '))
  const { text, status } = line as { text: string; status: number }
  return { first: text.split('\n')[0]!, status }
}

test('atoi() reads as C does', () => {
  const texts = ['5x', ' +7', '-3', 'abc', '', '99999999999', '010']
  assert.deepEqual(texts.map(atoi), [5, 7, -3, 0, 0, 1215752191, 10])
})

test('-t means 50000 requests unless -n follows', () => {
  assert.equal(jobOf('-n', '5', '-t', '1').requestCount, 50_000)
  assert.equal(jobOf('-t', '1', '-n', '5').requestCount, 5)
})

test('-m after a body keeps the body, before it is a contradiction', () => {
  const job = jobOf('-p', 'file', '-m', 'PATCH')
  assert.deepEqual([job.method, job.body?.length], ['PATCH', 3])
  const wanted = { first: 'Cannot mix POST with other methods', status: 1 }
  assert.deepEqual(refusal('-m', 'PATCH', '-p', 'file', URL_TEXT), wanted)
})

test('unknown options are refused', () => {
  assert.deepEqual(refusal('-Y', URL_TEXT), { first: 'ab: illegal option -- Y', status: 22 })
  assert.deepEqual(refusal('--foo', URL_TEXT), { first: 'ab: unknown option --foo', status: 22 })
})

test('what could not run is refused before anything is printed', () => {
  for (const argv of [
    ['-c', '0'],
    ['-s', '0'],
    ['-m', 'a b'],
    ['-m', ''],
  ]) {
    assert.equal(refusal(...argv, URL_TEXT).status, 22)
  }
  for (const url of ['', '/x', 'http:///x', 'http://8080/', 'http://h:0/', 'http://h:65536/']) {
    assert.deepEqual(refusal(url), { first: 'ab: invalid URL', status: 22 })
  }
})

test('the first thing that is wrong counts', () => {
  assert.deepEqual(refusal('-n', '0', '-V'), { first: 'Invalid number of requests', status: 1 })
  assert.equal(read('-V', '-n', '0').kind, 'version')
})

test('planFromJob() ends the run with the first socket error unless -r is given', () => {
  const surroundings = { certificatePem: null, localAddress: null, randomSeed: 1 }
  assert.ok(planFromJob(jobOf(), surroundings).fatalFailureKinds!.length > 0)
  assert.equal(planFromJob(jobOf('-r'), surroundings).fatalFailureKinds, undefined)
})

test('planFromJob() takes -n as the total and pins the version of -f', () => {
  const surroundings = { certificatePem: null, localAddress: null, randomSeed: 1 }
  const plan = planFromJob(jobOf('-n7', '-c5', '-f', 'tls1.2', '-s', '-1'), surroundings)
  assert.equal(plan.load.totalCount, 7)
  assert.equal(plan.load.userCount, 5)
  assert.deepEqual([plan.tls.versionMin, plan.tls.versionMax], ['TLSv1.2', 'TLSv1.2'])
  assert.ok(plan.connection.timeoutNs > 1e15)
})

test('docs/reference-ab.md is what generate-docs.mjs writes', () => {
  const path = new URL('../../../docs/reference-ab.md', import.meta.url)
  assert.equal(readFileSync(path, 'utf8'), abReferenceText)
})
