/** Reads the command line of one of onager's own commands that take options and few operands. */
import { UsageError } from '../base/errors.ts'
import { getoptGnu } from '../plan/getopt-gnu.ts'
import { type OptionTable, quoted, SettingsDraft } from '../plan/option-table.ts'

export interface CommandSettings<Settings> {
  readonly settings: Settings
  readonly operands: readonly string[]
}

/**
 * Settings and operands; whoever asks for help gets it, whatever else is wrong.
 * @throws {UsageError} with all that is wrong, operands beyond `operandCountMax` included.
 */
export function readCommand<Settings extends { readonly showHelp: boolean }>(
  argv: readonly string[],
  table: OptionTable<Settings>,
  operandCountMax: number,
): CommandSettings<Settings> {
  const line = getoptGnu(argv, table)
  const draft = new SettingsDraft(table)
  for (const { key, spelling, raw } of line.flags) {
    draft.read(key, spelling, raw, { kind: 'flag', spelling })
  }
  const settings = draft.settings()
  const operands = line.operands.map((operand) => operand.text)
  const unused = operands
    .slice(operandCountMax)
    .map((word) => ({ text: `there is no use for ${quoted(word)} here` }))
  const problems = [...line.problems, ...draft.problems, ...unused]
  if (problems.length > 0 && !settings.showHelp) throw new UsageError(problems)
  return { settings, operands }
}
