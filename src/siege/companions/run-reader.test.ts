/** Every form in which siege, the original or ours, tells of a run, and what looks like one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../../test/support/timing.ts'
import { readRuns } from './run-reader.ts'

const SECONDS_BLOCK = `
Transactions:\t\t          21 hits
Availability:\t\t       95.45 %
Elapsed time:\t\t        1.50 secs
Data transferred:\t        0.25 MB
Response time:\t\t        0.07 secs
Transaction rate:\t       14.00 trans/sec
Throughput:\t\t        0.17 MB/sec
Concurrency:\t\t        0.98
Successful transactions:          20
Failed transactions:\t           1
Longest transaction:\t        0.30
Shortest transaction:\t        0.01
 
`
const FIGURES = {
  transactionCount: 21,
  availabilityPercent: 95.45,
  elapsedS: 1.5,
  dataMb: 0.25,
  responseTimeS: 0.07,
  transactionsPerSecond: 14,
  mbPerSecond: 0.17,
  concurrency: 0.98,
  successfulCount: 20,
  failedCount: 1,
  longestS: 0.3,
  shortestS: 0.01,
}
const JSON_BODY = `"transactions":\t\t\t          21,
\t"availability":\t\t\t       95.45,
\t"elapsed_time":\t\t\t        1.50,
\t"data_transferred":\t\t        0.25,
\t"response_time":\t\t        0.07,
\t"transaction_rate":\t\t       14.00,
\t"throughput":\t\t\t        0.17,
\t"concurrency":\t\t\t        0.98,
\t"successful_transactions":\t          20,
\t"failed_transactions":\t\t           1,
\t"longest_transaction":\t\t        0.30,
\t"shortest_transaction":\t\t        0.01
}
`

test('readRuns() reads the block of siege 4.0 and that of 4.1.7 to the same figures', () => {
  assert.deepEqual(readRuns(SECONDS_BLOCK), [FIGURES])
  const newer = SECONDS_BLOCK.replace('0.07 secs', '70.00 ms')
    .replace(/(Longest.*)0\.30/, '$1300.00 ms')
    .replace(/(Shortest.*)0\.01/, '$110.00 ms')
    .replace('          21 hits', '       21    hits')
  assert.deepEqual(readRuns(newer), [FIGURES])
})

test('readRuns() takes the users from the banner, for the run that follows it', () => {
  const banner = '** SIEGE 4.0.7\n** Preparing 25 concurrent users for battle.\n'
  const noise = 'HTTP/1.1 200     0.00 secs:      20 bytes ==> GET  /\n'
  assert.deepEqual(readRuns(banner + noise.repeat(3) + SECONDS_BLOCK + SECONDS_BLOCK), [
    { userCount: 25, ...FIGURES },
    FIGURES,
  ])
})

test('readRuns() reads our addition, and keeps pages and responses apart', () => {
  const addition = `Pages:                            10
Page time:       p50          50.000 ms
                 p95          99.000 ms *
Percentiles:     p50          12.500 ms
                 p99.9       240.639 ms *
                 max         244.470 ms
Status:          200              19 86.36 %
                 204             120  8.09 %
                 404              61  4.55 %
                 500               1  4.55 %
Not accepted:                    200 empty body
In flight at the end:              5 neither hits nor failures
`
  assert.deepEqual(readRuns(SECONDS_BLOCK + addition), [
    {
      ...FIGURES,
      p50S: 0.0125,
      p99_9S: 240.639 / 1000,
      status2xxCount: 139,
      status4xxCount: 61,
      status5xxCount: 1,
      inFlightCount: 5,
    },
  ])
})

test('readRuns() reads JSON in both layouts, several in one text, between anything', () => {
  const older = `{\t${JSON_BODY}`
  const newer = `{\n\t${JSON_BODY}`
  const text = `LOG FILE: x\n${older}\n${newer}[${newer},${older}]\n${SECONDS_BLOCK}${newer}`
  assert.deepEqual(readRuns(text), Array(6).fill(FIGURES))
})

test('readRuns() takes the more precise figures of our own JSON', () => {
  const ours = {
    transactions: 3,
    response_time: 0,
    onager: {
      users: 7,
      elapsed_time_s: 1.234567,
      started_at: '2026-11-30T20:56:18.000Z',
      ended_by: 'signal',
      timeouts: 1,
      in_flight_at_end: 2,
      statuses: { 200: 2, 302: 1 },
      response_time_ms: { mean: 1.5, min: 0.5, max: 2.5, p50: 1.25, p99_9: 2.5, count: 3 },
    },
  }
  assert.deepEqual(readRuns(JSON.stringify(ours)), [
    {
      transactionCount: 3,
      userCount: 7,
      elapsedS: 1.234567,
      startedAt: '2026-11-30T20:56:18.000Z',
      endedBy: 'signal',
      timeoutCount: 1,
      inFlightCount: 2,
      status2xxCount: 2,
      status3xxCount: 1,
      responseTimeS: 0.0015,
      shortestS: 0.0005,
      longestS: 0.0025,
      p50S: 0.00125,
      p99_9S: 0.0025,
    },
  ])
})

test('readRuns() reads the log file, its marks, and what siege divides by zero there', () => {
  const log = `      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,  Throughput
2026-11-30 20:56:18,     21,       1.50,           0,       0.07,       14.00,        0.00,        0.98,      20,       1
**** with, cache ****
2026-11-30 20:57:18,      0,       0.00,           0,       -nan,         inf,        0.00,        -nan,       0,       0
`
  assert.deepEqual(readRuns(log), [
    {
      startedAt: '2026-11-30 20:56:18',
      transactionCount: 21,
      elapsedS: 1.5,
      dataMb: 0,
      responseTimeS: 0.07,
      transactionsPerSecond: 14,
      mbPerSecond: 0,
      concurrency: 0.98,
      successfulCount: 20,
      failedCount: 1,
    },
    {
      mark: 'with, cache',
      startedAt: '2026-11-30 20:57:18',
      transactionCount: 0,
      elapsedS: 0,
      dataMb: 0,
      mbPerSecond: 0,
      successfulCount: 0,
      failedCount: 0,
    },
  ])
})

test('readRuns() finds no run where there is none, and none in one that is cut off', () => {
  for (const text of ['', 'hello\n', '{"transactions": 1', '{"a":{"transactions2":1}}', '[]']) {
    assert.deepEqual(readRuns(text), [], text)
  }
  const cutOff = '{"transactions": 1, "a": "'
  assert.deepEqual(readRuns(`${cutOff}\n{"transactions": 2}`), [{ transactionCount: 2 }])
})

test('readRuns() takes time in proportion to the text, also for objects that never end', () => {
  const cpuMs = cpuMsOf(() => {
    assert.deepEqual(readRuns('{"transactions": 1, {'.repeat(100_000)), [])
    assert.deepEqual(readRuns(`${SECONDS_BLOCK.repeat(2000)}${' '.repeat(1e6)}`).length, 2000)
  })
  assert.ok(cpuMs < 5000, `${cpuMs} ms`)
})

test('readRuns() reads files with carriage returns and with colours', () => {
  const colored = SECONDS_BLOCK.replaceAll(/^(\w)/gm, '\x1b[0;34m$1').replaceAll('\n', '\r\n')
  assert.deepEqual(readRuns(colored), [FIGURES])
})
