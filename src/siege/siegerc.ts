/**
 * The configuration file of siege: which one is read, and what its lines say.
 *
 * A line is `name = value`; `:` or a blank serves as well as `=`. Names that are no directives
 * define variables for the lines below. `#` starts a comment, except in quotes, as `\#`, and on the
 * lines that hold passwords. It never writes or creates anything.
 */
import type { Problem } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'
import { directiveKeys, quoted } from '../plan/option-table.ts'
import { expand } from '../plan/variables.ts'
import type { ReadText } from './files.ts'
import { siegeOptions } from './options.ts'
import type { SiegeSettings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Siegerc {
  readonly path: string
  readonly text: string
}

/**
 * The file to read: `-R`, else `$SIEGERC`, else `~/.siege/siege.conf`, else `/etc/siege/siegerc`,
 * the latter two only if they exist. One file is read, never two.
 */
export function findSiegerc(
  rcFile: string | null,
  environment: Environment,
  readText: ReadText,
): Siegerc | Problem | null {
  const named = rcFile ?? (environment.SIEGERC || null)
  if (named !== null) {
    const file = readText(named)
    if ('text' in file) return { path: named, text: file.text }
    const source = rcFile === null ? ' (named by SIEGERC)' : ''
    return { text: `configuration file ${quoted(named)}${source}: ${file.reason}` }
  }
  const home = environment.HOME
  const candidates = home ? [`${home}/.siege/siege.conf`] : []
  for (const path of [...candidates, '/etc/siege/siegerc']) {
    const file = readText(path)
    if ('text' in file) return { path, text: file.text }
    if (!file.isMissing) return { text: `configuration file ${quoted(path)}: ${file.reason}` }
  }
  return null
}

export interface SiegercLine {
  readonly key: keyof SiegeSettings
  /** The directive as written. */
  readonly name: string
  readonly value: string
  readonly line: number
}

export interface SiegercLines {
  readonly lines: readonly SiegercLine[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

const directives = directiveKeys(siegeOptions)

/** The lines that set something, with variables replaced. Values are not read yet. */
export function readSiegerc(siegerc: Siegerc, environment: Environment): SiegercLines {
  const reader = new SiegercReader(siegerc.path, environment)
  const lines = siegerc.text.replace(/^\uFEFF/, '').split('\n')
  for (const [index, written] of lines.entries()) reader.readLine(written, index + 1)
  return reader
}

class SiegercReader implements SiegercLines {
  readonly lines: SiegercLine[] = []
  readonly problems: Problem[] = []
  readonly #file: string
  readonly #environment: Environment
  readonly #variables = new Map<string, string>()
  /** Names that are no directives, to be looked at once the whole file is known. */
  readonly #unknown: { readonly name: string; readonly line: number }[] = []
  readonly #usedNames = new Set<string>()

  constructor(file: string, environment: Environment) {
    this.#file = file
    this.#environment = environment
  }

  readLine(written: string, line: number): void {
    const parts = partsOf(written.trim())
    if (parts === null) return
    const column = written.length - written.trimStart().length
    const name = this.#expanded(parts.name, line, column)
    const value = this.#expanded(parts.value, line, column + parts.valueOffset)
    if (name === null || value === null) return
    if (name === '') {
      const text = `${quoted(written.trim())} has no name`
      this.problems.push({ text, file: this.#file, line })
      return
    }
    const key = directives.get(name.toLowerCase()) ?? loginKey(name)
    if (key === undefined) {
      // As in siege, the first definition counts.
      if (!this.#variables.has(name)) this.#variables.set(name, value)
      this.#unknown.push({ name, line })
    } else if (value !== '') {
      // An empty value counts as none: the line is a form that nobody filled in.
      this.lines.push({ key, name, value, line })
    }
  }

  /** Variables that nothing uses and that are almost directives were meant to be those. */
  get warnings(): string[] {
    return this.#unknown.flatMap(({ name, line }) => {
      if (this.#usedNames.has(name)) return []
      const nearest = nearestWord(name, directives.keys(), name.length <= 4 ? 1 : 2)
      if (nearest === undefined) return []
      const meaning = `${quoted(name)} is no directive and only defines a variable`
      return [`${this.#file}:${line}: ${meaning}; did you mean ${nearest}?`]
    })
  }

  /**
   * Null, with a problem noted, when a variable is not defined. `offset`: of `text` in the line.
   */
  #expanded(text: string, line: number, offset: number): string | null {
    const expansion = expand(text, (name) => {
      this.#usedNames.add(name)
      return this.#variables.get(name) ?? this.#environment[name]
    })
    if ('text' in expansion) return expansion.text
    this.problems.push({
      text: `the variable ${expansion.undefinedName} is not defined above or in the environment`,
      file: this.#file,
      line,
      column: offset + expansion.column,
    })
    return null
  }
}

/** siege takes every name that begins with `login` for a login. */
function loginKey(name: string): keyof SiegeSettings | undefined {
  return name.toLowerCase().startsWith('login') ? 'logins' : undefined
}

interface Parts {
  readonly name: string
  readonly value: string
  /** Where the value begins in the line. */
  readonly valueOffset: number
}

/** Null for a blank line or a comment. */
function partsOf(line: string): Parts | null {
  if (line === '' || line.startsWith('#')) return null
  const [beforeValue, name] = /^([^\s=:#]*)[\s=:]*/.exec(line)!
  const written = line.slice(beforeValue.length)
  const isQuoted = QUOTED_VALUE.test(written)
  // Passwords may hold a `#`, so on these lines it starts no comment.
  const holdsPassword = /login|^auth-url$/i.test(name!)
  return {
    name: name!,
    value: plainValue(written, holdsPassword),
    valueOffset: beforeValue.length + (isQuoted ? 1 : 0),
  }
}

const QUOTED_VALUE = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/s

/** The value without quotes and comment; references to variables are still in it. */
function plainValue(written: string, holdsPassword: boolean): string {
  const inQuotes = QUOTED_VALUE.exec(written)
  if (inQuotes !== null) return inQuotes[2] ?? inQuotes[1]!.replaceAll('\\"', '"')
  if (holdsPassword) return written
  const comment = /(?<!\\)#/.exec(written)
  const bare = comment === null ? written : written.slice(0, comment.index)
  return bare.replaceAll('\\#', '#').trim()
}
