/**
 * Reads a plan in YAML or JSON (which is YAML) into plain data that knows its places.
 *
 * A file may come from anywhere, so everything is bounded before it is made: bytes, depth, and how
 * many values there are once references (`*name`) stand for what they refer to. A reference inside
 * what it refers to is refused.
 */
import type { Document, LineCounter, Node, Pair } from 'yaml'
import { type Problem, UsageError } from '../../base/errors.ts'
import type { PlacedPlan, PlanPath } from './placed-plan.ts'

export type YamlModule = typeof import('yaml')

export const PLAN_BYTES_MAX: number = 4 * 1024 * 1024
const DEPTH_MAX = 64
const VALUE_COUNT_MAX = 100_000

/** @throws {UsageError} with everything that is wrong in the text. */
export function readDocument(yaml: YamlModule, file: string, bytes: Uint8Array): PlacedPlan {
  const text = textOf(file, bytes)
  refuseEndless(file, text)
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    strict: true,
    // A tag of YAML 1.1 such as !!binary would make a value that is no plain data.
    resolveKnownTags: false,
    // Any less and the library says nothing of a second document; nothing is printed so.
    logLevel: 'error',
  })
  const problems = [...document.errors, ...document.warnings].map(({ code, message, pos }) =>
    problemAt(file, lines, pos[0], syntaxText(code, message)),
  )
  if (problems.some(({ text }) => text === TOO_DEEP_TEXT)) {
    throw new UsageError([{ text: TOO_DEEP_TEXT, file }])
  }
  if (problems.length > 0) throw new UsageError(problems.slice(0, PROBLEM_COUNT_MAX))
  const refused = new Measure(yaml, document, /\.json$/i.test(file)).refusal()
  if (refused !== null) {
    throw new UsageError([problemAt(file, lines, refused.offset, refused.text)])
  }
  const value: unknown = document.toJS({ maxAliasCount: -1 })
  if (value === null) throw new UsageError([{ text: 'there is no plan in this file', file }])
  return new YamlPlan(yaml, { file, value, document, lines, text })
}

const PROBLEM_COUNT_MAX = 10
const TOO_DEEP_TEXT = `this is nested more than ${DEPTH_MAX} deep`

function textOf(file: string, bytes: Uint8Array): string {
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isWide) throw new UsageError([{ text: 'the file is in UTF-16: save it as UTF-8', file }])
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError([{ text: 'the file is not text in UTF-8', file }])
  }
}

/**
 * A library that keeps each sign of a text needs a second for 100,000 entries, so what cannot become
 * a plan is not shown to it. Lines of a text and commas in it count as well.
 */
function refuseEndless(file: string, text: string): void {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === LINE_FEED) count++
  }
  if (count > VALUE_COUNT_MAX) throw new UsageError([{ text: TOO_MANY_TEXT, file }])
}

const COMMA = 0x2c
const LINE_FEED = 0x0a
const TOO_MANY_TEXT = `the plan has more than ${VALUE_COUNT_MAX} values; long lists belong in a feeder or a file of URLs`

function problemAt(file: string, lines: LineCounter, offset: number, text: string): Problem {
  const { line, col } = lines.linePos(offset)
  return { text, file, line, column: col }
}

/** Of the mistakes that people make most, in other words than the library's. */
const SYNTAX_TEXTS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this name is there twice',
  TAB_AS_INDENT: 'indent with blanks, not with tabs',
  MULTIPLE_DOCS: 'a second document begins here; a file holds one plan',
  BAD_ALIAS: 'this refers to nothing above it',
}

function syntaxText(code: string, message: string): string {
  const known = /call stack/.test(message) ? TOO_DEEP_TEXT : SYNTAX_TEXTS[code]
  if (known !== undefined) return known
  return `this is not valid YAML: ${message.replace(/ at line \d+.*$/s, '').trim()}`
}

/** Counts what a document would become before it becomes that. */
class Measure {
  readonly #yaml: YamlModule
  readonly #document: Document
  /** YAML takes nothing for null, JSON does not. */
  readonly #isJson: boolean
  /** Nodes on the way down, to find a reference to one of them. */
  readonly #above = new Set<Node>()
  #valueCount = 0

  constructor(yaml: YamlModule, document: Document, isJson: boolean) {
    this.#yaml = yaml
    this.#document = document
    this.#isJson = isJson
  }

  /** Why it cannot be a plan, and where; null: it can. */
  refusal(): { readonly text: string; readonly offset: number } | null {
    return this.#visit(this.#document.contents)
  }

  #missingValue({ key, value }: Pair): { readonly text: string; readonly offset: number } | null {
    const { isNode, isScalar } = this.#yaml
    const isMissing = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1])
    if (!this.#isJson || !isMissing || !isNode(key)) return null
    const name = isScalar(key) ? JSON.stringify(String(key.value)) : 'this'
    const offset = isNode(value) ? value.range?.[0] : key.range?.[1]
    return { text: `a value is missing here, that of ${name}`, offset: offset ?? 0 }
  }

  #visit(node: unknown): { readonly text: string; readonly offset: number } | null {
    const { isAlias, isCollection, isPair, isNode } = this.#yaml
    if (isPair(node)) {
      return this.#missingValue(node) ?? this.#visit(node.key) ?? this.#visit(node.value)
    }
    if (!isNode(node)) return null
    const refused = (text: string) => ({ text, offset: node.range?.[0] ?? 0 })
    if (++this.#valueCount > VALUE_COUNT_MAX) {
      return refused(TOO_MANY_TEXT)
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#document)
      if (target === undefined) return refused('this refers to nothing above it')
      if (this.#above.has(target)) return refused('this refers to something that it is a part of')
      return this.#visit(target)
    }
    if (!isCollection(node)) return null
    if (this.#above.size >= DEPTH_MAX) return refused(TOO_DEEP_TEXT)
    this.#above.add(node)
    for (const item of node.items) {
      const refusal = this.#visit(item)
      if (refusal !== null) return refusal
    }
    this.#above.delete(node)
    return null
  }
}

interface YamlParts {
  readonly file: string
  readonly value: unknown
  readonly document: Document
  readonly lines: LineCounter
  readonly text: string
}

class YamlPlan implements PlacedPlan {
  readonly file: string
  readonly value: unknown
  readonly #yaml: YamlModule
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #text: string

  constructor(yaml: YamlModule, { file, value, document, lines, text }: YamlParts) {
    this.file = file
    this.value = value
    this.#yaml = yaml
    this.#document = document
    this.#lines = lines
    this.#text = text
  }

  valuePlace(path: PlanPath, offset = 0): { line: number; column: number } | undefined {
    const found = this.#find(path)
    if (found.value?.range == null) return undefined
    const [start, end] = found.value.range
    if (offset === 0 || !found.isExact || !this.#yaml.isScalar(found.value)) return this.#at(start)
    // Only where the text stands in the file as it is can a place inside it be pointed to.
    const source = this.#text.slice(start, end)
    const inside = source.indexOf(String(found.value.value))
    return this.#at(inside < 0 ? start : start + inside + offset)
  }

  keyPlace(path: PlanPath): { line: number; column: number } | undefined {
    const found = this.#find(path)
    const start = found.isExact ? found.key?.range?.[0] : undefined
    return start === undefined ? undefined : this.#at(start)
  }

  #at(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }

  /** As far as `path` leads; a value out of a merged map is not looked for there. */
  #find(path: PlanPath): { key: Node | null; value: Node | null; isExact: boolean } {
    const { isAlias, isMap, isNode, isScalar, isSeq } = this.#yaml
    let key: Node | null = null
    let value: Node | null = this.#document.contents
    for (const part of path) {
      const inside: Node | null | undefined = isAlias(value) ? value.resolve(this.#document) : value
      let next: unknown
      if (isMap(inside)) {
        const pair = inside.items.find(
          ({ key: name }) => isScalar(name) && String(name.value) === String(part),
        )
        if (pair !== undefined && isNode(pair.key)) key = pair.key
        // An entry without a value is where its name is.
        next = pair === undefined ? undefined : (pair.value ?? pair.key)
      } else if (isSeq(inside)) {
        next = inside.items[Number(part)]
      }
      if (!isNode(next)) return { key, value, isExact: false }
      value = next
    }
    return { key, value, isExact: true }
  }
}
