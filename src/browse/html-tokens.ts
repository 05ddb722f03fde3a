/**
 * Reads a page piece by piece with htmlparser2's tokenizer and hands on the tags asked for.
 *
 * It owns what a tokenizer alone gets wrong about a page: content of script, style and noscript
 * is text, content of template is inert, SVG and MathML have tags of their own. It knows nothing
 * of what an attribute means. Any split of the page gives the same tags, and between two pieces
 * only a few characters and the attributes of the open tag are kept. Not as in a browser: `<![CDATA[`
 * outside of SVG and MathML ends at `]]>` for this tokenizer, not at the next `>`; and an end tag ends
 * at its first `>`, be it in quotes.
 *
 * Trick: entities are switched off, so that the tokenizer leaps over text and values (100 MB/s
 * against 46); the rare value with an `&` goes through a second tokenizer.
 */
import type * as htmlparser2 from 'htmlparser2'
import { ForeignContent } from './html-foreign.ts'
import { endsPlainly, RawText } from './html-raw-text.ts'

/** What is needed of the library, which only those load who meet a page. */
export type HtmlLibrary = Pick<typeof htmlparser2, 'Tokenizer' | 'QuoteType'>

/** The attributes that can be asked about, and where their values are kept. */
const slots = {
  src: 0,
  href: 1,
  rel: 2,
  content: 3,
  'http-equiv': 4,
  background: 5,
  media: 6,
  srcset: 7,
  imagesrcset: 8,
  style: 9,
  encoding: 10,
  color: 11,
  face: 12,
  size: 13,
} as const

export type AttributeName = keyof typeof slots

/** What a sink may ask about the tag it is told of, during the call. */
export interface Tag {
  /** In small letters. */
  readonly name: string
  /** Whether it is an element of SVG or MathML. */
  readonly isForeign: boolean
  /** The value with entities decoded, empty for a bare name, null without the attribute. */
  get(name: AttributeName): string | null
}

export interface TagSink {
  startTag(tag: Tag): void
  endTag(name: string): void
  /** The content of a style element, cut at `STYLE_CHARACTERS_MAX`. */
  styleText(text: string): void
}

export interface TagWishes {
  /** Elements to be told of, in small letters. */
  readonly names: readonly string[]
  /** Those of them whose end is asked for as well. */
  readonly ends: readonly string[]
  /** Whether elements of any name are told of when they have a style attribute. */
  readonly hasStyleAttributes: boolean
  readonly hasStyleText: boolean
}

/** Longer values are no URL that anyone requests; they read as if they were not there. */
export const VALUE_CHARACTERS_MAX = 65_536
export const STYLE_CHARACTERS_MAX = 1_048_576

/** The longest names that matter are `annotation-xml` and `background`. */
const NAME_CHARACTERS_MAX = 14

/** What there is to know about a name before its tag is read. */
interface Kind {
  /** The one string of that name, so that comparing is a matter of a pointer. */
  readonly name: string
  readonly isWished: boolean
  /** Whether the content of the element is text that its end tag alone ends. */
  readonly isRaw: boolean
}

/** Of all names that are not known, and of the longer ones, which are not even looked at. */
const UNKNOWN: Kind = { name: 'unknown', isWished: false, isRaw: false }

const RAW = ['script', 'style', 'noscript']
/** Elements whose structure matters to us even if nobody asks for them. */
const STRUCTURE = [...RAW, 'template', 'svg', 'math']

/** Reads one page after another: `begin()`, any number of `feed()`, `finish()`. */
export class HtmlTokens {
  readonly #sink: TagSink
  readonly #hasStyleAttributes: boolean
  readonly #hasStyleText: boolean
  readonly #starts: NameTable<Kind>
  readonly #ends: NameTable<Kind>
  readonly #tokenizer: htmlparser2.Tokenizer
  readonly #foreign: ForeignContent = new ForeignContent()
  readonly #rawText: RawText = new RawText()
  readonly #tag: OpenTag
  #templateCount = 0
  /** The element whose content is being skipped, or empty. */
  #rawName = ''
  /** The piece that the tokenizer is in, where it begins by its count, and what came before. */
  #piece = ''
  #pieceStart = 0
  #tail = ''
  /** Where in the piece the tokenizer was stopped, or -1. */
  #stoppedAt = -1
  #isStopped = false

  constructor(library: HtmlLibrary, wishes: TagWishes, sink: TagSink) {
    this.#tag = new OpenTag(new ValueDecoder(library))
    this.#sink = sink
    this.#hasStyleAttributes = wishes.hasStyleAttributes
    this.#hasStyleText = wishes.hasStyleText
    const { names, ends } = wishes
    this.#starts = new NameTable([...STRUCTURE, ...names].map((name) => kindOf(name, names)))
    this.#ends = new NameTable(['template', ...ends].map((name) => kindOf(name, ends)))
    this.#tokenizer = new library.Tokenizer({ decodeEntities: false }, this.#callbacks())
  }

  begin(): void {
    this.#restart()
    this.#foreign.reset()
    this.#templateCount = 0
    this.#rawName = ''
    this.#isStopped = false
  }

  /** Ends the page early: from a sink's call on, nothing more is told. */
  stop(): void {
    this.#isStopped = true
    this.#tokenizer.pause()
  }

  feed(piece: string): void {
    // What HTML makes of NUL, in names and values alike; in text it does not matter.
    let rest = piece.includes('\0') ? piece.replaceAll('\0', '\ufffd') : piece
    while (rest !== '' && !this.#isStopped) {
      if (this.#rawName !== '') {
        const end = this.#rawText.feed(rest)
        if (end < 0) return
        const name = this.#rawName
        this.#endRawText()
        this.#restart()
        this.#write(`</${name}`)
        rest = rest.slice(end)
      }
      this.#stoppedAt = -1
      this.#write(rest)
      if (this.#stoppedAt < 0) return
      rest = rest.slice(this.#stoppedAt + 1)
    }
  }

  finish(): void {
    // A tag cut off by the end is no tag; a style element that was not ended is one.
    if (!this.#isStopped && this.#rawName !== '') this.#endRawText()
    this.#isStopped = true
    // Lets go of the last piece.
    this.#restart()
  }

  #endRawText(): void {
    const isStyle = this.#rawName === 'style'
    this.#rawName = ''
    if (!isStyle || !this.#hasStyleText || this.#templateCount > 0) return
    this.#sink.styleText(this.#rawText.takeContent())
  }

  #restart(): void {
    this.#tokenizer.reset()
    this.#piece = ''
    this.#pieceStart = 0
    this.#tail = ''
    this.#tag.clear()
  }

  #write(piece: string): void {
    this.#piece = piece
    this.#tokenizer.write(piece)
    this.#pieceStart += piece.length
    this.#tail = (this.#tail + piece.slice(-NAME_CHARACTERS_MAX)).slice(-NAME_CHARACTERS_MAX)
    this.#piece = ''
  }

  /** The characters between two of the tokenizer's positions, if they are still known. */
  #textOf(start: number, end: number): string {
    const from = start - this.#pieceStart
    if (from >= 0) return this.#piece.slice(from, end - this.#pieceStart)
    const tailFrom = this.#tail.length + from
    if (tailFrom < 0) return ''
    return this.#tail.slice(tailFrom) + this.#piece.slice(0, end - this.#pieceStart)
  }

  /** What is known about the name of a tag, or null when the tag cannot matter. */
  #kindOf(start: number, end: number, known: NameTable<Kind>): Kind | null {
    const kind = this.#find(start, end, known)
    if (kind !== null || !(this.#foreign.isInside || this.#hasStyleAttributes)) return kind
    if (end - start > NAME_CHARACTERS_MAX) return UNKNOWN
    return { name: asciiLower(this.#textOf(start, end)), isWished: false, isRaw: false }
  }

  #find<Entry extends Named>(start: number, end: number, known: NameTable<Entry>): Entry | null {
    const from = start - this.#pieceStart
    if (from >= 0) return known.find(this.#piece, from, end - start)
    return known.find(this.#textOf(start, end), 0, end - start)
  }

  #startTag(position: number, isSelfClosing: boolean): void {
    const tag = this.#tag
    const kind = tag.kind
    if (kind === null) return
    const isHtml = this.#takeInStructure(kind.name, isSelfClosing)
    if (this.#templateCount === 0) {
      tag.isForeign = !isHtml
      const isTold = kind.isWished || (this.#hasStyleAttributes && tag.get('style') !== null)
      if (isTold) this.#sink.startTag(tag)
    }
    if (isHtml && kind.isRaw) this.#startRawText(kind.name, position - this.#pieceStart)
    else if (isHtml && kind.name === 'template') this.#templateCount++
    tag.clear()
  }

  /** `stopAt` is where in the piece the start tag ends. */
  #startRawText(name: string, stopAt: number): void {
    const isWanted = name === 'style' && this.#hasStyleText
    // The tokenizer knows scripts and styles too, and need not be started anew behind them.
    const isKnown = name !== 'noscript' && !isWanted
    if (isKnown && endsPlainly(this.#piece, stopAt + 1, name)) return
    this.#rawName = name
    this.#rawText.begin(name, isWanted ? STYLE_CHARACTERS_MAX : 0)
    this.#stoppedAt = stopAt
    this.#tokenizer.pause()
  }

  /** Whether the tag is one of HTML. */
  #takeInStructure(name: string, isSelfClosing: boolean): boolean {
    if (!this.#foreign.isInside && name !== 'svg' && name !== 'math') return true
    const tag = this.#tag
    return this.#foreign.startTag(name, {
      encoding: tag.get('encoding'),
      isStyledFont:
        tag.get('color') !== null || tag.get('face') !== null || tag.get('size') !== null,
      isSelfClosing,
    })
  }

  #endTag(start: number, end: number): void {
    const kind = this.#kindOf(start, end, this.#ends)
    if (kind === null) return
    const isForeign = this.#foreign.isForeign
    if (this.#foreign.isInside) this.#foreign.endTag(kind.name)
    if (isForeign) return
    if (kind.name === 'template') {
      if (this.#templateCount > 0) this.#templateCount--
    } else if (this.#templateCount === 0 && kind.isWished) {
      this.#sink.endTag(kind.name)
    }
  }

  /** HOT (bench/micro/html.bench.ts): most tags end at the first line of each. */
  #callbacks(): htmlparser2.TokenizerCallbacks {
    const tag = this.#tag
    const nothing = () => undefined
    return {
      onopentagname: (start, end) => {
        tag.clear()
        tag.kind = this.#kindOf(start, end, this.#starts)
      },
      onattribname: (start, end) => {
        if (tag.kind === null) return
        tag.attributeStarts(this.#find(start, end, attributeTable)?.slot ?? -1)
      },
      // A value never reaches back over a piece: its part is handed over when a piece ends.
      onattribdata: (start, end) => {
        if (tag.isCollecting) tag.attributeGoesOn(this.#textOf(start, end))
      },
      onattribend: (quote) => {
        if (tag.isCollecting) tag.attributeEnds(quote)
      },
      onopentagend: (position) => this.#startTag(position, false),
      onselfclosingtag: (position) => this.#startTag(position, true),
      onclosetag: (start, end) => this.#endTag(start, end),
      isInForeignContext: () => this.#foreign.isForeign,
      onattribentity: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    }
  }
}

/** The start tag being read; the same object for all. */
class OpenTag implements Tag {
  /** Null for a tag that cannot matter. */
  kind: Kind | null = null
  isForeign = false
  readonly #values: (string | null)[] = Object.keys(slots).map(() => null)
  /** Slots that are not null, so that clearing looks at no others. */
  readonly #used: Uint8Array = new Uint8Array(Object.keys(slots).length)
  #usedCount = 0
  /** The slot of the attribute being read, or -1 for one that is not kept. */
  #slot = -1
  readonly #decoder: ValueDecoder

  constructor(decoder: ValueDecoder) {
    this.#decoder = decoder
  }

  /** Whether what comes is part of a value that is kept. */
  get isCollecting(): boolean {
    return this.#slot >= 0
  }

  get name(): string {
    return this.kind?.name ?? ''
  }

  get(name: AttributeName): string | null {
    return this.#values[slots[name]]!
  }

  clear(): void {
    this.kind = null
    this.#slot = -1
    for (let used = 0; used < this.#usedCount; used++) this.#values[this.#used[used]!] = null
    this.#usedCount = 0
  }

  /** -1 stands for an attribute that does not matter. */
  attributeStarts(slot: number): void {
    // Of two attributes with one name, the first is the one (HTML LS 13.2.5.33).
    this.#slot = slot < 0 || this.#values[slot] !== null ? -1 : slot
    if (this.#slot < 0) return
    this.#values[slot] = ''
    this.#used[this.#usedCount++] = slot
  }

  attributeGoesOn(part: string): void {
    const value = this.#values[this.#slot]!
    if (value.length > VALUE_CHARACTERS_MAX) return
    this.#values[this.#slot] = value === '' ? part : value + part
  }

  attributeEnds(quote: htmlparser2.QuoteType): void {
    const value = this.#values[this.#slot]!
    if (value.length > VALUE_CHARACTERS_MAX) this.#values[this.#slot] = ''
    else if (value.includes('&')) this.#values[this.#slot] = this.#decoder.decode(value, quote)
    this.#slot = -1
  }
}

interface Named {
  readonly name: string
}

/** Finds entries by names within a longer text, in any case, without making a string. */
class NameTable<Entry extends Named> {
  /** Entries of each length and first letter. */
  readonly #entries: (readonly Entry[] | undefined)[]

  constructor(entries: readonly Entry[]) {
    const lists: Entry[][] = []
    for (const entry of entries) {
      const index = indexOf(entry.name.charCodeAt(0), entry.name.length)
      const list = lists[index] ?? []
      lists[index] = list
      list.push(entry)
    }
    this.#entries = Array.from({ length: (NAME_CHARACTERS_MAX + 1) * 32 }, (_, at) => lists[at])
  }

  find(text: string, start: number, length: number): Entry | null {
    if (length > NAME_CHARACTERS_MAX || start + length > text.length) return null
    const entries = this.#entries[indexOf(text.charCodeAt(start), length)]
    if (entries === undefined) return null
    for (const entry of entries) if (isNameAt(text, start, entry.name)) return entry
    return null
  }
}

function indexOf(firstCode: number, length: number): number {
  return length * 32 + (firstCode & 31)
}

/** `name` is in small letters. */
function isNameAt(text: string, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = text.charCodeAt(start + at)
    const lower = code >= 0x41 && code <= 0x5a ? code + 32 : code
    if (lower !== name.charCodeAt(at)) return false
  }
  return true
}

const attributeTable: NameTable<{ name: string; slot: number }> = new NameTable(
  Object.entries(slots).map(([name, slot]) => ({ name, slot })),
)

function kindOf(name: string, wished: readonly string[]): Kind {
  return { name, isWished: wished.includes(name), isRaw: RAW.includes(name) }
}

/** Decodes the entities of a value by reading it once more as it stood in the page. */
class ValueDecoder {
  readonly #library: HtmlLibrary
  readonly #tokenizer: htmlparser2.Tokenizer
  #text = ''
  #decoded = ''

  constructor(library: HtmlLibrary) {
    this.#library = library
    const nothing = () => undefined
    this.#tokenizer = new library.Tokenizer(
      { decodeEntities: true },
      {
        onattribdata: (start, end) => {
          this.#decoded += this.#text.slice(start, end)
        },
        onattribentity: (codePoint) => {
          this.#decoded += String.fromCodePoint(codePoint)
        },
        onattribend: nothing,
        onattribname: nothing,
        oncdata: nothing,
        onclosetag: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onend: nothing,
        onopentagend: nothing,
        onopentagname: nothing,
        onprocessinginstruction: nothing,
        onselfclosingtag: nothing,
        ontext: nothing,
        ontextentity: nothing,
      },
    )
  }

  decode(value: string, quote: htmlparser2.QuoteType): string {
    const { QuoteType } = this.#library
    const mark = quote === QuoteType.Double ? '"' : quote === QuoteType.Single ? "'" : ''
    this.#decoded = ''
    this.#text = `<a b=${mark}${value}${mark}>`
    this.#tokenizer.reset()
    this.#tokenizer.write(this.#text)
    this.#text = ''
    return this.#decoded
  }
}

/** Unlike `toLowerCase()`, leaves all but A to Z alone: `K` (Kelvin) is not `k`. */
function asciiLower(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x41 && code <= 0x5a) {
      return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    }
  }
  return text
}
