/** Every spelling GNU getopt takes gives the same options; every slip is named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { getoptGnu } from './getopt-gnu.ts'
import type { OptionRow, OptionTable } from './option-table.ts'

interface Settings {
  readonly concurrent: string
  readonly contentType: string
  readonly time: string
  readonly timeout: string
  readonly log: string
  readonly quiet: string
  readonly get: string
  readonly limit: string
}

const plain = {
  default: '',
  group: 'All',
  help: 'what it does',
  read: (raw: string) => ({ value: raw }),
} satisfies OptionRow<string>

const needsValue = { ...plain, argument: 'required', argumentName: 'NUM' } as const

const table: OptionTable<Settings> = {
  concurrent: { ...needsValue, short: 'c', long: 'concurrent' },
  contentType: { ...needsValue, short: 'T', long: 'content-type', longAliases: ['mime'] },
  time: { ...needsValue, short: 't', long: 'time' },
  timeout: { ...needsValue, long: 'timeout', isOurs: true },
  log: { ...plain, argument: 'optional-attached', argumentName: 'FILE', short: 'l', long: 'log' },
  quiet: { ...plain, argument: 'none', short: 'q', long: 'quiet' },
  get: { ...plain, argument: 'none', short: 'g', long: 'get' },
  limit: { ...plain, directives: ['limit'] },
}

function given(...argv: string[]): unknown {
  const line = getoptGnu(argv, table)
  assert.deepEqual(line.problems, [])
  const flags = line.flags.map(({ key, raw }) => (raw === undefined ? key : [key, raw]))
  return [flags, line.operands.map((operand) => operand.text)]
}

function problemsOf(...argv: string[]): string[] {
  return getoptGnu(argv, table).problems.map((problem) => problem.text)
}

test('getoptGnu() reads a value attached, separate and behind an equals sign', () => {
  const expected = [[['concurrent', '25']], []]
  const spellings = [['-c25'], ['-c', '25'], ['-c=25'], ['--concurrent=25'], ['--concurrent', '25']]
  for (const argv of spellings) assert.deepEqual(given(...argv), expected)
})

test('getoptGnu() takes clusters apart', () => {
  assert.deepEqual(given('-qgc', '3'), [['quiet', 'get', ['concurrent', '3']], []])
  assert.deepEqual(given('-qlx.log'), [['quiet', ['log', 'x.log']], []])
})

test('getoptGnu() gives an optional value only when it is attached', () => {
  assert.deepEqual(given('-l', 'x'), [['log'], ['x']])
  assert.deepEqual(given('--log', 'x'), [['log'], ['x']])
  assert.deepEqual(given('-lx', '-l=y', '--log=z'), [
    [
      ['log', 'x'],
      ['log', 'y'],
      ['log', 'z'],
    ],
    [],
  ])
})

test('getoptGnu() completes long names, the original ones before ours', () => {
  assert.deepEqual(given('--conc', '1', '--q'), [[['concurrent', '1'], 'quiet'], []])
  assert.deepEqual(given('--tim=1', '--timeo=2'), [
    [
      ['time', '1'],
      ['timeout', '2'],
    ],
    [],
  ])
  assert.deepEqual(given('--mime=x'), [[['contentType', 'x']], []])
  assert.match(problemsOf('--con=1')[0]!, /^--con could be --concurrent or --content-type$/)
})

test('getoptGnu() takes options behind operands and none behind --', () => {
  assert.deepEqual(given('u', '-q', 'v', '--', '-g', '--', 'w'), [
    ['quiet'],
    ['u', 'v', '-g', '--', 'w'],
  ])
  assert.deepEqual(given('-'), [[], ['-']])
})

test('getoptGnu() gives values that look like options to the option that needs one', () => {
  assert.deepEqual(given('-T', '-q', '--time', '--'), [
    [
      ['contentType', '-q'],
      ['time', '--'],
    ],
    [],
  ])
})

test('getoptGnu() reports every mistake', () => {
  assert.deepEqual(
    problemsOf('--bogus', '-qZ', '--concurent=1', '--quiet=x', '-q=x', '--limit=2', '-c'),
    [
      'unknown option --bogus',
      'unknown option -Z in "-qZ"',
      'unknown option --concurent; did you mean --concurrent?',
      '--quiet takes no value, but was given "x"',
      '-q takes no value, but was given "x"',
      'unknown option --limit; the configuration file can say: limit = VALUE',
      '-c (--concurrent) needs a value: -c NUM',
    ],
  )
})

test('getoptGnu() says which dash was pasted instead of a hyphen and what to type', () => {
  assert.deepEqual(problemsOf('\u2013c', '50', '\u2014time=5s', '\u2212q', '-\u2010quiet', 'u'), [
    '"\u2013c" begins with an en dash (U+2013), not with a plain hyphen: type -c',
    '"\u2014time=5s" begins with an em dash (U+2014), not with a plain hyphen: type --time=5s',
    '"\u2212q" begins with a minus sign (U+2212), not with a plain hyphen: type -q',
    '"-\u2010quiet" begins with a hyphen (U+2010), not with a plain hyphen: type --quiet',
  ])
  assert.deepEqual(
    getoptGnu(['\u2013c', '50', 'u'], table).operands.map((o) => o.text),
    ['u'],
  )
})

test('getoptGnu() does not look for dashes in values and behind --', () => {
  assert.deepEqual(given('-T', '\u2013c', '--', '\u2013c'), [
    [['contentType', '\u2013c']],
    ['\u2013c'],
  ])
})

test('getoptGnu() refuses a long name behind one hyphen', () => {
  assert.deepEqual(problemsOf('-time=5s', '-concurrent', '5', 'u'), [
    '"-time=5s" has one hyphen too few: type --time=5s',
    '"-concurrent" has one hyphen too few: type --concurrent',
  ])
})

const valueKeys = ['concurrent', 'contentType', 'time'] as const
type Mention =
  | readonly ['value', (typeof valueKeys)[number], string]
  | readonly ['flag', 'quiet' | 'get']

const mention: fc.Arbitrary<Mention> = fc.oneof(
  fc.tuple(
    fc.constant('value' as const),
    fc.constantFrom(...valueKeys),
    // A value attached to its letter must not be taken for a long name or a separator.
    fc.string({ minLength: 1 }).filter((value) => !/^(?:=|ime|oncurrent|ontent)/.test(value)),
  ),
  fc.tuple(fc.constant('flag' as const), fc.constantFrom('quiet' as const, 'get' as const)),
)

function spell(item: Mention, style: number): string[] {
  const row = table[item[1]]
  if (item[0] === 'flag') return [style % 2 === 0 ? `-${row.short}` : `--${row.long}`]
  const value = item[2]
  const spellings = [
    [`-${row.short}${value}`],
    [`-${row.short}`, value],
    [`-${row.short}=${value}`],
    [`--${row.long}=${value}`],
    [`--${row.long}`, value],
  ]
  return spellings[style % spellings.length]!
}

test('getoptGnu() gives the same for every spelling and any place of the operands', () => {
  const styled = fc.array(fc.tuple(mention, fc.nat(), fc.option(fc.webUrl())))
  fc.assert(
    fc.property(styled, (items) => {
      const argv = items.flatMap(([item, style, url]) => [
        ...spell(item, style),
        ...(url === null ? [] : [url]),
      ])
      assert.deepEqual(given(...argv), [
        items.map(([item]) => (item[0] === 'flag' ? item[1] : [item[1], item[2]])),
        items.flatMap(([, , url]) => (url === null ? [] : [url])),
      ])
    }),
  )
})

test('getoptGnu() accounts for any words without throwing', () => {
  const word = fc.oneof(
    fc.string(),
    fc.string().map((text) => `-${text}`),
    fc.string().map((text) => `--${text}`),
  )
  fc.assert(fc.property(fc.array(word), (argv) => void getoptGnu(argv, table)))
})
