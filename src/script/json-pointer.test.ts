/** JSON pointers: the examples of RFC 6901, and numbers as they are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { numberTextAt, pointerTokens, valueAt } from './json-pointer.ts'

/** RFC 6901, 5. */
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

test('valueAt() gives what RFC 6901 says', () => {
  const expected: [string, unknown][] = [
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ]
  for (const [pointer, value] of expected) {
    assert.deepEqual(valueAt(document, pointerTokens(pointer)!), value, pointer)
  }
})

test('pointerTokens() refuses what is no pointer', () => {
  for (const pointer of ['foo', '#/foo', '/a~', '/a~2b']) assert.equal(pointerTokens(pointer), null)
  assert.deepEqual(pointerTokens('/~01'), ['~1'])
})

test('valueAt() finds nothing behind the end, in scalars and among what objects inherit', () => {
  const none = [
    '/foo/2',
    '/foo/-',
    '/foo/01',
    '/foo/length',
    '/foo/0/0',
    '/toString',
    '/a~1b/x',
    '/no',
  ]
  for (const pointer of none)
    assert.equal(valueAt(document, pointerTokens(pointer)!), undefined, pointer)
  assert.equal(valueAt(null, ['a']), undefined)
})

test('numberTextAt() gives the number as written', () => {
  const json = ' { "a\\"}" : [ "],", {"b":1}, [[]], 12345678901234567890 ] , "x": 1.10, "x" :2.50 }'
  assert.equal(numberTextAt(json, ['a"}', '3']), '12345678901234567890')
  assert.equal(numberTextAt(json, ['x']), '2.50')
  assert.equal(numberTextAt('1e400', []), '1e400')
})

test('numberTextAt() finds each number of any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, blanks) => {
      const json = JSON.stringify(value, null, blanks)
      for (const tokens of numberPlaces(JSON.parse(json), [])) {
        assert.equal(Number(numberTextAt(json, tokens)), valueAt(JSON.parse(json), tokens))
      }
    }),
  )
})

function numberPlaces(value: unknown, place: readonly string[]): (readonly string[])[] {
  if (typeof value === 'number') return [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => numberPlaces(part, [...place, name]))
}
