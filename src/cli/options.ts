/**
 * Reads the options of onager's own commands: long ones, `--name value` or `--name=value`.
 *
 * One table per command gives names, readers and help. siege and ab have option tables and
 * grammars of their own.
 */
import { type Problem, UsageError } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'

export interface Option {
  /** What stands for the value in the help, such as `N`; an option without one is a switch. */
  readonly valueName: string
  readonly help: string
  /** What the option must be, if the value is wrong; null if it is right. */
  readonly mustBe: (value: string) => string | null
}

export type OptionTable = Readonly<Record<string, Option>>

/**
 * The values given, by name; a later one replaces an earlier.
 * @throws {UsageError} with every unknown option and bad value.
 */
export function readOptions(table: OptionTable, argv: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  const problems: Problem[] = []
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? ''
    const [name = '', attached] = splitOnce(argument.replace(/^--/, ''), '=')
    const option = argument.startsWith('--') && Object.hasOwn(table, name) ? table[name] : undefined
    if (option === undefined) {
      problems.push({ text: unknownText(table, argument) })
      continue
    }
    const value = attached ?? argv[++index]
    const mustBe = value === undefined ? `followed by ${option.valueName}` : option.mustBe(value)
    if (value !== undefined && mustBe === null) values.set(name, value)
    else {
      const shown = value === undefined ? '' : `, not '${value}'`
      problems.push({ text: `--${name} must be ${mustBe}${shown}` })
    }
  }
  if (problems.length > 0) throw new UsageError(problems)
  return values
}

/** One line per option, aligned. */
export function optionHelp(table: OptionTable): string {
  const rows = Object.entries(table).map(
    ([name, { valueName, help }]) => [`--${name} ${valueName}`, help] as const,
  )
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return rows.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`).join('\n')
}

export function mustBeWhole(min: number, max: number): (value: string) => string | null {
  return (value) => {
    const isGood = /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
    return isGood ? null : `a whole number from ${min} to ${max}`
  }
}

function unknownText(table: OptionTable, argument: string): string {
  if (!argument.startsWith('-')) return `unexpected argument '${argument}'`
  const [word = ''] = splitOnce(argument.replace(/^-+/, ''), '=')
  const nearest = nearestWord(word, Object.keys(table))
  const hint = nearest === undefined ? '' : `; did you mean --${nearest}?`
  return `unknown option '${argument}'${hint}`
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
