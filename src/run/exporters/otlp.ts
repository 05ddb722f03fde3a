/**
 * Pushes a run's metrics to an OpenTelemetry collector, every ten seconds and at the end.
 *
 * Counts are cumulative, so that a push that is lost is made good by the next one: nothing is
 * buffered but the latest counts, and at most one push is under way. A collector that does not
 * answer costs one sentence and never the run.
 */
import { randomUUID } from 'node:crypto'
import { UsageError } from '../../base/errors.ts'
import { NS_PER_S } from '../../base/units.ts'
import { printable } from '../../report/printable.ts'
import type { PlanFacts } from '../../result/run-result.ts'
import type { Exporter } from './exporter.ts'
import type { Moment } from './metrics.ts'
import { type OtlpRun, otlpJson } from './otlp-json.ts'

const PUSH_PERIOD_NS = 10 * NS_PER_S
const PUSH_TIMEOUT_MS = 5_000
const LAST_PUSH_TIMEOUT_MS = 2_000
const METRICS_PATH = '/v1/metrics'
/** What is read of an answer. */
const ANSWER_BYTES_MAX = 65_536
const SHOWN_ANSWER_LENGTH_MAX = 200

/** Where to push to. The login that an URL holds is sent as a header and never shown. */
export interface OtlpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface OtlpOptions {
  readonly target: OtlpTarget
  readonly facts: PlanFacts
  /** Wall clock at the start of the run, ms since 1970. */
  readonly startedAtMs: number
  /** The first thing that goes wrong, as a sentence. */
  readonly warn: (text: string) => void
}

/**
 * An URL without a path is that of a collector, whose path for metrics is then taken.
 * @throws {UsageError} when it is none of http or https.
 */
export function readOtlpTarget(text: string): OtlpTarget {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(
      `'${printable(text)}' is no URL to push metrics to; give one such as http://127.0.0.1:4318.`,
    )
  }
  const login = `${unescaped(url.username)}:${unescaped(url.password)}`
  const headers = { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
  url.username = ''
  url.password = ''
  url.hash = ''
  if (url.pathname === '/') url.pathname = METRICS_PATH
  return { url: url.href, headers: login === ':' ? {} : headers }
}

/** What is no escape stands for itself. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function startOtlp(options: OtlpOptions): Exporter {
  const { facts, startedAtMs } = options
  const run: OtlpRun = { facts, startedAtMs, instanceId: randomUUID() }
  let latest: Moment | null = null
  let pushedAtNs = 0
  let underWay: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null
  let hasWarned = false
  let isClosed = false

  async function push(moment: Moment, signal: AbortSignal): Promise<void> {
    const problem = await pushOnce(options.target, otlpJson(moment, run), signal)
    if (problem === null || hasWarned || (isClosed && underWay !== null)) return
    hasWarned = true
    options.warn(`the metrics were not taken by ${options.target.url}: ${problem}.`)
  }

  function startPush(moment: Moment): void {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(PUSH_TIMEOUT_MS)])
    const ended = push(moment, signal).finally(() => {
      underWay = null
    })
    underWay = { abort, ended }
  }

  return {
    update(snapshot, elapsedNs) {
      latest = { snapshot, elapsedNs }
      if (isClosed || underWay !== null || elapsedNs - pushedAtNs < PUSH_PERIOD_NS) return
      pushedAtNs = elapsedNs
      startPush(latest)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      // What it carries is part of the last one.
      underWay?.abort.abort()
      await underWay?.ended
      if (latest !== null) await push(latest, AbortSignal.timeout(LAST_PUSH_TIMEOUT_MS))
    },
  }
}

/** Null when all was taken, otherwise what was wrong, as a clause. */
async function pushOnce(
  { url, headers }: OtlpTarget,
  body: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      // A login would go along to wherever it led.
      redirect: 'manual',
      signal,
    })
    const answer = await startOf(response)
    if (!response.ok) return `it answered ${response.status}${shown(answer)}`
    return rejectedPart(answer)
  } catch (error) {
    // Whatever the network does to a push, the run goes on.
    return reasonOf(error)
  }
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) break
  }
  return text
}

/** A collector may take some of it and say so in an answer that is a success. */
function rejectedPart(answer: string): string | null {
  const rejected = /"rejectedDataPoints"\s*:\s*"?(\d+)/.exec(answer)
  if (rejected === null || Number(rejected[1]) === 0) return null
  return `it rejected ${rejected[1]} values${shown(answer)}`
}

function shown(answer: string): string {
  const text = printable(answer.trim().replace(/\s+/g, ' '))
  if (text === '') return ''
  const isLong = text.length > SHOWN_ANSWER_LENGTH_MAX
  return ` (${isLong ? `${text.slice(0, SHOWN_ANSWER_LENGTH_MAX)}...` : text})`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  // fetch says only that it failed; its cause says why.
  const { cause } = error
  return printable(cause instanceof Error && cause.message !== '' ? cause.message : error.message)
}
