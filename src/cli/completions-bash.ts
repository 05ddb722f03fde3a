/**
 * Completions for bash, by its own means alone: no package bash-completion, bash 3.2 upwards.
 *
 * bash cuts the line at `=` and `:` before a function sees it; `_onager_start` mends that, so that
 * `--file=ur`, `--file ur` and `-f ur` all ask for the value of one option.
 */
import { type CommandDocs, flagRows, spellings, valueDocs } from '../plan/option-docs.ts'
import type { OptionRow } from '../plan/option-table.ts'
import { onagerCommands, programs, URL_STARTS } from './completions-commands.ts'

const HEAD = `# Completions of siege, its companions and onager for bash: source this file.
# Made from the option tables by scripts/generate-docs.mjs; change it there.

# Sets cur, the text to complete; option, the word it may be the value of; and
# joined, which is "=" when it stands behind an equals sign.
_onager_start() {
  cur=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} joined= lead=
  if [[ $cur == = ]]; then
    cur= joined==
  elif [[ $option == = ]]; then
    option=\${COMP_WORDS[COMP_CWORD-2]} joined==
  elif [[ $cur == -*=* ]]; then
    # "=" is none of COMP_WORDBREAKS here, so the answer replaces the whole word.
    lead=\${cur%%=*}= option=\${cur%%=*} cur=\${cur#*=} joined==
  fi
}

# Whether "--" stands before the cursor: options are over.
_onager_is_past_dashes() {
  local at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -- ]] && return 0
  done
  return 1
}

_onager_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -P "$lead" -W "$1" -- "$cur"))
}

_onager_files() {
  # readline itself knows best about blanks, quotes and folders.
  if [[ -z $lead ]] && compopt -o default 2>/dev/null; then
    COMPREPLY=()
  else
    local IFS=$'\\n'
    COMPREPLY=($(compgen -P "$lead" -f -- "$cur"))
  fi
}

_onager_urls() {
  compopt -o nospace 2>/dev/null
  _onager_words '${URL_STARTS.join(' ')}'
}

_onager_urls_or_files() {
  _onager_urls
  if ((\${#COMPREPLY[@]} == 0)); then
    compopt +o nospace 2>/dev/null
    _onager_files
  else
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
`

export function bashCompletions(): string {
  const own = onagerCommands.map(commandFunction)
  const cases = onagerCommands.map(({ name }) => `    ${name}) ${functionName(name)} ;;`)
  const words = [...onagerCommands.map(({ name }) => name), '--help', '--version'].join(' ')
  const onager = `_onager() {
  local cur option joined lead
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _onager_start
    _onager_words '${words}'
    return
  fi
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  case "\${COMP_WORDS[0]}" in
${cases.join('\n')}
  esac
}
`
  const bound = programs.map(({ name }) => `complete -F ${functionName(name)} ${name}`)
  return [HEAD, ...own, onager, [...bound, 'complete -F _onager onager', ''].join('\n')].join('\n')
}

function functionName(name: string): string {
  return `_onager_${name.replaceAll('.', '_')}`
}

function commandFunction(command: CommandDocs): string {
  const rows = flagRows(command.options)
  const cases = rows.flatMap(valueCase)
  const isForSiege = command.behindDashes !== undefined
  const past = isForSiege ? functionName(command.behindDashes.name) : operandAction(command)
  const lines = [
    `${functionName(command.name)}() {`,
    '  local cur option joined lead',
    '  COMPREPLY=()',
    ...(isForSiege ? pastDashesToSiege(past) : []),
    '  _onager_start',
    ...(isForSiege ? [] : [`  if _onager_is_past_dashes; then ${past}; return; fi`]),
    ...(cases.length === 0 ? [] : ['  case "$option$joined" in', ...cases, '  esac']),
    '  case "$cur" in',
    `    -*) _onager_words '${rows.flatMap(spellings).join(' ')}' ;;`,
    `    *) ${operandAction(command)} ;;`,
    '  esac',
    '}',
    '',
  ]
  return lines.join('\n')
}

/** What follows `--` is completed as a command line of its own, without what stands before. */
function pastDashesToSiege(siege: string): string[] {
  return [
    '  if _onager_is_past_dashes; then',
    '    while [[ ${COMP_WORDS[0]} != -- ]]; do',
    '      COMP_WORDS=("${COMP_WORDS[@]:1}")',
    '      COMP_CWORD=$((COMP_CWORD - 1))',
    '    done',
    `    ${siege}`,
    '    return',
    '  fi',
  ]
}

function operandAction({ operands }: CommandDocs): string {
  if (operands === 'urls') return '_onager_urls'
  if (operands === 'files') return '_onager_files'
  if (operands === 'urls-or-files') return '_onager_urls_or_files'
  return operands === 'none' ? ':' : `_onager_words '${operands.join(' ')}'`
}

function valueCase(row: OptionRow<unknown>): string[] {
  if (row.argument === 'none') return []
  const value = valueDocs(row)
  const action = {
    file: () => '_onager_files; ',
    words: () => (value.kind === 'words' ? `_onager_words '${value.words.join(' ')}'; ` : ''),
    free: () => '',
  }[value.kind]()
  const names = spellings(row)
  // Only what is joined to it is the value of such an option.
  const separate = row.argument === 'required' ? names : []
  const patterns = [...separate, ...names.map((name) => `${name}=`)]
  return [`    ${patterns.join(' | ')}) ${action}return ;;`]
}
