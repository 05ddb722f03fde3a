/**
 * Takes a command line apart as POSIX getopt does, from any option table.
 *
 * Flags bundle (`-kr`), a value is attached or the next word whatever it looks like (`-n5`, `-n 5`,
 * `-n -5`), and the first word that is no option ends the options: everything from there on is an
 * operand. It stops at the first mistake, as getopt does, so that what stands before it can act.
 *
 * Long options are not POSIX's; those of the table are taken among the short ones by their full
 * name, `--name`, `--name VALUE` or `--name=VALUE`. `--` ends the options.
 */
import { nearestWord } from '../base/nearest-word.ts'
import type { GivenFlag } from './getopt-gnu.ts'
import { type FlagShape, keysOf, type OptionTable } from './option-table.ts'

export interface PosixCommandLine<Key> {
  /** In the order given, up to the mistake if there is one. */
  readonly flags: readonly GivenFlag<Key>[]
  readonly operands: readonly string[]
  /** In getopt's own words where it has some. */
  readonly mistake: string | null
}

interface Known<Key> extends FlagShape {
  readonly key: Key
}

/** `argv` is without the program's own name. Never throws. */
export function getoptPosix<Settings extends object>(
  argv: readonly string[],
  table: OptionTable<Settings>,
): PosixCommandLine<keyof Settings> {
  const getopt = new PosixGetopt(argv, table)
  getopt.run()
  return getopt
}

class PosixGetopt<Settings extends object> implements PosixCommandLine<keyof Settings> {
  readonly flags: GivenFlag<keyof Settings>[] = []
  operands: readonly string[] = []
  mistake: string | null = null
  readonly #argv: readonly string[]
  readonly #byShort = new Map<string, Known<keyof Settings>>()
  readonly #byLong = new Map<string, Known<keyof Settings>>()
  #index = 0

  constructor(argv: readonly string[], table: OptionTable<Settings>) {
    this.#argv = argv
    for (const key of keysOf(table)) {
      const known = { ...table[key], key }
      if (known.short !== undefined) this.#byShort.set(known.short, known)
      if (known.long !== undefined) this.#byLong.set(known.long, known)
    }
  }

  run(): void {
    for (; this.#index < this.#argv.length; this.#index++) {
      const word = this.#argv[this.#index]!
      if (word === '--') {
        this.#index++
        break
      }
      if (!word.startsWith('-') || word === '-') break
      if (word.startsWith('--')) this.#long(word)
      else this.#bundle(word)
      if (this.mistake !== null) {
        this.#index++
        break
      }
    }
    this.operands = this.#argv.slice(this.#index)
  }

  #give(known: Known<keyof Settings>, raw: string | undefined, spelling: string, at: number): void {
    this.flags.push({ key: known.key, raw, spelling, argvIndex: at })
  }

  #bundle(word: string): void {
    for (let at = 1; at < word.length; at++) {
      const letter = word[at]!
      const known = this.#byShort.get(letter)
      if (known === undefined) {
        this.mistake = `illegal option -- ${letter}`
        return
      }
      if (known.argument === 'none') {
        this.#give(known, undefined, `-${letter}`, this.#index)
        continue
      }
      const attached = word.slice(at + 1)
      if (attached !== '') this.#give(known, attached, `-${letter}`, this.#index)
      else this.#giveNext(known, `-${letter}`, `option requires an argument -- ${letter}`)
      return
    }
  }

  #long(word: string): void {
    const equals = word.indexOf('=')
    const name = word.slice(2, equals === -1 ? undefined : equals)
    const attached = equals === -1 ? undefined : word.slice(equals + 1)
    const known = this.#byLong.get(name)
    if (known === undefined) {
      const nearest = nearestWord(name, this.#byLong.keys())
      const advice = nearest === undefined ? '' : `; did you mean --${nearest}?`
      this.mistake = `unknown option --${name}${advice}`
    } else if (attached !== undefined && known.argument === 'none') {
      this.mistake = `--${name} takes no value`
    } else if (attached === undefined && known.argument !== 'none') {
      this.#giveNext(known, `--${name}`, `option requires an argument -- ${name}`)
    } else this.#give(known, attached, `--${name}`, this.#index)
  }

  #giveNext(known: Known<keyof Settings>, spelling: string, ifMissing: string): void {
    const at = this.#index
    if (at + 1 >= this.#argv.length) {
      this.mistake = ifMissing
      return
    }
    this.#index++
    this.#give(known, this.#argv[this.#index], spelling, at)
  }
}
