/** Times, rates, pauses, statuses and stages: what is read, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/property.ts'
import { durationNs, ratePerSecond, stagesFromText, statusRange, thinkTime } from './quantities.ts'

test('durationNs() adds up units from large to small', () => {
  assert.equal(durationNs('30s'), 30e9)
  assert.equal(durationNs('250ms'), 250e6)
  assert.equal(durationNs('1h30m'), 5400e9)
  assert.equal(durationNs('1m 0.5s'), 60.5e9)
  assert.equal(durationNs('7us'), 7000)
  assert.equal(durationNs('0s'), 0)
  assert.equal(durationNs('2400h'), 8640e12)
})

test('durationNs() refuses what has no unit, is no number or is too long', () => {
  for (const text of ['', '30', 's', '-1s', '1e3s', '30m1h', '5s5s', '1.s', '2401h', '5 m', '1d']) {
    assert.equal(durationNs(text), null, text)
  }
})

test('durationNs() takes any text without throwing, and gives whole nanoseconds', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9.hmsu ]{0,12}$/), (text) => {
      const ns = durationNs(text)
      assert.ok(ns === null || (Number.isSafeInteger(ns) && ns >= 0), `${text}: ${ns}`)
    }),
  )
})

test('ratePerSecond() reads rates per second, minute and hour', () => {
  assert.equal(ratePerSecond('500/s'), 500)
  assert.equal(ratePerSecond('90/m'), 1.5)
  assert.equal(ratePerSecond('3600 / h'), 1)
  assert.equal(ratePerSecond('0/s'), 0)
  for (const text of ['500', '/s', '-1/s', '1/d', '1e9/s', '200000000/s']) {
    assert.equal(ratePerSecond(text), null, text)
  }
})

test('thinkTime() reads each distribution', () => {
  assert.deepEqual(thinkTime('1s'), { kind: 'constant', timeNs: 1e9 })
  assert.deepEqual(thinkTime('1s..3s'), { kind: 'uniform', minNs: 1e9, maxNs: 3e9 })
  assert.deepEqual(thinkTime('0 .. 500ms'), { kind: 'uniform', minNs: 0, maxNs: 5e8 })
  assert.deepEqual(thinkTime('exponential 2s'), { kind: 'exponential', meanNs: 2e9 })
  assert.deepEqual(thinkTime('lognormal  2s 0.5'), {
    kind: 'lognormal',
    medianNs: 2e9,
    sigma: 0.5,
  })
  const wrong = ['', '1', '0', '3s..1s', '1s..', '1s..2s..3s', 'exponential', 'exponential 2s 1']
  for (const text of [...wrong, 'lognormal 2s', 'lognormal 2s x', 'lognormal 2s 11', 'normal 2s']) {
    assert.equal(thinkTime(text), null, text)
  }
})

test('statusRange() reads a status, a class and a range', () => {
  assert.deepEqual(statusRange(404), { from: 404, to: 404 })
  assert.deepEqual(statusRange('2xx'), { from: 200, to: 299 })
  assert.deepEqual(statusRange('200 - 204'), { from: 200, to: 204 })
  for (const text of ['', '7', '600', '99', '2x', '204-200', '6xx', '200-']) {
    assert.equal(statusRange(text), null, text)
  }
})

test('stagesFromText() reads rates, users and stays', () => {
  assert.deepEqual(stagesFromText('30s:100/s, 2m:1.5/m,1m'), [
    { duration: '30s', rate: '100/s' },
    { duration: '2m', rate: '1.5/m' },
    { duration: '1m' },
  ])
  assert.deepEqual(stagesFromText('1m:200'), [{ duration: '1m', users: 200 }])
  for (const text of ['', '100/s:30s', '30s:', '30s:x', '30s:1:2', '30s,']) {
    assert.equal(stagesFromText(text), null, text)
  }
})
