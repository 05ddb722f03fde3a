/** One thread's reactor when the machine refuses it what it gave to the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnvironmentError } from '../base/errors.ts'
import { NodeReactor } from '../engine/net/node-reactor.ts'
import type { ReactorWish } from '../plan/plan.ts'
import type { ReactorName } from './reactor-choice.ts'
import { makeReactor, type ReactorMakers } from './slice-reactor.ts'

const REFUSAL = 'io_uring cannot be had (ENOMEM)'

function taskFor(reactorName: ReactorName, wish: ReactorWish) {
  const connection = { keepAlive: true, timeoutNs: 30e9 }
  return { plan: { connection, reactor: wish }, reactorName, epochNs: 0 }
}

/** Stand-ins for what the machine gives; the second ring of a process is refused. */
function scarceMakers(made: ReactorName[]): ReactorMakers {
  const give = (name: ReactorName) => () => {
    made.push(name)
    return new NodeReactor(0)
  }
  let ringCount = 0
  return {
    epoll: give('epoll'),
    node: give('node'),
    uring() {
      if (ringCount++ === 1) throw new EnvironmentError(REFUSAL)
      return give('uring')()
    },
  }
}

test('makeReactor() takes epoll in the one thread of four that is refused a ring', () => {
  const made: ReactorName[] = []
  const makers = scarceMakers(made)
  const reasons = [1, 2, 3, 4].map(() => makeReactor(taskFor('uring', 'auto'), makers).reason)
  assert.deepEqual(made, ['uring', 'epoll', 'uring', 'uring'])
  assert.deepEqual(reasons, [null, REFUSAL, null, null])
})

test('makeReactor() does not replace a reactor that was asked for', () => {
  const makers = scarceMakers([])
  makeReactor(taskFor('uring', 'uring'), makers)
  assert.throws(() => makeReactor(taskFor('uring', 'uring'), makers), { message: REFUSAL })
})

test('makeReactor() hides no bug behind another reactor', () => {
  const broken: ReactorMakers = {
    ...scarceMakers([]),
    uring() {
      throw new TypeError('a bug')
    },
  }
  assert.throws(() => makeReactor(taskFor('uring', 'auto'), broken), TypeError)
})
