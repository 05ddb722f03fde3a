/**
 * Knows whether a page is inside SVG or MathML, where HTML's rules for tags do not hold.
 *
 * `<style>` in SVG holds markup, `<link>` in SVG loads nothing, `<img>` in SVG ends the SVG. The
 * rules are those of HTML LS 13.2.6.5, reduced to what the tags alone tell: no tree is built.
 * Memory is one byte a level, and levels beyond the bound are counted but not told apart.
 */

const HTML = 0
const SVG = 1
const MATHML = 2

const LEVEL_COUNT_MAX = 512

/** Start tags that end SVG and MathML and belong to the page again. */
const BREAKOUTS: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)
/** Elements of SVG and MathML whose content is HTML. */
const SVG_GATES: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title'])
const MATHML_GATES: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

/** The part of the attributes that matters here. */
export interface TagFacts {
  /** The `encoding` of `annotation-xml`. */
  readonly encoding: string | null
  /** `font` with a colour, a face or a size. */
  readonly isStyledFont: boolean
  readonly isSelfClosing: boolean
}

export class ForeignContent {
  readonly #levels: Uint8Array = new Uint8Array(LEVEL_COUNT_MAX)
  #levelCount = 0
  /** Levels that found no room. */
  #lostCount = 0

  /** Whether the last tag left us outside HTML. */
  get isForeign(): boolean {
    return this.#levelCount > 0 && this.#levels[this.#levelCount - 1] !== HTML
  }

  /** Whether there is any SVG or MathML around, perhaps with HTML in it. */
  get isInside(): boolean {
    return this.#levelCount > 0
  }

  reset(): void {
    this.#levelCount = 0
    this.#lostCount = 0
  }

  /** Takes a start tag in; false: the tag is an element of SVG or MathML, not of HTML. */
  startTag(name: string, facts: TagFacts): boolean {
    const level = this.#level()
    if (level === HTML) {
      if (name !== 'svg' && name !== 'math') return true
      if (!facts.isSelfClosing) this.#push(name === 'svg' ? SVG : MATHML)
      return false
    }
    if (BREAKOUTS.has(name) || (name === 'font' && facts.isStyledFont)) {
      this.#breakOut()
      return true
    }
    if (facts.isSelfClosing) return false
    if (isGate(name, level, facts)) this.#push(HTML)
    else if (name === 'svg' && level === SVG) this.#push(SVG)
    else if (name === 'math' && level === MATHML) this.#push(MATHML)
    return false
  }

  endTag(name: string): void {
    const level = this.#level()
    if (level !== HTML) {
      if (name === 'p' || name === 'br') this.#breakOut()
      else if (name === (level === SVG ? 'svg' : 'math')) this.#pop()
      return
    }
    if (this.#levelCount < 2) return
    const outer = this.#levels[this.#levelCount - 2]
    if (outer === SVG ? SVG_GATES.has(name) : MATHML_GATES.has(name) || name === 'annotation-xml') {
      this.#pop()
    }
  }

  #level(): number {
    return this.#levelCount === 0 ? HTML : this.#levels[this.#levelCount - 1]!
  }

  #push(level: number): void {
    if (this.#levelCount === LEVEL_COUNT_MAX) this.#lostCount++
    else this.#levels[this.#levelCount++] = level
  }

  #pop(): void {
    if (this.#lostCount > 0) this.#lostCount--
    else if (this.#levelCount > 0) this.#levelCount--
  }

  #breakOut(): void {
    this.#lostCount = 0
    while (this.#level() !== HTML) this.#levelCount--
  }
}

function isGate(name: string, level: number, facts: TagFacts): boolean {
  if (level === SVG) return SVG_GATES.has(name)
  if (name !== 'annotation-xml') return MATHML_GATES.has(name)
  const encoding = facts.encoding?.toLowerCase()
  return encoding === 'text/html' || encoding === 'application/xhtml+xml'
}
