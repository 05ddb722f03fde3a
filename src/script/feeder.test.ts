/** Feeders: every row as often as it should be, however many threads share them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { seededRandom } from '../base/random.ts'
import type { FeederPlan } from '../plan/script-plan.ts'
import { FeederCursor, feederRow, USED_UP } from './feeder.ts'

const random = seededRandom(1)

function feederOf(order: FeederPlan['order'], rowCount: number): FeederPlan {
  const rows = Array.from({ length: rowCount }, (_, index) => [`${index}`, `v${index}`])
  return { name: 'f', columns: [2, 0], rows, order }
}

test('FeederCursor puts the columns of a row into their variables', () => {
  const variables = ['', 'kept', '']
  assert.equal(
    new FeederCursor(feederOf('in-order', 2), { index: 1, count: 2 }).feed(variables, random),
    true,
  )
  assert.deepEqual(variables, ['v1', 'kept', '1'])
})

test('FeederCursor of n threads hand out together what one would', () => {
  const facts = fc.record({
    rows: fc.integer({ min: 1, max: 40 }),
    threads: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(
      facts,
      fc.constantFrom('in-order' as const, 'unique' as const),
      ({ rows, threads }, order) => {
        const plan = feederOf(order, rows)
        const takeCount = order === 'unique' ? rows : 3 * rows
        const all: string[] = []
        for (let index = 0; index < threads; index++) {
          const cursor = new FeederCursor(plan, { index, count: threads })
          const variables = ['', '', '']
          for (let take = index; take < takeCount; take += threads) {
            assert.equal(cursor.feed(variables, random), true)
            all.push(variables[2]!)
          }
          if (order === 'unique') assert.equal(cursor.feed(variables, random), false)
        }
        const expected = Array.from({ length: takeCount }, (_, take) => `${take % rows}`)
        assert.deepEqual(all.sort(), expected.sort())
      },
    ),
  )
})

test('feederRow() goes round in order, ends when unique is used up, and stays inside at random', () => {
  assert.equal(feederRow({ order: 'in-order', rowCount: 3 }, 7, random), 1)
  assert.equal(feederRow({ order: 'unique', rowCount: 3 }, 2, random), 2)
  assert.equal(feederRow({ order: 'unique', rowCount: 3 }, 3, random), USED_UP)
  const seen = new Set<number>()
  for (let take = 0; take < 200; take++)
    seen.add(feederRow({ order: 'random', rowCount: 3 }, take, random))
  assert.deepEqual([...seen].sort(), [0, 1, 2])
})
