/**
 * The fixed texts of siege: banner, version, notices, and where colours go.
 *
 * Functions return text; the caller writes it, as a rule to stderr.
 */
import { ONAGER_VERSION } from '../base/version.ts'
import { diagnosticLine } from '../report/siege-failures.ts'
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
