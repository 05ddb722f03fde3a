/**
 * Completions for zsh, by its `_arguments`. The text serves both ways of loading it: as the file
 * `_onager` in a folder of fpath, and sourced below compinit.
 */
import { type CommandDocs, flagRows, spellings, valueDocs } from '../plan/option-docs.ts'
import type { OptionRow } from '../plan/option-table.ts'
import { onagerCommands, programs, URL_STARTS } from './completions-commands.ts'

export function zshCompletions(): string {
  const names = programs.map(({ name }) => name).join(' ')
  const head = `#compdef ${names} onager
# Completions of siege, its companions and onager for zsh.
# Made from the option tables by scripts/generate-docs.mjs; change it there.

_onager_urls() {
  # No blank behind: a host follows.
  compadd -S '' -- ${URL_STARTS.join(' ')}
}

_onager_urls_or_files() {
  _alternative 'urls:URL:_onager_urls' 'files:plan:_files'
}
`
  const described = onagerCommands.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`)
  const cases = onagerCommands.map(({ name }) => `    ${name}) ${functionName(name)} ;;`)
  const onager = `_onager_command() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments '(- *)--help[show this]' '(- *)--version[say which onager this is]'
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
`
  const dispatch = `_onager() {
  case $service in
${programs.map(({ name }) => `    ${name}) ${functionName(name)} ;;`).join('\n')}
    onager) _onager_command ;;
  esac
}

if [[ $funcstack[1] == _onager ]]; then
  _onager "$@"
else
  compdef _onager ${names} onager
fi
`
  return [head, ...onagerCommands.map(commandFunction), onager, dispatch].join('\n')
}

function functionName(name: string): string {
  return `_onager_${name.replaceAll('.', '_')}`
}

function commandFunction(command: CommandDocs): string {
  const specs = [...flagRows(command.options).map(optionSpec), ...operandSpecs(command)]
  const lines = specs.map((spec) => `    ${spec}`)
  const body =
    command.behindDashes === undefined
      ? ['  _arguments -s -S : \\', lines.join(' \\\n')]
      : [
          `  if (( \${words[(i)--]} < CURRENT )); then`,
          '    (( CURRENT -= ${words[(i)--]} - 1 ))',
          '    words=(${words[${words[(i)--]},-1]})',
          `    ${functionName(command.behindDashes.name)}`,
          '    return',
          '  fi',
          '  _arguments -s : \\',
          lines.join(' \\\n'),
        ]
  return [`${functionName(command.name)}() {`, ...body, '}', ''].join('\n')
}

/** `'(-c --concurrent)'{-c+,--concurrent=}'[simulated users]:NUM: '`. */
function optionSpec(row: OptionRow<unknown>): string {
  const names = spellings(row)
  const marks = { none: ['', ''], required: ['+', '='], 'optional-attached': ['-', '=-'] } as const
  const [shortMark, longMark] = marks[row.argument ?? 'none']
  const forms = names.map((name) => name + (name.startsWith('--') ? longMark : shortMark))
  const rest = `[${explained(row.help)}]${valueSpec(row)}`
  const isOnce = row.isRepeatable !== true
  if (forms.length === 1) return quoted(`${isOnce ? '' : '*'}${forms[0]}${rest}`)
  const front = quoted(isOnce ? `(${names.join(' ')})` : '*')
  return `${front}{${forms.join(',')}}${quoted(rest)}`
}

function valueSpec(row: OptionRow<unknown>): string {
  if (row.argument === 'none') return ''
  const name = (row.argumentName ?? 'VALUE').replaceAll(':', '\\:')
  const value = valueDocs(row)
  const action = value.kind === 'file' ? '_files' : value.kind === 'words' ? wordList(value) : ' '
  return `${row.argument === 'required' ? ':' : '::'}${name}:${action}`
}

function wordList({ words }: { readonly words: readonly string[] }): string {
  return `(${words.map((word) => word.replaceAll(':', '\\:')).join(' ')})`
}

function operandSpecs({ operands }: CommandDocs): string[] {
  if (operands === 'none') return []
  if (operands === 'urls') return [quoted('*:URL:_onager_urls')]
  if (operands === 'files') return [quoted('*:FILE:_files')]
  if (operands === 'urls-or-files') return [quoted('*:URL or plan:_onager_urls_or_files')]
  return [quoted(`1:word:${wordList({ words: operands })}`)]
}

function explained(help: string): string {
  return help.replaceAll(/[[\]:\\]/g, '\\$&')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
