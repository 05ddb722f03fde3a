/** Tests of POSIX option parsing: bundles, attached values, the end of options, mistakes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getoptPosix } from './getopt-posix.ts'
import type { OptionTable } from './option-table.ts'

interface Settings {
  readonly keep: boolean
  readonly count: string
  readonly threads: string
}

const common = { group: 'All', help: 'for tests' } as const

const table: OptionTable<Settings> = {
  keep: {
    ...common,
    short: 'k',
    argument: 'none',
    default: false,
    flagValue: true,
    read: () => ({ value: true }),
  },
  count: { ...common, short: 'n', argument: 'required', default: '', read: (value) => ({ value }) },
  threads: {
    ...common,
    long: 'threads',
    argument: 'required',
    default: '',
    read: (value) => ({ value }),
  },
}

function parsed(...argv: string[]) {
  const { flags, operands, mistake } = getoptPosix(argv, table)
  return { flags: flags.map(({ key, raw }) => `${key}=${raw ?? ''}`), operands, mistake }
}

test('getoptPosix() takes bundles and attached values', () => {
  assert.deepEqual(parsed('-kn3', '-n', '-5', 'url'), {
    flags: ['keep=', 'count=3', 'count=-5'],
    operands: ['url'],
    mistake: null,
  })
})

test('getoptPosix() stops at the first operand, at -- and at a lone hyphen', () => {
  assert.deepEqual(parsed('url', '-k').operands, ['url', '-k'])
  assert.deepEqual(parsed('-k', '--', '-k'), { flags: ['keep='], operands: ['-k'], mistake: null })
  assert.deepEqual(parsed('-', '-k').operands, ['-', '-k'])
})

test('getoptPosix() takes long options of the table by their full name', () => {
  assert.deepEqual(parsed('--threads', '2', '-k', '--threads=3', 'url'), {
    flags: ['threads=2', 'keep=', 'threads=3'],
    operands: ['url'],
    mistake: null,
  })
  assert.equal(parsed('--thread').mistake, 'unknown option --thread; did you mean --threads?')
})

test('getoptPosix() stops at a mistake and keeps what stands before and after it', () => {
  assert.deepEqual(parsed('-k', '-kxn', 'url'), {
    flags: ['keep=', 'keep='],
    operands: ['url'],
    mistake: 'illegal option -- x',
  })
  assert.equal(parsed('-n').mistake, 'option requires an argument -- n')
})
