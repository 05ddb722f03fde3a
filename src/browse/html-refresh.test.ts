/** META refresh texts, by the steps of HTML LS 4.2.5.3. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { readRefresh } from './html-refresh.ts'

test('readRefresh() reads what browsers read', () => {
  const table: [string, { reference: string | null } | null][] = [
    ['', null],
    ['x', null],
    ['-1', null],
    [';url=a', null],
    ['5', { reference: null }],
    [' 5 ', { reference: null }],
    ['5.9', { reference: null }],
    ['.9', { reference: null }],
    ['5;', { reference: null }],
    ['5; url=', { reference: '' }],
    ['5x', null],
    ['5;url=a', { reference: 'a' }],
    ['5,URL=a', { reference: 'a' }],
    ['5 url=a', { reference: 'a' }],
    ['5\n; \turl \n=\n a', { reference: 'a' }],
    ["0; url='a b' c", { reference: 'a b' }],
    ['0; url="a', { reference: 'a' }],
    ["0; url=a'b'", { reference: "a'b'" }],
    ['0; a', { reference: 'a' }],
    ['0; "a"b', { reference: 'a' }],
    ['0; unicorn', { reference: 'unicorn' }],
    ['0; url', { reference: 'url' }],
    ['0; url a', { reference: 'url a' }],
    ['0;; url=a', { reference: '; url=a' }],
    ['99999999999999999999;a', { reference: 'a' }],
  ]
  for (const [content, expected] of table) {
    const read = readRefresh(content)
    assert.deepEqual(read, expected, content)
  }
})

test('readRefresh() takes any text', () => {
  fc.assert(
    fc.property(fc.string(), (content) => {
      const read = readRefresh(content)
      assert.ok(read === null || read.reference === null || content.includes(read.reference))
    }),
  )
})
