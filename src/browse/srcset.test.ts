/** srcset, by HTML LS 4.8.4.2.2, and the one candidate that is taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { pickCandidate, readSrcset } from './srcset.ts'

function references(srcset: string): string[] {
  return readSrcset(srcset).map(({ reference }) => reference)
}

test('readSrcset() divides at commas that divide', () => {
  assert.deepEqual(references('a, b 2x,c 3x ,, d'), ['a', 'b', 'c', 'd'])
  assert.deepEqual(references('a,b 2x'), ['a,b'])
  assert.deepEqual(references('data:,x 1x, b'), ['data:,x', 'b'])
  assert.deepEqual(references('a,, b'), ['a', 'b'])
  assert.deepEqual(references('a ( 1x, 2x ), b'), ['b'])
  assert.deepEqual(references(' , '), [])
  assert.deepEqual(references(''), [])
})

test('readSrcset() leaves out candidates with descriptors that mean nothing', () => {
  const table: [string, number][] = [
    ['a 1x', 1],
    ['a 1.5e0x', 1],
    ['a 100w', 1],
    ['a 100w 50h', 1],
    ['a 50h 100w', 1],
    ['a 50h', 0],
    ['a 1x 100w', 0],
    ['a 1x 2x', 0],
    ['a 0w', 0],
    ['a 1.5w', 0],
    ['a -1x', 0],
    ['a 1', 0],
    ['a x', 0],
    ['a 1x 5h', 0],
  ]
  for (const [srcset, count] of table) assert.equal(readSrcset(srcset).length, count, srcset)
})

test('pickCandidate() takes what a plain screen of 1,280 pixels takes', () => {
  const table: [string, string | null, string | null][] = [
    ['', 'src', 'src'],
    ['', null, null],
    ['', '', null],
    ['a, b 2x', null, 'a'],
    ['a 2x', 'src', 'src'],
    ['a 1x', 'src', 'a'],
    ['a 0.5x, b 3x, c 2x', null, 'c'],
    ['a 0.5x, b 0.7x', null, 'b'],
    ['a 640w, b 1280w, c 2000w', 'src', 'b'],
    ['a 640w, b 800w', 'src', 'b'],
    ['a 3000w, b 2000w', 'src', 'b'],
    ['a 1x, b 1x', null, 'a'],
  ]
  for (const [srcset, src, expected] of table) {
    assert.equal(pickCandidate(readSrcset(srcset), src), expected, srcset)
  }
})

test('readSrcset() takes any text', () => {
  const parts = fc.constantFrom('a', ',', ' ', '1x', '2w', '(', ')', '\n', 'h')
  fc.assert(
    fc.property(fc.array(parts), (list) => {
      for (const { reference } of readSrcset(list.join(''))) {
        assert.match(reference, /^[^\s,].*[^,]$|^[^\s,]$/)
      }
    }),
  )
})
