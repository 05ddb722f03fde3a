/**
 * One benchmark: banner, run, progress and signals while it goes on, report, files, exit status.
 *
 * The report goes to stdout, everything said on the way to stderr, as ab does. Unlike ab's it is
 * printed however the run ended.
 */
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import { join } from 'node:path'
import { ONAGER_VERSION } from '../base/version.ts'
import type { HtmlFile } from '../fleet/html-file.ts'
import { printReport, writeAllSync } from '../fleet/output-writer.ts'
import { chooseReactor } from '../fleet/reactor-choice.ts'
import type { KeptRows } from '../fleet/row-keeper.ts'
import { ROW_COUNT_MAX } from '../fleet/row-keeper.ts'
import { type FinishedRun, startPlan } from '../fleet/run-plan.ts'
import type { WireShown } from '../fleet/slice.ts'
import { brokenLaws } from '../metrics/laws.ts'
import { FailureKind, type FailureKindNumber } from '../metrics/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import { abAddition, abSentence } from '../report/ab-addition.ts'
import { abBanner, benchmarkingText } from '../report/ab-banner.ts'
import { abHtml } from '../report/ab-html.ts'
import { abJson } from '../report/ab-json.ts'
import { type AbReportFacts, abText } from '../report/ab-text.ts'
import { type AbFigures, abFigures } from '../result/ab-figures.ts'
import { type Summary, summarize } from '../result/summary.ts'
import { type AbJob, EXIT_ERROR } from './command-line.ts'
import { type FatalEnd, fatalEnd, otherFamilyEnd } from './fatal.ts'
import { writeCsv, writeGnuplot } from './output-files.ts'
import { planFromJob } from './plan-from-job.ts'
import { Progress, tellsProgress } from './progress.ts'
import { readProxyAddress } from './proxy-address.ts'
import { reportFacts } from './report-facts.ts'
import type { AbSettings } from './settings.ts'
import { readTlsSettings } from './tls-files.ts'

const OUTPUT_WAIT_MS = 60_000
const EXIT_SECOND_SIGNAL = 130
const EXIT_TERMINATED = 143
const EXIT_BUG = 70

/** Returns the exit status. @throws {UsageError} when the file of `--html` cannot be written to. */
export async function runBenchmark(job: AbJob): Promise<number> {
  const { settings } = job
  const htmlFile = settings.htmlFile === null ? null : await openHtml(settings.htmlFile)
  const tls = readTlsSettings(settings)
  if ('problem' in tls) {
    complain(tls.problem)
    return EXIT_ERROR
  }
  const interruption = new Interruption()
  if (!settings.json) say(abBanner(ONAGER_VERSION, settings.html))
  if (!settings.json && !settings.html) sayBenchmarking(job)
  const local = await localAddress(settings.bindAddress, connectedHost(job))
  if (local !== null && 'problem' in local) {
    complain(local.problem.text)
    return local.problem.status
  }
  const plan = planFromJob(job, {
    certificatePem: tls.pem,
    localAddress: local?.address ?? null,
    randomSeed: Math.floor(Date.now()),
  })
  if (settings.windowBytes !== 0 && chooseReactor(plan, plan.reactor).name === 'node') {
    complain('ab: -b is ignored: the node reactor cannot set the buffers of sockets\n')
  }
  const spillFolder = settings.gnuplotFile === null ? null : spillFolderFor(job)
  return new Benchmark(job, interruption, spillFolder, htmlFile).run(plan)
}

/** Loaded when it is asked for. */
async function openHtml(path: string): Promise<HtmlFile> {
  const { openHtmlFile } = await import('../fleet/html-file.ts')
  return openHtmlFile(path)
}

function say(output: string | Uint8Array): void {
  writeAllSync(1, output, OUTPUT_WAIT_MS)
}

function complain(text: string): void {
  writeAllSync(2, text, OUTPUT_WAIT_MS)
}

function sayBenchmarking({ url, settings, requestCount }: AbJob): void {
  const proxy = settings.proxy === null ? null : readProxyAddress(settings.proxy)
  const end = tellsProgress(requestCount, settings.quiet) ? '\n' : '...'
  say(`${benchmarkingText(url.origin.host, proxy)}${end}`)
}

function connectedHost({ url, settings }: AbJob): string {
  const proxy = settings.proxy === null ? null : readProxyAddress(settings.proxy)
  return proxy?.host ?? url.origin.host
}

/** `peer`: whom to connect to from there; a numeric address has to be of the same family. */
async function localAddress(
  name: string | null,
  peer: string,
): Promise<{ readonly address: string } | { readonly problem: FatalEnd } | null> {
  if (name === null) return null
  const address = net.isIP(name) === 0 ? await lookedUp(name) : name
  if (address === null) {
    return { problem: fatalEnd(FailureKind.dns, '', { host: name, isBound: true }) }
  }
  const isOtherFamily = net.isIP(peer) !== 0 && net.isIP(peer) !== net.isIP(address)
  return isOtherFamily ? { problem: otherFamilyEnd(peer) } : { address }
}

async function lookedUp(name: string): Promise<string | null> {
  if (name === '') return null
  try {
    return (await process.getBuiltinModule('node:dns').promises.lookup(name)).address
  } catch {
    return null
  }
}

/** A folder of our own, removed at the end, where there may be more rows than memory is for. */
function spillFolderFor({ requestCount, settings }: AbJob): string {
  if (requestCount <= ROW_COUNT_MAX / settings.threadCount) return os.tmpdir()
  const path = fs.mkdtempSync(join(os.tmpdir(), 'onager-ab-'))
  // A second signal ends the process wherever it is.
  process.once('exit', () => fs.rmSync(path, { recursive: true, force: true }))
  return path
}

function wireShown({ verbosity, json }: AbSettings): WireShown {
  if (verbosity < 2 || json) return 'nothing'
  return verbosity === 2 ? 'log' : 'log-codes'
}

/** Hears of signals from the banner on, whether there is already something to stop or not. */
class Interruption {
  #signal: NodeJS.Signals | null = null
  #stop: (() => void) | null = null

  constructor() {
    const onSignal = (signal: NodeJS.Signals) => {
      if (this.#signal !== null) process.exit(EXIT_SECOND_SIGNAL)
      this.#signal = signal
      this.#stop?.()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  }

  /** The first; null while there was none. */
  get signal(): NodeJS.Signals | null {
    return this.#signal
  }

  stopsBy(stop: () => void): void {
    this.#stop = stop
    if (this.#signal !== null) stop()
  }
}

class Benchmark {
  readonly #job: AbJob
  readonly #telling: boolean
  readonly #spillFolder: string | null
  readonly #htmlFile: HtmlFile | null
  readonly #interruption: Interruption
  #fatal: FatalEnd | null = null

  constructor(
    job: AbJob,
    interruption: Interruption,
    spillFolder: string | null,
    htmlFile: HtmlFile | null,
  ) {
    this.#job = job
    this.#interruption = interruption
    this.#telling = tellsProgress(job.requestCount, job.settings.quiet)
    this.#spillFolder = spillFolder
    this.#htmlFile = htmlFile
  }

  async run(plan: Plan): Promise<number> {
    const running = startPlan(plan, {
      lines: null,
      wire: wireShown(this.#job.settings),
      takeLines: say,
      failureSeen: (kind, text) => this.#failureSeen(kind, text, plan),
      rows: {
        spillFolder: this.#spillFolder,
        exchangeCountMax: this.#job.requestCount,
      },
    })
    this.#interruption.stopsBy(() => running.stop('now', 'signal'))
    const progress = this.#telling
      ? new Progress(this.#job.requestCount, () => running.endedCount, complain)
      : null
    const finished = await running.finished.finally(() => progress?.end())
    return this.#report(finished)
  }

  #failureSeen(kind: FailureKindNumber, text: string, plan: Plan): void {
    const { settings, url } = this.#job
    if (kind === FailureKind.tls) complain(`SSL handshake failed (1).\n${text}\n`)
    const facts = {
      host: plan.proxy?.http?.host ?? url.origin.host,
      isBound: settings.bindAddress !== null,
    }
    if (plan.fatalFailureKinds?.includes(kind) === true) {
      this.#fatal ??= fatalEnd(kind, text, facts)
    } else if (settings.verbosity >= 1 && kind !== FailureKind.tls) {
      complain(fatalEnd(kind, text, facts).text)
    }
  }

  #sayEnd(completeCount: number): void {
    const { html, json } = this.#job.settings
    if (this.#fatal !== null) {
      complain(this.#fatal.text)
      // The one that ended the run is not among them.
      const isSaid = completeCount > 1 && !json && !html
      if (isSaid) say(`Total of ${completeCount - 1} requests completed\n`)
    } else if (this.#interruption.signal === null) {
      if (this.#telling) complain(`Finished ${completeCount} requests\n`)
      else if (!json) say('..done\n')
    }
  }

  #report({ result, rows, tls }: FinishedRun): number {
    const { settings } = this.#job
    const kept = rows ?? nothingKept
    const figures = abFigures(result, kept, settings.variableLength)
    const summary = summarize(result)
    const facts = reportFacts(this.#job, tls)
    this.#sayEnd(figures.completeCount)
    const report = this.#reportText(figures, facts, summary)
    const printProblem = printReport(report, OUTPUT_WAIT_MS)
    if (printProblem !== null) complain(`ab: ${printProblem}\n`)
    const problem = figures.timedCount === 0 ? null : this.#writeFiles(figures, kept, result)
    if (problem !== null) complain(problem)
    const htmlProblem = this.#htmlFile?.write(result) ?? null
    if (htmlProblem !== null) complain(`ab: ${htmlProblem}\n`)
    const broken = brokenLaws(result.snapshot)
    for (const law of broken) complain(`ab: the counts do not add up, please report this: ${law}\n`)
    if (broken.length > 0) return EXIT_BUG
    const isWritten = printProblem === null && problem === null && htmlProblem === null
    return isWritten ? this.#status(result.snapshot) : EXIT_ERROR
  }

  #reportText(figures: AbFigures, facts: AbReportFacts, summary: Summary): string {
    const { settings } = this.#job
    if (settings.json) return abJson(figures, facts, summary)
    if (settings.html) return abHtml(figures, facts, htmlAttributes(settings))
    if (settings.classic) return abText(figures, facts)
    return abSentence(summary) + abText(figures, facts) + abAddition(figures, summary)
  }

  #writeFiles(
    figures: AbFigures,
    kept: KeptRows,
    { startedAtMs }: FinishedRun['result'],
  ): string | null {
    const { csvFile, gnuplotFile } = this.#job.settings
    const csvProblem = csvFile === null ? null : writeCsv(csvFile, figures)
    if (csvProblem !== null || gnuplotFile === null) return csvProblem
    return writeGnuplot(gnuplotFile, kept, startedAtMs)
  }

  #status({ completedCount, failedCount }: FinishedRun['result']['snapshot']): number {
    if (this.#fatal !== null) return this.#fatal.status
    const { signal } = this.#interruption
    if (signal !== null) return signal === 'SIGINT' ? EXIT_ERROR : EXIT_TERMINATED
    return completedCount === 0 && failedCount > 0 ? EXIT_ERROR : 0
  }
}

const nothingKept: KeptRows = {
  rows: null,
  histograms: null,
  spilled: [],
  unspilled: [],
  differingLengthCount: 0,
  keptConnectionCount: 0,
  firstBodyBytes: null,
  server: null,
}

function htmlAttributes({ tableAttributes, rowAttributes, cellAttributes }: AbSettings) {
  return { table: tableAttributes, row: rowAttributes, cell: cellAttributes }
}
