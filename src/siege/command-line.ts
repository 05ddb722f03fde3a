/**
 * From a command line and its surroundings to settled settings, or to everything that is wrong.
 *
 * Layers, the later ones on top: defaults of the table, the siegerc, the command line. It sends
 * nothing, writes nothing and prints nothing: notices are handed back.
 */
import { type Problem, UsageError } from '../base/errors.ts'
import { type CommandLine, getoptGnu } from '../plan/getopt-gnu.ts'
import { type SettingSource, SettingsDraft } from '../plan/option-table.ts'
import type { ReadText } from './files.ts'
import { operandProblems } from './operands.ts'
import { siegeOptions } from './options.ts'
import type { SiegeSettings } from './settings.ts'
import { capUsers, comesLaterNotices, settle } from './settle.ts'
import { type Environment, findSiegerc, readSiegerc, type Siegerc } from './siegerc.ts'

export interface SiegeCommandLine {
  readonly action: 'run' | 'help' | 'version' | 'config'
  readonly settings: SiegeSettings
  /** URLs in the order given, each perhaps with method and body. */
  readonly operands: readonly string[]
  /** Lines for stderr, to be printed once before anything else happens. */
  readonly notices: readonly string[]
  /** The siegerc that was read; null: none. */
  readonly resourceFile: string | null
  /** Whether anyone named the file of URLs, or it is the default that need not exist. */
  readonly isUrlsFileNamed: boolean
}

/**
 * `argv` is without node and script.
 * @throws {UsageError} with all that is wrong in command line and siegerc.
 */
export function readSiegeCommandLine(
  argv: readonly string[],
  environment: Environment,
  readText: ReadText,
): SiegeCommandLine {
  const line = getoptGnu(argv, siegeOptions)
  const stop = line.flags.find((flag) => flag.key === 'showHelp' || flag.key === 'showVersion')
  // Whoever asks for help gets it, whatever else is wrong.
  if (stop !== undefined) return withoutRun(stop.key === 'showHelp' ? 'help' : 'version')
  const draft = new SettingsDraft(siegeOptions)
  const problems: Problem[] = [...line.problems]
  const warnings: string[] = []
  const rcFile = line.flags.find((flag) => flag.key === 'rcFile')?.raw ?? null
  const found = findSiegerc(rcFile, environment, readText)
  const siegerc = found !== null && 'path' in found ? found : null
  if (siegerc !== null) warnings.push(...applySiegerc(siegerc, environment, draft, problems))
  else if (found !== null && !('path' in found)) problems.push(found)
  applyFlags(line, draft)
  problems.push(...draft.problems, ...operandProblems(argv, line))
  if (problems.length > 0) throw new UsageError(problems)

  const settled = settle(draft.settings())
  const isConfig = settled.settings.showConfig
  const capped = isConfig ? { settings: settled.settings, notices: [] } : capUsers(settled.settings)
  return {
    action: isConfig ? 'config' : 'run',
    settings: capped.settings,
    operands: line.operands.map((operand) => operand.text),
    notices: [
      ...warnings.map((warning) => `[alert] ${warning}`),
      ...comesLaterNotices(draft),
      ...settled.notices,
      ...capped.notices,
    ],
    resourceFile: siegerc?.path ?? null,
    isUrlsFileNamed: draft.sourceOf('urlsFile').kind !== 'default',
  }
}

function withoutRun(action: 'help' | 'version'): SiegeCommandLine {
  return {
    action,
    settings: new SettingsDraft(siegeOptions).settings(),
    operands: [],
    notices: [],
    resourceFile: null,
    isUrlsFileNamed: false,
  }
}

type Draft = SettingsDraft<SiegeSettings>

/**
 * Returns the warnings; problems of lines are added to `problems`, those of values to the draft.
 */
function applySiegerc(
  siegerc: Siegerc,
  environment: Environment,
  draft: Draft,
  problems: Problem[],
): readonly string[] {
  const read = readSiegerc(siegerc, environment)
  problems.push(...read.problems)
  for (const { key, name, value, line } of read.lines) {
    apply(draft, key, name, value, { kind: 'file', file: siegerc.path, line })
  }
  return read.warnings
}

function applyFlags(line: CommandLine<keyof SiegeSettings>, draft: Draft): void {
  for (const { key, raw, spelling } of line.flags) {
    apply(draft, key, spelling, raw, { kind: 'flag', spelling })
  }
}

function apply(
  draft: Draft,
  key: keyof SiegeSettings,
  name: string,
  raw: string | undefined,
  source: SettingSource,
): void {
  draft.read(key, name, raw, source)
  // Of `-A` and `-H User-Agent` the last one counts, in whatever layer it stands.
  if (key === 'userAgent') {
    draft.change('headers', (headers) =>
      headers.filter((header) => header.name.toLowerCase() !== 'user-agent'),
    )
  }
}
