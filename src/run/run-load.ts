/**
 * One run of a plan: who watches it, what may end it early, and what becomes of its result.
 *
 * The result is written before anything else is done with it, so that whatever fails afterwards
 * loses nothing. Standard output carries the report and nothing else; the rest goes to stderr.
 */
import { writeFileSync } from 'node:fs'
import { systemReason } from '../base/system-reason.ts'
import { ONAGER_VERSION } from '../base/version.ts'
import { type HtmlFile, openHtmlFile } from '../fleet/html-file.ts'
import { printReport } from '../fleet/output-writer.ts'
import { type RunningPlan, startPlan } from '../fleet/run-plan.ts'
import type { Watch } from '../fleet/watch.ts'
import { emptyIntervalSeries } from '../metrics/intervals.ts'
import { brokenLaws } from '../metrics/laws.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import type { Plan } from '../plan/plan.ts'
import { machineZone } from '../report/local-time.ts'
import { runJson } from '../report/run-json.ts'
import { runText } from '../report/run-text.ts'
import { encodeResult } from '../result/result-file.ts'
import { type PlanFacts, planFacts, type RunResult } from '../result/run-result.ts'
import { summarize } from '../result/summary.ts'
import { isBroken, type Verdict, verdictsOf } from '../result/verdicts.ts'
import { type IsLost, lossWatcher } from './abort-on-slo.ts'
import type { OtlpTarget } from './exporters/otlp.ts'
import type { RunWishes } from './load-plan.ts'
import { noAnswerNotice } from './no-answer-notice.ts'
import { nodePacking } from './node-packing.ts'
import { type RunWatchers, watchRun } from './watch-run.ts'

const EXIT_FINE = 0
const EXIT_NOT_GOOD = 1
const EXIT_BUG = 70
const EXIT_INTERRUPTED = 130
/** How long a reader of what is printed may take its time. */
const OUTPUT_WAIT_MS = 60_000
/** After Ctrl-C a thread has so long to end; only code that never gives back takes longer. */
const LAST_WAIT_MS = 10_000

/** Runs the plan and returns the exit status. @throws {UsageError} before anything is sent. */
export async function runLoad(plan: Plan, wishes: RunWishes): Promise<number> {
  // Whoever leaves a pipe or fills a disk costs the run neither its end nor its files.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const otlp = await otlpTarget(wishes.otlp)
  const html = wishes.html === null ? null : openHtmlFile(wishes.html)
  const facts = planFacts(plan)
  const watchers = await watchRun({
    stream: process.stderr,
    facts,
    env: process.env,
    isQuiet: wishes.quiet || wishes.json,
    prometheus: wishes.prometheus,
    otlp,
    startedAtMs: Date.now(),
  })
  const run = new Run(plan, facts, wishes, watchers)
  const result = await run.finished()
  watchers.endView()
  const hasKept = keep(result, wishes, html)
  const verdicts = verdictsOf(result)
  const hasShown = show(result, verdicts, wishes)
  const broken = brokenLaws(result.snapshot)
  for (const law of broken) {
    say(`onager: the counts do not add up, please report this: ${law}`)
  }
  await watchers.close(result.snapshot, result.elapsedNs)
  if (broken.length > 0) return EXIT_BUG
  return hasKept && hasShown ? exitStatus(result, verdicts) : EXIT_NOT_GOOD
}

/** @throws {UsageError} when it is no URL to push to. The exporter is loaded only if asked for. */
async function otlpTarget(url: string | null): Promise<OtlpTarget | null> {
  if (url === null) return null
  const { readOtlpTarget } = await import('./exporters/otlp.ts')
  return readOtlpTarget(url)
}

/** Writes the files that were asked for; false when one could not be written. */
function keep(result: RunResult, { out }: RunWishes, html: HtmlFile | null): boolean {
  const problems = [out === null ? null : writeResult(out, result), html?.write(result) ?? null]
  for (const problem of problems) if (problem !== null) say(`onager: ${problem}`)
  return problems.every((problem) => problem === null)
}

function writeResult(file: string, result: RunResult): string | null {
  try {
    writeFileSync(file, encodeResult(result, nodePacking))
    return null
  } catch (error) {
    return `the result could not be written to ${file}: ${systemReason(error)}`
  }
}

/** Prints the report; false when it could not be. A reader who has left wants no more of it. */
function show(result: RunResult, verdicts: readonly Verdict[], wishes: RunWishes): boolean {
  if (wishes.quiet && !wishes.json) return true
  const summary = summarize(result)
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const text = wishes.json
    ? runJson(summary, verdicts)
    : runText(summary, verdicts, { colour, zone: machineZone })
  const problem = printReport(text, OUTPUT_WAIT_MS)
  if (problem !== null) say(`onager: ${problem}`)
  return problem === null
}

function exitStatus({ snapshot, endedBy }: RunResult, verdicts: readonly Verdict[]): number {
  if (endedBy === 'signal') return EXIT_INTERRUPTED
  const hasSucceeded = snapshot.completedCount + snapshot.failedCount > snapshot.errorCount
  return hasSucceeded && !isBroken(verdicts) ? EXIT_FINE : EXIT_NOT_GOOD
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

class Run {
  readonly #plan: Plan
  readonly #facts: PlanFacts
  readonly #wishes: RunWishes
  readonly #watchers: RunWatchers
  readonly #isLost: IsLost
  readonly #noAnswer = noAnswerNotice()
  readonly #running: RunningPlan
  readonly #startedAtMs = Date.now()
  #signalCount = 0
  #lastWait: NodeJS.Timeout | undefined
  #latest: { readonly snapshot: Snapshot; readonly elapsedNs: number } | undefined

  constructor(plan: Plan, facts: PlanFacts, wishes: RunWishes, watchers: RunWatchers) {
    this.#plan = plan
    this.#facts = facts
    this.#wishes = wishes
    this.#watchers = watchers
    this.#isLost = wishes.abortOnSlo ? lossWatcher(facts) : () => false
    this.#running = startPlan(plan, {
      lines: null,
      wire: 'nothing',
      takeLines: () => {},
      failureSeen: () => {},
      progress: (snapshot, elapsedNs) => this.#progressed(snapshot, elapsedNs),
    })
    const onSignal = () => this.#signalled()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  }

  async finished(): Promise<RunResult> {
    const watch = await this.#watch()
    try {
      const { result } = await this.#running.finished.finally(() => clearTimeout(this.#lastWait))
      // A drain keeps the reason that it was begun for, but who has cut it off knows better.
      const endedBy = this.#signalCount > 0 ? 'signal' : result.endedBy
      return { ...result, endedBy, ...(watch === null ? {} : { watched: await watch.stop() }) }
    } catch (error) {
      this.#watchers.endView()
      this.#keepWhatIsThere()
      throw error
    }
  }

  /** The run broke down: what was counted until then is all there is. */
  #keepWhatIsThere(): void {
    const { out } = this.#wishes
    if (out === null || this.#latest === undefined) return
    const { snapshot, elapsedNs } = this.#latest
    const problem = writeResult(out, {
      onagerVersion: ONAGER_VERSION,
      startedAtMs: this.#startedAtMs,
      elapsedNs,
      endedBy: 'signal',
      plan: this.#facts,
      snapshot: { ...snapshot, intervals: emptyIntervalSeries() },
      threads: [],
    })
    say(problem ?? `onager: ${out} has what was counted until then, without its course over time`)
  }

  async #watch(): Promise<Watch | null> {
    const { watches } = this.#wishes
    if (watches.length === 0) return null
    const { startWatch } = await import('../fleet/watch.ts')
    return startWatch(watches, this.#plan.tls, (label, reason) => {
      this.#watchers.say(`onager: cannot watch ${label}: ${reason}`)
    })
  }

  #progressed(snapshot: Snapshot, elapsedNs: number): void {
    this.#latest = { snapshot, elapsedNs }
    this.#watchers.progress(snapshot, elapsedNs)
    const notice = this.#wishes.quiet ? null : this.#noAnswer(snapshot, elapsedNs)
    if (notice !== null) this.#watchers.say(`onager: ${notice}`)
    if (this.#isLost(snapshot, elapsedNs)) this.#running.stop('now', 'threshold')
  }

  #signalled(): void {
    this.#signalCount++
    if (this.#signalCount > 1) process.exit(EXIT_INTERRUPTED)
    this.#running.stop('now', 'signal')
    this.#lastWait = setTimeout(() => this.#giveUp(), LAST_WAIT_MS)
  }

  /** A thread does not come back: what it has counted until lately is all there is. */
  #giveUp(): void {
    this.#watchers.endView()
    say('onager: a thread does not end; a regular expression of the plan may take it for ever')
    this.#keepWhatIsThere()
    process.exit(EXIT_INTERRUPTED)
  }
}
