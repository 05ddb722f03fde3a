/**
 * siege's log file: a heading when the file is new, then one line for each run.
 *
 * It is tried before the run and written after it. Whatever is wrong with it comes back as a
 * sentence: a log that cannot be written never changes the report or the exit status.
 */
import fs from 'node:fs'
import { localTimeText, type ZoneOffset } from '../report/local-time.ts'
import type { SiegeFigures } from '../result/siege-figures.ts'

export interface LogEntry {
  /** Text of `-m`, on a line of its own before the summary. */
  readonly mark: string | null
  /** null leaves the summary out, as `-g` does. */
  readonly figures: SiegeFigures | null
  readonly endedAtMs: number
  readonly zone: ZoneOffset
  /** Whether the failure limit ended the run. */
  readonly isAborted: boolean
}

const HEADING =
  '      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,  Throughput,' +
  '  Concurrent,    OKAY,   Failed\n'
const MODE = 0o644
/** A named pipe without a reader must answer with an error, not wait for one. */
const OPEN_FLAGS =
  fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NONBLOCK

/**
 * Tries to open the log for appending, which creates it. Returns what is wrong and what to do
 * about it, or null.
 */
export function logFileProblem(path: string): string | null {
  try {
    fs.closeSync(fs.openSync(path, OPEN_FLAGS, MODE))
    return null
  } catch (error) {
    return (
      `unable to write to log file: ${path}: ${reasonOf(error)}; ` +
      `the run goes on without it, name another with --log=FILE or 'logfile' in siege.conf`
    )
  }
}

/** Appends the entry with a single write. Returns what went wrong, or null. */
export function appendToLog(path: string, entry: LogEntry): string | null {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, OPEN_FLAGS, MODE)
    const stat = fs.fstatSync(fd)
    const bytes = Buffer.from(logText(entry, stat.isFile() && stat.size === 0))
    const writtenBytes = fs.writeSync(fd, bytes)
    if (writtenBytes === bytes.length) return null
    return `log file: ${path}: only ${writtenBytes} of ${bytes.length} bytes could be written`
  } catch (error) {
    return `unable to write to log file: ${path}: ${reasonOf(error)}`
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

/** What is appended: heading if new, mark, summary, and a line for an aborted run. */
export function logText(entry: LogEntry, isNew: boolean): string {
  let text = isNew ? HEADING : ''
  // A line break in the mark would make a line of its own that no reader of the log expects.
  if (entry.mark !== null) text += `**** ${entry.mark.replace(/[\r\n]+/g, ' ')} ****\n`
  if (entry.figures !== null) text += summaryLine(entry.figures, entry)
  if (entry.isAborted) text += '**** siege aborted due to excessive socket failure. ****\n'
  return text
}

/** Where the log is and how to be spared the notice, for stderr: three lines, as siege has them. */
export function logFileNotice(path: string, configFile: string): string {
  return (
    `LOG FILE: ${path}\n` +
    'To be spared this notice, set show-logfile = false\n' +
    `in ${configFile}.\n`
  )
}

/** Times in seconds, data in whole megabytes: nearest, where siege cuts off. */
function summaryLine(figures: SiegeFigures, entry: LogEntry): string {
  return `${[
    localTimeText(entry.endedAtMs, entry.zone),
    String(figures.transactionCount).padStart(7),
    figures.elapsedS.toFixed(2).padStart(11),
    String(Math.round(figures.dataMb)).padStart(12),
    figures.responseTimeS.toFixed(2).padStart(11),
    figures.transactionsPerSecond.toFixed(2).padStart(12),
    figures.mbPerSecond.toFixed(2).padStart(12),
    figures.concurrency.toFixed(2).padStart(12),
    String(figures.successfulCount).padStart(8),
    String(figures.failedCount).padStart(8),
  ].join(',')}\n`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  if (code === 'ENOENT') return 'no such folder'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'EROFS') return 'read-only file system'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ENOSPC') return 'no space left on the device'
  if (code === 'ENXIO') return 'a named pipe that nobody reads'
  return error.message
}
