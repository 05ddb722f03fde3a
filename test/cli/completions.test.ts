/** The completions: fresh, and what real shells make of them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { completionFiles } from '../../src/cli/completions.ts'
import { onagerCommands, programs, SHELLS } from '../../src/cli/completions-commands.ts'
import { flagRows, spellings } from '../../src/plan/option-docs.ts'
import { projectRoot, tempFolder } from '../support/files.ts'
import { requirePart } from '../support/real-parts.ts'
import { runCli } from '../support/run-cli.ts'

const folder = join(projectRoot, 'completions')
const TIMEOUT_MS = 90_000

/** A line up to the cursor, what is offered for it, and what is not. */
interface Case {
  readonly line: string
  readonly offered: readonly string[]
  readonly not?: readonly string[]
}

const cases: readonly Case[] = [
  { line: 'siege --conc', offered: ['--concurrent'], not: ['--config'] },
  { line: 'siege --no-', offered: ['--no-parser', '--no-follow', '--no-color'] },
  { line: 'siege -c 5 --ver', offered: ['--verbose', '--verify', '--version'] },
  { line: 'siege -r ', offered: ['once'], not: ['urls.txt'] },
  { line: 'siege -c ', offered: [], not: ['urls.txt', '--file', 'http://'] },
  { line: 'siege -f ur', offered: ['urls.txt'], not: ['other.log'] },
  { line: 'siege -b --file ur', offered: ['urls.txt'] },
  { line: 'siege ht', offered: ['http://', 'https://'], not: ['urls.txt'] },
  { line: 'siege --tls-min 1.', offered: ['1.2', '1.3'] },
  { line: 'ab -n 5 -p ur', offered: ['urls.txt'], not: ['other.log'] },
  { line: 'ab --js', offered: ['--json'] },
  { line: 'siege.config --h', offered: ['--help'] },
  { line: 'siege2csv oth', offered: ['other.log'] },
  { line: 'bombardment ur', offered: ['urls.txt'] },
  { line: 'bombardment --t', offered: ['--time'] },
  { line: 'onager re', offered: ['record'], not: ['siege'] },
  { line: 'onager siege --conc', offered: ['--concurrent'] },
  { line: 'onager run ur', offered: ['urls.txt'], not: ['other.log', 'http://'] },
  { line: 'onager run ht', offered: ['http://', 'https://'], not: ['urls.txt'] },
  { line: 'onager record --method P', offered: ['POST', 'PUT', 'PATCH'], not: ['GET'] },
  { line: 'onager record -o ur', offered: ['urls.txt'] },
  { line: 'onager completions ', offered: ['bash', 'zsh', 'fish'], not: ['urls.txt'] },
  { line: 'onager man urls', offered: ['urls.txt'], not: ['siege'] },
]

/** With `=` joined to its option and behind `--`, where shells differ in what they offer. */
const bashAndZshCases: readonly Case[] = [
  ...cases,
  { line: 'bombardment urls.txt 1 1 1 -- --conc', offered: ['--concurrent'] },
  { line: 'bombardment urls.txt 1 1 1 -- -f ur', offered: ['urls.txt'] },
  { line: 'siege --reps=on', offered: ['once'] },
  { line: 'siege --file=ur', offered: ['urls.txt'] },
  { line: 'siege --log=oth', offered: ['other.log'] },
]

/** A folder in which files of two names can be completed. */
function filesFolder(context: TestContext): string {
  const path = tempFolder(context)
  mkdirSync(join(path, 'home'))
  for (const name of ['urls.txt', 'other.log']) writeFileSync(join(path, name), '')
  return path
}

function check(shell: string, { line, offered, not = [] }: Case, answer: string): void {
  const words = new Set(answer.split(/\s+/))
  const described = `${shell}: "${line}" gives "${answer}"`
  for (const word of offered) assert.ok(words.has(word), `${described}, not ${word}`)
  for (const word of not) assert.ok(!words.has(word), `${described}, and so ${word}`)
}

test('completions holds what the option tables say, and nothing else', () => {
  const files = Object.values(completionFiles)
  assert.deepEqual(readdirSync(folder).sort(), files.map(({ name }) => name).sort())
  for (const { name, text } of files) {
    assert.equal(
      readFileSync(join(folder, name), 'utf8'),
      text(),
      'run: node scripts/generate-docs.mjs',
    )
  }
})

test('onager completions prints the file of each shell', async () => {
  for (const shell of SHELLS) {
    const { status, stdout, stderr } = await runCli('onager', ['completions', shell])
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(stdout, completionFiles[shell].text())
  }
})

test('words that are offered for an option are right for it', () => {
  for (const row of onagerCommands.flatMap(({ options }) => options)) {
    for (const word of row.words ?? []) assert.ok('value' in row.read(word), `${row.long} ${word}`)
  }
})

/** Calls the function that bash would call, with the words cut as bash cuts them. */
function bashAnswer(line: string, cwd: string): string {
  const words = line.split(/(=)|\s+/).filter((word) => word !== undefined)
  const list = words.map((word) => `'${word}'`).join(' ')
  const script = `. '${join(folder, 'onager.bash')}'
    COMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}
    spec=$(complete -p ${words[0]}) && spec=\${spec#*-F } && \${spec%% *}
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '--noprofile', '-u', '-c', script]
  const { stdout, stderr } = spawnSync('bash', args, { cwd, encoding: 'utf8', timeout: TIMEOUT_MS })
  assert.equal(stderr, '', line)
  return stdout
}

test('bash completes options, words, files and commands', (context) => {
  const cwd = filesFolder(context)
  for (const one of bashAndZshCases) check('bash', one, bashAnswer(one.line, cwd))
})

test('bash offers every option of every program', (context) => {
  const cwd = filesFolder(context)
  for (const { name, options } of programs) {
    const offered = flagRows(options).flatMap(spellings)
    check('bash', { line: `${name} -`, offered }, bashAnswer(`${name} -`, cwd))
  }
})

test('bash joins a value to its option where "=" does not cut words', (context) => {
  const script = `. '${join(folder, 'onager.bash')}'
    COMP_WORDS=(siege --reps=o) COMP_CWORD=1
    _onager_siege; echo "\${COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  assert.equal(stdout, '--reps=once\n')
  context.diagnostic('as in a shell whose COMP_WORDBREAKS lacks it')
})

test('fish completes options with their help, words, files and commands', (context) => {
  const fish = requirePart(context, 'fish')
  if (fish === undefined) return
  const cwd = filesFolder(context)
  const env = { ...process.env, HOME: join(cwd, 'home'), LC_ALL: 'C.UTF-8' }
  const ask = (line: string) => {
    const script = `source '${join(folder, 'onager.fish')}'; complete -C '${line}'`
    const options = { cwd, env, encoding: 'utf8', timeout: TIMEOUT_MS } as const
    const { stdout, stderr } = spawnSync(fish, ['--no-config', '-c', script], options)
    assert.equal(stderr, '', line)
    return stdout
  }
  for (const one of cases) {
    const offers = ask(one.line).replaceAll(/\t.*/g, '')
    check('fish', one, offers)
  }
  assert.match(ask('siege --conc'), /^--concurrent\tsimulated users \(25\)$/m)
})

/** Types each line and a tab into a zsh on a terminal of its own, and reads what it shows. */
const ZSH_SCRIPT = `
zmodload zsh/zpty
zpty shell zsh -f -i
show() {
  local out= piece
  repeat 200; do
    while zpty -r -t shell piece; do out+=$piece; done
    [[ $out == *$1* ]] && break
    sleep 0.02
  done
  REPLY=$out
}
zpty -w shell "PS1= PS2= RPS1=; unset zle_bracketed_paste; stty -echo columns 200; LISTMAX=1000
fpath=($1 \\$fpath); autoload -Uz compinit; compinit -D -u; zstyle ':completion:*' verbose no
setopt no_always_last_prompt no_list_ambiguous; print re''ady"
show ready
shift
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t'zzz
  show zzz
  print -r -- "$REPLY"
  print -r -- '=== end'
  zpty -w -n shell $'\\C-u'
  sleep 0.02
done
zpty -d shell
`

test('zsh completes options, words, files and commands', (context) => {
  const zsh = requirePart(context, 'zsh')
  if (zsh === undefined) return
  const cwd = filesFolder(context)
  const env = { ...process.env, HOME: join(cwd, 'home'), LC_ALL: 'C.UTF-8', TERM: 'vt100' }
  const lines = bashAndZshCases.map(({ line }) => line)
  const args = ['-f', '-c', ZSH_SCRIPT, 'zsh', folder, ...lines]
  const options = { cwd, env, encoding: 'utf8', timeout: 4 * TIMEOUT_MS } as const
  const { stdout } = spawnSync(zsh, args, options)
  const answers = stdout.split('=== end\n')
  for (const [index, one] of bashAndZshCases.entries()) {
    const plain = answers[index]!.replaceAll(
      /\x1b\[[\d;?]*[A-Za-z]|\$<\d+>|(?![\r\n])[\0-\x1f\x7f]/g,
      '',
    ).replaceAll('zzz', ' ')
    // What is typed in full stands in the line, perhaps joined to its option.
    check('zsh', one, plain.replaceAll(/=/g, ' '))
  }
})
