/**
 * One siege: banner, run, lines and signals while it goes on, and what is told at its end.
 *
 * Standard output carries verbose lines or JSON and nothing else; all other words go to stderr.
 */
import { UsageError } from '../base/errors.ts'
import { NS_PER_MS } from '../base/units.ts'
import { tlsProblem } from '../engine/net/secure-context.ts'
import type { HtmlFile } from '../fleet/html-file.ts'
import { OutputWriter, openOutput, printReport, writeAllSync } from '../fleet/output-writer.ts'
import { type FinishedRun, type RunningPlan, startPlan } from '../fleet/run-plan.ts'
import type { WireShown } from '../fleet/slice.ts'
import type { Watch } from '../fleet/watch.ts'
import { brokenLaws } from '../metrics/laws.ts'
import type { FailureKindNumber } from '../metrics/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import { machineZone } from '../report/local-time.ts'
import { diagnosticLine, FailureLines } from '../report/siege-failures.ts'
import { siegeJson } from '../report/siege-json.ts'
import { siegeStatistics } from '../report/siege-statistics.ts'
import type { EndedBy, RunResult } from '../result/run-result.ts'
import { type SiegeFigures, siegeFigures } from '../result/siege-figures.ts'
import { summarize } from '../result/summary.ts'
import type { SiegeCommandLine } from './command-line.ts'
import { readTextFile } from './files.ts'
import { KeptCookies } from './kept-cookies.ts'
import { appendToLog, logFileNotice, logFileProblem } from './log-file.ts'
import { bannerText, shouldColor } from './messages.ts'
import { planFromSettings } from './plan-from-settings.ts'
import type { SiegeSettings } from './settings.ts'
import { listedTargets, targetsOf } from './targets.ts'

/** How long the end waits for a reader that does not read before it gives its lines up. */
const LAST_WORDS_WAIT_MS = 250
/** A reader of JSON that is busy may take its time. */
const JSON_WAIT_MS = 60_000
const EXIT_SECOND_SIGNAL = 130
const EXIT_BUG = 70

/** Runs the siege and returns the exit status. @throws {UsageError} before anything is sent. */
export async function laySiege(commandLine: SiegeCommandLine): Promise<number> {
  const { settings } = commandLine
  const cookies = new KeptCookies(settings, process.env.HOME)
  const plan = planFromSettings(settings, targetsOf(commandLine, process.env), {
    readText: readTextFile,
    environment: process.env,
    randomSeed: Math.floor(Date.now()),
    architecture: process.arch,
    system: process.platform,
    lists: {
      login: listedTargets(settings.loginUrls, settings),
      auth: listedTargets(settings.authUrls, settings),
    },
    storedCookies: cookies.users,
  })
  const tlsFault = tlsProblem(plan.tls)
  if (tlsFault !== null) throw new UsageError(tlsFault)
  const isColored = shouldColor(process.stderr, settings, process.env)
  const log = settings.logging ? settings.logFile : null
  const logProblem = log === null ? null : logFileProblem(log)
  if (logProblem !== null) say(diagnosticLine('alert', logProblem, isColored))
  for (const notice of cookies.notices) say(diagnosticLine('alert', notice, isColored))
  const htmlFile = settings.htmlFile === null ? null : await openHtml(settings.htmlFile)
  const siege = new Siege(settings, isColored)
  siege.heedSignals()
  say(bannerText(settings))
  const { result, cookies: held } = await siege.run(plan)
  const figures = siegeFigures(result.snapshot, result.elapsedNs)
  await siege.lift(result.endedBy)
  const printProblem = tellResult(settings, figures, result)
  if (printProblem !== null) say(diagnosticLine('error', printProblem, isColored))
  if (log !== null && logProblem === null) writeLog(commandLine, log, figures, result, isColored)
  const htmlProblem = htmlFile?.write(result) ?? null
  if (htmlProblem !== null) say(diagnosticLine('error', htmlProblem, isColored))
  const cookieProblem = cookies.save(held, Date.now())
  if (cookieProblem !== null) say(diagnosticLine('alert', cookieProblem, isColored))
  const broken = brokenLaws(result.snapshot)
  for (const law of broken) {
    say(diagnosticLine('fatal', `the counts do not add up, please report this: ${law}`, isColored))
  }
  const isProbe = settings.get || settings.print
  const status = isProbe ? probeStatus(result) : exitStatus(result)
  const exit =
    broken.length > 0 ? EXIT_BUG : printProblem !== null || htmlProblem !== null ? 1 : status
  // Node would wait, for ever if need be, until somebody reads what is on its way to a pipe.
  if (siege.isWriting) process.exit(exit)
  return exit
}

/** Loaded when it is asked for. @throws {UsageError} when it cannot be written to. */
async function openHtml(path: string): Promise<HtmlFile> {
  const { openHtmlFile } = await import('../fleet/html-file.ts')
  return openHtmlFile(path)
}

/** Null, or why the JSON is not all there. */
function tellResult(
  settings: SiegeSettings,
  figures: SiegeFigures,
  result: RunResult,
): string | null {
  const summary = summarize(result)
  const { classic, debug } = settings
  if (settings.json) {
    say('\n')
    return printReport(siegeJson(figures, classic ? null : summary), JSON_WAIT_MS)
  }
  if (!settings.quiet && !settings.get) say(siegeStatistics(figures, summary, { classic, debug }))
  return null
}

function writeLog(
  { settings, resourceFile }: SiegeCommandLine,
  path: string,
  figures: SiegeFigures,
  result: RunResult,
  isColored: boolean,
): void {
  const problem = appendToLog(path, {
    mark: settings.mark,
    figures,
    endedAtMs: result.startedAtMs + result.elapsedNs / NS_PER_MS,
    zone: machineZone,
    isAborted: result.endedBy === 'failures',
  })
  if (problem !== null) say(diagnosticLine('error', problem, isColored))
  else if (settings.showLogFile) say(logFileNotice(path, resourceFile ?? 'siege.conf'))
}

/**
 * 0 when at least one transaction succeeded, unless the failures ended the run. A challenge that
 * was answered is a hit, but no success by itself: the answer may have been refused.
 */
function exitStatus({ snapshot, endedBy }: RunResult): number {
  const successCount = snapshot.statusCounts
    .slice(0, 400)
    .reduce((sum, count, status) => sum + count - snapshot.disqualifiedStatusCounts[status]!, 0)
  return successCount > 0 && endedBy !== 'failures' ? 0 : 1
}

/** `-g` and `-p`: 0 only when every response came and none has a status of 400 or above. */
function probeStatus({ snapshot }: RunResult): number {
  const errorCount = snapshot.statusCounts.slice(400).reduce((sum, count) => sum + count, 0)
  // A challenge that was answered is part of a success.
  const answeredCount = [401, 407].reduce(
    (sum, status) =>
      sum + snapshot.statusCounts[status]! - snapshot.disqualifiedStatusCounts[status]!,
    0,
  )
  const isGood = snapshot.completedCount > 0 && snapshot.failedCount === 0
  return isGood && errorCount === answeredCount ? 0 : 1
}

function say(text: string): void {
  if (text !== '') writeAllSync(2, text, LAST_WORDS_WAIT_MS)
}

function showsLines({ verbose, debug, get, print }: SiegeSettings): boolean {
  return verbose && !debug && !get && !print
}

function wireShown({ debug, get, print, quiet }: SiegeSettings): WireShown {
  if (quiet) return 'nothing'
  if (print) return 'messages'
  return debug || get ? 'heads' : 'nothing'
}

/** A run with its output and its signals. */
class Siege {
  readonly #settings: SiegeSettings
  readonly #isColored: boolean
  readonly #failureLines: FailureLines
  readonly #output: OutputWriter | undefined
  readonly #isLineColored: boolean
  #running: RunningPlan | undefined
  #signalCount = 0
  #whenSignalled: () => void = () => {}

  constructor(settings: SiegeSettings, isColored: boolean) {
    this.#settings = settings
    this.#isColored = isColored
    this.#failureLines = new FailureLines({ colour: isColored })
    this.#isLineColored = shouldColor(process.stdout, settings, process.env)
    if (!showsLines(settings) && wireShown(settings) === 'nothing') return
    const { sink, whenFull, waitingBytesMax } = openOutput(1, process.stdout)
    this.#output = new OutputWriter(sink, {
      whenFull,
      waitingBytesMax,
      onDrain: () => this.#running?.resume(),
      onFailure: (text) => say(diagnosticLine('error', text, isColored)),
    })
  }

  /** From here on a signal ends the run with its report. */
  heedSignals(): void {
    const onSignal = () => this.#signalled()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  }

  async run(plan: Plan): Promise<FinishedRun> {
    const settings = this.#settings
    const watch = await this.#watch(plan)
    this.#running = startPlan(plan, {
      lines: showsLines(settings) ? this.#lineSettings() : null,
      wire: wireShown(settings),
      takeLines: (bytes, lineCount) => this.#takeLines(bytes, lineCount),
      failureSeen: (kind, text) => this.#failureSeen(kind, text),
    })
    // A signal may have come while there was nothing to stop.
    if (this.#signalCount > 0) this.#running.stop('now', 'signal')
    const finished = await this.#running.finished
    if (watch === null) return finished
    return { ...finished, result: { ...finished.result, watched: await watch.stop() } }
  }

  /** Null when nothing is to be sampled, or nothing would show it. */
  async #watch(plan: Plan): Promise<Watch | null> {
    const { watches, json, quiet, classic, get, print, htmlFile } = this.#settings
    const isShown = htmlFile !== null || !(classic || get || print || (quiet && !json))
    if (watches.length === 0 || !isShown) return null
    const { startWatch } = await import('../fleet/watch.ts')
    return startWatch(watches, plan.tls, (label, reason) => {
      say(diagnosticLine('alert', `cannot watch ${label}: ${reason}`, this.#isColored))
    })
  }

  #lineSettings() {
    const { csv, fullUrl, displayId, timestamp, mark } = this.#settings
    return { csv, fullUrl, displayId, timestamp, mark, colour: this.#isLineColored }
  }

  #takeLines(bytes: Uint8Array, lineCount: number): void {
    this.#output?.write(bytes, lineCount)
    if (this.#output?.isFull === true) this.#running?.holdUp()
  }

  #failureSeen(kind: FailureKindNumber, text: string): void {
    const line = this.#failureLines.lineFor(kind, () => text)
    if (line !== null) say(line)
  }

  #signalled(): void {
    this.#signalCount++
    if (this.#signalCount > 1) process.exit(EXIT_SECOND_SIGNAL)
    this.#running?.stop('now', 'signal')
    this.#whenSignalled()
  }

  /** Whether lines are under way that were given up. */
  get isWriting(): boolean {
    return this.#output?.isWriting === true
  }

  /** Says what ended the siege, and lets the lines be written as far as somebody reads them. */
  async lift(endedBy: EndedBy): Promise<void> {
    const isEarly = endedBy === 'signal' || endedBy === 'time'
    if (this.#output !== undefined) await this.#writeLastLines(this.#output, isEarly)
    if (endedBy === 'failures') {
      say(
        'siege aborted due to excessive socket failure; you\n' +
          'can change the failure threshold in $HOME/.siegerc\n',
      )
    }
    if (isEarly && !this.#settings.quiet) say('\nLifting the server siege...')
  }

  async #writeLastLines(output: OutputWriter, isEarly: boolean): Promise<void> {
    const waitIsOver = new Promise<void>((resolve) => {
      // A run that came to its end waits for its reader, until somebody loses patience.
      if (isEarly) setTimeout(resolve, LAST_WORDS_WAIT_MS).unref()
      else this.#whenSignalled = resolve
    })
    await Promise.race([output.drained(), waitIsOver])
    output.abandon()
    if (output.hasEnded) return
    // Of what is on its way into a full pipe the last line at least has not arrived.
    const count = output.droppedLineCount + (output.isWriting ? 1 : 0)
    if (count > 0) {
      const lines = `${output.isWriting ? 'at least ' : ''}${count} lines`
      const text = `${lines} were not shown: the reader was too slow`
      say(`\n${diagnosticLine('alert', text, this.#isColored)}`)
    }
  }
}
