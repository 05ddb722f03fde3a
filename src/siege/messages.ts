/**
 * The fixed texts of siege: banner, version, diagnostics, and how errors are told.
 *
 * Functions return text; the caller writes it, as a rule to stderr.
 */
import { EnvironmentError, problemText, UsageError } from '../base/errors.ts'
import { ONAGER_VERSION } from '../base/version.ts'
import type { SiegeSettings } from './settings.ts'

/** The version of siege whose behaviour this is. */
export const SIEGE_VERSION = '4.1.7'

/** The first line that `-V` and `--help` write to stderr. */
export const versionLine: string = `SIEGE ${SIEGE_VERSION} (onager ${ONAGER_VERSION})\n`

/** What `-V` writes to stderr. */
export const versionText: string = `${versionLine}
Part of onager ${ONAGER_VERSION}, free software under the MIT license.
It comes without any warranty. It shares no code with siege by Jeffrey Fulmer and others,
whose command line, files and reports it understands.

`

/** What is said before a run; empty when it is not said. The last line waits for its end. */
export function bannerText(
  settings: Pick<SiegeSettings, 'userCount' | 'quiet' | 'json' | 'get' | 'verbose' | 'debug'>,
): string {
  if (settings.quiet || settings.json || settings.get) return ''
  const debugging = settings.debug ? ': debugging enabled' : ''
  return (
    `** SIEGE ${SIEGE_VERSION} (onager ${ONAGER_VERSION})${debugging}\n` +
    `** Preparing ${settings.userCount} concurrent users for battle.\n` +
    `The server is now under siege...${settings.verbose ? '\n' : ''}`
  )
}

export type DiagnosticKind = 'debug' | 'alert' | 'error' | 'fatal'

const COLOR_CODES: Readonly<Record<DiagnosticKind, number>> = {
  debug: 34,
  alert: 32,
  error: 33,
  fatal: 31,
}

/** `[error] text` as one line. */
export function diagnosticLine(kind: DiagnosticKind, text: string, isColored: boolean): string {
  const word = isColored ? `\x1b[1;${COLOR_CODES[kind]}m${kind}\x1b[0m` : kind
  return `[${word}] ${text}\n`
}

/** A notice of `readSiegeCommandLine()` as one line, its leading `[word]` perhaps coloured. */
export function noticeLine(notice: string, isColored: boolean): string {
  for (const kind of ['debug', 'alert', 'error', 'fatal'] as const) {
    const prefix = `[${kind}] `
    if (notice.startsWith(prefix)) {
      return diagnosticLine(kind, notice.slice(prefix.length), isColored)
    }
  }
  return `${notice}\n`
}

/** Colours are for terminals, and never against `NO_COLOR` (https://no-color.org). */
export function shouldColor(
  stream: { readonly isTTY?: boolean },
  settings: Pick<SiegeSettings, 'color'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && settings.color && !environment.NO_COLOR
}

export interface ErrorReport {
  readonly text: string
  readonly exitStatus: number
}

/** What to print for an error that ends siege, and the status to end with. */
export function errorReport(error: unknown): ErrorReport {
  if (error instanceof UsageError) {
    const lines = error.problems.map((problem) => `siege: ${problemText(problem)}\n`)
    return { text: `${lines.join('')}siege --help lists the options.\n`, exitStatus: 2 }
  }
  if (error instanceof EnvironmentError) {
    const hint = error.hint === undefined ? '' : `${error.hint}\n`
    return { text: `siege: ${error.message}\n${hint}`, exitStatus: 2 }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    text: `siege: this is a mistake in siege itself, please report it:\n${stack}\n`,
    exitStatus: 70,
  }
}
