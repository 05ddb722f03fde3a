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
import { RawText } from './html-raw-text.ts'

/** What is needed of the library, which only those load who meet a page. */
export type HtmlLibrary = Pick<typeof htmlparser2, 'Tokenizer' | 'QuoteType'>

const attributeNames = [
  'src',
  'href',
  'rel',
  'content',
  'http-equiv',
  'background',
  'media',
  'srcset',
  'imagesrcset',
  'style',
  'encoding',
  'color',
  'face',
  'size',
] as const

/** The attributes that can be asked about. */
export type AttributeName = (typeof attributeNames)[number]

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
  /** Whether elements of any name are told of when they have a style attribute. */
  readonly hasStyleAttributes: boolean
  readonly hasStyleText: boolean
}

/** Longer values are no URL that anyone requests; they read as if they were not there. */
export const VALUE_CHARACTERS_MAX = 65_536
export const STYLE_CHARACTERS_MAX = 1_048_576

/** The longest names that matter are `annotation-xml` and `background`. */
const NAME_CHARACTERS_MAX = 14

/** Stands for all longer names, none of which is known to anyone. */
const LONG_NAME = 'longer'

/** Elements whose structure matters to us even if nobody asks for them. */
const STRUCTURE = ['script', 'style', 'noscript', 'template', 'svg', 'math']

const slotOf: ReadonlyMap<string, number> = new Map(
  attributeNames.map((name, slot) => [name, slot]),
)

/** Whether a name of this length and first letter is one of ours: index length * 32 + letter. */
const canAttributeMatter: Uint8Array = new Uint8Array((NAME_CHARACTERS_MAX + 1) * 32)
for (const name of attributeNames) {
  canAttributeMatter[name.length * 32 + (name.charCodeAt(0) & 31)] = 1
}

/** Reads one page after another: `begin()`, any number of `feed()`, `finish()`. */
export class HtmlTokens {
  readonly #sink: TagSink
  readonly #isWished: ReadonlySet<string>
  readonly #hasStyleAttributes: boolean
  readonly #hasStyleText: boolean
  /** Whether a name of this length and first letter can matter: index length * 32 + letter. */
  readonly #canMatter: Uint8Array = new Uint8Array((NAME_CHARACTERS_MAX + 1) * 32)
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
    this.#isWished = new Set(wishes.names)
    this.#hasStyleAttributes = wishes.hasStyleAttributes
    this.#hasStyleText = wishes.hasStyleText
    for (const name of [...STRUCTURE, ...wishes.names]) {
      this.#canMatter[name.length * 32 + (name.charCodeAt(0) & 31)] = 1
    }
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
    let rest = piece
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

  /** The name in small letters, or empty for one that cannot matter. */
  #nameOf(start: number, end: number): string {
    const length = end - start
    if (length > NAME_CHARACTERS_MAX) return this.#hasStyleAttributes ? LONG_NAME : ''
    if (!this.#hasStyleAttributes && !this.#foreign.isInside) {
      const from = start - this.#pieceStart
      const letter = from >= 0 ? this.#piece.charCodeAt(from) : -1
      if (letter >= 0 && this.#canMatter[length * 32 + (letter & 31)] === 0) return ''
    }
    return asciiLower(this.#textOf(start, end))
  }

  /** Judged by length and first letter, before the name is made a string. */
  #canAttributeMatter(start: number, end: number): boolean {
    const length = end - start
    if (length > NAME_CHARACTERS_MAX) return false
    const from = start - this.#pieceStart
    return from < 0 || canAttributeMatter[length * 32 + (this.#piece.charCodeAt(from) & 31)] === 1
  }

  #startTag(position: number, isSelfClosing: boolean): void {
    const tag = this.#tag
    const name = tag.name
    if (name === '') return
    const isHtml = this.#takeInStructure(name, isSelfClosing)
    if (this.#templateCount === 0) {
      tag.isForeign = !isHtml
      const isTold =
        this.#isWished.has(name) || (this.#hasStyleAttributes && tag.get('style') !== null)
      if (isTold) this.#sink.startTag(tag)
    }
    if (isHtml && name === 'template') this.#templateCount++
    if (isHtml && (name === 'script' || name === 'style' || name === 'noscript')) {
      this.#rawName = name
      const isWanted = this.#hasStyleText && name === 'style'
      this.#rawText.begin(name, isWanted ? STYLE_CHARACTERS_MAX : 0)
      this.#stoppedAt = position - this.#pieceStart
      this.#tokenizer.pause()
    }
    tag.clear()
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
    const name = this.#nameOf(start, end)
    if (name === '') return
    const isForeign = this.#foreign.isForeign
    if (this.#foreign.isInside) this.#foreign.endTag(name)
    if (isForeign) return
    if (name === 'template') {
      if (this.#templateCount > 0) this.#templateCount--
    } else if (this.#templateCount === 0 && this.#isWished.has(name)) {
      this.#sink.endTag(name)
    }
  }

  /** HOT (bench/micro/html.bench.ts): most tags end at the first line of each. */
  #callbacks(): htmlparser2.TokenizerCallbacks {
    const tag = this.#tag
    const nothing = () => undefined
    return {
      onopentagname: (start, end) => {
        tag.clear()
        tag.name = this.#nameOf(start, end)
      },
      onattribname: (start, end) => {
        if (tag.name === '') return
        if (this.#canAttributeMatter(start, end)) tag.attributeStarts(this.#textOf(start, end))
        else tag.attributeIsSkipped()
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
  name = ''
  isForeign = false
  readonly #values: (string | null)[] = attributeNames.map(() => null)
  /** Slots that are not null, so that clearing looks at no others. */
  readonly #used: Uint8Array = new Uint8Array(attributeNames.length)
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

  get(name: AttributeName): string | null {
    return this.#values[slotOf.get(name)!]!
  }

  clear(): void {
    this.name = ''
    this.#slot = -1
    for (let used = 0; used < this.#usedCount; used++) this.#values[this.#used[used]!] = null
    this.#usedCount = 0
  }

  attributeIsSkipped(): void {
    this.#slot = -1
  }

  attributeStarts(name: string): void {
    const slot = slotOf.get(name) ?? slotOf.get(asciiLower(name)) ?? -1
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
    else if (/[&\0]/.test(value)) this.#values[this.#slot] = this.#decoder.decode(value, quote)
    this.#slot = -1
  }
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
    return this.#decoded.replaceAll('\0', '\ufffd')
  }
}

/** Unlike `toLowerCase()`, leaves all but A to Z alone: `K` (Kelvin) is not `k`. */
function asciiLower(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text
}
