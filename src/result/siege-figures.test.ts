/** siege's accounting, row by row of the table of what happens on which event. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginExchange } from '../../test/support/exchanges.ts'
import { fc } from '../../test/support/property.ts'
import { CountingRecorder } from '../metrics/counting-recorder.ts'
import { Exchange } from '../metrics/exchange.ts'
import {
  Disqualification,
  type DisqualificationNumber,
  FailureKind,
  type FailureKindNumber,
} from '../metrics/outcome.ts'
import { emptySnapshot, type Snapshot } from '../metrics/snapshot.ts'
import { siegeFigures } from './siege-figures.ts'

type Answer =
  | {
      status: number
      timeNs?: number
      bodyBytes?: number
      disqualification?: DisqualificationNumber
    }
  | { failure: FailureKindNumber; bodyBytes?: number }

function snapshotOf(answers: readonly Answer[]): Snapshot {
  const recorder = new CountingRecorder()
  for (const answer of answers) {
    const exchange = new Exchange()
    exchange.bodyBytes = answer.bodyBytes ?? 0
    exchange.endNs = 1_000_000
    beginExchange(recorder, 0)
    if ('failure' in answer) {
      recorder.failed(exchange, answer.failure, () => 'example')
      continue
    }
    exchange.endNs = answer.timeNs ?? 1_000_000
    exchange.status = answer.status
    exchange.disqualification = answer.disqualification ?? Disqualification.none
    recorder.completed(exchange)
  }
  return recorder.snapshot(1_000_000_000)
}

/** What one answer adds to hits, successful and failed transactions. */
function countsOf(answer: Answer): [hit: number, successful: number, failed: number] {
  const figures = siegeFigures(snapshotOf([answer]), 1e9)
  return [figures.transactionCount, figures.successfulCount, figures.failedCount]
}

const { emptyBody, rejected, redirectLimit } = Disqualification

const rows: [event: string, answers: Answer[], counts: [number, number, number]][] = [
  ['2xx and 3xx', [200, 204, 206, 299, 301, 304, 399].map((status) => ({ status })), [1, 1, 0]],
  ['4xx', [400, 402, 403, 404, 406, 409, 429, 499].map((status) => ({ status })), [1, 0, 0]],
  ['answered challenges', [401, 407].map((status) => ({ status })), [1, 1, 0]],
  [
    'rejected credentials',
    [401, 407].map((status) => ({ status, disqualification: rejected })),
    [0, 0, 1],
  ],
  ['408 and 500 to 509', [408, 500, 503, 509].map((status) => ({ status })), [0, 0, 1]],
  ['510 and above', [510, 511, 599, 600, 999].map((status) => ({ status })), [1, 0, 0]],
  ['no body where one is wanted', [{ status: 200, disqualification: emptyBody }], [0, 0, 1]],
  ['redirects without end', [{ status: 302, disqualification: redirectLimit }], [0, 0, 1]],
  [
    'a failed 500 that is disqualified too',
    [{ status: 500, disqualification: emptyBody }],
    [0, 0, 1],
  ],
  ['failures of every kind', Object.values(FailureKind).map((failure) => ({ failure })), [0, 0, 1]],
]

for (const [event, answers, counts] of rows) {
  test(`siegeFigures() counts as siege: ${event}`, () => {
    for (const answer of answers) assert.deepEqual(countsOf(answer), counts, JSON.stringify(answer))
  })
}

test('siegeFigures() divides the time of all complete responses by their number', () => {
  const figures = siegeFigures(
    snapshotOf([
      { status: 500, timeNs: 300_000_000 },
      { status: 200, timeNs: 100_000_000 },
      { failure: FailureKind.reset },
    ]),
    2_000_000_000,
  )
  assert.deepEqual(figures, {
    transactionCount: 1,
    availabilityPercent: 100 / 3,
    elapsedS: 2,
    dataMb: 0,
    responseTimeS: 0.2,
    transactionsPerSecond: 0.5,
    mbPerSecond: 0,
    concurrency: 0.2,
    successfulCount: 1,
    okCount: 1,
    failedCount: 2,
    longestS: 0.3,
    shortestS: 0.1,
  })
})

test('siegeFigures() counts the bytes of complete responses, whatever their status', () => {
  const figures = siegeFigures(
    snapshotOf([
      { status: 200, bodyBytes: 1_048_576 },
      { status: 500, bodyBytes: 524_288 },
      { failure: FailureKind.truncated, bodyBytes: 10_000 },
    ]),
    500_000_000,
  )
  assert.equal(figures.dataMb, 1.5)
  assert.equal(figures.mbPerSecond, 3)
})

test('siegeFigures() is zero throughout for nothing, and availability for failures alone', () => {
  const nothing = siegeFigures(emptySnapshot(), 0)
  assert.deepEqual([...new Set(Object.values(nothing))], [0])
  const failures = siegeFigures(snapshotOf([{ failure: FailureKind.connect }]), 1e9)
  assert.equal(failures.availabilityPercent, 0)
  assert.equal(failures.failedCount, 1)
})

test('siegeFigures() accounts for every exchange that ended, in finite numbers', () => {
  const answer = fc.oneof(
    fc.record({
      status: fc.integer({ min: 100, max: 999 }),
      timeNs: fc.nat(2 ** 31 - 1),
      disqualification: fc.constantFrom(...Object.values(Disqualification)),
    }),
    fc.record({ failure: fc.constantFrom(...Object.values(FailureKind)) }),
  )
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 30 }), fc.nat(2 ** 31 - 1), (answers, elapsedNs) => {
      const figures = siegeFigures(snapshotOf(answers), elapsedNs)
      assert.equal(figures.transactionCount + figures.failedCount, answers.length)
      assert.ok(figures.successfulCount <= figures.transactionCount)
      assert.ok(figures.shortestS <= figures.longestS)
      for (const value of Object.values(figures)) assert.ok(Number.isFinite(value) && value >= 0)
    }),
  )
})
