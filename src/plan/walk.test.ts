/** That users and threads share out the list and each other without loss or overlap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import type { WalkFacts } from './walk.ts'
import { sliceUsers, walkOf } from './walk.ts'

function firstOf(facts: WalkFacts, userId: number, count: number): number[] {
  const walk = walkOf(facts, userId)
  return Array.from({ length: count }, () => walk.next())
}

/** A walk of which more is asked than any list here holds, cut at its end. */
function allOf(facts: WalkFacts, userId: number): number[] {
  const steps = firstOf(facts, userId, facts.targetCount + 2)
  const end = steps.indexOf(-1)
  assert.notEqual(end, -1, 'the walk ends')
  assert.ok(
    steps.slice(end).every((index) => index === -1),
    'an ended walk stays ended',
  )
  return steps.slice(0, end)
}

test('walkOf() in order starts users apart and wraps, as siege was seen to do', () => {
  // Seven lines, three users, four repetitions: observed with siege 4.0.7.
  const facts: WalkFacts = { walk: 'in-order', targetCount: 7, userCount: 3, seed: 0 }
  assert.deepEqual(firstOf(facts, 0, 4), [0, 1, 2, 3])
  assert.deepEqual(firstOf(facts, 1, 4), [2, 3, 4, 5])
  assert.deepEqual(firstOf(facts, 2, 4), [4, 5, 6, 0])
})

test('walkOf() in order starts everyone at the first target when users outnumber targets', () => {
  const facts: WalkFacts = { walk: 'in-order', targetCount: 2, userCount: 3, seed: 0 }
  for (const userId of [0, 1, 2]) assert.deepEqual(firstOf(facts, userId, 3), [0, 1, 0])
})

test('walkOf() once shares out the whole list, each target exactly once', () => {
  const sizes = fc.record({
    targetCount: fc.integer({ min: 1, max: 300 }),
    userCount: fc.integer({ min: 1, max: 300 }),
  })
  fc.assert(
    fc.property(sizes, ({ targetCount, userCount }) => {
      const facts: WalkFacts = { walk: 'once', targetCount, userCount, seed: 0 }
      const all: number[] = []
      for (let userId = 0; userId < userCount; userId++) all.push(...allOf(facts, userId))
      assert.deepEqual(
        all,
        Array.from({ length: targetCount }, (_, index) => index),
      )
    }),
  )
})

test('walkOf() once gives the first users one more and surplus users nothing', () => {
  const facts: WalkFacts = { walk: 'once', targetCount: 7, userCount: 3, seed: 0 }
  assert.deepEqual(
    [0, 1, 2].map((id) => allOf(facts, id).length),
    [3, 2, 2],
  )
  assert.deepEqual(allOf({ ...facts, targetCount: 1 }, 2), [])
})

test('walkOf() random is uniform: no favoured last target, no slighted first one', () => {
  // Chi squared with 6 degrees of freedom; 22.5 is passed by chance once in a thousand seeds.
  const facts: WalkFacts = { walk: 'random', targetCount: 7, userCount: 1, seed: 20261201 }
  const counts = new Array<number>(7).fill(0)
  for (const index of firstOf(facts, 0, 7000)) counts[index]!++
  const chiSquared = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  assert.ok(chiSquared < 22.5, `${counts} has chi squared ${chiSquared}`)
})

test('walkOf() random depends on seed and user id alone', () => {
  const facts: WalkFacts = { walk: 'random', targetCount: 1000, userCount: 5, seed: 7 }
  assert.deepEqual(firstOf(facts, 3, 50), firstOf({ ...facts, userCount: 9 }, 3, 50))
  assert.notDeepEqual(firstOf(facts, 3, 50), firstOf(facts, 4, 50))
  assert.notDeepEqual(firstOf(facts, 3, 50), firstOf({ ...facts, seed: 8 }, 3, 50))
})

test('sliceUsers() slices are neighbours, differ by one at most and add up to the whole', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.integer({ min: 1, max: 70 }), (userCount, threadCount) => {
      let next = 0
      const counts: number[] = []
      for (let index = 0; index < threadCount; index++) {
        const share = sliceUsers(userCount, { index, count: threadCount })
        assert.equal(share.first, next)
        next += share.count
        counts.push(share.count)
      }
      assert.equal(next, userCount)
      assert.ok(Math.max(...counts) - Math.min(...counts) <= 1)
    }),
  )
})
