/** The option table of `onager report`. */
import { helpRow } from '../plan/help-only-options.ts'
import { oneOf, text } from '../plan/option-readers.ts'
import type { OptionTable } from '../plan/option-table.ts'
import { reportFormats } from '../run/report-formats.ts'

export interface ReportSettings {
  /** Null: what the name of the output says, or else text. */
  readonly format: string | null
  readonly output: string | null
  readonly thresholds: readonly string[]
  readonly showHelp: boolean
}

export const REPORT_GROUPS: readonly string[] = ['Options']

const formatWords = Object.keys(reportFormats)

export const reportOptions: OptionTable<ReportSettings> = {
  format: {
    short: 'f',
    long: 'format',
    argument: 'required',
    argumentName: 'FORMAT',
    words: formatWords,
    default: null,
    read: oneOf(
      Object.fromEntries(formatWords.map((word) => [word, word])),
      `one of ${formatWords.join(', ')}`,
    ),
    group: 'Options',
    help: 'how to render it, see below [text]',
  },
  output: {
    short: 'o',
    long: 'output',
    argument: 'required',
    argumentName: 'FILE',
    default: null,
    read: text('the name of a file'),
    group: 'Options',
    help: 'write it there; report.md says the format; - is stdout',
  },
  thresholds: {
    long: 'slo',
    argument: 'required',
    argumentName: 'LIST',
    default: [],
    read: (raw) => ({ value: [raw] }),
    isRepeatable: true,
    group: 'Options',
    help: 'thresholds beside those of the run: p99<200ms,errors<0.1%',
  },
  showHelp: helpRow('Options'),
}
