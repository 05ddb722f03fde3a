/** What settings become in a plan, the head of a request above all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../base/errors.ts'
import type { HeadField, Plan } from '../plan/plan.ts'
import { TargetListBuilder } from '../plan/target-list.ts'
import { readSiegeCommandLine } from './command-line.ts'
import type { ReadText } from './files.ts'
import { planFromSettings } from './plan-from-settings.ts'
import { platformUserAgent } from './user-agent.ts'

const files = new Map([
  ['both.pem', 'BOTH'],
  ['key.pem', 'KEY'],
  ['ca.pem', 'CA'],
])

const readText: ReadText = (path) => {
  const text = files.get(path)
  return text === undefined ? { isMissing: true, reason: 'there is no such file' } : { text }
}

function planOf(argv: readonly string[], siegerc = ''): Plan {
  files.set('rc', siegerc)
  const { settings } = readSiegeCommandLine(['-R', 'rc', ...argv], {}, readText)
  const surroundings = {
    readText,
    environment: {},
    randomSeed: 42,
    architecture: 'x64',
    system: 'linux',
    lists: { login: null, auth: null },
    storedCookies: [],
  }
  return planFromSettings(settings, new TargetListBuilder().build(), surroundings)
}

function fieldText(field: HeadField): string {
  if (field.kind === 'dynamic') return '*'
  if (field.kind === 'fixed') return `${field.name}: ${field.value}`
  if (field.kind !== 'content-type') return `<${field.name}>`
  return `<${field.name}: ${field.fallback}${field.beatsGuess === true ? '!' : ''}>`
}

function headOf(argv: readonly string[], siegerc = ''): string[] {
  return planOf(argv, siegerc).request.head.map(fieldText)
}

const AGENT = 'User-Agent: Mozilla/5.0 (unknown-x86_64-linux-gnu) Siege/4.1.7'
const FORM = '<Content-Type: application/x-www-form-urlencoded>'

test("planFromSettings() has siege's fields in siege's order", () => {
  assert.deepEqual(headOf(['-H', 'X-B: 2', '-H', 'X-A: 1']), [
    '<Host>',
    '*',
    'Accept: */*',
    'Accept-Encoding: gzip, deflate',
    AGENT,
    'X-B: 2',
    'X-A: 1',
    'Connection: close',
    FORM,
    '<Content-Length>',
  ])
})

test('planFromSettings() puts given fields in the place of built-in ones, in any case', () => {
  const names = ['host', 'ACCEPT', 'accept-encoding', 'user-agent', 'connection', 'content-type']
  const given = [...names, 'content-length'].flatMap((name) => ['-H', `${name}: x`])
  assert.deepEqual(headOf(given), [
    'host: x',
    '*',
    'ACCEPT: x',
    'accept-encoding: x',
    'user-agent: x',
    'connection: x',
    'content-type: x',
    'content-length: x',
  ])
})

test('planFromSettings() sends every field of a name that was given several times', () => {
  const head = headOf(['-H', 'Accept: a', '-H', 'X: 1', '-H', 'accept: b', '-H', 'x: 2'])
  assert.deepEqual(head.slice(2, 4), ['Accept: a', 'accept: b'])
  assert.deepEqual(head.slice(6, 8), ['X: 1', 'x: 2'])
})

test('planFromSettings() lets -T beat -H Content-Type and guesses', () => {
  const head = headOf(['-H', 'Content-Type: a/b', '-T', 'application/json'])
  assert.deepEqual(head.slice(-3), [
    'Connection: close',
    '<Content-Type: application/json!>',
    '<Content-Length>',
  ])
})

test('planFromSettings() does not take parts of names for names', () => {
  assert.equal(headOf(['-H', 'X-Forwarded-Host: abc'])[0], '<Host>')
})

test('planFromSettings() sends text as UTF-8', () => {
  assert.equal(headOf(['-A', 'Zoë'])[4], 'User-Agent: Zo\xc3\xab')
})

test('planFromSettings() keeps connections as the Connection field that is sent says', () => {
  const isKept = (argv: string[], rc = '') => planOf(argv, rc).connection.keepAlive
  assert.equal(isKept([]), false)
  assert.equal(isKept([], 'connection = keep-alive'), true)
  assert.equal(isKept(['-H', 'connection: Keep-Alive']), true)
  assert.equal(isKept(['-H', 'Connection: TE, close'], 'connection = keep-alive'), false)
})

test('planFromSettings() translates the load', () => {
  const plan = planOf(['-c3', '-t1.5s', '-d.5', '--threads=2'], 'failures = 0\nzero-data-ok = no')
  assert.deepEqual(plan.load, {
    model: 'closed',
    userCount: 3,
    iterationCount: null,
    durationNs: 1.5e9,
    thinkTimeNsMax: 5e8,
  })
  assert.deepEqual(
    [plan.threadCount, plan.failureCountMax, plan.failEmptyBodies, plan.seed],
    [2, null, true, 42],
  )
  assert.equal(plan.connection.timeoutNs, 30e9)
  assert.equal(planOf(['-r7', '--seed=9', '--timeout=0.5s']).load.iterationCount, 7)
  assert.equal(planOf(['--seed=9']).seed, 9)
})

test('planFromSettings() walks once, at random or in order', () => {
  assert.equal(planOf([]).walk, 'in-order')
  assert.equal(planOf(['-i']).walk, 'random')
  assert.equal(planOf(['-r', 'once', '-i']).walk, 'once')
  assert.equal(planOf(['-r', 'once', '-t5s']).walk, 'in-order')
})

test('planFromSettings() reads certificates, the key from the same file unless it has one', () => {
  const { tls } = planOf(['--verify', '--ca=ca.pem'], 'ssl-cert = both.pem\nssl-ciphers = HIGH')
  assert.deepEqual([tls.verify, tls.ca, tls.cert, tls.key], [true, 'CA', 'BOTH', 'BOTH'])
  assert.equal(tls.ciphers, 'HIGH')
  assert.equal(planOf([], 'ssl-cert = both.pem\nssl-key = key.pem').tls.key, 'KEY')
  assert.throws(
    () => planOf(['--ca=no.pem'], 'ssl-cert = none.pem'),
    (error) => {
      assert.ok(error instanceof UsageError)
      assert.deepEqual(
        error.problems.map((problem) => problem.text),
        [
          'ssl-ca (--ca) "no.pem": there is no such file',
          'ssl-cert "none.pem": there is no such file',
        ],
      )
      return true
    },
  )
})

test('platformUserAgent() names the platform as GNU does', () => {
  assert.equal(
    platformUserAgent('arm64', 'darwin'),
    'Mozilla/5.0 (apple-aarch64-darwin) Siege/4.1.7',
  )
})
