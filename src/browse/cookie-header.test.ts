/** One Cookie field out of two sources: case 46. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GivenCookies, mergeCookieHeaders } from './cookie-header.ts'

test('case 46: given cookies and the jar make one field, and the given value wins', () => {
  const rows: [string, string, string][] = [
    ['mine=1', 'other=1', 'mine=1; other=1'],
    ['mine=1', 'mine=2', 'mine=1'],
    ['mine=1', 'mine=2; mine=3; other=1', 'mine=1; other=1'],
    ['a=1;b=2', 'b=3; c=4', 'a=1;b=2; c=4'],
    ['a=1; ', 'b=1', 'a=1; b=1'],
    [' ;; ', 'b=1', 'b=1'],
    ['', 'b=1', 'b=1'],
    ['a=1', '', 'a=1'],
    ['', '', ''],
    ['a', 'a=1; b=2', 'a; b=2'],
    ['A=1', 'a=2', 'A=1; a=2'],
    ['a=x=y', 'a=2; x=3', 'a=x=y; x=3'],
    ['a="1"', 'b=c;d', 'a="1"; b=c;d'],
  ]
  for (const [given, jar, merged] of rows) assert.equal(mergeCookieHeaders(given, jar), merged)
})

test('GivenCookies.merge() follows the jar, and puts repeated fields together', () => {
  const given = new GivenCookies(['a=1', ' b=2; '])
  for (const [jar, merged] of [
    ['', 'a=1; b=2'],
    ['c=3', 'a=1; b=2; c=3'],
    ['c=3', 'a=1; b=2; c=3'],
    ['b=3; c=4', 'a=1; b=2; c=4'],
    ['', 'a=1; b=2'],
  ] as const) {
    assert.equal(given.merge(jar), merged)
  }
  assert.equal(new GivenCookies([]).merge('x=1'), 'x=1')
})
