/** Which number a text says, in every form that can be asked for, and why there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { cpuMsOf } from '../../test/support/timing.ts'
import { type Pick, type Reading, readNumber, readPick } from './watch-reading.ts'

function read(text: string, fragment = ''): Reading {
  const pick = readPick(fragment)
  assert.ok(!('mustBe' in pick), fragment)
  return readNumber(text, pick)
}

const METRICS = `# HELP http_requests_total 7 requests
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{code="400",path="a}b\\"c"} 3
http_requests 5
load NaN
memory_bytes +1.5e9
go:gc 2\r
`

test('readNumber() takes the first number that stands for itself', () => {
  for (const [text, value] of [
    ['0.42 0.31 0.20 1/213 4711\n', 0.42],
    ['Active connections: 291 \n', 291],
    ['cpu0 v1.2 used: 93.5%', 93.5],
    ['<td>-12ms</td>', -12],
    ['=.5e1', 5],
  ] as const) {
    assert.deepEqual(read(text), { value })
  }
  assert.deepEqual(read('nginx v2 is up'), { reason: 'there is no number in "nginx v2 is up"' })
  assert.deepEqual(read('\n'), { reason: 'there is no number in an empty text' })
  assert.deepEqual(read('9e999'), { reason: '"9e999" is no finite number' })
})

test('readNumber() picks the first Prometheus sample with a name and labels', () => {
  for (const [fragment, value] of [
    ['http_requests_total', 1027],
    ['http_requests_total{code="400"}', 3],
    ['http_requests_total{path="a}b\\"c", code="400"}', 3],
    ['http_requests', 5],
    ['memory_bytes', 1.5e9],
    ['go:gc', 2],
  ] as const) {
    assert.deepEqual(read(METRICS, fragment), { value }, fragment)
  }
  for (const [fragment, reason] of [
    ['http_request', 'there is no sample http_request'],
    ['http_requests_total{code="500"}', 'there is no http_requests_total with such labels'],
    ['load', '"NaN" is no finite number'],
  ] as const) {
    assert.deepEqual(read(METRICS, fragment), { reason }, fragment)
  }
})

test('readNumber() follows a JSON pointer to a number or a text that is one', () => {
  const json = '{"a":{"b/c":[1,2.5]},"m~n":"42","t":"up","o":{},"":7}'
  for (const [pointer, value] of [
    ['/a/b~1c/1', 2.5],
    ['/m~0n', 42],
    ['/', 7],
  ] as const) {
    assert.deepEqual(read(json, pointer), { value }, pointer)
  }
  assert.deepEqual(read(json, '/a/x/1'), { reason: 'there is no /a/x in the JSON' })
  assert.deepEqual(read(json, '/a/toString'), { reason: 'there is no /a/toString in the JSON' })
  assert.deepEqual(read(json, '/t'), { reason: '/t is no number: "\\"up\\""' })
  assert.deepEqual(read(json, '/o'), { reason: '/o is no number: "{}"' })
  assert.deepEqual(read('<html>', '/a'), { reason: 'it is not JSON: "<html>"' })
})

test('readPick() refuses what is neither a name nor a pointer', () => {
  for (const wrong of ['/a~2', 'a b', '1a', 'a{b}', 'a{b="c"', 'a{b="c"} 5']) {
    assert.ok('mustBe' in readPick(wrong), wrong)
  }
})

test('readNumber() gives a finite number or a short reason for any text', () => {
  const picks: Pick[] = [
    { kind: 'first' },
    { kind: 'json', keys: ['a', '0'] },
    { kind: 'sample', name: 'a', labels: [{ name: 'b', value: 'c' }] },
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '{', '}', '"', '\\', 'b', '=', ',', '1', '\n', ' ') }),
    fc.json(),
  )
  fc.assert(
    fc.property(text, fc.constantFrom(...picks), (page, pick) => {
      const reading = readNumber(page, pick)
      if ('value' in reading) assert.ok(Number.isFinite(reading.value))
      else assert.ok(reading.reason.length > 0 && reading.reason.length < 500)
    }),
    { numRuns: 1000 },
  )
})

test('readNumber() reads a hostile page of megabytes in less than a second', () => {
  const pages = [`a{${'b="c",'.repeat(600_000)}`, `a{${'"'.repeat(4e6)}`, 'x'.repeat(4e6)]
  for (const page of pages) {
    const pick = { kind: 'sample', name: 'a', labels: [{ name: 'z', value: 'z' }] } as const
    const cpuMs = cpuMsOf(() => {
      readNumber(page, pick)
      readNumber(page, { kind: 'first' })
    })
    assert.ok(cpuMs < 1000, `${cpuMs} ms`)
  }
})
