/** From a whole command line to settings, in all layers, and every message about a mistake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { UsageError } from '../base/errors.ts'
import { readSiegeCommandLine, type SiegeCommandLine } from './command-line.ts'
import type { ReadText } from './files.ts'
import { siegeOptions } from './options.ts'
import type { SiegeSettings } from './settings.ts'
import type { Environment } from './siegerc.ts'

const RC = '/home/u/.siege/siege.conf'
const URL = 'http://127.0.0.1:8080/'

function disk(files: Readonly<Record<string, string>>): ReadText {
  return (path) => {
    const text = files[path]
    return text === undefined ? { isMissing: true, reason: 'there is no such file' } : { text }
  }
}

/** Reads `argv` with a siegerc of these lines, or without one. */
function read(argv: string[], siegerc?: string, environment: Environment = {}): SiegeCommandLine {
  const files = siegerc === undefined ? {} : { [RC]: siegerc }
  return readSiegeCommandLine(argv, { HOME: '/home/u', ...environment }, disk(files))
}

function settingsOf(argv: string[], siegerc?: string): SiegeSettings {
  return read(argv, siegerc).settings
}

function problemsOf(argv: string[], siegerc?: string): readonly string[] {
  try {
    read(argv, siegerc)
  } catch (error) {
    assert.ok(error instanceof UsageError)
    return error.message.split('\n')
  }
  return []
}

test('readSiegeCommandLine() puts command line over siegerc over defaults', () => {
  const siegerc = 'concurrent = 7\nreps = 3\n'
  assert.equal(settingsOf([URL]).userCount, 25)
  assert.equal(settingsOf([URL], siegerc).userCount, 7)
  const settings = settingsOf(['-c=2', URL, '-c', '9'], siegerc)
  assert.deepEqual([settings.userCount, settings.iterations], [9, 3])
})

test('readSiegeCommandLine() has the defaults of the template without a siegerc', () => {
  const line = read([URL])
  const { userCount, httpVersion, keepAlive, parser, verbose, acceptEncoding, json } = line.settings
  assert.deepEqual(
    { userCount, httpVersion, keepAlive, parser, verbose, acceptEncoding, json },
    {
      userCount: 25,
      httpVersion: '1.1',
      keepAlive: false,
      parser: true,
      verbose: true,
      acceptEncoding: 'gzip, deflate',
      json: false,
    },
  )
  assert.deepEqual(line.notices, [])
  assert.equal(line.resourceFile, null)
})

test('readSiegeCommandLine() reads options behind the URL', () => {
  const line = read([`${URL} POST {}`, '-H', 'X-A: 1', '-r', '2', '-c', '1'])
  assert.deepEqual(line.operands, [`${URL} POST {}`])
  assert.deepEqual(line.settings.headers, [{ name: 'X-A', value: '1' }])
  assert.deepEqual([line.settings.iterations, line.settings.userCount], [2, 1])
})

test('readSiegeCommandLine() collects every header field, those of the siegerc first', () => {
  const { headers } = settingsOf(['-H', 'B: 2', '--header=A: 3', URL], 'header = A: 1')
  assert.deepEqual(
    headers.map(({ name, value }) => `${name}=${value}`),
    ['A=1', 'B=2', 'A=3'],
  )
})

test('readSiegeCommandLine() lets the last of -A and -H User-Agent count', () => {
  const ofConfig = settingsOf(['-A', 'cli', URL], 'header = user-agent: config')
  assert.deepEqual([ofConfig.userAgent, ofConfig.headers], ['cli', []])
  const later = settingsOf(['--agent', 'a', '-H', 'User-Agent: b', URL])
  assert.deepEqual(later.headers, [{ name: 'User-Agent', value: 'b' }])
})

test('readSiegeCommandLine() reports all problems of command line and siegerc at once', () => {
  const argv = ['--bogus', '-c', '0', '-r', 'never', '-t', '5x', '-d', '-1', '-H', 'NoColon', URL]
  assert.deepEqual(problemsOf(argv, 'timeout = soon\nprotocol = HTTP/2\n'), [
    'unknown option --bogus',
    `${RC}:1: timeout must be a number of seconds, 0 or more, not "soon"`,
    `${RC}:2: protocol must be HTTP/1.1 or HTTP/1.0, not "HTTP/2"`,
    '-c must be a whole number from 1 to 1000000, not "0"',
    '-r must be a whole number, 1 or more, or once, not "never"',
    '-t must be a time above 0 such as 30S, 5M or 1H (no letter: minutes), not "5x"',
    '-d must be a number of seconds, 0 or more, such as 0.5, not "-1"',
    '-H must be "Name: value", with a colon, not "NoColon"',
  ])
})

test('readSiegeCommandLine() refuses zero, negative and textual numbers', () => {
  for (const argv of [
    ['-r0'],
    ['-r-1'],
    ['-c-1'],
    ['-cabc'],
    ['-t0'],
    ['-tabc'],
    ['--threads=0'],
  ]) {
    assert.equal(problemsOf([...argv, URL]).length, 1, argv.join(' '))
  }
  assert.equal(settingsOf(['-rOnce', URL]).iterations, 'once')
  assert.equal(settingsOf([URL], 'reps = once').iterations, 'once')
})

test('readSiegeCommandLine() lets time beat repetitions and says so', () => {
  const line = read(['-t', '90s', '-r', '5', URL])
  assert.deepEqual([line.settings.durationSeconds, line.settings.iterations], [90, null])
  assert.deepEqual(line.notices, [
    '[error] CONFIG conflict: selected time and repetition based testing',
    'defaulting to time-based testing: 90 seconds',
  ])
  assert.deepEqual(read(['-t', '90s', '-r', 'once', URL]).notices, [])
})

test('readSiegeCommandLine() lets JSON imply quiet and quiet beat verbose and debug', () => {
  const { quiet, verbose, debug } = settingsOf(['-j', '-v', '-D', URL])
  assert.deepEqual({ quiet, verbose, debug }, { quiet: true, verbose: false, debug: false })
  assert.equal(settingsOf(['-b', '-d', '5', URL]).delaySeconds, 0)
})

test('readSiegeCommandLine() caps users only if the siegerc has a limit, and says so', () => {
  assert.equal(settingsOf(['-c', '300', URL]).userCount, 300)
  const capped = read(['-c', '300', URL], 'limit = 255')
  assert.equal(capped.settings.userCount, 255)
  assert.match(capped.notices.join(), /300 users .* limit of 255/)
  assert.deepEqual(read(['-c', '255', URL], 'limit = 255').notices, [])
})

test('readSiegeCommandLine() switches the log on for -l, -lFILE and -m', () => {
  const logOf = (...argv: string[]) => {
    const { logging, logFile } = settingsOf([...argv, URL], 'logfile = /conf.log')
    return [logging, logFile]
  }
  assert.deepEqual(logOf(), [false, '/conf.log'])
  assert.deepEqual(logOf('-l'), [true, '/conf.log'])
  assert.deepEqual(logOf('-lx.log'), [true, 'x.log'])
  assert.deepEqual(logOf('--log=x.log'), [true, 'x.log'])
  assert.deepEqual(logOf('-m', 'mark'), [true, '/conf.log'])
})

test('readSiegeCommandLine() has an effect for every directive, so no notice of one without', () => {
  const { notices } = read(
    ['-N', '-F', '--no-parser', URL],
    'parser = true\ncache = true\nftp-login = u:p\nunique = false',
  )
  assert.deepEqual(notices, [])
})

test('readSiegeCommandLine() reads values as siege means them', () => {
  const settings = settingsOf(
    [URL],
    'timeout = 0\nfailures = -1\nlimit = 0\nnofollow = a\nnofollow = b',
  )
  assert.deepEqual(
    [settings.timeoutSeconds, settings.failureCountMax, settings.userCountLimit],
    [30, null, null],
  )
  assert.deepEqual(settings.noFollowHosts, ['a', 'b'])
})

test('readSiegeCommandLine() makes -g one user that goes once through its URLs', () => {
  const { userCount, iterations, logging } = settingsOf(['-g', '-c', '9', '-l', URL])
  assert.deepEqual(
    { userCount, iterations, logging },
    { userCount: 1, iterations: 'once', logging: false },
  )
})

test('readSiegeCommandLine() gives help and version whatever else is wrong', () => {
  assert.equal(read(['-h', '--bogus'], 'timeout = soon').action, 'help')
  assert.equal(read(['-R', '/none', '-V', '-h']).action, 'version')
  assert.equal(read(['-C', URL]).action, 'config')
})

test('readSiegeCommandLine() corrects a request that the shell took apart', () => {
  const [problem] = problemsOf(['-c', '2', URL, 'post', "it's", 'a=1', '-r', '3', 'http://h/'])
  assert.ok(problem?.endsWith(`: siege -c 2 '${URL} post it'\\''s a=1' -r 3 http://h/`), problem)
  assert.match(problemsOf(['HEAD', URL])[0]!, /: siege 'http:\S+ HEAD'$/)
  assert.match(problemsOf(['POST'])[0]!, /^"POST" is a method, not a URL$/)
  assert.deepEqual(problemsOf([`${URL} POST a=1`]), [])
})

test('readSiegeCommandLine() corrects a log file behind a blank', () => {
  assert.match(problemsOf(['-l', 'my.log', URL])[0]!, /: siege -lmy\.log http/)
  assert.match(problemsOf(['-ql', '/tmp/x', URL])[0]!, /: siege -ql\/tmp\/x http/)
  assert.match(problemsOf(['--log', 'mine', URL])[0]!, /: siege --log=mine http/)
  for (const url of [URL, 'localhost', 'web1', 'example.com/x', 'h:80']) {
    assert.deepEqual(problemsOf(['-l', url]), [])
  }
})

test('readSiegeCommandLine() refuses an empty URL', () => {
  assert.deepEqual(problemsOf(['']), ['a URL is empty: ""'])
})

test('readSiegeCommandLine() gives settings or a UsageError for any words', () => {
  const flags = Object.values(siegeOptions).flatMap((row) => [
    ...(row.short === undefined ? [] : [`-${row.short}`]),
    ...(row.long === undefined ? [] : [`--${row.long}`]),
  ])
  const values = fc.constantFrom('0', '1', '-1', '5s', 'x', 'POST', URL, '', '=', 'A: b', '--')
  const word = fc.oneof(fc.constantFrom(...flags), values, fc.string())
  const attached = fc.tuple(fc.constantFrom(...flags), values).map(([flag, value]) => flag + value)
  fc.assert(
    fc.property(fc.array(fc.oneof(word, attached)), (argv) => {
      try {
        const { settings } = read(argv)
        assert.ok(settings.userCount >= 1)
        assert.ok(settings.delaySeconds >= 0)
      } catch (error) {
        assert.ok(error instanceof UsageError, String(error))
      }
    }),
  )
})
