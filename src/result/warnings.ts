/**
 * What a reader of the figures must know before trusting them: as data, and as sentences.
 *
 * When a warning is given is decided here too, so that rule and sentence stand side by side. This
 * is the only place with the texts.
 */
import { msFromNs, secondsFromNs } from '../base/units.ts'
import { FailureKind } from '../metrics/outcome.ts'
import type { ArrivalSummary } from './offered.ts'
import type { Summary } from './summary.ts'
import { percentileOf, type TimeSummary } from './time-summary.ts'

export type Warning =
  /** The generator's CPU was the limit: the figures are ours as much as the target's. */
  | {
      readonly kind: 'generator-saturated'
      readonly busyRatioMax: number
      readonly saturatedThreadCount: number
      readonly threadCount: number
    }
  /** Times were read late by about this much. */
  | { readonly kind: 'loop-lag'; readonly loopLagNsP99: number; readonly loopLagNsMax: number }
  | { readonly kind: 'all-failed'; readonly failedCount: number }
  /** Statuses outside 200..399; `errorCount` may be all. */
  | {
      readonly kind: 'many-error-statuses'
      readonly errorCount: number
      readonly completedCount: number
    }
  | { readonly kind: 'timeouts'; readonly timeoutCount: number; readonly timeoutNs: number }
  | { readonly kind: 'in-flight-at-end'; readonly inFlightCount: number }
  /** Failures for want of descriptors, ports or memory of this machine. */
  | { readonly kind: 'own-limit'; readonly failedCount: number; readonly example: string }
  /** Percentiles that rest on fewer than ten slower responses. */
  | {
      readonly kind: 'few-samples'
      readonly completedCount: number
      readonly percentileNames: readonly string[]
    }
  /** Arrivals that were never begun: the target got less load than it was meant to get. */
  | { readonly kind: 'dropped'; readonly arrivals: ArrivalSummary; readonly userCount: number }
  /** No row was left of a `unique` feeder, which ends a run before its time. */
  | { readonly kind: 'feeder-used-up'; readonly name: string; readonly rowCount: number }
  /** The generator itself began arrivals late. */
  | { readonly kind: 'late-starts'; readonly startLagNsP99: number; readonly startLagNsMax: number }
  /** What a user would feel is far above what the target took once it was asked. */
  | {
      readonly kind: 'waited-to-begin'
      readonly responseTimeNsP99: number
      readonly serviceTimeNsP99: number
    }
  /** Errors among the responses that percentiles are of. */
  | {
      readonly kind: 'error-responses'
      readonly errorCount: number
      readonly completedCount: number
    }

export const BUSY_RATIO_MAX = 0.9
/** A shorter run is mostly start-up, which keeps every generator busy. */
const JUDGED_NS_MIN = 1e9
const LOOP_LAG_NS_MAX = 1_000_000
const ERROR_STATUS_RATIO_MAX = 0.1
export const START_LAG_NS_MAX = 1_000_000
/** Response time over service time, at p99, and by how much at least. */
const WAIT_RATIO_MAX = 2
const WAIT_NS_MAX = 1_000_000
const ERROR_RESPONSE_RATIO_MAX = 0.01

/** The most serious first. */
export function warningsOf(summary: Omit<Summary, 'warnings'>): Warning[] {
  return [
    ...targetWarnings(summary),
    ...summary.usedUpFeeders.map((feeder) => ({ kind: 'feeder-used-up' as const, ...feeder })),
    ...arrivalWarnings(summary),
    ...generatorWarnings(summary),
    ...readerWarnings(summary),
  ]
}

/**
 * Those of a summary, with what only the reports of `onager run` say: the originals that the others
 * stand in for have no notion of it.
 */
export function runWarnings(summary: Summary): Summary['warnings'] {
  const { warnings, completedCount } = summary
  // Where all are errors nobody takes the percentiles for those of answers.
  const errorCount = summary.errorCount - summary.failedCount
  const isPart = errorCount > completedCount * ERROR_RESPONSE_RATIO_MAX
  if (!isPart || errorCount === completedCount) return warnings
  const warning: Warning = { kind: 'error-responses', errorCount, completedCount }
  return [...warnings, { ...warning, text: warningText(warning) }]
}

function targetWarnings(summary: Omit<Summary, 'warnings'>): Warning[] {
  const warnings: Warning[] = []
  const { completedCount, failedCount } = summary
  if (completedCount === 0 && failedCount > 0) warnings.push({ kind: 'all-failed', failedCount })
  const errorCount = summary.statuses
    // A download by FTP counts under the reply that it begins with.
    .filter(({ status }) => status >= 400 || (status < 200 && !isFtpBeginning(status)))
    .reduce((sum, { count, answeredCount }) => sum + count - answeredCount, 0)
  if (errorCount > completedCount * ERROR_STATUS_RATIO_MAX) {
    warnings.push({ kind: 'many-error-statuses', errorCount, completedCount })
  }
  return warnings
}

function isFtpBeginning(status: number): boolean {
  return status === 125 || status === 150
}

function arrivalWarnings(summary: Omit<Summary, 'warnings'>): Warning[] {
  const warnings: Warning[] = []
  const { arrivals, startLag } = summary
  if (arrivals === null) return warnings
  const { userCount } = summary.plan
  if (arrivals.droppedCount > 0) warnings.push({ kind: 'dropped', arrivals, userCount })
  const startLagNsP99 = p99Of(startLag)
  const responseTimeNsP99 = p99Of(summary.responseTime)
  const serviceTimeNsP99 = p99Of(summary.serviceTime)
  const waitNs = responseTimeNsP99 - serviceTimeNsP99
  const isFar = waitNs > WAIT_NS_MAX && responseTimeNsP99 > serviceTimeNsP99 * WAIT_RATIO_MAX
  // Where the generator was late that is why, and is said by itself.
  if (isFar && startLagNsP99 < waitNs / 2) {
    warnings.push({ kind: 'waited-to-begin', responseTimeNsP99, serviceTimeNsP99 })
  }
  if (startLagNsP99 > START_LAG_NS_MAX) {
    warnings.push({ kind: 'late-starts', startLagNsP99, startLagNsMax: startLag.maxNs })
  }
  return warnings
}

function p99Of(time: TimeSummary): number {
  return percentileOf(time, 'p99').valueNs
}

function generatorWarnings(summary: Omit<Summary, 'warnings'>): Warning[] {
  const warnings: Warning[] = []
  const { threads, threadCount, busyRatioMax, loopLagNsP99, loopLagNsMax } = summary.generator
  const ownLimit = summary.failures.find(({ kind }) => kind === FailureKind.ownLimit)
  if (ownLimit !== undefined) {
    const { count, example } = ownLimit
    warnings.push({ kind: 'own-limit', failedCount: count, example })
  }
  const saturated = threads.filter((thread) => thread.busyRatio > BUSY_RATIO_MAX)
  const isLongEnough = summary.elapsedNs >= JUDGED_NS_MIN
  if (isLongEnough && saturated.length > 0) {
    const saturatedThreadCount = saturated.length
    warnings.push({ kind: 'generator-saturated', busyRatioMax, saturatedThreadCount, threadCount })
  }
  if (loopLagNsP99 !== null && loopLagNsP99 > LOOP_LAG_NS_MAX) {
    warnings.push({ kind: 'loop-lag', loopLagNsP99, loopLagNsMax: loopLagNsMax ?? loopLagNsP99 })
  }
  return warnings
}

function readerWarnings(summary: Omit<Summary, 'warnings'>): Warning[] {
  const warnings: Warning[] = []
  const { timeoutCount, timeoutNs, inFlightCount, completedCount } = summary
  if (timeoutCount > 0) warnings.push({ kind: 'timeouts', timeoutCount, timeoutNs })
  if (inFlightCount > 0) warnings.push({ kind: 'in-flight-at-end', inFlightCount })
  const percentileNames = summary.responseTime.percentiles
    .filter(({ isFirm }) => !isFirm)
    .map(({ name }) => name)
  if (completedCount > 0 && percentileNames.length > 0) {
    warnings.push({ kind: 'few-samples', completedCount, percentileNames })
  }
  return warnings
}

/** One or two plain sentences. */
export function warningText(warning: Warning): string {
  switch (warning.kind) {
    case 'generator-saturated':
      return saturatedText(warning)
    case 'loop-lag':
      return (
        `The generator's event loop was late by ${ms(warning.loopLagNsP99)} ms at p99 and ` +
        `${ms(warning.loopLagNsMax)} ms at most; response times may be too long by that much.`
      )
    case 'all-failed':
      return warning.failedCount === 1
        ? 'The only request failed.'
        : `All ${warning.failedCount} requests failed.`
    case 'many-error-statuses':
      return errorStatusText(warning)
    case 'timeouts': {
      const requests = counted(warning.timeoutCount, 'request was', 'requests were')
      const limit = plain(secondsFromNs(warning.timeoutNs))
      return `${requests} given up after the timeout of ${limit} s; the percentiles leave them out.`
    }
    case 'in-flight-at-end': {
      const requests = counted(warning.inFlightCount, 'request was', 'requests were')
      return `${requests} still in flight at the end and counted as neither success nor failure.`
    }
    case 'own-limit': {
      const requests = counted(warning.failedCount, 'request', 'requests')
      const example = warning.example === '' ? '' : ` (${warning.example})`
      return `${requests} failed at a limit of this machine, not of the target${example}.`
    }
    case 'few-samples':
      return (
        `${counted(warning.completedCount, 'response is', 'responses are')} too few to rely on ` +
        `${listed(warning.percentileNames)}: fewer than ten were slower.`
      )
    case 'dropped':
      return droppedText(warning)
    case 'feeder-used-up':
      return (
        `The feeder ${warning.name} ran out after ${counted(warning.rowCount, 'row', 'rows')}: ` +
        'in the order "unique" each is used once, and then nothing more is begun.'
      )
    case 'late-starts':
      return (
        `The generator began arrivals late, by ${ms(warning.startLagNsP99)} ms at p99 and ` +
        `${ms(warning.startLagNsMax)} ms at most. Response times contain that, service times do not.`
      )
    case 'waited-to-begin':
      return (
        `At p99 a response came ${ms(warning.responseTimeNsP99)} ms after it was due, but ` +
        `${ms(warning.serviceTimeNsP99)} ms after it was asked for: requests waited to be sent. ` +
        'Users feel the first; the second leaves out what piled up.'
      )
    case 'error-responses': {
      const { errorCount, completedCount } = warning
      const share = plain((100 * errorCount) / completedCount)
      return (
        `${share} % of the responses that the percentiles are of are errors. Errors are often ` +
        'faster than answers, and make a target look better than it is.'
      )
    }
  }
}

function saturatedText(warning: Warning & { kind: 'generator-saturated' }): string {
  const percent = Math.round(warning.busyRatioMax * 100)
  const who =
    warning.threadCount === 1
      ? 'The generator itself was busy'
      : `${warning.saturatedThreadCount} of ${warning.threadCount} generator threads were busy, ` +
        'the busiest'
  return (
    `${who} ${percent} % of the time; the target may be able to do more. ` +
    'More threads or another machine will tell.'
  )
}

function droppedText({ arrivals, userCount }: Warning & { kind: 'dropped' }): string {
  const { droppedCount, overdueCount, dueCount, droppedRatio } = arrivals
  const share = plain(droppedRatio * 100)
  const lateness = 'the generator itself could not begin them in time'
  const crowd = `${userCount} were under way, the most allowed`
  const reason =
    overdueCount === 0
      ? `as ${crowd}`
      : overdueCount === droppedCount
        ? `as ${lateness}`
        : `${overdueCount} as ${lateness}, the others as ${crowd}`
  return (
    `${droppedCount} of ${counted(dueCount, 'arrival', 'arrivals')} (${share} %) were dropped, ` +
    `${reason}. The target got less load than planned: take every percentile as a lower bound.`
  )
}

function errorStatusText(warning: Warning & { kind: 'many-error-statuses' }): string {
  const { errorCount, completedCount } = warning
  if (completedCount === 1) return 'The only response has an error status.'
  if (errorCount === completedCount) return `All ${completedCount} responses have error statuses.`
  const verb = errorCount === 1 ? 'has an error status' : 'have error statuses'
  return `${errorCount} of ${completedCount} responses ${verb}.`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join()
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function ms(ns: number): string {
  return plain(msFromNs(ns))
}

/** Three decimals at most, and no more than there are. */
function plain(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
