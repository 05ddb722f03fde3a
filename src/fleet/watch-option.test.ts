/** What `--watch` takes, and what it says of the rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchSource } from './watch-option.ts'

function sourceOf(raw: string) {
  const read = watchSource(raw)
  assert.ok('value' in read, raw)
  return read.value[0]!
}

test('watchSource() tells URLs from commands, with and without a label', () => {
  for (const [raw, label, source] of [
    ['cat /proc/loadavg', 'cat /proc/loadavg', 'cat /proc/loadavg'],
    ['load=cat /proc/loadavg', 'load', 'cat /proc/loadavg'],
    ['dd if=a of=b', 'dd if=a of=b', 'dd if=a of=b'],
    ['curl -s http://a/', 'curl -s http://a/', 'curl -s http://a/'],
    ['http://a:1/m?b=c', 'a:1/m', 'http://a:1/m?b=c'],
    ['rss=http://a/m#x{b="c=d"}', 'rss', 'http://a/m#x{b="c=d"}'],
    ['http://a/m#/x/0', '/x/0', 'http://a/m#/x/0'],
    ['http://me:secret@a/m', 'a/m', 'http://a/m'],
  ] as const) {
    const found = sourceOf(raw)
    assert.deepEqual([found.label, found.source], [label, source])
  }
  const { target } = sourceOf('http://me:secret@a/m#up')
  assert.deepEqual(target, {
    kind: 'url',
    url: 'http://me:secret@a/m',
    pick: { kind: 'sample', name: 'up', labels: [] },
  })
})

test('watchSource() says what is wrong with the rest', () => {
  for (const [raw, mustBe] of [
    ['', /URL or a command/],
    ['load=', /URL or a command/],
    ['ftp://a/', /begins with http:\/\/ or https:\/\//],
    ['http://', /whole/],
    ['http://a/ b', /whole/],
    ['http://a/#a b', /behind its #, the name of a sample/],
    ['http://a/#/~', /behind its #, a JSON pointer/],
  ] as const) {
    const read = watchSource(raw)
    assert.ok('mustBe' in read, raw)
    assert.match(read.mustBe, mustBe)
  }
})
