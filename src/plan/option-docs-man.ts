/**
 * Manual pages in the macros of man(7), which every `man` reads: man-db, mandoc, macOS, busybox.
 *
 * A page is data: headings over paragraphs, examples, terms and rows of an option table. In
 * paragraphs `text between backquotes` is literal and set in bold; nothing else is markup. The
 * output is ASCII, its lines are short, and none can be taken for a request of roff, whatever the
 * texts hold.
 */
import { flagRows } from './option-docs.ts'
import { defaultText, meaningOf } from './option-help.ts'
import type { OptionRow } from './option-table.ts'

export interface ManPage {
  readonly name: string
  readonly section: 1 | 5
  /** Behind the name, without a capital and a full stop. */
  readonly summary: string
  readonly parts: readonly ManPart[]
  /** Other pages: `siege(1)`. */
  readonly seeAlso: readonly string[]
}

/** A heading and what stands below it. */
export interface ManPart {
  readonly heading: string
  readonly blocks: readonly ManBlock[]
}

export type ManBlock =
  | string
  /** Lines to be typed or read as they are. */
  | { readonly example: string }
  /** How the command is called, a line for each way. */
  | { readonly usage: readonly string[] }
  /** Words with their meaning below. */
  | { readonly terms: readonly (readonly [term: string, meaning: string])[] }
  /** Options of the command line, under the names of their groups. */
  | { readonly options: readonly OptionRow<unknown>[] }
  /** Directives of a configuration file, likewise. */
  | { readonly directives: readonly OptionRow<unknown>[] }

const COLUMN_MAX = 78
const HEADER_TITLES = { 1: 'User Commands', 5: 'File Formats' } as const

/** The source of a page. `source` stands in its footer: the package and its version. */
export function manText(page: ManPage, source: string): string {
  const title = `${escaped(page.name.toUpperCase())} ${page.section}`
  const lines = [
    '.\\" Made from the option tables by scripts/generate-docs.mjs; change it there.',
    `.TH ${title} "" "${escaped(source)}" "${HEADER_TITLES[page.section]}"`,
    '.SH NAME',
    `${escaped(page.name)} \\- ${escaped(page.summary)}`,
    ...page.parts.flatMap(({ heading, blocks }) => [
      `.SH ${heading.toUpperCase()}`,
      // A paragraph right below a heading needs no space of its own.
      ...blocks.flatMap((block, index) => blockLines(block, index === 0)),
    ]),
    ...(page.seeAlso.length === 0 ? [] : ['.SH SEE ALSO', ...seeAlsoLines(page.seeAlso)]),
  ]
  return `${lines.join('\n')}\n`
}

function blockLines(block: ManBlock, isFirst: boolean): string[] {
  const space = isFirst ? [] : ['.PP']
  if (typeof block === 'string') return [...space, ...prose(block)]
  if ('example' in block) return exampleLines(block.example, isFirst)
  if ('usage' in block) return block.usage.flatMap((line, index) => usageLines(line, index === 0))
  if ('terms' in block) {
    return block.terms.flatMap(([term, meaning]) => termLines(inline(`\`${term}\``), meaning))
  }
  if ('options' in block) return grouped(flagRows(block.options), optionLines)
  return grouped(
    block.directives.filter((row) => row.directives !== undefined),
    directiveLines,
  )
}

function exampleLines(text: string, isFirst: boolean): string[] {
  const lines = text.replace(/\n$/, '').split('\n').map(literalLine)
  return [...(isFirst ? [] : ['.PP']), '.RS 4', '.nf', ...lines, '.fi', '.RE']
}

/** `siege [options] URL ...`: words in small letters are literal, those in capitals are not. */
function usageLines(usage: string, isFirst: boolean): string[] {
  const [command = '', ...words] = usage.split(' ')
  const rest = words.map((word) =>
    word.replaceAll(/[A-Z]+|[^A-Z]+/g, (part) =>
      /[A-Z]/.test(part) ? `\\fI${escaped(part)}\\fR` : literal(part),
    ),
  )
  return [...(isFirst ? [] : ['.br']), `\\fB${literal(command)}\\fR ${rest.join(' ')}`.trimEnd()]
}

function termLines(term: string, meaning: string): string[] {
  return ['.TP', term, ...prose(meaning)]
}

function grouped(
  rows: readonly OptionRow<unknown>[],
  linesOf: (row: OptionRow<unknown>) => string[],
): string[] {
  const groups = [...new Set(rows.map((row) => row.group))]
  return groups.flatMap((group) => {
    const lines = rows.filter((row) => row.group === group).flatMap(linesOf)
    return groups.length === 1 ? lines : [`.SS ${escaped(group)}`, ...lines]
  })
}

function optionLines(row: OptionRow<unknown>): string[] {
  const name = `\\fI${escaped(row.argumentName ?? 'VALUE')}\\fR`
  const [afterShort, afterLong] =
    row.argument === 'none'
      ? ['', '']
      : row.argument === 'required'
        ? [` ${name}`, `=${name}`]
        : [`[${name}]`, `[=${name}]`]
  const short = row.short === undefined ? [] : [`\\fB\\-${row.short}\\fR${afterShort}`]
  const longs = [row.long ?? [], row.longAliases ?? []]
    .flat()
    .map((long) => `\\fB\\-\\-${literal(long)}\\fR${afterLong}`)
  return termLines([...short, ...longs].join(', '), rowText(row))
}

function directiveLines(row: OptionRow<unknown>): string[] {
  const values = defaultText(row).split('\n')
  const shown = values.filter((value) => value !== '').map((value) => `\`${value}\``)
  const standing = shown.length === 0 ? '' : ` Default: ${shown.join(', ')}.`
  const example =
    row.example !== undefined && shown.length === 0 ? ` Example: \`${row.example}\`.` : ''
  const flag = row.short === undefined ? row.long : row.short
  const option = flag === undefined ? '' : ` Option: \`${flag.length === 1 ? '-' : '--'}${flag}\`.`
  const [name, ...others] = row.directives!
  const also =
    others.length === 0 ? '' : ` Also written ${others.map((o) => `\`${o}\``).join(', ')}.`
  return termLines(
    `\\fB${literal(name!)}\\fR`,
    `${rowText(row)}${also}${standing}${example}${option}`,
  )
}

function rowText(row: OptionRow<unknown>): string {
  return row.comesLater === undefined ? meaningOf(row) : `${meaningOf(row)} Not there yet.`
}

function seeAlsoLines(pages: readonly string[]): string[] {
  return pages.map((page, index) => {
    const [, name = page, section = ''] = /^(.*)(\(\d\))$/.exec(page) ?? []
    return `\\fB${literal(name)}\\fR${section}${index === pages.length - 1 ? '' : ','}`
  })
}

/** Text in lines: each sentence begins one, as roff sets the space between sentences. */
function prose(text: string): string[] {
  return text
    .split(/(?<=[.:?!])\s+(?=[A-Z`])/)
    .flatMap((sentence) => wrapped(inline(sentence)))
    .map(harmless)
}

/** Lines are broken at blanks outside of what is set in bold, which keeps literal text whole. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMN_MAX) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}

/** Backquotes to bold; options that stand in the text as they are typed keep their hyphens. */
function inline(text: string): string {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1
        ? `\\fB${literal(part)}\\fR`
        : escaped(part).replaceAll(/(^|[ (])(--?)(?=[A-Za-z])/g, (_all, before, hyphens) => {
            return before + hyphens.replaceAll('-', '\\-')
          }),
    )
    .join('')
}

/** To be copied from the page and typed: hyphens and quotes must stay what they are. */
function literal(text: string): string {
  return escaped(text).replaceAll('-', '\\-')
}

function literalLine(line: string): string {
  return harmless(literal(line))
}

/** Characters that roff takes for something else, or sets as something else. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\e'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
  ['"', '\\(dq'],
])

function escaped(text: string): string {
  return text.replaceAll(/[\\'`^~"]/g, (character) => ESCAPES.get(character)!)
}

/** A line that begins with a dot would be a request. */
function harmless(line: string): string {
  return line.startsWith('.') ? `\\&${line}` : line
}
