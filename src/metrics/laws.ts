/**
 * What must hold of every snapshot, of one thread or of many: the books balance.
 *
 * Checked by tests after every simulated run and by the runner at the end of a real one. A broken
 * law is a bug of onager, never a property of the target.
 */
import { bucketCountOf, type HistogramSnapshot } from './histogram.ts'
import type { IntervalSeries } from './intervals.ts'
import { isTimeout } from './outcome.ts'
import type { Snapshot } from './snapshot.ts'

/** One sentence, with the numbers, for each law that does not hold. */
export function brokenLaws(snapshot: Snapshot): string[] {
  const broken: string[] = []
  function equal(left: string, leftValue: number, right: string, rightValue: number): void {
    if (leftValue !== rightValue) broken.push(`${left} ${leftValue} is not ${right} ${rightValue}`)
  }
  function atMost(left: string, leftValue: number, right: string, rightValue: number): void {
    if (!(leftValue <= rightValue))
      broken.push(`${left} ${leftValue} is above ${right} ${rightValue}`)
  }
  const { completedCount, failedCount, inFlightCount } = snapshot
  const accountedCount = completedCount + failedCount + inFlightCount
  equal('started', snapshot.startedCount, 'completed + failed + in flight', accountedCount)
  equal('sum of status counts', sum(snapshot.statusCounts), 'completed', completedCount)
  equal('sum of failure counts', sum(snapshot.failureCounts), 'failed', failedCount)
  const timeoutCount = sum(snapshot.failureCounts.filter((_, kind) => isTimeout(kind)))
  equal('timeouts with a time', snapshot.timeoutTime.totalCount, 'timeouts', timeoutCount)
  equal('response times', snapshot.responseTime.totalCount, 'completed', completedCount)
  equal('service times', snapshot.serviceTime.totalCount, 'completed', completedCount)
  equal('page times', snapshot.pageTime.totalCount, 'pages', snapshot.pageCount)
  atMost('overdue', snapshot.overdueCount, 'dropped', snapshot.droppedCount)
  if (!(inFlightCount >= 0)) broken.push(`${inFlightCount} are in flight`)
  atMost('body bytes of completed', snapshot.completedBodyBytes, 'of all', snapshot.bodyBytes)
  const disqualifiedCount = sum(snapshot.disqualificationCounts)
  equal('disqualified', disqualifiedCount, 'by status', sum(snapshot.disqualifiedStatusCounts))
  snapshot.disqualifiedStatusCounts.forEach((count, status) => {
    atMost(`disqualified with ${status}`, count, 'completed', snapshot.statusCounts[status]!)
  })
  const exampleKinds = snapshot.failureExamples.map((example) => example.kind)
  const failureKinds = [...snapshot.failureCounts.keys()].filter(
    (k) => snapshot.failureCounts[k]! > 0,
  )
  if (exampleKinds.join() !== failureKinds.join()) {
    broken.push(`examples of kinds [${exampleKinds}] are not of the failures' [${failureKinds}]`)
  }
  // Sums are compared with room for the rounding of doubles beyond 2^53.
  const serviceSumNs = snapshot.serviceTime.sumNs * (1 - 1e-9)
  atMost('sum of service times', serviceSumNs, 'of response times', snapshot.responseTime.sumNs)
  for (const [name, phase] of Object.entries(snapshot.phases)) {
    atMost(`exchanges with ${name} time`, phase.totalCount, 'completed', completedCount)
  }
  for (const [name, histogram] of namedHistograms(snapshot)) {
    broken.push(...brokenHistogramLaws(histogram).map((law) => `${name}: ${law}`))
  }
  broken.push(...brokenIntervalLaws(snapshot.intervals, snapshot))
  return broken
}

function brokenHistogramLaws(histogram: HistogramSnapshot): string[] {
  const broken: string[] = []
  const { indexes, counts, totalCount, minNs, maxNs, sumNs } = histogram
  if (sum(counts) !== totalCount) broken.push(`its counts do not add up to ${totalCount}`)
  if (counts.some((count) => !(count > 0))) broken.push('a listed bucket is empty')
  if (indexes.some((index, i) => i > 0 && index <= indexes[i - 1]!)) {
    broken.push('its indexes do not ascend')
  }
  if ((indexes.at(-1) ?? 0) >= bucketCountOf(histogram.digits)) broken.push('an index is too large')
  if (!(0 <= minNs && minNs <= maxNs && maxNs <= sumNs)) {
    broken.push(`0 <= minimum ${minNs} <= maximum ${maxNs} <= sum ${sumNs} does not hold`)
  }
  return broken
}

function brokenIntervalLaws(series: IntervalSeries, snapshot: Snapshot): string[] {
  const broken: string[] = []
  const { intervals, widthNs, endNs } = series
  const sums = ['startedCount', 'completedCount', 'failedCount', 'bodyBytes', 'pageCount'] as const
  for (const name of sums) {
    const total = intervals.reduce((soFar, interval) => soFar + interval[name], 0)
    if (total !== snapshot[name]) {
      broken.push(`intervals: ${name} adds up to ${total}, not ${snapshot[name]}`)
    }
  }
  intervals.forEach((interval, index) => {
    const place = `interval ${index}`
    if (interval.startNs !== index * widthNs) broken.push(`${place} starts at ${interval.startNs}`)
    if (interval.durationNs !== Math.min(widthNs, endNs - interval.startNs)) {
      broken.push(`${place} lasts ${interval.durationNs}`)
    }
    if (interval.responseTime.totalCount !== interval.completedCount) {
      broken.push(`${place}: its response times are not as many as its completed exchanges`)
    }
    broken.push(...brokenHistogramLaws(interval.responseTime).map((law) => `${place}: ${law}`))
  })
  const inFlightCount = intervals.at(-1)?.inFlightCountAtEnd ?? 0
  if (inFlightCount !== snapshot.inFlightCount) {
    broken.push(`${inFlightCount} in flight after the last interval, not ${snapshot.inFlightCount}`)
  }
  return broken
}

function namedHistograms(snapshot: Snapshot): [string, HistogramSnapshot][] {
  const { responseTime, serviceTime, timeoutTime, pageTime, phases } = snapshot
  return Object.entries({ responseTime, serviceTime, timeoutTime, pageTime, ...phases })
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0)
}
