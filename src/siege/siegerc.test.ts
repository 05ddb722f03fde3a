/** Which siegerc is read, and how its lines are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { problemText } from '../base/errors.ts'
import type { ReadText } from './files.ts'
import { findSiegerc, readSiegerc } from './siegerc.ts'

const environment = { HOME: '/home/u', TIER: 'test' }

function read(text: string): ReturnType<typeof readSiegerc> {
  return readSiegerc({ path: 'rc', text }, environment)
}

/** The values of a file in which nothing is wrong. */
function valuesOf(text: string): string[] {
  const { lines, problems } = read(text)
  assert.deepEqual(problems, [])
  return lines.map((line) => line.value)
}

function diskOf(...paths: string[]): ReadText {
  return (path) =>
    paths.includes(path) ? { text: '' } : { isMissing: true, reason: 'there is no such file' }
}

function found(rcFile: string | null, env: Record<string, string>, ...paths: string[]): unknown {
  const siegerc = findSiegerc(rcFile, env, diskOf(...paths))
  return siegerc === null || !('path' in siegerc) ? (siegerc?.text ?? null) : siegerc.path
}

test('findSiegerc() takes -R, SIEGERC, the home directory, /etc, nothing, in this order', () => {
  const home = '/home/u/.siege/siege.conf'
  const etc = '/etc/siege/siegerc'
  const env = { HOME: '/home/u', SIEGERC: '/env' }
  assert.equal(found('/r', env, '/r', '/env', home, etc), '/r')
  assert.equal(found(null, env, '/r', '/env', home, etc), '/env')
  assert.equal(found(null, { HOME: '/home/u' }, home, etc), home)
  assert.equal(found(null, { HOME: '/home/u', SIEGERC: '' }, '/home/u/.siegerc', etc), etc)
  assert.equal(found(null, {}, home), null)
})

test('findSiegerc() says when a file that was named is not there', () => {
  assert.equal(found('/r', {}), 'configuration file "/r": there is no such file')
  assert.match(String(found(null, { SIEGERC: '/e' }, '/etc/siege/siegerc')), /named by SIEGERC/)
})

test('readSiegerc() splits names and values at =, : and blanks, in any case of the name', () => {
  assert.deepEqual(
    valuesOf('reps: 2\nREPS 2\n  reps=2\t\nreps = : 2\r\nReps\t2'),
    Array(5).fill('2'),
  )
})

test('readSiegerc() skips a byte order mark, blank lines and comments', () => {
  const { lines } = read('\uFEFFreps = 1\n\n# reps = 2\n   # x\nconcurrent = 2 # two\r\n')
  assert.deepEqual(
    lines.map(({ key, value, line }) => ({ key, value, line })),
    [
      { key: 'iterations', value: '1', line: 1 },
      { key: 'userCount', value: '2', line: 5 },
    ],
  )
})

test('readSiegerc() takes an empty value for none', () => {
  assert.deepEqual(valuesOf('accept-encoding =\nreps = # none\nuser-agent = ""'), [])
})

test('readSiegerc() ends a value at # unless it is quoted, escaped or a password', () => {
  assert.deepEqual(valuesOf('user-agent = a # b\nuser-agent = "a # b" # c'), ['a', 'a # b'])
  assert.deepEqual(valuesOf('user-agent = a \\# b # c\nuser-agent = \'say "#"\''), [
    'a # b',
    'say "#"',
  ])
  assert.deepEqual(valuesOf('user-agent = "say \\"#\\""'), ['say "#"'])
  assert.deepEqual(valuesOf('login = user:p#ss\nproxy-login = u:#:r'), ['user:p#ss', 'u:#:r'])
  assert.deepEqual(valuesOf('header = X: "a" b'), ['X: "a" b'])
})

test('readSiegerc() takes names that begin with login for logins, but not login-url', () => {
  const { lines } = read('login2 = u:p\nlogin-url = http://h/')
  assert.deepEqual(
    lines.map((line) => line.key),
    ['logins', 'loginUrls'],
  )
})

test('readSiegerc() replaces variables of earlier lines, then of the environment', () => {
  const text = 'H = h.test\nH = other\nurl = http://$(H)/${TIER}/$H/\\$H\nTIER = live\nfile = $TIER'
  assert.deepEqual(valuesOf(text), ['http://h.test/test/h.test/$H', 'live'])
  assert.deepEqual(valuesOf('user-agent = $NONE $5'), ['$NONE $5'])
})

test('readSiegerc() says where a variable is not defined', () => {
  const { problems } = read('reps = 1\n  url = http://$(NONE)/\nN = 1\nfile = "$(M)"')
  assert.deepEqual(problems.map(problemText), [
    'rc:2:16: the variable NONE is not defined above or in the environment',
    'rc:4:9: the variable M is not defined above or in the environment',
  ])
})

test('readSiegerc() warns of variables that are almost directives, unless they are used', () => {
  const { warnings } = read('concurent = 5\nnosuchkey = 5\njson_ouput = true\nHOST = h\nFOO = 1')
  assert.deepEqual(warnings, [
    'rc:1: "concurent" is no directive and only defines a variable; did you mean concurrent?',
    'rc:3: "json_ouput" is no directive and only defines a variable; did you mean json_output?',
  ])
  assert.deepEqual(read('header2 = X\nheader = A: $(header2)').warnings, [])
})

test('readSiegerc() refuses a line without a name', () => {
  assert.deepEqual(read('= 5').problems.map(problemText), ['rc:1: "= 5" has no name'])
})

test('readSiegerc() reads any text', () => {
  const piece = fc.constantFrom(
    'reps',
    '=',
    '$',
    '(',
    '"',
    '\\',
    '#',
    ' ',
    '\n',
    '\r',
    'login',
    '5',
  )
  fc.assert(fc.property(fc.string({ unit: piece }), (text) => void read(text).warnings))
})
