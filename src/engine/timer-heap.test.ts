/** The heap gives back what it got, earliest first, whatever was pushed and popped in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/support/property.ts'
import { TimerHeap } from './timer-heap.ts'

test('TimerHeap pops what a sorted list would, for any pushes and pops', () => {
  const push = fc.record({ dueNs: fc.integer({ min: 0, max: 50 }), value: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(fc.option(push), { maxLength: 300 }), (steps) => {
      const heap = new TimerHeap()
      const waiting: { dueNs: number; value: number }[] = []
      for (const step of steps) {
        if (step !== null) {
          heap.push(step.dueNs, step.value)
          waiting.push(step)
        } else {
          const dueNs = Math.min(...waiting.map((each) => each.dueNs))
          assert.equal(heap.nextDueNs, dueNs)
          const value = heap.pop()
          if (waiting.length === 0) assert.equal(value, -1)
          else {
            // Of those due at the same time any may come first.
            const at = waiting.findIndex((each) => each.dueNs === dueNs && each.value === value)
            assert.ok(at >= 0, `${value} is not due at ${dueNs}`)
            waiting.splice(at, 1)
          }
        }
        assert.equal(heap.count, waiting.length)
      }
    }),
  )
})

test('TimerHeap grows to any number of entries', () => {
  const heap = new TimerHeap()
  const count = 10_000
  for (let value = 0; value < count; value++) heap.push((value * 7919) % count, value)
  let lastNs = -1
  const values = new Set<number>()
  while (heap.count > 0) {
    assert.ok(heap.nextDueNs >= lastNs)
    lastNs = heap.nextDueNs
    values.add(heap.pop())
  }
  assert.equal(values.size, count)
})

test('TimerHeap without entries has no due time and nothing to pop', () => {
  const heap = new TimerHeap()
  assert.equal(heap.nextDueNs, Number.POSITIVE_INFINITY)
  assert.equal(heap.pop(), -1)
  heap.push(5, 1)
  heap.pop()
  assert.equal(heap.nextDueNs, Number.POSITIVE_INFINITY)
})
