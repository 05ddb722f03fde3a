/** ab's figures as JSON for `--json`: first ab's own, by names of its lines, then all of onager's. */
import { type AbFigures, type AbTimes, textPercentileUs } from '../result/ab-figures.ts'
import type { Summary } from '../result/summary.ts'
import type { AbReportFacts } from './ab-text.ts'

const PERCENTS = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const

export function abJson(figures: AbFigures, facts: AbReportFacts, summary: Summary): string {
  const { elapsedS, completeCount } = figures
  const isRated = elapsedS > 0 && completeCount > 0
  const value = {
    server_software: figures.serverSoftware,
    server_hostname: facts.hostname,
    server_port: facts.port,
    document_path: facts.path,
    document_length: facts.isLengthFree ? null : figures.documentBytes,
    concurrency_level: facts.concurrency,
    time_taken_seconds: elapsedS,
    complete_requests: completeCount,
    failed_requests: figures.failedCount,
    failed_connect: figures.connectFailedCount,
    failed_receive: figures.receiveFailedCount,
    failed_length: figures.lengthFailedCount,
    failed_exceptions: figures.exceptionCount,
    non_2xx_responses: figures.non2xxCount,
    keep_alive_requests: facts.keepAlive ? figures.keptConnectionCount : null,
    total_transferred_bytes: figures.receivedBytes,
    total_sent_bytes: figures.sentBytes,
    html_transferred_bytes: figures.bodyBytes,
    requests_per_second: isRated ? completeCount / elapsedS : null,
    times_ms: {
      connect: timesMs(figures.times.connect),
      processing: timesMs(figures.times.processing),
      waiting: timesMs(figures.times.waiting),
      total: timesMs(figures.times.total),
    },
    percentiles_ms:
      figures.timedCount === 0
        ? null
        : Object.fromEntries(
            PERCENTS.map((percent) => [percent, textPercentileUs(figures, percent) / 1000]),
          ),
    onager: summary,
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

function timesMs(times: AbTimes): Record<string, number> {
  return {
    min: times.minUs / 1000,
    mean: times.meanUs / 1000,
    sd: times.sdUs / 1000,
    median: times.medianUs / 1000,
    max: times.maxUs / 1000,
  }
}
