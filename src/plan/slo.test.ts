/** Thresholds as written: what they mean, and what is said about wrong ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { readThresholds, type Threshold, thresholdNameProblems } from './slo.ts'

function only(text: string): Threshold {
  const { thresholds, problems } = readThresholds(text)
  assert.deepEqual(problems, [])
  assert.equal(thresholds.length, 1)
  return thresholds[0]!
}

test('readThresholds() reads every kind of metric, with its unit', () => {
  const quantile = (value: number, time = 'response') => ({
    kind: 'quantile',
    time,
    quantile: value,
  })
  for (const [text, name, metric, comparison, bound] of [
    ['p99<200ms', null, quantile(0.99), '<', 200e6],
    ['p99.9 <= 1.5 s', null, quantile(0.999), '<=', 1.5e9],
    ['P50<250us', null, quantile(0.5), '<', 250e3],
    ['p99.99<2m', null, quantile(0.9999), '<', 120e9],
    ['p7>1µs', null, quantile(0.07), '>', 1000],
    ['service-p99<1s', null, quantile(0.99, 'service'), '<', 1e9],
    ['min>=.5ms', null, { kind: 'min', time: 'response' }, '>=', 5e5],
    ['service-mean<9ms', null, { kind: 'mean', time: 'service' }, '<', 9e6],
    ['max<1s', null, { kind: 'max', time: 'response' }, '<', 1e9],
    ['errors<0.1%', null, { kind: 'errors', unit: 'ratio' }, '<', 0.001],
    ['errors<=0', null, { kind: 'errors', unit: 'count' }, '<=', 0],
    ['dropped<1%', null, { kind: 'dropped', unit: 'ratio' }, '<', 0.01],
    ['checks>99%', null, { kind: 'checks', unit: 'ratio' }, '>', 0.99],
    ['rate>900/s', null, { kind: 'rate' }, '>', 900],
    ['rate>=90/min', null, { kind: 'rate' }, '>=', 1.5],
    ['login:p95<=300ms', 'login', quantile(0.95), '<=', 300e6],
    [
      'GET http://a:8080/: errors<1%',
      'GET http://a:8080/',
      { kind: 'errors', unit: 'ratio' },
      '<',
      0.01,
    ],
    ['"a, b<c: d":p95<1s', 'a, b<c: d', quantile(0.95), '<', 1e9],
  ] as const) {
    const { text: shown, ...rest } = only(text)
    assert.deepEqual(rest, { name, metric, comparison, bound }, text)
    assert.deepEqual(only(shown), { ...rest, text: shown }, 'the text shown reads the same')
  }
})

test('readThresholds() reads a list in order', () => {
  const { thresholds } = readThresholds(' p99<200ms, errors<0.1% ,rate>900/s')
  assert.deepEqual(
    thresholds.map(({ text }) => text),
    ['p99<200ms', 'errors<0.1%', 'rate>900/s'],
  )
})

test('readThresholds() says what is wrong, where, and what to write', () => {
  for (const [text, column, message] of [
    ['', 1, /a threshold is missing, such as p99<200ms/],
    ['p99<1s,,max<2s', 8, /a threshold is missing/],
    ['p99', 1, /'p99' compares nothing; write it like p99<200ms/],
    ['p99=200ms', 4, /'=' is no comparison; there are <, <=, > and >=/],
    ['p99≤200ms', 4, /'≤' is no comparison/],
    ['p99<200', 5, /a unit is missing; write p99 with us, ms, s or m, such as 200ms/],
    ['p99<200sm', 5, /'sm' is no unit of p99/],
    ['p99<', 5, /a number is missing/],
    ['p99<-3ms', 5, /'-3ms' is no number/],
    ['errors<1%, avg<3s', 12, /there is no 'avg'; did you mean mean\?/],
    ['p999<3s', 1, /did you mean p99\.9\?/],
    ['login:pp95<3s', 7, /there is no 'pp95'; did you mean p95\?/],
    ['service-median<3s', 1, /did you mean service-p50\?/],
    ['p0<3s', 1, /there is no 'p0'/],
    ['p100<3s', 1, /did you mean max\?/],
    ['frobnication<3s', 1, /there are p50, p99.9 \.\.\., min/],
    ['<3s', 1, /nothing is named to compare/],
    ['eror<1%', 1, /did you mean errors\?/],
    ['errors<0.5', 8, /0\.5% would be a share/],
    ['errors<1s', 8, /'s' is no unit of errors/],
    ['errors<101%', 8, /101% is more than all/],
    ['checks>99', 8, /a unit is missing; write checks with a percentage/],
    ['rate>900', 6, /a unit is missing; write rate with \/s/],
    ['rate>900 rps', 6, /'rps' is no unit of rate/],
    ['login:dropped<1%', 1, /leave it out/],
  ] as const) {
    const { problems } = readThresholds(text)
    assert.equal(problems.length, 1, text)
    assert.equal(problems[0]!.column, column, text)
    assert.match(problems[0]!.text, message)
  }
})

test('readThresholds() reports all problems and keeps what is right', () => {
  const { thresholds, problems } = readThresholds('p99<1,max<1s,avg<1s')
  assert.deepEqual(
    problems.map(({ column }) => column),
    [5, 14],
  )
  assert.equal(thresholds.length, 1)
})

test('readThresholds() makes thresholds or problems of any text, with columns inside it', () => {
  const piece = fc.constantFrom(
    'p99',
    '<',
    '>=',
    '200ms',
    ',',
    ':',
    '"',
    ' ',
    'errors',
    '%',
    'é',
    '',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(text, (written) => {
      const { thresholds, problems } = readThresholds(written)
      assert.ok(thresholds.length + problems.length > 0)
      for (const { bound } of thresholds) assert.ok(bound >= 0)
      for (const { column } of problems) assert.ok(column >= 1 && column <= written.length + 1)
    }),
    { numRuns: 1000 },
  )
})

test('thresholdNameProblems() finds names that nothing has, with the nearest one', () => {
  const { thresholds } = readThresholds('logn:p95<1s,login:p95<1s,token:checks>99%,token:p95<1s')
  assert.deepEqual(thresholdNameProblems(thresholds, ['login', 'cart'], ['token']), [
    "'logn:p95<1s': no request is called 'logn'; did you mean 'login'?",
    "'token:p95<1s': no request is called 'token'; there are 'login', 'cart'",
  ])
  assert.deepEqual(thresholdNameProblems(thresholds.slice(1, 2), [], []), [
    "'login:p95<1s': no request of the plan has a name",
  ])
})
