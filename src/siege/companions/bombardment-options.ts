/** The command line of `bombardment`: its operands, its few options, and all that can be wrong. */

import { readFileSync } from 'node:fs'
import { type Problem, UsageError } from '../../base/errors.ts'
import { systemReason } from '../../base/system-reason.ts'
import { getoptGnu, type Operand } from '../../plan/getopt-gnu.ts'
import { helpRow } from '../../plan/help-only-options.ts'
import { duration, text, wholeNumber } from '../../plan/option-readers.ts'
import { type OptionTable, quoted, type Reader, SettingsDraft } from '../../plan/option-table.ts'
import { readUrlList } from '../../plan/url-list.ts'

export interface BombardmentSettings {
  /** As written, for siege to read again; null: each user goes through the list once. */
  readonly time: string | null
  readonly reps: number | null
  readonly csv: string | null
  readonly showHelp: boolean
}

export interface Bombardment extends BombardmentSettings {
  readonly urlsFile: string
  readonly urlCount: number
  readonly userCount: number
  readonly userIncrement: number
  readonly trialCount: number
  readonly delayS: number
  /** What stands behind `--`, for siege. */
  readonly siegeArguments: readonly string[]
}

export const BOMBARDMENT_GROUPS: readonly string[] = ['Options']
const USERS_MAX = 1_000_000
const TRIALS_MAX = 10_000
const DELAY_DEFAULT_S = 15

const timeMustBe = 'a time such as 30S, 5M or 1H'
const readSeconds = duration('m', timeMustBe, 0.001)
const time: Reader<string> = (raw) => {
  const read = readSeconds(raw)
  return 'value' in read ? { value: raw } : read
}

export const bombardmentOptions: OptionTable<BombardmentSettings> = {
  time: {
    short: 't',
    long: 'time',
    argument: 'required',
    argumentName: 'TIME',
    default: null,
    read: time,
    group: 'Options',
    help: 'let each run take so long: 30S, 5M, 1H',
  },
  reps: {
    short: 'r',
    long: 'reps',
    argument: 'required',
    argumentName: 'NUM',
    default: null,
    read: wholeNumber(1),
    group: 'Options',
    help: 'let each user make so many requests',
  },
  csv: {
    long: 'csv',
    argument: 'required',
    argumentName: 'FILE',
    default: null,
    read: text('the name of a file'),
    group: 'Options',
    help: 'write the figures there [siege.DATE.csv]',
  },
  showHelp: helpRow('Options'),
}

/** Null when help is asked for. @throws {UsageError} with everything that is wrong. */
export function readBombardment(argv: readonly string[]): Bombardment | null {
  const dashes = argv.indexOf('--')
  const own = dashes === -1 ? argv : argv.slice(0, dashes)
  const line = getoptGnu(own, bombardmentOptions)
  const draft = new SettingsDraft(bombardmentOptions)
  for (const { key, spelling, raw } of line.flags) {
    draft.read(key, spelling, raw, { kind: 'flag', spelling })
  }
  const settings = draft.settings()
  if (settings.showHelp) return null
  const problems: Problem[] = [...line.problems, ...draft.problems]
  if (settings.time !== null && settings.reps !== null) {
    problems.push({ text: '--time and --reps both say how long a run is: give one of them' })
  }
  const operands = readOperands(line.operands, problems)
  if (problems.length > 0) throw new UsageError(problems)
  return { ...settings, ...operands, siegeArguments: dashes === -1 ? [] : argv.slice(dashes + 1) }
}

type Operands = Omit<Bombardment, keyof BombardmentSettings | 'siegeArguments'>

function readOperands(operands: readonly Operand[], problems: Problem[]): Operands {
  const words = operands.map((operand) => operand.text)
  const [urlsFile, users, increment, trials, delay, ...rest] = words
  const missing = ['URLFILE', 'CLIENTS', 'INCREMENT', 'TRIALS'].slice(words.length)
  if (missing.length > 0) {
    const isOne = missing.length === 1
    const usage = 'bombardment URLFILE CLIENTS INCREMENT TRIALS [DELAY]'
    problems.push({ text: `${missing.join(', ')} ${isOne ? 'is' : 'are'} missing: ${usage}` })
  }
  for (const word of rest) problems.push({ text: `there is no use for ${quoted(word)} here` })
  const read = <Value>(name: string, raw: string | undefined, reader: Reader<Value>) => {
    if (raw === undefined) return undefined
    const result = reader(raw)
    if ('value' in result) return result.value
    problems.push({ text: `${name} must be ${result.mustBe}, not ${quoted(raw)}` })
    return undefined
  }
  const userCount = read('CLIENTS', users, wholeNumber(1, USERS_MAX))
  const userIncrement = read('INCREMENT', increment, wholeNumber(0, USERS_MAX))
  const trialCount = read('TRIALS', trials, wholeNumber(1, TRIALS_MAX))
  const delayS = read('DELAY', delay, seconds)
  const last = (userCount ?? 0) + (userIncrement ?? 0) * ((trialCount ?? 1) - 1)
  if (last > USERS_MAX) {
    problems.push({ text: `the last run would have ${last} users: at most ${USERS_MAX}` })
  }
  return {
    urlsFile: urlsFile ?? '',
    urlCount: urlsFile === undefined ? 0 : countUrls(urlsFile, problems),
    userCount: userCount ?? 0,
    userIncrement: userIncrement ?? 0,
    trialCount: trialCount ?? 0,
    delayS: delayS ?? DELAY_DEFAULT_S,
  }
}

const seconds: Reader<number> = (raw) => {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(raw.trim()) ? Number(raw) : -1
  return value >= 0 && value <= 86_400 ? { value } : { mustBe: 'seconds from 0 to 86400' }
}

/** Reads the list as siege will, so that it fails now or not at all. */
function countUrls(name: string, problems: Problem[]): number {
  try {
    const list = readUrlList(
      { name, bytes: readFileSync(name) },
      {
        isEscaping: true,
        environment: (variable) => process.env[variable],
        readFile: (path) => {
          try {
            return readFileSync(path)
          } catch (error) {
            return systemReason(error)
          }
        },
      },
    )
    if ('targets' in list) return list.targets.count
    problems.push(...list.problems)
  } catch (error) {
    problems.push({ text: `cannot read ${name}: ${systemReason(error)}` })
  }
  return 0
}
