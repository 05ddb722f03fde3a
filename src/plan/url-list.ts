/**
 * Reads siege's urls.txt, or the URLs of a command line, into a list of targets.
 *
 * It owns lines, comments, variables and body files; the grammar of a line is `url-line.ts`, that
 * of a URL `target-url.ts`. It reads no file itself: the caller gives a port. Either every line is
 * good or nothing is sent: all problems are told at once.
 *
 * Trick: most lists are millions of plain URLs of few hosts. A line that begins with a prefix read
 * before and goes on with bytes that need no escaping is copied without becoming a string.
 */
import type { Problem } from '../base/errors.ts'
import { contentTypeOfFile } from './content-type.ts'
import {
  bytesFromLatin1,
  latin1FromBytes,
  latin1FromText,
  quotedLatin1,
  textFromLatin1,
  trimEndLatin1,
  trimStartLatin1,
} from './latin1.ts'
import { PrefixTable } from './prefix-table.ts'
import type { Origin, StoredBody, TargetListData } from './target-list.ts'
import { TargetListBuilder } from './target-list.ts'
import type { TextProblem } from './target-url.ts'
import { TargetUrlReader } from './target-url.ts'
import { isUrlByteKept } from './url-escape.ts'
import type { LineBody } from './url-line.ts'
import { methodOfWord, parseUrlLine } from './url-line.ts'
import type { VariableLookup } from './variables.ts'
import { expand } from './variables.ts'

/** What a line needs from its surroundings. */
export interface LineSettings {
  /** siege's `url-escaping`: unsafe bytes of a URL are sent as `%XX`. */
  readonly isEscaping: boolean
  /** The bytes of a body file, or what is wrong with it (`No such file or directory`). */
  readonly readFile: (path: string) => Uint8Array | string
}

export interface UrlListSettings extends LineSettings {
  /** Variables for references that the list itself does not define. */
  readonly environment: VariableLookup
}

export interface UrlListFile {
  /** For messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

export type UrlListResult =
  | { readonly targets: TargetListData }
  | { readonly problems: readonly Problem[] }

/** Reads the bytes of a urls.txt. They must not change meanwhile and are not needed afterwards. */
export function readUrlList(file: UrlListFile, settings: UrlListSettings): UrlListResult {
  const { bytes } = file
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { problems: [{ text: 'the file is in UTF-16: save it as UTF-8', file: file.name }] }
  }
  const problems = new ProblemList(file.name)
  const builder = new TargetListBuilder({
    targetCount: countOf(bytes, terminatorOf(bytes)) + 1,
    arenaBytes: bytes.length,
  })
  const reader = new LineReader(builder, problems, settings)
  new ListReader(bytes, reader, settings.environment).read()
  if (problems.isEmpty && builder.count === 0)
    problems.add({ text: 'there is no URL in this file' })
  return resultOf(builder, problems)
}

/**
 * Reads the operands of a command line: each is one line of a list, as typed. Nothing is expanded,
 * since the shell has done that; a body may go over several lines.
 */
export function targetsFromOperands(
  operands: readonly string[],
  settings: LineSettings,
): UrlListResult {
  const problems = new ProblemList(undefined)
  const builder = new TargetListBuilder()
  const reader = new LineReader(builder, problems, settings)
  for (const [index, operand] of operands.entries()) {
    const line = trimStartLatin1(latin1FromText(operand))
    const quotesProblem = forgottenQuotes(operands, index)
    const added = quotesProblem ?? reader.add(line, index + 1)
    if (added === null || !('problem' in added)) continue
    const number = operands.length === 1 ? '' : ` ${index + 1}`
    problems.add({ text: `URL${number} ${quotedLatin1(shown(line))}: ${added.problem}` })
    // What follows belongs to the method; its own complaints would only distract.
    if (quotesProblem !== null) break
  }
  if (operands.length === 0) problems.add({ text: 'there is no URL' })
  return resultOf(builder, problems)
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SLASH = 0x2f
/** A line for a message: credentials and the body, which may be a login, are left out. */
function shown(line: string): string {
  const [, url = '', rest = ''] = /^\s*(\S*)(\s+\S+)?/.exec(line)!
  return url.replace(/^((?:[^/?#@]*:)?\/\/)?[^/?#]*@/, '$1*****@') + rest
}

/** `$` and `\\` may mean a variable, `%` and `#` something else than themselves. */
const NOT_PLAIN = '$\\%#'

const isPlain: Uint8Array = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isSpecial = NOT_PLAIN.includes(String.fromCharCode(byte))
  isPlain[byte] = isUrlByteKept(byte) && !isSpecial ? 1 : 0
}

/** Cuts the bytes of a file into lines and keeps its variables. */
class ListReader {
  readonly #bytes: Uint8Array
  readonly #terminator: number
  readonly #reader: LineReader
  readonly #environment: VariableLookup
  readonly #prefixes: PrefixTable
  readonly #variables: Map<string, string> = new Map()

  constructor(bytes: Uint8Array, reader: LineReader, environment: VariableLookup) {
    this.#bytes = bytes
    this.#terminator = terminatorOf(bytes)
    this.#environment = environment
    this.#reader = reader
    this.#prefixes = new PrefixTable(bytes)
  }

  read(): void {
    const bytes = this.#bytes
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    let start = hasMark ? 3 : 0
    for (let lineNumber = 1; start < bytes.length; lineNumber++) {
      let end = this.#readPlainLine(start, lineNumber)
      if (end === -1) {
        end = bytes.indexOf(this.#terminator, start)
        if (end === -1) end = bytes.length
        const hasReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN
        this.#readLine(start, hasReturn ? end - 1 : end, lineNumber)
      }
      start = end + 1
    }
  }

  /**
   * Adds the line at `start` if it is plain and returns where its terminator is, else -1.
   * HOT (bench/micro/url-list.bench.ts): once per line of a list of millions; no strings.
   */
  #readPlainLine(start: number, lineNumber: number): number {
    const originIndex = this.#prefixes.find(start)
    if (originIndex === -1) return -1
    const bytes = this.#bytes
    const pathStart = this.#prefixes.pathStart
    let at = pathStart
    while (at < bytes.length && isPlain[bytes[at]!] === 1) at++
    const end = bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? at + 1 : at
    if (end < bytes.length && bytes[end] !== this.#terminator) return -1
    this.#reader.builder.addPlain(originIndex, lineNumber, bytes, pathStart, at)
    return end
  }

  /** Reads any line, from `start` to `end`, which leaves out the terminator. */
  #readLine(start: number, end: number, lineNumber: number): void {
    const written = latin1FromBytes(this.#bytes, start, end)
    const line = trimStartLatin1(written)
    if (line === '' || line.startsWith('#')) return
    const indent = written.length - line.length
    const variable = /^([A-Za-z0-9_]+)[ \t]*=/.exec(line)
    const text = variable === null ? line : valueText(line, variable[0].length)
    const expansion = expand(text, this.#lookup)
    if ('undefinedName' in expansion) {
      const textStart = line.indexOf(text, variable?.[0].length ?? 0)
      const column = indent + textStart + expansion.column
      const problem = `$(${expansion.undefinedName}) has no value: define it above, as NAME = value`
      this.#reader.problems.addAt({ problem, column }, lineNumber)
      return
    }
    if (variable !== null) {
      this.#define(variable[1]!, expansion.text)
      return
    }
    const added = this.#reader.add(expansion.text, lineNumber)
    if (added === null) return
    if ('problem' in added) {
      // Columns of a line with variables replaced would point to the wrong place.
      const column = expansion.text === line ? added.column + indent : undefined
      this.#reader.problems.addAt({ problem: added.problem, column }, lineNumber)
      return
    }
    const isLearnable = expansion.text === written && added.prefixEnd !== -1
    if (isLearnable && this.#bytes[start + added.prefixEnd] === SLASH) {
      this.#prefixes.add(start, this.#reader.builder.originIndex(added.origin))
    }
  }

  readonly #lookup = (name: string): string | undefined => {
    const own = this.#variables.get(name)
    if (own !== undefined) return own
    const value = this.#environment(name)
    return value === undefined ? undefined : latin1FromText(value)
  }

  /** The first definition of a name stands, as in siege. */
  #define(name: string, value: string): void {
    if (!this.#variables.has(name)) this.#variables.set(name, value)
  }
}

/** The value of a variable line from behind its first `=`; a comment needs a blank before it. */
function valueText(line: string, start: number): string {
  const rest = line.slice(start)
  const comment = rest.search(/[ \t]#/)
  const value = comment === -1 ? rest : rest.slice(0, comment)
  return trimEndLatin1(value).replace(/^[=: \t]+/, '')
}

/** The origin of a line that became a target. */
interface AddedLine {
  readonly origin: Origin
  /** Where the path begins in the line, or -1 when what is before it says more than the origin. */
  readonly prefixEnd: number
}

/** Turns lines without variables into targets. */
class LineReader {
  readonly builder: TargetListBuilder
  readonly problems: ProblemList
  readonly #readFile: LineSettings['readFile']
  readonly #urls: TargetUrlReader
  /** Bodies by the name of their file; null: unreadable, and told once. */
  readonly #bodies: Map<string, StoredBody | null> = new Map()

  constructor(builder: TargetListBuilder, problems: ProblemList, settings: LineSettings) {
    this.builder = builder
    this.problems = problems
    this.#readFile = settings.readFile
    this.#urls = new TargetUrlReader(settings.isEscaping)
  }

  /** Adds the target of `line`, or says what is wrong; null: that has been said already. */
  add(line: string, lineNumber: number): AddedLine | TextProblem | null {
    const parsed = parseUrlLine(line)
    if ('problem' in parsed) return parsed
    const url = this.#urls.read(parsed.url)
    if ('problem' in url) return { ...url, column: url.column + parsed.urlColumn - 1 }
    const body = this.#bodyOf(parsed.body)
    if (body !== null && 'problem' in body) return body
    if (body === null && parsed.body !== null) return null
    const { origin, credentials } = url.prefix
    this.builder.add(
      {
        origin,
        method: parsed.method,
        requestTarget: url.requestTarget,
        body,
        contentType: parsed.contentType ?? guessedType(parsed.body),
        isContentTypeExplicit: parsed.contentType !== null,
        credentials,
      },
      lineNumber,
    )
    const isPlain = credentials === null && parsed.urlColumn === 1
    return { origin, prefixEnd: isPlain ? url.pathStart : -1 }
  }

  #bodyOf(body: LineBody | null): Uint8Array | StoredBody | TextProblem | null {
    if (body === null) return null
    if (body.kind === 'text') return bytesFromLatin1(body.text)
    const { column, path } = body
    if (path === '') return { problem: 'a file name belongs behind "<"', column }
    const known = this.#bodies.get(path)
    if (known !== undefined) return known
    const read = this.#readFile(textFromLatin1(path))
    const isRead = typeof read !== 'string'
    this.#bodies.set(path, isRead ? this.builder.storeBody(read) : null)
    if (isRead) return this.#bodies.get(path) ?? null
    return { problem: `the body file ${quotedLatin1(path)} cannot be read: ${read}`, column }
  }
}

function guessedType(body: LineBody | null): string | null {
  return body?.kind === 'file' ? contentTypeOfFile(body.path) : null
}

/** More would scroll the first ones, which explain the rest, off the screen. */
const PROBLEMS_SHOWN_MAX = 20

/** Problems of one list: the first ones, and how many more there are. */
class ProblemList {
  readonly #file: string | undefined
  readonly #shown: Problem[] = []
  #count = 0

  constructor(file: string | undefined) {
    this.#file = file
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  add(problem: Problem): void {
    this.#count++
    if (this.#shown.length < PROBLEMS_SHOWN_MAX) this.#shown.push({ file: this.#file, ...problem })
  }

  addAt(wrong: { problem: string; column: number | undefined }, line: number): void {
    this.add({ text: wrong.problem, line, column: wrong.column })
  }

  all(): readonly Problem[] {
    const moreCount = this.#count - this.#shown.length
    if (moreCount === 0) return this.#shown
    const noun = moreCount === 1 ? 'problem' : 'problems'
    return [...this.#shown, { text: `and ${moreCount} more ${noun}`, file: this.#file }]
  }
}

function resultOf(builder: TargetListBuilder, problems: ProblemList): UrlListResult {
  return problems.isEmpty ? { targets: builder.build() } : { problems: problems.all() }
}

/** Line feed, also after a carriage return; a file without any is from an old Mac. */
function terminatorOf(bytes: Uint8Array): number {
  return bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN
}

function countOf(bytes: Uint8Array, byte: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/** `siege http://h/ POST a=1` where `siege 'http://h/ POST a=1'` was meant. */
function forgottenQuotes(operands: readonly string[], index: number): TextProblem | null {
  if (methodOfWord(operands[index]!.trim()) === undefined) return null
  const words = index === 0 ? 'http://host/path POST a=1' : operands.slice(index - 1).join(' ')
  const quote = words.includes("'") ? '"' : "'"
  const example = `${quote}${words}${quote}`
  const problem = `a method belongs in one argument with its URL; quote both: ${example}`
  return { problem, column: 1 }
}
