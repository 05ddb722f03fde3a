/** The formats that a result can be rendered in, by the words that ask for them. */
import { htmlReport } from '../fleet/html-file.ts'
import { percentileDistribution } from '../report/hgrm.ts'
import { junitXml } from '../report/junit.ts'
import type { ZoneOffset } from '../report/local-time.ts'
import { namesCsv, seriesCsv } from '../report/run-csv.ts'
import { runJson } from '../report/run-json.ts'
import { runMarkdown } from '../report/run-markdown.ts'
import { runText } from '../report/run-text.ts'
import type { RunResult } from '../result/run-result.ts'
import { summarize } from '../result/summary.ts'
import type { Verdict } from '../result/verdicts.ts'

export interface RenderOptions {
  readonly colour: boolean
  readonly zone: ZoneOffset
}

export interface ReportFormat {
  /** For a list in the help. */
  readonly help: string
  /** File names that end like this mean it. */
  readonly fileEnding: string
  readonly render: (
    result: RunResult,
    verdicts: readonly Verdict[],
    options: RenderOptions,
  ) => string
}

export const reportFormats: Readonly<Record<string, ReportFormat>> = {
  text: {
    help: 'for people, at a terminal',
    fileEnding: '.txt',
    render: (result, verdicts, options) => runText(summarize(result), verdicts, options),
  },
  json: {
    help: 'for programs; docs/schema/summary.schema.json describes it',
    fileEnding: '.json',
    render: (result, verdicts) => runJson(summarize(result), verdicts),
  },
  csv: {
    help: 'the series, a row for each second',
    fileEnding: '.csv',
    render: ({ snapshot }) => seriesCsv(snapshot.intervals),
  },
  'csv-names': {
    help: 'a row for each name that requests have',
    fileEnding: '.names.csv',
    render: (result) => namesCsv(summarize(result)),
  },
  markdown: {
    help: 'for a comment on a pull request',
    fileEnding: '.md',
    render: (result, verdicts) => runMarkdown(summarize(result), verdicts),
  },
  junit: {
    help: 'thresholds and checks as test cases, for CI systems',
    fileEnding: '.xml',
    render: (result, verdicts) => junitXml(summarize(result), verdicts),
  },
  html: {
    help: 'one page with charts that needs no network',
    fileEnding: '.html',
    render: (result, verdicts, { zone }) => htmlReport(result, { zone, verdicts }),
  },
  hgrm: {
    help: "response times as HdrHistogram's plotters read them",
    fileEnding: '.hgrm',
    render: ({ snapshot }) => percentileDistribution(snapshot.responseTime),
  },
  'hgrm-service': {
    help: 'the same of service times',
    fileEnding: '.service.hgrm',
    render: ({ snapshot }) => percentileDistribution(snapshot.serviceTime),
  },
}

/** The format that the name of a file asks for: the one with the longest ending that fits. */
export function formatOfFile(name: string): string | undefined {
  return Object.entries(reportFormats)
    .filter(([, { fileEnding }]) => name.toLowerCase().endsWith(fileEnding))
    .sort(([, a], [, b]) => b.fileEnding.length - a.fileEnding.length)[0]?.[0]
}
