/**
 * The shape of an option table, and the one way a written value becomes a setting.
 *
 * A table has one row per setting. Everything else about options is made from the rows: the flags
 * that getopt knows, the directives of a configuration file, the help, the reference page, the
 * template of the configuration file and every message about a wrong value. A second list of names
 * or defaults anywhere is a mistake.
 *
 * It knows no program: siege, ab and onager bring tables of their own. It reads no files either.
 */
import type { Problem } from '../base/errors.ts'

/** A value, or the end of the sentence "NAME must be ...". */
export type ReadResult<Value> = { readonly value: Value } | { readonly mustBe: string }
export type Reader<Value> = (raw: string) => ReadResult<Value>

/** `optional-attached`: `-l`, `-lFILE`, `--log=FILE`, but never `-l FILE`. */
export type ArgumentKind = 'none' | 'required' | 'optional-attached'

/** How an option looks on a command line. */
export interface FlagShape {
  /** Without the dashes. */
  readonly long?: string
  /** Other long names that mean the same; they are not shown in the help. */
  readonly longAliases?: readonly string[]
  /** One letter. */
  readonly short?: string
  /** Absent for an option that only the configuration file knows. */
  readonly argument?: ArgumentKind
  /** What the help calls the argument: `NUM`. */
  readonly argumentName?: string
  /** Values worth offering where a shell completes the argument; others may be right as well. */
  readonly words?: readonly string[]
  /**
   * The original program does not have it. Such names never take part in an abbreviation that is
   * unambiguous without them, so that old scripts keep their meaning.
   */
  readonly isOurs?: boolean
}

export interface OptionRow<Value> extends FlagShape {
  /** Names in the configuration file; the first is the one shown. Case does not count there. */
  readonly directives?: readonly string[]
  /** Value when nothing is said. */
  readonly default: Value
  /** Value of the flag without an argument. */
  readonly flagValue?: Value
  readonly read: Reader<Value>
  /** It may hold a password, so no message shows what was written. */
  readonly isSecret?: boolean
  /** A list: each mention adds to it, and the first one replaces the default. */
  readonly isRepeatable?: boolean
  /** What the template of the configuration file sets; it must read as the default. */
  readonly template?: string
  /** What the template shows behind a comment sign instead. */
  readonly example?: string
  /** Unit of the value where it is a number, as people say it: `seconds`. */
  readonly unit?: string
  readonly group: string
  /** One line for `--help`. */
  readonly help: string
  /** More for the reference page and the template: whole sentences. */
  readonly details?: string
  /** The option is read and checked, but what it does is not there yet: a name for that. */
  readonly comesLater?: string
}

/** One row for every setting; the compiler finds a missing or superfluous one. */
export type OptionTable<Settings> = {
  readonly [Key in keyof Settings]: OptionRow<Settings[Key]>
}

/** Where the value of a setting was written. */
export type SettingSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  /** `spelling` is the option as typed: `-c` or `--concurrent`. */
  | { readonly kind: 'flag'; readonly spelling: string }

const BY_DEFAULT: SettingSource = { kind: 'default' }

/** The settings while they are being read: layers go on top of each other, problems pile up. */
export class SettingsDraft<Settings extends object> {
  readonly problems: Problem[] = []
  readonly #table: OptionTable<Settings>
  readonly #settings: Settings
  readonly #sources = new Map<keyof Settings, SettingSource>()

  constructor(table: OptionTable<Settings>) {
    this.#table = table
    this.#settings = defaultSettings(table)
  }

  /** Sets what `raw` says, or notes what is wrong with it. `raw` undefined: a flag by itself. */
  read<Key extends keyof Settings>(
    key: Key,
    name: string,
    raw: string | undefined,
    source: SettingSource,
  ): void {
    const row: OptionRow<Settings[Key]> = this.#table[key]
    if (raw === undefined && row.flagValue !== undefined) {
      this.#set(key, row.flagValue, source)
      return
    }
    const read = row.read(raw ?? '')
    if ('value' in read) {
      this.#set(key, read.value, source)
      return
    }
    const instead = row.isSecret === true ? '' : `, not ${quoted(raw ?? '')}`
    const text = `${name} must be ${read.mustBe}${instead}`
    const place = source.kind === 'file' ? { file: source.file, line: source.line } : {}
    this.problems.push({ text, ...place })
  }

  settings(): Settings {
    return { ...this.#settings }
  }

  sourceOf(key: keyof Settings): SettingSource {
    return this.#sources.get(key) ?? BY_DEFAULT
  }

  /** Makes a setting from what it is now, where one option acts on what others said before it. */
  change<Key extends keyof Settings>(
    key: Key,
    changed: (value: Settings[Key]) => Settings[Key],
  ): void {
    this.#settings[key] = changed(this.#settings[key])
  }

  #set<Key extends keyof Settings>(key: Key, value: Settings[Key], source: SettingSource): void {
    const before = this.#settings[key]
    const isFurther = this.#table[key].isRepeatable === true && this.#sources.has(key)
    this.#sources.set(key, source)
    if (isFurther && Array.isArray(before) && Array.isArray(value)) {
      // Both are lists of the row's type: joining them cannot change it.
      this.#settings[key] = [...before, ...value] as Settings[Key]
    } else {
      this.#settings[key] = value
    }
  }
}

/** What a table says when nobody says anything. */
export function defaultSettings<Settings extends object>(table: OptionTable<Settings>): Settings {
  // Built key by key from a table that has every key, which the compiler cannot follow.
  const settings = {} as Settings
  for (const key of keysOf(table)) settings[key] = table[key].default
  return settings
}

/** The keys of a table in the order of its rows. */
export function keysOf<Settings extends object>(table: OptionTable<Settings>): (keyof Settings)[] {
  // The keys of a table are the keys of its settings by definition.
  return Object.keys(table) as (keyof Settings)[]
}

/** The setting of each directive name, in lower case. */
export function directiveKeys<Settings extends object>(
  table: OptionTable<Settings>,
): Map<string, keyof Settings> {
  const keys = new Map<string, keyof Settings>()
  for (const key of keysOf(table)) {
    for (const name of table[key].directives ?? []) keys.set(name.toLowerCase(), key)
  }
  return keys
}

/** How an option is named in a message: `-c (--concurrent)`, whichever of the two exist. */
export function flagName(flag: FlagShape): string {
  if (flag.short === undefined) return `--${flag.long}`
  return flag.long === undefined ? `-${flag.short}` : `-${flag.short} (--${flag.long})`
}

/** `text` in double quotes with everything that would spoil a line escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
