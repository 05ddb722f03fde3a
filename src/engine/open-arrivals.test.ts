/** Arrivals of the open model when nobody is there to begin them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BugError } from '../base/errors.ts'
import { NS_PER_S } from '../base/units.ts'
import { Arrivals } from '../plan/arrivals.ts'
import { OpenArrivals } from './open-arrivals.ts'

/** A thousand arrivals each millisecond for a second, and nobody to begin them. */
function crowded() {
  const dropped = { inTime: 0, overdue: 0 }
  const load = {
    model: 'open',
    userCount: 1,
    iterationCount: null,
    thinkTimeNsMax: 0,
    durationNs: NS_PER_S,
    arrivals: 'even',
    stages: [{ durationNs: null, from: 1e6, to: 1e6 }],
  } as const
  const open = new OpenArrivals(new Arrivals(load, 1, { index: 0, count: 1 }), 0, {
    refreshNowNs: () => NS_PER_S,
    makeUser: () => {
      throw new BugError('there is no place for a user')
    },
    arrived: () => {},
    dropped(_dueNs, isOverdue) {
      if (isOverdue) dropped.overdue++
      else dropped.inTime++
    },
  })
  return { open, dropped }
}

test('OpenArrivals.begin() drops what finds everybody busy, and gives the loop back in between', () => {
  const { open, dropped } = crowded()
  open.begin(NS_PER_S)
  const { inTime } = dropped
  // Enough for a million a second with fifty turns of the loop, and no more than a millisecond's work.
  assert.ok(inTime >= 20_000 && inTime < 100_000, `${inTime}`)
  while (open.nextDueNs <= NS_PER_S) open.begin(NS_PER_S)
  assert.deepEqual(dropped, { inTime: 1_000_000, overdue: 0 })
})

test('OpenArrivals.dropDue() tells what the generator was too late for apart', () => {
  const { open, dropped } = crowded()
  open.begin(NS_PER_S)
  const { inTime } = dropped
  open.dropDue(NS_PER_S)
  assert.deepEqual(dropped, { inTime, overdue: 1_000_000 - inTime })
})
