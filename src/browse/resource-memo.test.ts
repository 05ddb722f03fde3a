/** What a memo remembers, what it forgets, and when it stops trying. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageContents } from './resource-list.ts'
import { PageMemo } from './resource-memo.ts'

const contents: PageContents = { resourceUrls: ['http://s.test/a'], refreshUrl: null }
const page = (byteCount: number) => new Uint8Array(byteCount)

test('PageMemo gives out the last page of a key', () => {
  const memo = new PageMemo()
  assert.equal(memo.find('a'), null)
  memo.remember('a', page(1), contents)
  memo.remember('a', page(2), contents)
  assert.equal(memo.find('a')?.bytes.length, 2)
  assert.equal(memo.find('a')?.contents, contents)
  assert.equal(memo.find('b'), null)
})

test('PageMemo stays within its bytes and forgets what was not used for longest', () => {
  const memo = new PageMemo(10_000)
  for (const key of ['a', 'b', 'c']) memo.remember(key, page(2_000), contents)
  assert.ok(memo.find('a') !== null)
  memo.remember('d', page(2_000), contents)
  assert.ok(memo.bytes <= 10_000)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => memo.find(key) !== null),
    [true, false, true, true],
  )
  memo.remember('e', page(20_000), contents)
  assert.equal(memo.find('e'), null)
  assert.equal(memo.bytes, 0)
})

test('PageMemo is bounded for small pages of many URLs', () => {
  const memo = new PageMemo(100_000)
  for (let index = 0; index < 1_000; index++) memo.remember(`key ${index}`, page(0), contents)
  assert.ok(memo.bytes <= 100_000 && memo.bytes > 90_000)
  assert.ok(memo.find('key 999') !== null)
})

test('PageMemo gives up on a page that is new each time, and not on one that changed at times', () => {
  const memo = new PageMemo()
  for (let index = 0; index < 20; index++) {
    memo.remember('changes', page(1), contents)
    memo.miss('changes')
    if (index % 5 === 0) memo.hit('changes')
    assert.equal(memo.isWorthKeeping('changes'), true)
  }
  for (let index = 0; index < 7; index++) memo.miss('new')
  memo.remember('new', page(1), contents)
  for (let index = 0; index < 8; index++) memo.miss('new')
  assert.equal(memo.isWorthKeeping('new'), false)
  assert.equal(memo.find('new'), null)
})
