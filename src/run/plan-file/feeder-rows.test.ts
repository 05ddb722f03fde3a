/** Feeder files: CSV as RFC 4180 has it, JSON lines, and what is wrong with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { type FeederFormat, feederFormat, readFeeder } from './feeder-rows.ts'

function problemsOf(text: string, format: FeederFormat = 'csv'): string[] {
  const result = readFeeder(text, format)
  assert.ok('problems' in result, JSON.stringify(result))
  return result.problems.map(({ line, text }) => `${line}: ${text}`)
}

function rowsOf(text: string, format: FeederFormat = 'csv') {
  const result = readFeeder(text, format)
  assert.ok('rows' in result, JSON.stringify(result))
  return result
}

test('feederFormat() goes by the extension', () => {
  assert.equal(feederFormat('/a/b.CSV'), 'csv')
  assert.equal(feederFormat('b.tsv'), 'tsv')
  assert.equal(feederFormat('b.ndjson'), 'json-lines')
  assert.equal(feederFormat('b.jsonl'), 'json-lines')
  assert.equal(feederFormat('b.json'), null)
})

test('readFeeder() reads CSV with quotes, line ends in values, and blank lines', () => {
  const text = 'user, note\r\nann,"a, ""b""\r\nc"\r\n\r\nbob,\nc,"d"'
  assert.deepEqual(rowsOf(text), {
    columns: ['user', 'note'],
    rows: [
      ['ann', 'a, "b"\r\nc'],
      ['bob', ''],
      ['c', 'd'],
    ],
  })
})

test('readFeeder() takes semicolons where the first line has no comma, and tabs in a .tsv', () => {
  assert.deepEqual(rowsOf('a;b\n1,5;2').rows, [['1,5', '2']])
  assert.deepEqual(rowsOf('a\tb\n1,5\t2', 'tsv').rows, [['1,5', '2']])
})

test('readFeeder() tells which line lacks a value', () => {
  assert.deepEqual(problemsOf('user,password\nann,x\n"bob\ny",z\nbob\nc,d,e'), [
    '5: there is 1 value for 2 columns; password is missing',
    '6: there are 3 values for 2 columns',
  ])
})

test('readFeeder() tells bad names, bad quotes and a file without rows', () => {
  const names =
    'cannot be a variable: names have letters, digits, _, - and ., and begin with a letter'
  assert.deepEqual(problemsOf('a,2b\n1,2'), [`1: "2b" ${names}`])
  assert.deepEqual(problemsOf('a,a\n1,2'), ['1: there are two columns a'])
  assert.deepEqual(problemsOf('a\n"1'), [
    '2: a value in quotes does not end with one, or something follows it',
  ])
  assert.deepEqual(problemsOf('a\n"1"x\n2'), [
    '2: a value in quotes does not end with one, or something follows it',
  ])
  for (const text of ['', '\n\n', 'a,b\n', 'a,b']) {
    assert.deepEqual(problemsOf(text), ['1: there is no row of values'], text)
  }
})

test('readFeeder() stops at the first few mistakes of a long list', () => {
  assert.equal(problemsOf(`a,b\n${'1\n'.repeat(100_000)}`).length, 5)
})

test('readFeeder() refuses more values than threads can hold', () => {
  assert.match(problemsOf(`a\n${'1\n'.repeat(2_000_001)}`)[0] ?? '', /more than 2000000 values/)
})

test('readFeeder() reads JSON lines by the names of the first', () => {
  const text = '{"a":"x","n":12345678901234567890,"f":1.50}\n\n{"f":true,"n":null,"a":[1],"z":0}\n'
  assert.deepEqual(rowsOf(text, 'json-lines'), {
    columns: ['a', 'n', 'f'],
    rows: [
      ['x', '12345678901234567890', '1.50'],
      ['[1]', 'null', 'true'],
    ],
  })
  assert.deepEqual(problemsOf('{"a":1}\n{"b":1}\n[1]\nx', 'json-lines'), [
    '2: a is missing',
    '3: this is no JSON object, such as {"user": "ann"}',
    '4: this is no JSON object, such as {"user": "ann"}',
  ])
})

const fields = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', ' ') }), {
  minLength: 2,
  maxLength: 3,
})

test('readFeeder() reads back any values that were quoted', () => {
  fc.assert(
    fc.property(fc.array(fields, { minLength: 1, maxLength: 5 }), (lists) => {
      const rows = lists.map((list) => [list[0]!, list[1]!])
      const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`))
      for (const end of ['\n', '\r\n']) {
        const text = ['x,y', ...quoted.map((row) => row.join(','))].join(end)
        assert.deepEqual(rowsOf(text).rows, rows)
      }
    }),
  )
})

test('readFeeder() takes any text without throwing', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '{', '}', ':', '1') })
  fc.assert(
    fc.property(texts, fc.constantFrom('csv' as const, 'json-lines' as const), (text, format) => {
      const result = readFeeder(text, format)
      assert.ok('rows' in result ? result.rows.length > 0 : result.problems.length > 0)
    }),
  )
})
