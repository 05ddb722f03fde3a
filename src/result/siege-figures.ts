/**
 * siege's figures, by siege's own rules, from what was counted.
 *
 * - *Hit*: a complete response of any status but 408 and 500 to 509, unless it was disqualified (an
 *   empty body where none is allowed, rejected credentials, redirects without end).
 * - *Failed*: complete responses that are no hits, and exchanges without a complete response.
 * - *Successful*: hits below 400, and answered challenges (401, 407).
 *
 * Where siege errs we do not follow: the mean response time is that of all complete responses,
 * divided by their number, and a response that was cut short is a failure whose bytes do not count.
 */
import { BYTES_PER_MIB, secondsFromNs } from '../base/units.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { ratio } from './ratio.ts'

/** siege's twelve numbers and the count of 200s that it shows when debugging. Zero, never NaN. */
export interface SiegeFigures {
  readonly transactionCount: number
  /** 0 without any hit. */
  readonly availabilityPercent: number
  readonly elapsedS: number
  /** Body bytes of complete responses, in units of 1,048,576 bytes as siege has it. */
  readonly dataMb: number
  readonly responseTimeS: number
  readonly transactionsPerSecond: number
  readonly mbPerSecond: number
  readonly concurrency: number
  readonly successfulCount: number
  /** Responses with exactly 200. */
  readonly okCount: number
  readonly failedCount: number
  /** Of all complete responses, hits or not. */
  readonly longestS: number
  readonly shortestS: number
}

export function siegeFigures(snapshot: Snapshot, elapsedNs: number): SiegeFigures {
  let hitCount = 0
  let successfulCount = 0
  snapshot.statusCounts.forEach((completedCount, status) => {
    if (isFailureInSiege(status)) return
    const acceptedCount = completedCount - snapshot.disqualifiedStatusCounts[status]!
    hitCount += acceptedCount
    if (status < 400 || isChallenge(status)) successfulCount += acceptedCount
  })
  const failedCount = snapshot.completedCount - hitCount + snapshot.failedCount
  const { responseTime } = snapshot
  const elapsedS = secondsFromNs(elapsedNs)
  const dataMb = snapshot.completedBodyBytes / BYTES_PER_MIB
  return {
    transactionCount: hitCount,
    availabilityPercent: ratio(100 * hitCount, hitCount + failedCount),
    elapsedS,
    dataMb,
    responseTimeS: secondsFromNs(ratio(responseTime.sumNs, responseTime.totalCount)),
    transactionsPerSecond: ratio(hitCount, elapsedS),
    mbPerSecond: ratio(dataMb, elapsedS),
    concurrency: ratio(responseTime.sumNs, elapsedNs),
    successfulCount,
    okCount: snapshot.statusCounts[200]!,
    failedCount,
    longestS: secondsFromNs(responseTime.maxNs),
    shortestS: secondsFromNs(responseTime.minNs),
  }
}

function isFailureInSiege(status: number): boolean {
  return status === 408 || (status >= 500 && status <= 509)
}

function isChallenge(status: number): boolean {
  return status === 401 || status === 407
}
