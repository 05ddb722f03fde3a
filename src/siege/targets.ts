/** The targets of a run: from the operands, the configuration's `url`, or the file of URLs. */
import fs from 'node:fs'
import { UsageError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import type { TargetListData } from '../plan/target-list.ts'
import { readUrlList, targetsFromOperands } from '../plan/url-list.ts'
import type { SiegeCommandLine } from './command-line.ts'

/** @throws {UsageError} with everything that is wrong in them, or when there are none. */
export function targetsOf(
  commandLine: SiegeCommandLine,
  environment: Readonly<Record<string, string | undefined>>,
): TargetListData {
  const { settings, operands } = commandLine
  const line = { isEscaping: settings.urlEscaping, readFile: readBodyFile }
  // siege: a URL on the command line or in the configuration makes the file of URLs count for
  // nothing.
  const urls = operands.length > 0 ? operands : settings.url === null ? [] : [settings.url]
  const result =
    urls.length > 0
      ? targetsFromOperands(urls, line)
      : readUrlList(urlsFile(commandLine), { ...line, environment: (name) => environment[name] })
  if ('problems' in result) throw new UsageError(result.problems)
  return result.targets
}

/** The targets of `login-url` or `auth-url`; null for none. @throws {UsageError} */
export function listedTargets(
  urls: readonly string[],
  settings: SiegeCommandLine['settings'],
): TargetListData | null {
  if (urls.length === 0) return null
  const result = targetsFromOperands(urls, {
    isEscaping: settings.urlEscaping,
    readFile: readBodyFile,
  })
  if ('problems' in result) throw new UsageError(result.problems)
  return result.targets
}

function urlsFile(commandLine: SiegeCommandLine): { name: string; bytes: Uint8Array } {
  const name = commandLine.settings.urlsFile
  try {
    return { name, bytes: fs.readFileSync(name) }
  } catch (error) {
    if (!commandLine.isUrlsFileNamed) {
      throw new UsageError(
        'no URL: give one, as in siege http://127.0.0.1:8080/, or a file with -f',
      )
    }
    throw new UsageError([
      { text: `cannot read the file of URLs: ${systemReason(error)}`, file: name },
    ])
  }
}

function readBodyFile(path: string): Uint8Array | string {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    return systemReason(error)
  }
}
