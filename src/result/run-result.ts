/**
 * What a run leaves behind: raw counts and the facts needed to read them, as plain data.
 *
 * It can be stored, sent and added up; everything derived is in `summary.ts`. A result may be that
 * of a share of the plan (one machine of several): merging the shares gives the run's.
 */
import { invariant } from '../base/errors.ts'
import type { HistogramSnapshot } from '../metrics/histogram.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { mergeSnapshots } from '../metrics/snapshot-merge.ts'
import type { Plan, Stage, Walk } from '../plan/plan.ts'
import type { CheckFacts, FeederUse } from '../plan/script-plan.ts'
import type { WatchedSeries } from './watched.ts'

/**
 * Why a run ended: every user had done its iterations, the time was over, too many failures, a
 * threshold could not hold any more, or somebody stopped it. In ascending order of what outweighs what when shares differ.
 */
export type EndedBy = 'count' | 'time' | 'failures' | 'threshold' | 'signal'

const endingsByWeight: readonly EndedBy[] = ['count', 'time', 'failures', 'threshold', 'signal']

/** What a report says about the plan: of the whole plan, also in the result of a share. */
export interface PlanFacts {
  readonly userCount: number
  /** Iterations of each user; null: no limit. */
  readonly iterationCount: number | null
  readonly durationNs: number | null
  readonly thinkTimeNsMax: number
  readonly walk: Walk
  readonly targetCount: number
  readonly originCount: number
  readonly httpVersion: '1.0' | '1.1'
  readonly keepAlive: boolean
  readonly timeoutNs: number
  readonly failureCountMax: number | null
  /** Threads asked for, on each machine. */
  readonly threadCount: number
  readonly seed: number
  readonly load: LoadFacts
  readonly requestNames: readonly string[]
  readonly checks: readonly CheckFacts[]
  /** As written, see `plan/slo.ts`. */
  readonly thresholds: readonly string[]
  /** What the plan was made from: such as its URLs, or the name of its file. */
  readonly title: string
}

/** How the load was meant to be. */
export interface LoadFacts {
  readonly model: 'closed' | 'open'
  /** Users, or arrivals per second in the open model; empty: `userCount` from start to end. */
  readonly stages: readonly Stage[]
  /** Null in the closed model. */
  readonly arrivals: 'even' | 'poisson' | null
  readonly totalCount: number | null
  /** Kept out of the figures. */
  readonly warmUpNs: number
  /** At the end of the time, how long what was under way might go on. */
  readonly drainNs: number
  readonly scenarios: readonly { readonly name: string; readonly weight: number }[]
}

/** How one thread of the generator fared. */
export interface ThreadHealth {
  readonly cpuUserNs: number
  readonly cpuSystemNs: number
  /** CPU time over elapsed time. Above 1 where only the whole process can be measured. */
  readonly busyRatio: number
  /** Share of the time in which the event loop was not waiting. */
  readonly eventLoopUtilizationRatio: number
  /** How late a periodic timer was called. */
  readonly loopLag: HistogramSnapshot
  readonly reactorName: string
  /** Why not a faster one; null when there is none. */
  readonly reactorReason: string | null
}

export interface RunResult {
  readonly onagerVersion: string
  /** Wall clock at the start, ms since 1970. */
  readonly startedAtMs: number
  readonly elapsedNs: number
  readonly endedBy: EndedBy
  readonly plan: PlanFacts
  /** Of all threads together. */
  readonly snapshot: Snapshot
  /** The busiest first. */
  readonly threads: readonly ThreadHealth[]
  /** What was sampled beside the run; absent when nothing was. */
  readonly watched?: readonly WatchedSeries[]
  /** `unique` feeders in which an iteration found no row; absent when there are none. */
  readonly usedUpFeeders?: readonly UsedUpFeeder[]
}

export interface UsedUpFeeder {
  readonly name: string
  /** Rows that were handed out. */
  readonly rowCount: number
}

export function planFacts(plan: Plan): PlanFacts {
  const { load, connection } = plan
  return {
    userCount: load.userCount,
    iterationCount: load.iterationCount,
    durationNs: load.durationNs,
    thinkTimeNsMax: load.thinkTimeNsMax,
    walk: plan.walk,
    targetCount: plan.targets.count,
    originCount: plan.targets.origins.length,
    httpVersion: plan.request.httpVersion,
    keepAlive: connection.keepAlive,
    timeoutNs: connection.timeoutNs,
    failureCountMax: plan.failureCountMax,
    threadCount: plan.threadCount,
    seed: plan.seed,
    load: loadFacts(plan),
    requestNames: plan.requestNames ?? [],
    checks: plan.script?.checks ?? [],
    thresholds: (plan.thresholds ?? []).map(({ text }) => text),
    title: plan.title ?? '',
  }
}

function loadFacts({ load, script }: Plan): LoadFacts {
  return {
    model: load.model,
    stages: load.stages ?? [],
    arrivals: load.model === 'open' ? load.arrivals : null,
    totalCount: load.totalCount ?? null,
    warmUpNs: load.warmUpNs ?? 0,
    drainNs: load.drainNs ?? 0,
    scenarios: (script?.scenarios ?? []).map(({ name, weight }) => ({ name, weight })),
  }
}

/** Adds the share of time in which the thread was busy: 0 for a run that took no time. */
export function threadHealth(
  reading: Omit<ThreadHealth, 'busyRatio'>,
  elapsedNs: number,
): ThreadHealth {
  const cpuNs = reading.cpuUserNs + reading.cpuSystemNs
  return { ...reading, busyRatio: elapsedNs > 0 ? cpuNs / elapsedNs : 0 }
}

/** The ending of a run whose shares ended like this; 'count' for none. */
export function mergeEndings(endings: readonly EndedBy[]): EndedBy {
  const weights = endings.map((endedBy) => endingsByWeight.indexOf(endedBy))
  return endingsByWeight[Math.max(0, ...weights)]!
}

/** The part of a result about feeders from what each share had of them, in the order of their names. */
export function usedUpFeeders(uses: readonly FeederUse[]): Pick<RunResult, 'usedUpFeeders'> {
  const names = [...new Set(uses.flatMap(({ name, isUsedUp }) => (isUsedUp ? [name] : [])))]
  if (names.length === 0) return {}
  const rowCountOf = (wanted: string) =>
    uses.reduce((sum, { name, rowCount }) => (name === wanted ? sum + rowCount : sum), 0)
  return { usedUpFeeders: names.sort().map((name) => ({ name, rowCount: rowCountOf(name) })) }
}

/** In the order of `RunResult.threads`, which does not depend on who reported first. */
export function sortThreads(threads: readonly ThreadHealth[]): ThreadHealth[] {
  return threads.toSorted(
    (a, b) =>
      b.busyRatio - a.busyRatio ||
      b.cpuUserNs - a.cpuUserNs ||
      b.eventLoopUtilizationRatio - a.eventLoopUtilizationRatio ||
      b.loopLag.sumNs - a.loopLag.sumNs ||
      (a.reactorName < b.reactorName ? -1 : Number(a.reactorName > b.reactorName)),
  )
}

/**
 * The result of a run from those of its shares: associative and order-free. The run lasted from
 * the first start to the end of the longest share.
 * @throws {BugError} for an empty list, and for results that are not of one plan and version.
 */
export function mergeResults(results: readonly RunResult[]): RunResult {
  const [first] = results
  invariant(first !== undefined, 'there is a result to merge')
  for (const { plan, onagerVersion } of results) {
    const isSame = JSON.stringify(plan) === JSON.stringify(first.plan)
    invariant(isSame, 'results that are merged are of one plan')
    invariant(onagerVersion === first.onagerVersion, 'and of one version of onager')
  }
  const watched = results.flatMap((result) => result.watched ?? [])
  return {
    onagerVersion: first.onagerVersion,
    startedAtMs: Math.min(...results.map((result) => result.startedAtMs)),
    elapsedNs: Math.max(...results.map((result) => result.elapsedNs)),
    endedBy: mergeEndings(results.map((result) => result.endedBy)),
    plan: first.plan,
    snapshot: mergeSnapshots(results.map((result) => result.snapshot)),
    threads: sortThreads(results.flatMap((result) => result.threads)),
    ...(watched.length === 0 ? {} : { watched: sortWatched(watched) }),
    ...usedUpFeeders(
      results
        .flatMap((result) => result.usedUpFeeders ?? [])
        .map((feeder) => ({ ...feeder, isUsedUp: true })),
    ),
  }
}

/** In an order that does not depend on whose share was merged first. */
function sortWatched(watched: readonly WatchedSeries[]): WatchedSeries[] {
  const keyOf = (series: WatchedSeries) => JSON.stringify([series.label, series.source, series])
  return watched.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))))
}
