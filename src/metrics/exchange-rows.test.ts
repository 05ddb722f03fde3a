/** Tests of rows of exchanges: what a row holds, how rows of threads join, their order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { Exchange } from './exchange.ts'
import { ExchangeRows, joinRows, rowOrderByTotal } from './exchange-rows.ts'

function exchangeOf(startUs: number, timesUs: { connect: number; wait: number; total: number }) {
  const exchange = new Exchange()
  exchange.reset(0, startUs * 1000)
  const { connect, wait, total } = timesUs
  if (connect > 0) exchange.connectedNs = exchange.startNs + connect * 1000 - 1
  exchange.sentNs = exchange.startNs + connect * 1000
  exchange.firstByteNs = exchange.sentNs + wait * 1000
  exchange.endNs = exchange.startNs + total * 1000 + 999
  return exchange
}

test('ExchangeRows keeps connect, wait and total in whole microseconds', () => {
  const rows = new ExchangeRows(2, true)
  rows.add(exchangeOf(5_000, { connect: 3, wait: 4, total: 9 }))
  rows.add(exchangeOf(20_999, { connect: 0, wait: 4, total: 6 }))
  const { count, startMs, connectUs, waitUs, totalUs } = rows.columns()
  assert.equal(count, 2)
  assert.deepEqual([...startMs!], [5, 20])
  assert.deepEqual([...connectUs], [3, 0])
  assert.deepEqual([...waitUs], [4, 4])
  assert.deepEqual([...totalUs], [9, 6])
})

test('joinRows() has all rows of all parts', () => {
  const parts = [10_000, 1, 0].map((count, part) => {
    const rows = new ExchangeRows(10_000, false)
    for (let index = 0; index < count; index++) {
      rows.add(exchangeOf(0, { connect: 0, wait: 1, total: part * 100_000 + index + 1 }))
    }
    return rows.columns()
  })
  const joined = joinRows(parts)
  assert.equal(joined.count, 10_001)
  assert.equal(joined.startMs, null)
  assert.deepEqual(
    [joined.totalUs[0], joined.totalUs[9999], joined.totalUs[10_000]],
    [1, 10_000, 100_001],
  )
})

test('rowOrderByTotal() sorts and keeps the order of equal ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), (values) => {
      const order = [...rowOrderByTotal(Uint32Array.from(values))]
      const expected = values
        .map((value, index) => [value, index] as const)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .map(([, index]) => index)
      assert.deepEqual(order, expected)
    }),
  )
})
