/** What each kind of value accepts, and what is said of what it does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import {
  duration,
  fieldValue,
  headerField,
  login,
  oneOf,
  text,
  wholeNumber,
  yesOrNo,
} from './option-readers.ts'
import type { Reader } from './option-table.ts'

function values<Value>(read: Reader<Value>, ...raws: string[]): unknown[] {
  return raws.map((raw) => {
    const result = read(raw)
    return 'value' in result ? result.value : 'refused'
  })
}

test('wholeNumber() refuses what is no whole number in the range', () => {
  const read = wholeNumber(1, 100)
  assert.deepEqual(values(read, '1', '100', ' 7 ', '+5', '007'), [1, 100, 7, 5, 7])
  const wrong = ['0', '101', '-1', '1.5', '1e1', '0x10', '5x', '', ' ', '١', '9'.repeat(400)]
  assert.deepEqual(new Set(values(read, ...wrong)), new Set(['refused']))
})

test('yesOrNo() accepts the usual words in any case', () => {
  assert.deepEqual(values(yesOrNo, 'true', 'YES', 'On', '1'), [true, true, true, true])
  assert.deepEqual(values(yesOrNo, 'false', 'no', 'OFF', ' 0 '), [false, false, false, false])
  assert.deepEqual(values(yesOrNo, 'truexyz', '', '2'), ['refused', 'refused', 'refused'])
})

test('duration() reads every unit, fractions and sums', () => {
  const read = duration('m', 'a time', 0.001)
  assert.deepEqual(
    values(read, '5', '90s', '90S', '2m', '1H', '10sec', '1.5m', '1 S', '.5s', '2 hours', '250ms'),
    [300, 90, 90, 120, 3600, 10, 90, 1, 0.5, 7200, 0.25],
  )
  assert.deepEqual(values(read, '1h30m', '1h 30m 5s', ' 5s '), [5400, 5405, 5])
})

test('duration() refuses a unit it does not know and a number with something behind it', () => {
  const read = duration('m', 'a time', 0.001)
  const wrong = [
    '5x',
    '1d',
    '',
    'abc',
    '0',
    '0s',
    '-5s',
    '=5s',
    '1h30',
    '30m1h',
    '1,5m',
    '1e3s',
    's',
  ]
  assert.deepEqual(new Set(values(read, ...wrong)), new Set(['refused']))
  assert.deepEqual(read('2401h'), { mustBe: 'no longer than 100 days (2400H)' })
})

test('duration() gives back whole seconds however they are written', () => {
  const read = duration('s', 'a time')
  fc.assert(
    fc.property(fc.nat(99), fc.nat(59), fc.nat(59), (hours, minutes, seconds) => {
      const sum = hours * 3600 + minutes * 60 + seconds
      const spellings = [`${hours}h${minutes}m${seconds}s`, `${sum}`, `${sum} S`, `${sum * 1000}ms`]
      assert.deepEqual(values(read, ...spellings), [sum, sum, sum, sum])
    }),
  )
})

test('headerField() splits at the first colon and allows an empty value', () => {
  assert.deepEqual(values(headerField, 'X-U: http://a:8/b:c', 'X-T:10:20', 'X-Empty:'), [
    [{ name: 'X-U', value: 'http://a:8/b:c' }],
    [{ name: 'X-T', value: '10:20' }],
    [{ name: 'X-Empty', value: '' }],
  ])
})

test('headerField() refuses a missing colon, a name with blanks and smuggled lines', () => {
  const wrong = ['NoColon', ': x', 'a b: c', 'X: a\r\nEvil: 1', 'X: a\nb', 'X: \0', 'X\n: a']
  assert.deepEqual(new Set(values(headerField, ...wrong)), new Set(['refused']))
})

test('fieldValue() refuses line ends and nothing at all', () => {
  assert.deepEqual(values(fieldValue, ' Zoë/1 ', 'a\tb', 'a\r\nX: 1', '  '), [
    'Zoë/1',
    'a\tb',
    'refused',
    'refused',
  ])
})

test('login() splits off the user at the first colon only', () => {
  assert.deepEqual(values(login, 'u:p', 'u:pa:ss:realm', 'u:', 'u', ':p'), [
    [{ user: 'u', passwordAndRealm: 'p' }],
    [{ user: 'u', passwordAndRealm: 'pa:ss:realm' }],
    [{ user: 'u', passwordAndRealm: '' }],
    'refused',
    'refused',
  ])
})

test('oneOf() and text() refuse the rest', () => {
  assert.deepEqual(values(oneOf({ Close: 1, keep: 2 }, 'x'), 'close', 'KEEP ', 'keeps'), [
    1,
    2,
    'refused',
  ])
  assert.deepEqual(values(text('x'), 'a', ' '), ['a', 'refused'])
})
