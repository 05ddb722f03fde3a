/** `onager completions SHELL`: prints the script that completes the package's programs. */
import { UsageError } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'
import { HELP_ONLY_GROUPS, helpOnlyOptions } from '../plan/help-only-options.ts'
import { helpLines } from '../plan/option-help.ts'
import { readCommand } from './command-settings.ts'
import { bashCompletions } from './completions-bash.ts'
import { SHELLS, type Shell } from './completions-commands.ts'
import { fishCompletions } from './completions-fish.ts'
import { zshCompletions } from './completions-zsh.ts'

const HELP = `Usage: onager completions SHELL

Prints a script that completes options, files and words of all programs here.

  source <(onager completions bash)    for ~/.bashrc
  source <(onager completions zsh)     for ~/.zshrc, below compinit
  onager completions fish | source     for ~/.config/fish/config.fish

${helpLines(helpOnlyOptions, HELP_ONLY_GROUPS).join('\n')}
`

/** Each shell's file in the folder completions, and what stands in it. */
export const completionFiles: Readonly<
  Record<Shell, { readonly name: string; readonly text: () => string }>
> = {
  bash: { name: 'onager.bash', text: bashCompletions },
  // zsh and fish find files by these names in folders of theirs.
  zsh: { name: '_onager', text: zshCompletions },
  fish: { name: 'onager.fish', text: fishCompletions },
}

/** @throws {UsageError} */
export async function completions(argv: readonly string[]): Promise<number> {
  const { settings, operands } = readCommand(argv, helpOnlyOptions, 1)
  if (settings.showHelp) {
    process.stdout.write(HELP)
    return 0
  }
  const [word] = operands
  if (word === undefined) {
    throw new UsageError('name a shell: onager completions bash, zsh or fish')
  }
  const shell = SHELLS.find((name) => name === word)
  if (shell === undefined) {
    const nearest = nearestWord(word, SHELLS)
    const hint = nearest === undefined ? 'bash, zsh and fish' : `did you mean ${nearest}?`
    const text = `there are no completions for '${word}'; ${hint}`
    throw new UsageError(nearest === undefined ? `${text} have some` : text)
  }
  process.stdout.write(completionFiles[shell].text())
  return 0
}
