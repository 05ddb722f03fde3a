/**
 * Takes a command line apart as GNU getopt_long does, from any option table.
 *
 * Short options cluster (`-bq`), values are attached, separate or after `=` (`-c25`, `-c 25`,
 * `-c=25`), long options may be abbreviated (`--conc 25`), options and operands come in any order,
 * and `--` ends the options. It reads no values: that is the table's business.
 *
 * Unlike getopt it goes on after a mistake, to report all of them at once, and it knows the slips
 * that come from copying commands out of web pages: dashes that are no hyphens, and long options
 * behind a single hyphen.
 */
import type { Problem } from '../base/errors.ts'
import { nearestWord } from '../base/nearest-word.ts'
import {
  directiveKeys,
  type FlagShape,
  flagName,
  keysOf,
  type OptionTable,
  quoted,
} from './option-table.ts'

export interface GivenFlag<Key> {
  readonly key: Key
  /** Undefined when the option stands by itself. */
  readonly raw: string | undefined
  /** The option as typed, without its value; an abbreviated name in full. */
  readonly spelling: string
  readonly argvIndex: number
}

export interface Operand {
  readonly text: string
  readonly argvIndex: number
}

export interface CommandLine<Key> {
  /** In the order given. */
  readonly flags: readonly GivenFlag<Key>[]
  readonly operands: readonly Operand[]
  readonly problems: readonly Problem[]
}

/** Hyphen, non-breaking hyphen, figure, en and em dash, horizontal bar, minus sign. */
const DASH_NAMES = new Map([
  ['\u2010', 'a hyphen (U+2010)'],
  ['\u2011', 'a non-breaking hyphen (U+2011)'],
  ['\u2012', 'a figure dash (U+2012)'],
  ['\u2013', 'an en dash (U+2013)'],
  ['\u2014', 'an em dash (U+2014)'],
  ['\u2015', 'a horizontal bar (U+2015)'],
  ['\u2212', 'a minus sign (U+2212)'],
])
const PASTED_DASHES = /^-?[\u2010-\u2015\u2212]+-?/

/** `argv` is without the program's own name. Never throws. */
export function getoptGnu<Settings extends object>(
  argv: readonly string[],
  table: OptionTable<Settings>,
): CommandLine<keyof Settings> {
  const getopt = new Getopt(argv, table)
  getopt.run()
  return getopt
}

interface Known<Key> extends FlagShape {
  readonly key: Key
}

class Getopt<Settings extends object> implements CommandLine<keyof Settings> {
  readonly flags: GivenFlag<keyof Settings>[] = []
  readonly operands: Operand[] = []
  readonly problems: Problem[] = []
  readonly #argv: readonly string[]
  readonly #byLong = new Map<string, Known<keyof Settings>>()
  readonly #byShort = new Map<string, Known<keyof Settings>>()
  readonly #directives: ReadonlyMap<string, keyof Settings>
  #index = 0

  constructor(argv: readonly string[], table: OptionTable<Settings>) {
    this.#argv = argv
    this.#directives = directiveKeys(table)
    for (const key of keysOf(table)) {
      const known = { ...table[key], key }
      if (known.short !== undefined) this.#byShort.set(known.short, known)
      for (const long of [known.long ?? [], known.longAliases ?? []].flat()) {
        this.#byLong.set(long, known)
      }
    }
  }

  run(): void {
    for (; this.#index < this.#argv.length; this.#index++) {
      const word = this.#argv[this.#index]!
      if (word === '--') {
        for (let index = this.#index + 1; index < this.#argv.length; index++) this.#operand(index)
        return
      }
      if (PASTED_DASHES.test(word)) this.#pastedDash(word)
      else if (word.startsWith('--')) this.#long(word)
      else if (word.startsWith('-') && word !== '-') this.#cluster(word)
      else this.#operand(this.#index)
    }
  }

  #operand(argvIndex: number): void {
    this.operands.push({ text: this.#argv[argvIndex]!, argvIndex })
  }

  #give(known: Known<keyof Settings>, raw: string | undefined, spelling: string, at: number): void {
    this.flags.push({ key: known.key, raw, spelling, argvIndex: at })
  }

  #problem(text: string): void {
    this.problems.push({ text })
  }

  #long(word: string): void {
    const equals = word.indexOf('=')
    const name = word.slice(2, equals === -1 ? undefined : equals)
    const attached = equals === -1 ? undefined : word.slice(equals + 1)
    const known = this.#byLong.get(name) ?? this.#abbreviated(name)
    if (known === undefined) return
    const spelling = `--${this.#byLong.has(name) ? name : known.long}`
    const at = this.#index
    if (attached !== undefined && known.argument === 'none') {
      this.#problem(`${spelling} takes no value, but was given ${quoted(attached)}`)
    } else if (attached === undefined && known.argument === 'required') {
      this.#giveNext(known, spelling)
    } else {
      this.#give(known, attached, spelling, at)
    }
  }

  /** The one option whose name begins like this, or undefined with a problem noted. */
  #abbreviated(name: string): Known<keyof Settings> | undefined {
    const names = [...this.#byLong.keys()].filter((long) => long.startsWith(name))
    const originals = names.filter((long) => this.#byLong.get(long)!.isOurs !== true)
    const candidates = originals.length > 0 ? originals : names
    const meant = new Set(candidates.map((long) => this.#byLong.get(long)!))
    const [first] = meant
    if (first !== undefined && meant.size === 1 && name !== '') return first
    if (first !== undefined && name !== '') {
      const list = candidates.map((long) => `--${long}`)
      this.#problem(`--${name} could be ${list.slice(0, -1).join(', ')} or ${list.at(-1)}`)
      return undefined
    }
    this.#problem(`unknown option --${name}${this.#advice(name)}`)
    return undefined
  }

  #advice(name: string): string {
    if (this.#directives.has(name)) return `; the configuration file can say: ${name} = VALUE`
    const nearest = nearestWord(name, this.#byLong.keys())
    return nearest === undefined ? '' : `; did you mean --${nearest}?`
  }

  #cluster(word: string): void {
    const name = word.slice(1).split('=', 1)[0]!
    const isLongName = name.length > 1 && this.#byLong.has(name)
    if (isLongName) {
      this.#problem(`${quoted(word)} has one hyphen too few: type -${word}`)
      // Its value, if it has one, is no operand.
      if (this.#byLong.get(name)!.argument === 'required' && !word.includes('=')) this.#index++
      return
    }
    for (let at = 1; at < word.length; at++) {
      const letter = word[at]!
      const known = this.#byShort.get(letter)
      if (known === undefined) {
        if (letter === '=' && at > 1) {
          this.#problem(
            `-${word[at - 1]} takes no value, but was given ${quoted(word.slice(at + 1))}`,
          )
          return
        }
        this.#problem(`unknown option -${letter}${word.length > 2 ? ` in ${quoted(word)}` : ''}`)
        continue
      }
      if (known.argument !== 'none') {
        this.#shortWithValue(known, letter, word.slice(at + 1))
        return
      }
      this.#give(known, undefined, `-${letter}`, this.#index)
    }
  }

  #shortWithValue(known: Known<keyof Settings>, letter: string, rest: string): void {
    const attached = rest.startsWith('=') ? rest.slice(1) : rest
    if (rest !== '') this.#give(known, attached, `-${letter}`, this.#index)
    else if (known.argument === 'required') this.#giveNext(known, `-${letter}`)
    else this.#give(known, undefined, `-${letter}`, this.#index)
  }

  #giveNext(known: Known<keyof Settings>, spelling: string): void {
    const at = this.#index
    if (at + 1 >= this.#argv.length) {
      const example = `${spelling} ${known.argumentName ?? 'VALUE'}`
      this.#problem(`${flagName(known)} needs a value: ${example}`)
      return
    }
    this.#index++
    this.#give(known, this.#argv[this.#index], spelling, at)
  }

  #pastedDash(word: string): void {
    const rest = word.replace(PASTED_DASHES, '')
    const name = rest.split('=', 1)[0]!
    const dash = [...word].find((character) => DASH_NAMES.has(character))!
    const isLong = name.length > 1 && [...this.#byLong.keys()].some((long) => long.startsWith(name))
    const known = isLong ? this.#byLong.get(name) : this.#byShort.get(rest[0] ?? '')
    this.#problem(
      `${quoted(word)} begins with ${DASH_NAMES.get(dash)}, not with a plain hyphen: ` +
        `type ${isLong ? '--' : '-'}${rest}`,
    )
    // A separate value is no operand.
    const hasValue = isLong ? rest.includes('=') : rest.length > 1
    if (known?.argument === 'required' && !hasValue) this.#index++
  }
}
