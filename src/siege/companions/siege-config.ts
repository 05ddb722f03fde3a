/**
 * `siege.config`: writes the configuration file that a person starts from.
 *
 * Nothing else ever makes `~/.siege`, and what is there already is never touched. siege's own
 * companion deletes `~/.siegerc` and claims success where it could write nothing; ours does
 * neither.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { systemReason } from '../../base/system-reason.ts'
import { getoptGnu } from '../../plan/getopt-gnu.ts'
import { helpOnlyOptions } from '../../plan/help-only-options.ts'
import { quoted } from '../../plan/option-table.ts'
import { siegercTemplate } from '../siegerc-template.ts'

const HELP = `Writes a configuration file for siege, with every setting explained and at its default.

Usage: siege.config

It goes to $HOME/.siege/siege.conf, where siege looks for it. A file that is there
already stays as it is: move it away to get a new one.

  siege.config                        write it
  siege -C                            show what is set, and which file said so
  siege -R other.conf http://host/    siege with another file
`

/** Passwords may stand in the file, so others have no business in the folder. */
const FOLDER_MODE = 0o750
const FILE_MODE = 0o640

/** `argv` is without the program's name. @throws {UsageError} when the file cannot be written. */
export async function main(argv: readonly string[]): Promise<number> {
  const line = getoptGnu(argv, helpOnlyOptions)
  if (line.flags.length > 0) {
    process.stdout.write(HELP)
    return 0
  }
  const unused = line.operands.map(({ text }) => ({
    text: `there is no use for ${quoted(text)} here`,
  }))
  const problems = [...line.problems, ...unused]
  if (problems.length > 0) throw new UsageError(problems)
  const folder = join(process.env.HOME || homedir(), '.siege')
  const path = join(folder, 'siege.conf')
  process.stdout.write(
    writeTemplate(folder, path)
      ? `New configuration template added to ${folder}\nRun "siege -C" to see what is set.\n`
      : `The configuration file is there already and stays as it is: ${path}\n`,
  )
  return 0
}

/** False when there is a file already. */
function writeTemplate(folder: string, path: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    // `wx` leaves a file alone that somebody wrote meanwhile.
    writeFileSync(path, siegercTemplate(), { flag: 'wx', mode: FILE_MODE })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const isFolderThere = error instanceof Error && 'syscall' in error && error.syscall === 'open'
    if (code === 'EEXIST' && isFolderThere) return false
    const reason = code === 'EEXIST' ? `${folder} is not a folder` : systemReason(error)
    throw new UsageError(`cannot write ${path}: ${reason}`)
  }
}
