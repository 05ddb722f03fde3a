/** What the last seconds were like, worked out of cumulative counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveRun, type LiveRunOptions } from '../../../test/support/live-run.ts'
import { emptySnapshot } from '../../metrics/snapshot.ts'
import { LiveHistory } from './history.ts'

const NS_PER_S = 1e9

function watched(options: LiveRunOptions, untilNs: number, stepNs = 0.25 * NS_PER_S): LiveHistory {
  const run = new LiveRun(options)
  const history = new LiveHistory()
  for (let atNs = stepNs; atNs <= untilNs; atNs += stepNs) history.add(run.advance(atNs), atNs)
  return history
}

test('LiveHistory figures are of the last five seconds, and of the whole run', () => {
  const history = watched(
    {
      rateAt: (ns) => (ns < 20 * NS_PER_S ? 100 : 400),
      typicalMs: (ns) => (ns < 20 * NS_PER_S ? 1 : 50),
    },
    30 * NS_PER_S,
  )
  const figures = history.figures()
  assert.equal(figures.recentNs, 5 * NS_PER_S)
  assert.ok(Math.abs(figures.completedPerSecond - 400) < 4, `${figures.completedPerSecond}`)
  assert.ok(Math.abs(figures.offeredPerSecond - 400) < 1, `${figures.offeredPerSecond}`)
  assert.ok(figures.recentResponseTime.p50Ns > 30e6)
  assert.ok(Math.abs(figures.recentResponseTime.count - 2000) < 20)
  assert.equal(figures.wholeResponseTime.count, figures.snapshot.completedCount)
  assert.ok(figures.recentServiceTime.p50Ns <= figures.recentResponseTime.p50Ns)
  const bytesPerSecond = figures.receivedBytesPerSecond
  assert.ok(Math.abs(bytesPerSecond - 400 * (4096 + 240)) < 0.02 * bytesPerSecond)
})

test('LiveHistory rates follow a change within two seconds', () => {
  const history = watched(
    { rateAt: (ns) => (ns < 20 * NS_PER_S ? 100 : 400), typicalMs: () => 1 },
    22.25 * NS_PER_S,
  )
  const { completedPerSecond, recentNs } = history.figures()
  assert.ok(Math.abs(completedPerSecond - 400) < 4, `${completedPerSecond}`)
  assert.equal(recentNs, 5 * NS_PER_S)
})

test('LiveHistory series has one value a second, the last one last', () => {
  const { rateSeries, p99Series } = watched(
    { rateAt: (ns) => (ns < 10 * NS_PER_S ? 100 : 300), typicalMs: () => 1 },
    20 * NS_PER_S,
  ).figures()
  assert.equal(rateSeries.length, 20)
  assert.equal(p99Series.length, 20)
  rateSeries.forEach((rate, second) => {
    assert.ok(Math.abs(rate - (second < 10 ? 100 : 300)) < 10, `${rate} in second ${second}`)
  })
})

test('LiveHistory gives each second of a pause the mean of all, and keeps two minutes', () => {
  const run = new LiveRun({ rateAt: () => 50, typicalMs: () => 1 })
  const history = new LiveHistory()
  history.add(run.advance(NS_PER_S), NS_PER_S)
  history.add(run.advance(6 * NS_PER_S), 6 * NS_PER_S)
  assert.equal(history.figures().rateSeries.length, 6)
  assert.ok(history.figures().rateSeries.every((rate) => Math.abs(rate - 50) < 2))
  history.add(run.advance(1000 * NS_PER_S), 1000 * NS_PER_S)
  assert.equal(history.figures().rateSeries.length, 120)
})

test('LiveHistory before anything was counted is all zero', () => {
  const figures = new LiveHistory().figures()
  assert.equal(figures.completedPerSecond, 0)
  assert.equal(figures.wholeResponseTime.p99Ns, 0)
  assert.equal(figures.lastError, null)
  const history = new LiveHistory()
  history.add(emptySnapshot(), 0)
  assert.equal(history.figures().offeredPerSecond, 0)
})

test('LiveHistory seconds without a response have no p99', () => {
  const { p99Series } = watched(
    { rateAt: (ns) => (ns < 2 * NS_PER_S ? 100 : 0), typicalMs: () => 1 },
    6 * NS_PER_S,
  ).figures()
  assert.equal(p99Series.at(0) === null, false)
  assert.equal(p99Series.at(-1), null)
})

test('LiveHistory counts the warm-up for rates and for nothing else', () => {
  const options = { rateAt: () => 100, typicalMs: () => 1, warmUpNs: 10 * NS_PER_S }
  const warm = watched(options, 5 * NS_PER_S).figures()
  assert.ok(Math.abs(warm.completedPerSecond - 100) < 2)
  assert.ok(Math.abs(warm.offeredPerSecond - 100) < 2)
  assert.equal(warm.wholeResponseTime.count, 0)
  const later = watched(options, 20 * NS_PER_S).figures()
  assert.ok(Math.abs(later.wholeResponseTime.count - 1000) < 3)
})

test('LiveHistory names the error that was counted last', () => {
  const before = { ...emptySnapshot(), errorCount: 1, statusCounts: statuses({ 503: 1 }) }
  const after = {
    ...before,
    errorCount: 3,
    failedCount: 2,
    failureCounts: failures({ 7: 2 }),
    failureExamples: [{ kind: 7, text: 'read ECONNRESET', atNs: 5 }],
  }
  const history = new LiveHistory()
  history.add(before, 1e9)
  assert.deepEqual(history.figures().lastError, { name: 'status 503', count: 1, example: '' })
  history.add(after, 2e9)
  const reset = { name: 'connection reset', count: 2, example: 'read ECONNRESET' }
  assert.deepEqual(history.figures().lastError, reset)
  history.add(after, 3e9)
  assert.deepEqual(history.figures().lastError, reset)
  const disqualificationCounts = new Float64Array(7).fill(0)
  disqualificationCounts[5] = 4
  history.add({ ...after, errorCount: 7, disqualificationCounts }, 4e9)
  assert.deepEqual(history.figures().lastError, { name: 'a check failed', count: 4, example: '' })
})

function statuses(counts: Readonly<Record<number, number>>): Float64Array {
  return filled(1000, counts)
}

function failures(counts: Readonly<Record<number, number>>): Float64Array {
  return filled(12, counts)
}

function filled(length: number, counts: Readonly<Record<number, number>>): Float64Array {
  const array = new Float64Array(length)
  for (const [index, count] of Object.entries(counts)) array[Number(index)] = count
  return array
}
